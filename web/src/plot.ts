// Curves with a cursor that the clock moves. Pointing at a place of a plot over time sets the clock. The legend names
// the curves, shows their values where the cursor is, and hides a curve when pressed.
import uPlot from "uplot";
import type { Clock } from "./clock";
import { index_at } from "./data";
import { css_color, element } from "./dom";
import { on_theme } from "./theme";
import { prefix_for, short, with_unit } from "./words";

type Numbers = readonly (number | null)[];

// Of the largest magnitude in a plot: what is smaller is rounding, and the legend says 0.
const rounding = 1e-9;

export interface Curve {
  name: string;
  color: string; // a custom property of the style ("--total"), or a colour
  x: Numbers; // ascending
  y: Numbers;
  width?: number;
  dash?: number[];
  fill?: boolean;
  dots?: boolean; // marks at the points
  outside?: boolean; // does not count to the range: a run that blew up leaves at the top
}

export interface PlotStyle {
  label: string; // for those who do not see it
  x_unit: string;
  y_unit: string;
  height: number;
  scale?: "even" | "logarithmic"; // of y
  x_scale?: "even" | "logarithmic";
}

function color_of(name: string): string {
  return name.startsWith("--") ? css_color(name) : name;
}

// One list of x for all curves, as uPlot wants it: undefined where a curve has no point of its own.
function aligned(curves: Curve[], positive: boolean): uPlot.AlignedData {
  const kept = (y: number | null): number | null => (positive && !(y! > 0) ? null : y);
  if (curves.every((curve) => curve.x === curves[0].x))
    return [curves[0]?.x ?? [], ...curves.map((curve) => curve.y.map(kept))] as uPlot.AlignedData;
  const all = [...new Set(curves.flatMap((curve) => curve.x.filter((x): x is number => x !== null)))].sort(
    (a, b) => a - b,
  );
  const place = new Map(all.map((x, i) => [x, i]));
  return [
    all,
    ...curves.map((curve) => {
      const y: (number | null | undefined)[] = new Array(all.length).fill(undefined);
      curve.x.forEach((x, i) => {
        if (x !== null) y[place.get(x)!] = kept(curve.y[i]);
      });
      return y;
    }),
  ] as uPlot.AlignedData;
}

export class Plot {
  readonly place: HTMLElement;
  private legend = element("div", { class: "curves" });
  private figure = element("div", { class: "figure" });
  private cursor = element("div", { class: "time-cursor" });
  private values: HTMLElement[] = [];
  private hidden = new Set<string>();
  private curves: Curve[] = [];
  private plot: uPlot | null = null;
  private in_view = false;
  private smallest = 0; // magnitudes below it are rounding

  constructor(
    private style: PlotStyle,
    private clock: Clock | null,
  ) {
    this.place = element(
      "div",
      { class: "plot", role: "group", "aria-label": style.label },
      this.legend,
      this.figure,
    );
    clock?.listen(() => this.move_cursor());
    on_theme(() => this.plot?.redraw());
    new ResizeObserver(() => this.fit_width()).observe(this.figure);
    new IntersectionObserver((entries) => {
      this.in_view = entries[entries.length - 1].isIntersecting;
      this.move_cursor();
    }).observe(this.figure);
  }

  update(curves: Curve[]): void {
    const same =
      curves.map((curve) => curve.name).join("\n") === this.curves.map((curve) => curve.name).join("\n");
    this.curves = curves;
    this.smallest = this.style.scale === "logarithmic" ? 0 : rounding * largest_of(curves);
    if (!same) this.make_legend();
    if (this.plot && same) this.plot.setData(this.data());
    else this.make_plot();
    this.move_cursor();
  }

  private data(): uPlot.AlignedData {
    return aligned(this.curves, this.style.scale === "logarithmic");
  }

  private make_legend(): void {
    this.values = [];
    const entries = this.curves.map((curve) => {
      const value = element("span", { class: "curve-value" });
      this.values.push(value);
      const line = element("i");
      line.style.background = curve.color.startsWith("--") ? `var(${curve.color})` : curve.color;
      const entry = element(
        "button",
        {
          type: "button",
          "aria-pressed": String(!this.hidden.has(curve.name)),
          title: "Hide or show this curve",
        },
        line,
        element("span", {}, curve.name),
        value,
      );
      entry.addEventListener("click", () => {
        if (!this.hidden.delete(curve.name)) this.hidden.add(curve.name);
        entry.setAttribute("aria-pressed", String(!this.hidden.has(curve.name)));
        this.plot?.setSeries(this.curves.indexOf(curve) + 1, { show: !this.hidden.has(curve.name) });
      });
      return entry;
    });
    this.legend.replaceChildren(...entries);
  }

  private fit_width(): void {
    const width = this.figure.clientWidth;
    if (!width) return;
    if (!this.plot) this.make_plot();
    else if (this.plot.width !== width) this.plot.setSize({ width, height: this.style.height });
    this.move_cursor();
  }

