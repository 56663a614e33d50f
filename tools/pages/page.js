// Draws the plots of the page from the numbers in it, which stand below each as a table, too.
"use strict";
(() => {
  // These stay apart for colour-blind readers, on light and on dark paper.
  const COLOURS = ["#0077bb", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#8a63d2",
    "#7f8c99"];
  const TONES = {plain: "#0077bb", good: "#009e73", bad: "#d55e00", faint: "#7f8c99"};
  const UNITS = ["", "Ki", "Mi", "Gi", "Ti"];

  const bytes = (value) => {
    let unit = 0;
    while (value >= 1024 && unit + 1 < UNITS.length) { value /= 1024; ++unit; }
    return +value.toPrecision(3) + UNITS[unit];
  };
  const plain = (value) =>
    Math.abs(value) >= 1e4 || (value && Math.abs(value) < 1e-4)
      ? d3.format(".3~s")(value) : d3.format(".4~g")(value);

  // Powers of two for bytes, of ten else; few enough to be read. Few whole numbers as they are.
  function ticks_of(axis, values, most) {
    const whole = new Set(values);
    if (values.every(Number.isInteger) && whole.size <= most) return [...whole].sort(d3.ascending);
    if (!axis.log) return undefined;
    const base = axis.bytes ? 2 : 10;
    const [low, high] = d3.extent(values);
    const first = Math.ceil(Math.log(low) / Math.log(base) - 1e-9);
    const last = Math.floor(Math.log(high) / Math.log(base) + 1e-9);
    if (last - first < 1) return most;
    const step = Math.max(1, Math.ceil((last - first + 1) / most));
    return d3.range(first, last + 1, step).map((power) => base ** power);
  }

  const scale_of = (axis, values, most, zero) => ({
    label: axis.label, type: axis.log ? "log" : "linear", base: axis.bytes ? 2 : 10, grid: true,
    nice: !axis.log, zero: zero && !axis.log && d3.min(values) < 0.4 * d3.max(values),
    ticks: ticks_of(axis, values, most), tickFormat: axis.bytes ? bytes : plain});

  function curves(plot, width) {
    const names = plot.curves.map((curve) => curve.name);
    const rows = plot.curves.flatMap((curve) => curve.points
      .filter(([x, y]) => (!plot.x.log || x > 0) && (!plot.y.log || y > 0))
      .map(([x, y]) => ({x, y, name: curve.name})));
    const colour = {domain: names, range: names.map((_, i) => COLOURS[i % COLOURS.length])};
    const title = (d) => `${names.length > 1 ? d.name + "\n" : ""}${plot.x.label}: ` +
      `${(plot.x.bytes ? bytes : plain)(d.x)}\n${plot.y.label}: ${plain(d.y)}`;
    const marks = [Plot.line(rows, {x: "x", y: "y", stroke: "name", z: "name"})];
    if (rows.length <= 400)
      marks.push(Plot.dot(rows, {x: "x", y: "y", stroke: "name", r: 2.6,
        symbol: names.length > 1 ? "name" : undefined, fill: "var(--paper)"}));
    marks.push(Plot.tip(rows, Plot.pointer({x: "x", y: "y", title, fill: "var(--paper)"})));
    return Plot.plot({width, height: 350, marginTop: 28, marginLeft: 60, marginBottom: 42,
      style: "font-size: 12px",
      x: scale_of(plot.x, rows.map((d) => d.x), Math.min(12, width / 75), false),
      y: scale_of(plot.y, rows.map((d) => d.y), 6, true), color: colour,
      symbol: names.length > 1 ? {domain: names, legend: true} : undefined, marks});
  }

  function intervals(plot, width) {
    const rows = plot.intervals, names = rows.map((d) => d.row);
    const longest = d3.max(names, (name) => name.length);
    const colour = (d) => TONES[d.tone];
    return Plot.plot({width, marginLeft: Math.min(260, 14 + 7.2 * longest), marginBottom: 42,
      height: 70 + 20 * names.length, style: "font-size: 12px",
      x: {label: plot.x.label, type: plot.x.log ? "log" : "linear", grid: true, tickFormat: plain,
        ticks: Math.min(8, width / 90)},
      y: {label: null, domain: names},
      marks: [Plot.ruleX([1], {stroke: "currentColor", strokeDasharray: "4 3"}),
        Plot.ruleY(rows, {y: "row", x1: "low", x2: "high", stroke: colour, strokeWidth: 2}),
        Plot.dot(rows, {y: "row", x: "value", fill: colour, r: 3.6}),
        Plot.tip(rows, Plot.pointerY({y: "row", x: "value", fill: "var(--paper)",
          title: (d) => `${d.row}\n${plain(d.value)} (${plain(d.low)} to ${plain(d.high)})`}))]});
  }

  const plots = JSON.parse(document.getElementById("plots").textContent);
  const width = Math.max(320, Math.min(920, document.body.clientWidth - 8));
  for (const place of document.querySelectorAll(".plot")) {
    const plot = plots[Number(place.dataset.plot)];
    const drawn = (plot.intervals.length ? intervals : curves)(plot, width);
    for (const svg of drawn.tagName === "svg" ? [drawn] : drawn.querySelectorAll("svg"))
      svg.setAttribute("aria-hidden", "true");
    place.replaceChildren(drawn);
  }
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details.short")) details.open = true;
  });
  document.documentElement.dataset.drawn = plots.length;
})();
