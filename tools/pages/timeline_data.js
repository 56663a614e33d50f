// Reads a timeline of the page: what tools/pages/timeline.cpp has packed, and questions about it.
"use strict";
const ramjet_timeline_data = (() => {
  const KINDS = ["handler", "wait", "collective", "thread", "send", "access"];
  const SHARES = 3;  // the first kinds, which time divides into

  async function bytes_of(base64) {
    const text = atob(base64), packed = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) packed[i] = text.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // `count` numbers, of seven bits a byte. They may have more bits than shifts keep.
  function numbers(bytes, at, count) {
    const out = new Float64Array(count);
    for (let i = 0; i < count; ++i) {
      let value = 0, scale = 1, byte;
      do {
        byte = bytes[at++];
        value += (byte & 127) * scale;
        scale *= 128;
      } while (byte & 128);
      out[i] = value;
    }
    return out;
  }

  // The first index from `from` on, below `to`, for which the predicate holds; `to` if for none.
  function first_of(from, to, holds) {
    while (from < to) {
      const middle = (from + to) >> 1;
      if (holds(middle)) to = middle; else from = middle + 1;
    }
    return from;
  }

  // Slices of each row by begin; `reach` is the latest end of the row's slices up to there.
  function fill_slices(t, columns) {
    const [begins, lengths, kinds, names, peers, sizes, senders] = columns;
    const count = begins.length;
    Object.assign(t, {begin: begins, end: lengths, kind: new Uint8Array(count),
      open: new Uint8Array(count), name: names, peer: peers, bytes: sizes,
      sender: new Int32Array(count), row: new Uint16Array(count),
      reach: new Float64Array(count)});
    for (let row = 0, i = 0; row < t.rows.length; ++row) {
      for (let last = 0, reach = 0; i < t.first[row + 1]; ++i) {
        last = begins[i] += last;
        lengths[i] += last;
        t.reach[i] = reach = Math.max(reach, lengths[i]);
        t.kind[i] = kinds[i] >> 1;
        t.open[i] = kinds[i] & 1;
        t.row[i] = row;
        peers[i] -= 1;
        const far = senders[i];
        t.sender[i] = far === 0 ? -1 : far % 2 ? i - (far + 1) / 2 : i + far / 2;
      }
    }
  }

  // Of each kind and row the sums of its shares up to each bin: any stretch is a difference.
  function fill_sums(t, bytes) {
    t.sums = [];
    for (let line = 0, at = 0; line < SHARES * t.rows.length; ++line) {
      const sums = new Float64Array(t.bins + 1);
      for (let bin = 0; bin < t.bins; ++bin) sums[bin + 1] = sums[bin] + bytes[at++] / 255;
      t.sums.push(sums);
    }
  }

  function fill_path(t, bytes, at) {
    const all = numbers(bytes, at, 3 * t.path);
    const path = {count: t.path, row: [], begin: [], end: []};
    for (let i = 0, last = 0; i < t.path; ++i) {
      path.row.push(all[3 * i]);
      path.begin.push(last += all[3 * i + 1]);
      path.end.push(last + all[3 * i + 2]);
    }
    t.path = path;
  }

  async function read(description, base64) {
    const t = JSON.parse(description), bytes = await bytes_of(base64);
    t.first = [0];
    for (const count of t.slices) t.first.push(t.first.at(-1) + count);
    const starts = [0];
    for (const size of t.columns) starts.push(starts.at(-1) + size);
    const count = t.first.at(-1);
    fill_slices(t, [0, 1, 2, 3, 4, 5, 6].map((i) => numbers(bytes, starts[i], count)));
    fill_path(t, bytes, starts[7]);
    fill_sums(t, bytes.subarray(starts[8], starts[9]));
    t.handled = new Int32Array(count).fill(-1);  // of a send: the slice of its handler
    for (let i = 0; i < count; ++i) if (t.sender[i] >= 0) t.handled[t.sender[i]] = i;
    return t;
  }

  // The slices of a row that may be seen in [from, to]: a range of indexes.
  function range(t, row, from, to) {
    const first = t.first[row], last = t.first[row + 1];
    return [first_of(first, last, (i) => t.reach[i] >= from),
      first_of(first, last, (i) => t.begin[i] > to)];
  }

  // What share of [from, to] the kind has in the row.
  function share(t, kind, row, from, to) {
    const sums = t.sums[kind * t.rows.length + row], scale = t.bins / Math.max(1, t.duration);
    const at = (ns) => {
      const bin = Math.min(t.bins, Math.max(0, ns * scale)), whole = Math.min(t.bins - 1, bin | 0);
      return sums[whole] + (sums[whole + 1] - sums[whole]) * (bin - whole);
    };
    return to > from ? Math.max(0, (at(to) - at(from)) / ((to - from) * scale)) : 0;
  }

  // Whether each slice of [from, to] is here.
  const is_exact = (t, from, to) =>
    t.exact.some(([begin, end]) => begin <= from && end >= Math.min(to, t.duration));

  // The slice at that time in that row: of several the one that began last, threads after others.
  // `slack` is how far away one that takes none may be.
  function slice_at(t, row, ns, slack) {
    const [first, last] = range(t, row, ns - slack, ns + slack);
    let found = -1, rank = -1;
    for (let i = last - 1; i >= first; --i) {
      if (t.end[i] + slack < ns || t.begin[i] - slack > ns) continue;
      const is_in = t.begin[i] <= ns && t.end[i] >= ns;
      const order = t.kind[i] === 3 ? 0 : is_in ? 2 : 1;
      if (order > rank) { found = i; rank = order; }
    }
    return found;
  }

  function time_text(ns, digits = 4) {
    const [scale, unit] = Math.abs(ns) >= 1e9 ? [1e9, "s"] : Math.abs(ns) >= 1e6 ? [1e6, "ms"]
      : Math.abs(ns) >= 1e3 ? [1e3, "us"] : [1, "ns"];
    return +(ns / scale).toPrecision(digits) + " " + unit;
  }

  // What a slice is, in a sentence without its end.
  function sentence(t, i) {
    const kind = KINDS[t.kind[i]], name = t.names[t.name[i]], peer = t.peer[i];
    const words = [t.rows[t.row[i]] + ": "];
    if (kind === "handler") words.push(`handles ${name}${peer >= 0 ? ` of rank ${peer}` : ""}`);
    else if (kind === "wait") words.push(`waits for ${name}${peer >= 0 ? `, rank ${peer}` : ""}`);
    else if (kind === "collective") words.push(`is in the collective ${name}`);
    else if (kind === "thread") words.push(`runs ${name}`);
    else if (kind === "send") words.push(`sends ${name}${peer >= 0 ? ` to rank ${peer}` : ""}`);
    else words.push(`${name}${peer >= 0 ? ` of rank ${peer}` : ""}`);
    if (t.bytes[i] > 0) words.push(`, ${t.bytes[i]} bytes`);
    if (t.kind[i] < 4) words.push(`, ${t.open[i] ? "not ended after " : ""}`,
      time_text(t.end[i] - t.begin[i]));
    words.push(`, at ${time_text(t.begin[i], 8)}`);
    if (t.sender[i] >= 0)
      words.push(`, sent ${time_text(Math.max(0, t.begin[i] - t.begin[t.sender[i]]))} before`);
    return words.join("");
  }

  return {KINDS, SHARES, read, range, share, is_exact, slice_at, sentence, time_text, first_of};
})();