  // The range of y: of the curves that count and are shown.
  private y_range(): [number, number] {
    let low = Infinity,
      high = -Infinity;
    const logarithmic = this.style.scale === "logarithmic";
    const counting = this.curves.filter((curve) => !this.hidden.has(curve.name) && !curve.outside);
    for (const curve of counting.length ? counting : this.curves)
      for (const y of curve.y)
        if (y !== null && Number.isFinite(y) && (!logarithmic || y > 0)) {
          low = Math.min(low, y);
          high = Math.max(high, y);
        }
    if (low > high) return logarithmic ? [0.1, 1] : [-1, 1];
    if (logarithmic)
      return [
        10 ** Math.floor(Math.log10(Math.max(low, 1e-9 * high))),
        10 ** Math.ceil(Math.log10(high) + 1e-9),
      ];
    const room = 0.06 * (high - low) || 0.5 * Math.abs(high);
    if (!room) return [-1, 1];
    return [low - (low === 0 ? 0 : room), high + (high === 0 ? 0 : room)];
  }

  private axis(unit: string, side: 0 | 3, logarithmic: boolean): uPlot.Axis {
    const ink = (): string => css_color("--muted"),
      line = (): string => css_color("--line");
    return {
      scale: side === 3 ? "y" : "x",
      side: side === 3 ? 3 : 2,
      stroke: ink,
      font: "11px system-ui, sans-serif",
      grid: { stroke: line, width: 1 },
      ticks: { show: false },
      border: { show: false },
      gap: 4,
      size: side === 3 ? 58 : 26,
      space: side === 3 ? 34 : 64,
      values: (_plot, splits) => {
        if (logarithmic)
          return splits.map((v) =>
            v === null
              ? null
              : Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-6
                ? `${power_of_ten(v)} ${unit}`.trim()
                : "",
          );
        const shown = splits.filter((v): v is number => v !== null);
        const [factor, letter] = unit === "%" ? [1, ""] : prefix_for(Math.max(...shown.map(Math.abs)));
        return splits.map((v) =>
          v === null ? null : v === 0 ? "0" : `${short(v / factor, 6)} ${letter}${unit}`.trim(),
        );
      },
    };
  }

  private make_plot(): void {
    const width = this.figure.clientWidth;
    if (!width || !this.curves.length) return;
    this.plot?.destroy();
    const logarithmic = this.style.scale === "logarithmic",
      log_x = this.style.x_scale === "logarithmic";
    this.plot = new uPlot(
      {
        width,
        height: this.style.height,
        padding: [8, 18, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: {
            time: false,
            distr: log_x ? 3 : 1,
            ...(log_x ? { range: (_plot, low, high) => widened(low, high) } : {}),
          },
          y: { distr: logarithmic ? 3 : 1, range: () => this.y_range() },
        },
        axes: [this.axis(this.style.x_unit, 0, log_x), this.axis(this.style.y_unit, 3, logarithmic)],
        series: [
          {},
          ...this.curves.map(
            (curve): uPlot.Series => ({
              label: curve.name,
              scale: "y",
              show: !this.hidden.has(curve.name),
              spanGaps: true,
              stroke: () => color_of(curve.color),
              width: curve.width ?? 1.5,
              dash: curve.dash,
              fill: curve.fill ? () => `${color_of(curve.color)}22` : undefined,
              points: curve.dots
                ? { show: true, size: 8, fill: () => color_of(curve.color) }
                : { show: false },
            }),
          ),
        ],
      },
      this.data(),
      this.figure,
    );
    if (this.clock) this.connect_pointer(this.plot.over, this.clock);
  }

  private connect_pointer(over: HTMLElement, clock: Clock): void {
    over.append(this.cursor);
    const point = (event: PointerEvent): void => {
      clock.pause();
      clock.set(this.plot!.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
    };
    over.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      point(event);
    });
    over.addEventListener("pointermove", (event) => {
      if (over.hasPointerCapture(event.pointerId)) point(event);
    });
  }

  private move_cursor(): void {
    if (!this.plot || !this.clock || !this.in_view) return;
    const left = this.plot.valToPos(this.clock.time, "x");
    this.cursor.style.transform = `translateX(${left.toFixed(1)}px)`;
    this.curves.forEach((curve, i) => {
      const y = curve.x.length ? curve.y[index_at(curve.x, this.clock!.time)] : null;
      const shown = typeof y === "number" && Math.abs(y) < this.smallest ? 0 : y;
      const text = shown === null || shown === undefined ? "–" : with_unit(shown, this.style.y_unit);
      if (this.values[i].textContent !== text) this.values[i].textContent = text;
    });
  }
}

function largest_of(curves: Curve[]): number {
  let largest = 0;
  for (const curve of curves)
    for (const y of curve.y) if (y !== null && Number.isFinite(y)) largest = Math.max(largest, Math.abs(y));
  return largest;
}

function power_of_ten(value: number): string {
  const exponent = Math.round(Math.log10(value));
  return `10${String(exponent).replace(/[-0-9]/g, (letter) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(letter)])}`;
}

// Decades around all points of a logarithmic axis.
function widened(low: number, high: number): [number, number] {
  if (!(low > 0) || !(high > 0)) return [0.1, 10];
  return [10 ** Math.floor(Math.log10(low) - 0.05), 10 ** Math.ceil(Math.log10(high) + 0.05)];
}
