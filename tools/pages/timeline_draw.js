// Draws a part of a timeline on a canvas: rows, slices or shares of time, arrows, critical path.
"use strict";
const ramjet_timeline_draw = (() => {
  const {SHARES, range, share, is_exact, time_text} = ramjet_timeline_data;

  // By kind: handler, wait, collective, thread, send, access. They stay apart for colour-blind
  // readers.
  const LIGHT = {paper: "#ffffff", ink: "#1c2128", faint: "#5b6470", rule: "#d8dce2",
    ground: "#eef1f4", path: "#111418", arrow: "rgba(28,33,40,.55)", name: "#ffffff",
    kinds: ["#0077bb", "#d55e00", "#e2a9cb", "#9aa4b1", "#004a78", "#00795a"]};
  const DARK = {paper: "#14181d", ink: "#e4e8ee", faint: "#9aa4b1", rule: "#343b45",
    ground: "#1c2229", path: "#ffffff", arrow: "rgba(228,232,238,.55)", name: "#0b0e11",
    kinds: ["#3fa7e8", "#f08a3c", "#8f5677", "#66707d", "#9fd4ff", "#4cc38a"]};
  const AXIS = 30, ARROWS_MAX = 600;

  const row_height = (rows) => rows <= 8 ? 44 : rows <= 16 ? 30 : rows <= 64 ? 16 : 10;
  const gutter = (width) => width < 560 ? 64 : 92;

  // Where things are: of a state with the timeline, the view, the size and the scroll.
  function frame_of(state) {
    const {t, view, width, height} = state, left = gutter(width), row = row_height(t.rows.length);
    const scale = (width - left) / (view.to - view.from);
    return {left, row, scale, x: (ns) => left + (ns - view.from) * scale,
      y: (index) => AXIS + index * row - state.scroll,
      ns: (x) => view.from + (x - left) / scale, pixel_ns: 1 / scale,
      first: Math.max(0, Math.floor(state.scroll / row)),
      last: Math.min(t.rows.length, Math.ceil((state.scroll + height - AXIS) / row))};
  }

  function step_of(span, most) {
    const rough = span / most, power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough);
  }

  // With as many digits as tell neighbours apart.
  const tick_text = (ns, step) =>
    time_text(ns, Math.min(15, Math.ceil(Math.log10(Math.max(1, ns / step)) + 1e-9) + 1));

  function draw_axis(c, state, f, colours) {
    c.fillStyle = colours.paper;
    c.fillRect(0, 0, state.width, AXIS);
    c.strokeStyle = colours.rule;
    c.fillStyle = colours.faint;
    c.font = "11px system-ui, sans-serif";
    c.textBaseline = "top";
    const {from, to} = state.view, step = step_of(to - from, Math.max(2, state.width / 130));
    c.globalAlpha = 0.5;
    c.beginPath();
    for (let ns = Math.ceil(from / step) * step; ns <= to; ns += step) {
      const x = f.x(ns);
      c.moveTo(x, AXIS - 8);
      c.lineTo(x, state.height);
    }
    c.stroke();
    c.globalAlpha = 1;
    for (let ns = Math.ceil(from / step) * step; ns <= to; ns += step)
      if (f.x(ns) + 60 < state.width) c.fillText(tick_text(ns, step), f.x(ns) + 3, 4);
    c.fillStyle = colours.kinds[5];  // where everything is here
    for (const [begin, end] of state.t.exact) {
      const x = Math.max(f.left, f.x(begin)), far = Math.min(state.width, f.x(end));
      if (far >= x) c.fillRect(x, AXIS - 6, Math.max(1, far - x), 3);
    }
  }

  // Heights of a pixel's shares, to a quarter of a pixel.
  function heights_of(t, row, from, to, all) {
    const heights = [];
    for (let kind = 0; kind < SHARES; ++kind)
      heights.push(Math.round(4 * all * Math.min(1, share(t, kind, row, from, to))) / 4);
    return heights;
  }

  // What is left out is that part of the pixel's time in which the program itself ran. Pixels that
  // look the same are drawn together.
  function draw_shares(c, state, f, colours, row, from_x, to_x) {
    const y = f.y(row) + 1, height = f.row - 2, step = f.pixel_ns;
    const put = (x, end, heights) => {
      let bottom = y + height;
      heights.forEach((part, kind) => {
        if (part === 0) return;
        c.fillStyle = colours.kinds[kind];
        c.fillRect(x, bottom - part, end - x, part);
        bottom -= part;
      });
    };
    let start = Math.floor(from_x), last;
    for (let x = start, ns = f.ns(x); x < to_x; ++x, ns += step) {
      const heights = heights_of(state.t, row, ns, ns + step, height);
      if (last && !heights.every((part, kind) => part === last[kind])) {
        put(start, x, last);
        start = x;
      }
      last = heights;
    }
    if (last) put(start, Math.ceil(to_x), last);
  }

  // The parts of a row: waits and collectives above, handlers, sends and accesses below, and at the
  // bottom which thread runs.
  function lane(kind, f) {
    const top = 1, all = f.row - 2, thread = Math.max(1, all * 0.1), middle = all * 0.56;
    if (kind === 2) return [top, middle];
    if (kind === 1) return [top + all * 0.1, middle - all * 0.1];
    if (kind === 3) return [top + all - thread, thread];
    return [top + middle + 0.5, all - middle - thread - 0.5];
  }

  function draw_name(c, state, colours, i, x, y, width, height) {
    if (height < 9 || width < 34) return;
    const name = state.t.names[state.t.name[i]], room = Math.floor((width - 6) / 5.6);
    c.fillStyle = colours.name;
    c.font = "10px system-ui, sans-serif";
    c.textBaseline = "middle";
    c.fillText(name.length <= room ? name : name.slice(0, Math.max(1, room - 1)) + "…", x + 3,
      y + height / 2 + 0.5);
  }

  function draw_slices(c, state, f, colours, row) {
    const {t, view} = state, [first, last] = range(t, row, view.from, view.to);
    for (const kind of [3, 2, 1, 0, 4, 5]) {  // what lies in others later
      const [top, height] = lane(kind, f), y = f.y(row) + top;
      c.fillStyle = colours.kinds[kind];
      let drawn_to = -1;
      for (let i = first; i < last; ++i) {
        if (t.kind[i] !== kind || t.end[i] < view.from) continue;
        const x = Math.max(f.left, f.x(t.begin[i]));
        const end = Math.min(state.width, Math.max(x + 1, f.x(t.end[i])));
        if (end <= drawn_to) continue;  // a pixel is drawn once
        c.fillRect(x, y, end - x, height);
        drawn_to = Math.floor(end);
        state.drawn += 1;
        if (end - x < 34 || kind === 3) continue;
        draw_name(c, state, colours, i, x, y, end - x, height);
        c.fillStyle = colours.kinds[kind];
      }
    }
  }

  // Slices where they can be told apart; else, and where some are not here, shares.
  function draw_row(c, state, f, colours, row) {
    const {t, view} = state, bin_ns = t.duration / Math.max(1, t.bins);
    c.fillStyle = colours.ground;
    c.fillRect(f.left, f.y(row) + 1, state.width - f.left, f.row - 2);
    const [first, last] = range(t, row, view.from, view.to);
    const exact = is_exact(t, view.from, view.to);
    if (f.pixel_ns > bin_ns && !(exact && last - first < state.width / 2)) {
      draw_shares(c, state, f, colours, row, f.left, state.width);
      return;
    }
    if (!exact) {
      let x = f.left;
      c.globalAlpha = 0.45;
      for (const [begin, end] of t.exact) {
        if (f.x(end) < f.left || f.x(begin) > state.width) continue;
        draw_shares(c, state, f, colours, row, x, f.x(begin));
        x = Math.max(x, f.x(end));
      }
      draw_shares(c, state, f, colours, row, x, state.width);
      c.globalAlpha = 1;
    }
    draw_slices(c, state, f, colours, row);
  }

  function draw_labels(c, state, f, colours) {
    c.save();
    c.beginPath();
    c.rect(0, AXIS, f.left, state.height - AXIS);
    c.clip();
    c.fillStyle = colours.paper;
    c.fillRect(0, AXIS, f.left, state.height - AXIS);
    c.textBaseline = "middle";
    c.font = `${Math.min(12, f.row)}px system-ui, sans-serif`;
    for (let row = f.first; row < f.last; ++row) {
      const is_chosen = row === state.row;
      c.fillStyle = is_chosen ? colours.ink : colours.faint;
      c.fillText((is_chosen ? "▸ " : "") + state.t.rows[row], 6, f.y(row) + f.row / 2);
    }
    c.restore();
  }

  function arrow(c, x1, y1, x2, y2) {
    const angle = Math.atan2(y2 - y1, x2 - x1);
    c.moveTo(x1, y1);
    c.lineTo(x2, y2);
    for (const turn of [2.6, -2.6]) {
      c.moveTo(x2, y2);
      c.lineTo(x2 + 6 * Math.cos(angle + turn), y2 + 6 * Math.sin(angle + turn));
    }
  }

  function arrows_of(state, f) {
    const {t, view} = state, found = [];
    for (let row = f.first; row < f.last; ++row) {
      const [first, last] = range(t, row, view.from, view.to);
      for (let i = first; i < last && found.length <= ARROWS_MAX; ++i)
        if (t.sender[i] >= 0 && t.begin[i] >= view.from) found.push(i);
    }
    return found;
  }

  function draw_arrows(c, state, f, colours) {
    const {t} = state, all = state.arrows ? arrows_of(state, f) : [];
    state.too_many_arrows = all.length > ARROWS_MAX;
    const middle = (i) => {
      const [top, height] = lane(0, f);
      return f.y(t.row[i]) + top + height / 2;
    };
    const list = state.too_many_arrows ? [] : all;
    state.drawn_arrows = list.length;
    c.save();
    c.beginPath();
    c.rect(f.left, AXIS, state.width - f.left, state.height - AXIS);
    c.clip();
    const draw = (of, width, colour) => {
      c.lineWidth = width;
      c.strokeStyle = colour;
      c.beginPath();
      for (const i of of)
        arrow(c, f.x(t.begin[t.sender[i]]), middle(t.sender[i]), f.x(t.begin[i]), middle(i));
      c.stroke();
    };
    draw(list, 1, colours.arrow);
    const chosen = state.slice, ends = chosen < 0 ? [] : [chosen, t.handled[chosen]];
    const of_chosen = ends.filter((i) => i >= 0 && t.sender[i] >= 0);
    draw(of_chosen, 2.2, colours.ink);
    state.drawn_arrows += of_chosen.length;
    c.restore();
  }

  // The parts of the path that are seen: from x, to x, y.
  function path_parts(state, f) {
    const {path} = state.t, {from, to} = state.view, parts = [];
    let i = ramjet_timeline_data.first_of(0, path.count, (k) => path.end[k] >= from);
    for (i = Math.max(0, i - 1); i < path.count && (i === 0 || path.begin[i - 1] <= to); ++i)
      parts.push([f.x(path.begin[i]), f.x(path.end[i]), f.y(path.row[i]) + 2]);
    return parts;
  }

  // Along the upper edge of rows, with thin lines where it goes on in another row: the fainter,
  // the more they are.
  function draw_path(c, state, f, colours) {
    const parts = path_parts(state, f);
    c.save();
    c.beginPath();
    c.rect(f.left, AXIS, state.width - f.left, state.height - AXIS);
    c.clip();
    c.strokeStyle = colours.path;
    c.globalAlpha = Math.max(0.1, Math.min(1, state.width / (4 * parts.length)));
    c.lineWidth = 1.2;
    c.beginPath();
    for (let i = 1; i < parts.length; ++i) {
      c.moveTo(parts[i - 1][1], parts[i - 1][2]);
      c.lineTo(parts[i][0], parts[i][2]);
    }
    c.stroke();
    c.globalAlpha = 1;
    for (const [height, colour] of [[5, colours.paper], [3, colours.path]]) {
      c.fillStyle = colour;
      for (const [x, end, y] of parts)
        if (end - x >= 0.3) c.fillRect(x, y - height / 2, Math.max(1, end - x), height);
    }
    c.restore();
  }

  function draw_chosen(c, state, f, colours) {
    if (state.slice < 0) return;
    const {t, slice} = state, [top, height] = lane(t.kind[slice], f);
    const x = f.x(t.begin[slice]), end = Math.max(x + 2, f.x(t.end[slice]));
    const from = Math.max(f.left + 1, x - 1), far = Math.min(state.width - 1, end + 1);
    if (far <= from) return;
    c.strokeStyle = colours.ink;
    c.lineWidth = 2;
    c.strokeRect(from, f.y(t.row[slice]) + top - 1, far - from, height + 2);
  }

  // Draws the state; says in it how many slices and arrows that were.
  function draw(canvas, state) {
    const sharp = state.printing ? 2 : Math.min(2, window.devicePixelRatio || 1);
    const ratio = state.height > 8000 ? 1 : sharp;  // a canvas has bounds
    const wide = Math.round(state.width * ratio), high = Math.round(state.height * ratio);
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
    }
    const c = canvas.getContext("2d"), f = frame_of(state);
    const colours = state.dark && !state.printing ? DARK : LIGHT;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = colours.paper;
    c.fillRect(0, 0, state.width, state.height);
    state.drawn = 0;
    for (let row = f.first; row < f.last; ++row) draw_row(c, state, f, colours, row);
    draw_arrows(c, state, f, colours);
    if (state.path) draw_path(c, state, f, colours);
    draw_chosen(c, state, f, colours);
    draw_axis(c, state, f, colours);
    draw_labels(c, state, f, colours);
  }

  const colours_of = (dark) => dark ? DARK : LIGHT;
  return {draw, frame_of, row_height, colours_of, AXIS};
})();
