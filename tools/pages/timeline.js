// The timelines of the page: pointer, keys, buttons, what is said of a slice.
"use strict";
(() => {
  const {SHARES, range, share, slice_at, sentence, time_text, read} = ramjet_timeline_data;
  const {draw, frame_of, row_height, colours_of, AXIS} = ramjet_timeline_draw;
  const HEIGHT_MAX = 660, SPAN_MIN = 20;  // pixels; ns

  const LEGEND = ["in a handler", "waiting", "in a collective", "which thread runs", "a send",
    "a far access"];
  const SHARE_WORDS = ["in handlers", "waiting", "in collectives"];
  const HINT = "Drag to move. Ctrl and the wheel zoom, the wheel alone once the timeline has " +
    "been clicked; a double click zooms in. Keys: arrows choose a row and move, + and - zoom, 0 shows " +
    "all, n and p go to the row's next and previous event, Home and End to its first and last, f " +
    "to the other end of an arrow, Enter zooms to the event, Escape lets go of it.";

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  class Shown {
    constructor(figure, t) {
      this.figure = figure;
      this.state = {t, view: {from: 0, to: Math.max(SPAN_MIN, t.duration)}, width: 0, height: 0,
        scroll: 0, row: 0, slice: -1, arrows: true, path: true, printing: false,
        dark: matchMedia("(prefers-color-scheme: dark)").matches};
      this.is_active = false;  // the wheel zooms
      this.build();
      this.listen();
      this.resize();
    }

    build() {
      const {t} = this.state;
      this.canvas = element("canvas", {tabindex: "0", role: "application",
        "aria-roledescription": "timeline", "aria-label": t.title + " " + HINT});
      this.holder = element("div", {class: "canvas"}, this.canvas);
      this.spacer = element("div", {"aria-hidden": "true"});
      this.holder.append(this.spacer);
      this.said = element("p", {class: "said", role: "status"});
      this.tip = element("div", {class: "tip", hidden: "", "aria-hidden": "true"});
      const hint = element("details", {class: "hint"}, element("summary", {}, "How to move in it"),
        element("p", {}, HINT));
      this.figure.append(this.tools(), this.legend(), this.holder, this.said, hint, this.tip);
    }

    tools() {
      const bar = element("div", {class: "tools", role: "toolbar", "aria-label": "Timeline"});
      for (const [label, act] of [["Zoom in", () => this.zoom(0.5)], ["Zoom out",
        () => this.zoom(2)], ["Earlier", () => this.move(-0.25)], ["Later", () => this.move(0.25)],
        ["All", () => this.show_all()]]) {
        const button = element("button", {type: "button"}, label);
        button.addEventListener("click", act);
        bar.append(button);
      }
      const {places} = this.state.t;
      if (places.length > 0) {
        const choice = element("select", {}, element("option", {value: ""}, "a place..."));
        places.forEach((p, i) => choice.append(element("option", {value: i}, p.name)));
        choice.addEventListener("change", () => {
          if (choice.value !== "") this.go_to(places[choice.value]);
        });
        bar.append(element("label", {}, "Go to ", choice));
      }
      for (const [name, label] of [["arrows", "Arrows"], ["path", "Critical path"]]) {
        const box = element("input", {type: "checkbox", checked: ""});
        box.addEventListener("change", () => {
          this.state[name] = box.checked;
          this.redraw();
        });
        const words = element("span", {}, label);
        this[name + "_words"] = words;
        bar.append(element("label", {}, box, " ", words));
      }
      return bar;
    }

    legend() {
      const legend = element("p", {class: "legend"});
      this.swatches = [];
      const used = new Set(this.state.t.kind);
      LEGEND.forEach((words, kind) => {
        if (!used.has(kind) && kind >= SHARES) return;
        const swatch = element("i", {});
        this.swatches.push([swatch, kind]);
        legend.append(element("span", {}, swatch, words));
      });
      for (const [mark, words] of [["path", "critical path"], ["exact", "all events are here"]])
        legend.append(element("span", {}, element("i", {class: mark}), words));
      return legend;
    }

    listen() {
      const {canvas, holder} = this;
      canvas.addEventListener("keydown", (event) => this.on_key(event));
      canvas.addEventListener("wheel", (event) => this.on_wheel(event), {passive: false});
      canvas.addEventListener("pointerdown", (event) => this.on_down(event));
      canvas.addEventListener("pointermove", (event) => this.on_move(event));
      canvas.addEventListener("pointerup", (event) => this.on_up(event));
      canvas.addEventListener("pointercancel", () => { this.drag = undefined; });
      canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
      canvas.addEventListener("dblclick", (event) => this.zoom(0.25, this.ns_of(event)));
      canvas.addEventListener("blur", () => { this.is_active = false; });
      holder.addEventListener("scroll", () => {
        this.state.scroll = holder.scrollTop;
        this.redraw();
      });
      new ResizeObserver(() => this.resize()).observe(holder);
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
        this.state.dark = event.matches;
        this.redraw();
      });
      addEventListener("beforeprint", () => this.print(true));
      addEventListener("afterprint", () => this.print(false));
    }

    // On paper all rows are seen, in light colours.
    print(is_now) {
      this.state.printing = is_now;
      this.figure.classList.toggle("printing", is_now);
      this.state.scroll = is_now ? 0 : this.holder.scrollTop;
      this.resize(true);
      this.draw_now();
    }

    resize(is_forced = false) {
      const {state} = this, width = this.holder.clientWidth;
      if (width === 0 || (state.printing && !is_forced)) return;
      const all = AXIS + row_height(state.t.rows.length) * state.t.rows.length;
      const height = state.printing ? all : Math.min(all, HEIGHT_MAX);
      if (state.width === width && state.height === height) return;
      state.width = width;
      state.height = height;
      this.canvas.style.height = height + "px";
      this.holder.style.maxHeight = height + "px";
      this.spacer.style.height = Math.max(0, all - height) + "px";
      this.redraw();
    }

    redraw() {
      if (this.is_due) return;
      this.is_due = true;
      requestAnimationFrame(() => this.draw_now());
    }

    draw_now() {
      const {state, canvas} = this, colours = colours_of(state.dark && !state.printing);
      this.is_due = false;
      draw(canvas, state);
      for (const [swatch, kind] of this.swatches) swatch.style.background = colours.kinds[kind];
      this.arrows_words.textContent = state.too_many_arrows ? "Arrows (zoom in)" : "Arrows";
      this.figure.style.setProperty("--path", colours.path);
      this.figure.style.setProperty("--exact", colours.kinds[5]);
      Object.assign(canvas.dataset, {from: state.view.from, to: state.view.to, drawn: state.drawn,
        arrows: state.drawn_arrows, row: state.row, slice: state.slice});
    }

    // --- what is seen -------------------------------------------------------------------------

    show(from, to) {
      const {state} = this, whole = Math.max(SPAN_MIN, state.t.duration);
      const span = Math.min(whole, Math.max(SPAN_MIN, to - from));
      const middle = (from + to) / 2;
      const start = Math.min(Math.max(0, middle - span / 2), whole - span);
      state.view = {from: start, to: start + span};
      this.redraw();
    }

    show_all() {
      this.show(0, this.state.t.duration);
      this.say(`All of ${time_text(this.state.t.duration)}.`);
    }

    zoom(factor, around) {
      const {from, to} = this.state.view, at = around ?? (from + to) / 2;
      this.show(at - (at - from) * factor, at + (to - at) * factor);
      this.say_view();
    }

    move(part) {
      const {from, to} = this.state.view, by = (to - from) * part;
      this.show(from + by, to + by);
      this.say_view();
    }

    go_to(place) {
      const [from, to] = place.where, margin = Math.max(SPAN_MIN, (to - from) * 0.25);
      this.show(from - margin, to + margin);
      this.choose_row(place.row);
      this.say(`${place.name}, at ${time_text(from)}.`);
    }

    choose_row(row) {
      const {state, holder} = this, high = row_height(state.t.rows.length);
      state.row = Math.min(Math.max(0, row), state.t.rows.length - 1);
      const top = state.row * high, room = state.height - AXIS - high;
      if (top < holder.scrollTop) holder.scrollTop = top;
      if (top > holder.scrollTop + room) holder.scrollTop = top - room;
      state.scroll = holder.scrollTop;
      this.redraw();
    }

    choose_slice(slice) {
      const {state} = this, {t, view} = state;
      if (slice < 0) return;
      state.slice = slice;
      this.choose_row(t.row[slice]);
      if (t.begin[slice] < view.from || t.begin[slice] > view.to) {
        const half = (view.to - view.from) / 2;
        this.show(t.begin[slice] - half, t.begin[slice] + half);
      }
      this.say(sentence(t, slice) + ".");
    }

    // --- what is said -------------------------------------------------------------------------

    say(words) { this.said.textContent = words; }

    share_words(row, from, to) {
      const parts = SHARE_WORDS
        .map((words, kind) => [Math.round(100 * share(this.state.t, kind, row, from, to)), words])
        .filter(([part]) => part > 0).map(([part, words]) => `${part} % ${words}`);
      return parts.length > 0 ? parts.join(", ") : "the program itself";
    }

    say_view() {
      const {t, view, row} = this.state;
      this.say(`${time_text(view.from, 6)} to ${time_text(view.to, 6)}; ${t.rows[row]}: ` +
        this.share_words(row, view.from, view.to) + ".");
    }

    // --- pointer ------------------------------------------------------------------------------

    ns_of(event) { return frame_of(this.state).ns(event.offsetX); }

    row_of(event) {
      const {state} = this, f = frame_of(state);
      const row = Math.floor((event.offsetY - AXIS + state.scroll) / f.row);
      return event.offsetY < AXIS || row >= state.t.rows.length ? -1 : row;
    }

    on_wheel(event) {
      if (!event.ctrlKey && !this.is_active) return;  // the page scrolls
      event.preventDefault();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
        this.move((event.deltaX || event.deltaY) / this.state.width);
      else
        this.zoom(Math.exp(Math.max(-120, Math.min(120, event.deltaY)) * 0.004),
          this.ns_of(event));
    }

    on_down(event) {
      if (event.button !== 0) return;
      this.is_active = true;
      this.drag = {x: event.offsetX, ...this.state.view, has_moved: false};
      this.canvas.setPointerCapture(event.pointerId);
    }

    on_move(event) {
      if (this.drag) {
        const far = event.offsetX - this.drag.x;
        if (Math.abs(far) > 3) this.drag.has_moved = true;
        const by = far * frame_of(this.state).pixel_ns;
        this.tip.hidden = true;
        if (this.drag.has_moved) this.show(this.drag.from - by, this.drag.to - by);
        return;
      }
      this.point_at(event);
    }

    on_up(event) {
      const drag = this.drag;
      this.drag = undefined;
      const row = this.row_of(event);
      if (!drag || drag.has_moved || row < 0) return;
      this.state.row = row;
      this.state.slice = this.slice_of(event, row);
      if (this.state.slice >= 0) this.say(sentence(this.state.t, this.state.slice) + ".");
      else this.say_view();
      this.redraw();
    }

    slice_of(event, row) {
      const f = frame_of(this.state);
      return slice_at(this.state.t, row, f.ns(event.offsetX), 3 * f.pixel_ns);
    }

    point_at(event) {
      const {state, tip} = this, f = frame_of(state), row = this.row_of(event);
      tip.hidden = row < 0 || event.offsetX < f.left;
      if (tip.hidden) return;
      const slice = this.slice_of(event, row), from = f.ns(event.offsetX - 1);
      const to = f.ns(event.offsetX + 1);
      tip.textContent = slice >= 0 ? sentence(state.t, slice)
        : `${state.t.rows[row]} at ${time_text((from + to) / 2, 6)}: ` +
          this.share_words(row, from, to);
      const x = this.canvas.offsetLeft + event.offsetX, y = this.holder.offsetTop + event.offsetY;
      const most = this.figure.clientWidth - tip.offsetWidth;
      tip.style.left = Math.max(0, Math.min(x + 14, most)) + "px";
      tip.style.top = y + 18 + "px";
    }

    // --- keys ---------------------------------------------------------------------------------

    // From the chosen slice, or the view's middle, to the next one (by 1) or the previous one (-1).
    step(by) {
      const {t, row, slice, view} = this.state;
      const first = t.first[row], last = t.first[row + 1];
      let next = slice + by;
      if (slice < first || slice >= last) {
        const [, after] = range(t, row, view.from, (view.from + view.to) / 2);
        next = Math.min(Math.max(first, by > 0 ? after : after - 1), last - 1);
      }
      if (next >= first && next < last) this.choose_slice(next);
      else this.say(`${t.rows[row]} has no other event that way.`);
    }

    go_to_end_of_row(which) {
      const {t, row} = this.state, first = t.first[row], last = t.first[row + 1];
      if (first < last) this.choose_slice(which === 0 ? first : last - 1);
      else this.say(`${t.rows[row]} has no event.`);
    }

    follow() {
      const {t, slice} = this.state;
      if (slice < 0) return;
      const other = t.handled[slice] >= 0 ? t.handled[slice] : t.sender[slice];
      if (other >= 0) this.choose_slice(other);
      else this.say("No arrow of this event is here.");
    }

    zoom_to_slice() {
      const {t, slice} = this.state;
      if (slice < 0) return;
      const margin = Math.max(SPAN_MIN, t.end[slice] - t.begin[slice]);
      this.show(t.begin[slice] - margin, t.end[slice] + margin);
    }

    change_row(by) {
      this.choose_row(this.state.row + by);
      this.say_view();
    }

    on_key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = {ArrowLeft: () => this.move(-0.1), ArrowRight: () => this.move(0.1),
        ArrowUp: () => this.change_row(-1), ArrowDown: () => this.change_row(1),
        PageUp: () => this.move(-0.9), PageDown: () => this.move(0.9),
        "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2),
        "0": () => this.show_all(), Home: () => this.go_to_end_of_row(0),
        End: () => this.go_to_end_of_row(1),
        n: () => this.step(1), p: () => this.step(-1), f: () => this.follow(),
        Enter: () => this.zoom_to_slice(), Escape: () => {
          this.state.slice = -1;
          this.say_view();
          this.redraw();
        }}[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    }
  }

  async function start(figure) {
    const number = figure.dataset.timeline;
    const text = (name) => document.getElementById(name + number).textContent;
    new Shown(figure, await read(text("timeline"), text("columns"))).draw_now();
    performance.mark("timeline" + number);
    document.documentElement.dataset.timelines = Number(number) + 1;
  }

  (async () => {
    for (const figure of document.querySelectorAll("figure.timeline")) {
      if (typeof DecompressionStream === "undefined")
        figure.append(element("p", {class: "noscript"}, "This browser is too old for the " +
          "timeline (it has no DecompressionStream); the tables say what it shows."));
      else
        await start(figure);
    }
  })();
})();
