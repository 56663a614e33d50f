// SPDX-License-Identifier: Apache-2.0
#include "keep_inputs.hpp"

#include <optional>

#include "byte_source.hpp"
#include "failure.hpp"
#include "tools/cli/inputs.hpp"

namespace kmer {
namespace {

void refuse_same(const std::optional<std::string>& input, const std::string& name) {
  if (!input) return;
  throw output_error("cannot write " + name + ": it is the same file as the input " +
                     (*input == kStandardInput ? "on standard input" : *input));
}

}  // namespace

void keep_inputs(const std::vector<std::string>& inputs, const std::string& output) {
  refuse_same(console::input_that_is(output, inputs), output);
  refuse_same(console::input_on_standard_output(inputs), "standard output");
}

}  // namespace kmer
