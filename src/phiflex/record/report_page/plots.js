// Curves over time with a cursor, and the numbers and steps they need.

// The round step (1, 2 or 5 times a power of ten) nearest above `length`.
function nice_step(length) {
  const power = 10 ** Math.floor(Math.log10(length || 1));
  for (const factor of [1, 2, 5]) if (factor * power >= length * 0.9999) return factor * power;
  return 10 * power;
}

function ticks(low, high, count) {
  const step = nice_step((high - low) / count), result = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) result.push(i * step);
  return result;
}

function short(value, digits = 4) {
  if (value === null || !Number.isFinite(value)) return "not finite";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1) : value.toPrecision(digits);
  return text.replace(/(\.\d*?)0+(e|$)/, "$1$2").replace(/\.(e|$)/, "$1").replace("e+", "e").replace("-", "−");
}

// A number with an SI prefix before its unit: 0.0123 J is 12.3 mJ.
function prefix_for(size) {
  for (const [factor, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"]])
    if (size >= factor) return [factor, letter];
  return size > 0 ? [1e-9, "n"] : [1, ""];
}
function with_unit(value, unit, digits = 3) {
  const [factor, letter] = prefix_for(Math.abs(value));
  return `${short(value / factor, digits)} ${letter}${unit}`;
}

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
function svg_element(tag, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// series: [{ name, values, color, width, fill }]; a legend entry hides its curve and shows the value at the cursor.
class Plot {
  constructor(place, time, series, unit, clock, height = 250) {
    Object.assign(this, { place, time, series, unit, clock, height });
    this.legend = element("div", { class: "legend" });
    this.figure = element("div");
    place.append(this.legend, this.figure);
    for (const curve of series) {
      curve.value = element("span");
      const entry = element("button", { type: "button", "aria-pressed": "true", title: "Hide or show" },
        element("i", { style: `--color: var(${curve.color})` }), curve.name, curve.value);
      entry.addEventListener("click", () => {
        curve.hidden = !curve.hidden;
        entry.setAttribute("aria-pressed", String(!curve.hidden));
        this.draw();
      });
      this.legend.append(entry);
    }
    clock.listen(() => this.move_cursor());
    new ResizeObserver(() => requestAnimationFrame(() => {
      if (this.width !== place.clientWidth) this.draw();
    })).observe(place);
  }

  draw() {
    const width = this.place.clientWidth, height = this.height;
    if (!width) return;
    this.width = width;
    let low = Infinity, high = -Infinity;
    for (const { values, hidden } of this.series)
      for (const value of hidden ? [] : values)
        if (value !== null) { low = Math.min(low, value); high = Math.max(high, value); }
    if (low > high) [low, high] = [0, 1];
    if (low === high) { const half = Math.abs(low) / 2 || 1; low -= half; high += half; }
    const room = 0.06 * (high - low);
    [low, high] = [low - room, high + room];
    const [factor, letter] = prefix_for(Math.max(Math.abs(low), Math.abs(high)));
    Object.assign(this, { factor, letter });
    const left = 58, right = width - 12, top = 22, bottom = height - 26;
    const start = this.time[0], end = Math.max(this.time[this.time.length - 1], start + 1e-12);
    const x = (t) => left + (right - left) * (t - start) / (end - start);
    const y = (value) => bottom - (bottom - top) * (value - low) / (high - low);
    Object.assign(this, { x, left, right, start, end });

    const svg = svg_element("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img" });
    for (const value of ticks(low, high, 5)) {
      const zero = Math.abs(value) < 1e-9 * (high - low);
      svg.append(svg_element("line", { class: zero ? "zero" : "grid", x1: left, x2: right, y1: y(value), y2: y(value) }),
        svg_element("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, short(zero ? 0 : value / factor)));
    }
    for (const value of ticks(start, end, Math.max(2, Math.min(8, (right - left) / 80))))
      svg.append(svg_element("text", { x: x(value), y: height - 6, "text-anchor": value > end - 0.02 * (end - start) ? "end" : "middle" },
        `${short(value)} s`));
    svg.append(svg_element("text", { x: left - 8, y: 12, "text-anchor": "end" }, letter + this.unit));
    for (const { values, color, width: stroke, fill, hidden } of this.series) {
      if (hidden) continue;
      let path = "", broken = true;
      values.forEach((value, i) => {
        if (value === null) { broken = true; return; }
        path += `${broken ? "M" : "L"}${x(this.time[i]).toFixed(1)} ${y(value).toFixed(1)}`;
        broken = false;
      });
      if (fill && path && values.every((value) => value !== null))
        svg.append(svg_element("path", { d: `${path}L${right} ${y(0)}L${left} ${y(0)}Z`, style: `fill: var(${color})`,
          "fill-opacity": 0.13 }));
      svg.append(svg_element("path", { d: path, fill: "none", style: `stroke: var(${color})`, "stroke-width": stroke || 1.8,
        "stroke-linejoin": "round" }));
    }
    this.cursor = svg_element("line", { class: "cursor", y1: top - 6, y2: bottom });
    svg.append(this.cursor);
    const seek = (event) => {
      const box = svg.getBoundingClientRect();
      const across = (event.clientX - box.left) * width / box.width;
      this.clock.set(start + (end - start) * (across - left) / (right - left));
    };
    // The cursor follows the pointer while nothing plays; a press takes over from the player.
    svg.addEventListener("pointermove", (event) => { if (!this.clock.playing) seek(event); });
    svg.addEventListener("pointerdown", (event) => { this.clock.pause(); seek(event); });
    this.figure.replaceChildren(svg);
    this.move_cursor();
  }

  move_cursor() {
    if (!this.cursor) return;
    const time = Math.min(this.end, Math.max(this.start, this.clock.time));
    this.cursor.setAttribute("x1", this.x(time));
    this.cursor.setAttribute("x2", this.x(time));
    const i = index_at(this.time, time + 1e-9 * (this.end - this.start));
    for (const { values, value } of this.series) {
      const text = values[i] === null ? "not finite" : `${short(values[i] / this.factor)} ${this.letter}${this.unit}`;
      if (value.textContent !== text) value.textContent = text;
    }
  }
}
