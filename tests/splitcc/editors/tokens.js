// SPDX-License-Identifier: Apache-2.0
// tokens.js GRAMMAR FILE: what VS Code's own tokeniser makes of it, a line [line, text, scope] each.
const fs = require('fs');
const path = require('path');
const onig = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

async function main(grammarFile, file) {
  const wasm = path.join(path.dirname(require.resolve('vscode-oniguruma')), 'onig.wasm');
  await onig.loadWASM(fs.readFileSync(wasm).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new onig.OnigScanner(patterns),
      createOnigString: (text) => new onig.OnigString(text),
    }),
    loadGrammar: async () =>
      textmate.parseRawGrammar(fs.readFileSync(grammarFile, 'utf8'), grammarFile),
  });
  const grammar = await registry.loadGrammar('source.splitc');
  let state = textmate.INITIAL;
  fs.readFileSync(file, 'utf8').split('\n').forEach((line, index) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const t of result.tokens)
      console.log(JSON.stringify([index + 1, t.startIndex, t.scopes[t.scopes.length - 1]]));
  });
}

main(process.argv[2], process.argv[3]);
