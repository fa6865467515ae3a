// The panels of several runs: energies beside one another, errors, work and precision, tables.
import type { Clock } from "./clock";
import { distinct_colors, reference_color } from "./colors";
import { books_of, column, last_of, method_of, type ComparedRun, type Comparison, type Run } from "./data";
import { element } from "./dom";
import { note, section, table, type Panel } from "./panel";
import { Plot, type Curve } from "./plot";
import { verdict } from "./verdict";
import { amount, plain, short, with_unit } from "./words";

// A colour per run, the same in the picture and in every plot: the shown runs first, then the others of the comparison.
export class RunColors {
  private names: string[];
  constructor(
    private runs: Run[],
    comparison: Comparison | null,
  ) {
    const shown = runs.filter((run) => !run.reference).map((run) => run.name);
    const others = (comparison?.runs ?? []).map((run) => run.run).filter((name) => !shown.includes(name));
    this.names = [...shown, ...others];
  }
  of(name: string): string {
    if (this.runs.some((run) => run.reference && run.name === name)) return reference_color;
    return distinct_colors[Math.max(0, this.names.indexOf(name)) % distinct_colors.length];
  }
  // Names beyond the colours get dashes.
  dash(name: string): number[] | undefined {
    const round = Math.floor(Math.max(0, this.names.indexOf(name)) / distinct_colors.length);
    return round ? [8 / round, 4] : undefined;
  }
}

// A run that blew up must not press the others flat.
export function is_stable(name: string, comparison: Comparison | null): boolean {
  const compared = comparison?.runs.find((run) => run.run === name);
  return !compared || compared.result === "stable";
}

const shown_quantities: [string, string][] = [
  ["total", "total energy"],
  ["kinetic", "kinetic"],
  ["elastic", "elastic"],
  ["gravity", "gravity"],
  ["contact", "contact"],
  ["dissipated", "dissipated"],
  ["contact_work", "contact work"],
  ["friction", "friction"],
  ["numerical_loss", "numerical loss"],
];

export function energies_panel(clock: Clock, colors: RunColors, comparison: Comparison | null): Panel<Run[]> {
  const plot = new Plot(
    { label: "An energy of every run over time", x_unit: "s", y_unit: "J", height: 210 },
    clock,
  );
  const choice = element(
    "select",
    { "aria-label": "Which energy" },
    ...shown_quantities.map(([value, text]) => element("option", { value }, text)),
  );
  let runs: Run[] = [];
  const draw = (): void =>
    plot.update(
      runs
        .filter((run) => run.energy)
        .map(
          (run): Curve => ({
            name: run.name,
            color: colors.of(run.name),
            dash: colors.dash(run.name),
            outside: !is_stable(run.name, comparison),
            x: column(run.energy, "time") ?? [],
            y: column(run.energy, choice.value) ?? [],
          }),
        ),
    );
  choice.addEventListener("change", draw);
  return {
    place: section("Energy", "energy", choice, plot.place),
    update: (all) => {
      runs = all;
      draw();
    },
  };
}

export function losses_panel(clock: Clock, colors: RunColors, comparison: Comparison | null): Panel<Run[]> {
  const plot = new Plot(
    {
      label: "Numerical loss of every run over time",
      x_unit: "s",
      y_unit: "J",
      height: 190,
    },
    clock,
  );
  const sentences = element("ul", { class: "verdicts" });
  return {
    place: section(
      "What the integrators took",
      "ledger",
      sentences,
      plot.place,
      note(
        "The ledger's numerical loss: first total + " +
          "external work + contact work − dissipated − friction − total. " +
          "A perfect method stays at 0.",
      ),
    ),
    update: (runs) => {
      sentences.replaceChildren(
        ...runs.map((run) => {
          const { parts, kept } = verdict(run),
            patch = element("i");
          patch.style.background = colors.of(run.name);
          return element("li", { class: kept ? "kept" : "" }, patch, element("span", {}, ...parts));
        }),
      );
      plot.update(
        runs
          .filter((run) => run.energy)
          .map((run) => ({
            name: run.name,
            color: colors.of(run.name),
            dash: colors.dash(run.name),
            outside: !is_stable(run.name, comparison),
            x: column(run.energy, "time") ?? [],
            y: column(run.energy, "numerical_loss") ?? [],
          })),
      );
    },
  };
}

export function errors_panel(
  clock: Clock,
  colors: RunColors,
  comparison: Comparison,
  what: "position" | "velocity",
): HTMLElement {
  const plot = new Plot(
    {
      label: `Error of ${what} over time`,
      x_unit: "s",
      y_unit: what === "position" ? "m" : "m/s",
      height: 190,
      scale: "logarithmic",
    },
    clock,
  );
  const time = column(comparison.errors, "time") ?? [];
  plot.update(
    comparison.runs
      .map((run): Curve | null => {
        const y = column(comparison.errors, `${run.run} ${what}_error`);
        return (
          y && {
            name: run.run,
            color: colors.of(run.run),
            dash: colors.dash(run.run),
            outside: run.result !== "stable",
            x: time,
            y,
          }
        );
      })
      .filter((curve): curve is Curve => curve !== null),
  );
  return section(
    what === "position" ? "Position error" : "Velocity error",
    `${what}-error`,
    plot.place,
    note("Largest over all vertices against the reference, at the times common to all runs."),
  );
}

// One curve per method, its runs from coarse to fine.
export function work_precision_panel(colors: RunColors, comparison: Comparison): HTMLElement {
  const methods = [...new Set(comparison.runs.map((run) => run.method))],
    left_out: string[] = [];
  const curves = methods.flatMap((method): Curve[] => {
    const runs = comparison.runs
      .filter(
        (run) =>
          run.method === method &&
          run.result === "stable" &&
          (run.errors.position_largest ?? 0) > 0 &&
          run.seconds.total > 0,
      )
      .sort((a, b) => a.seconds.total - b.seconds.total);
    if (!runs.length) left_out.push(method);
    return runs.length
      ? [
          {
            name: method,
            color: colors.of(runs[0].run),
            x: runs.map((run) => run.seconds.total),
            y: runs.map((run) => run.errors.position_largest),
            dots: true,
          },
        ]
      : [];
  });
  const plot = new Plot(
    {
      label: "Work and precision: largest position error over seconds",
      x_unit: "s",
      y_unit: "m",
      height: 220,
      scale: "logarithmic",
      x_scale: "logarithmic",
    },
    null,
  );
  plot.update(curves);
  return section(
    "Work and precision",
    "work-precision",
    plot.place,
    note(
      "Largest position error over the seconds of the time " +
        `loop, a dot for every step size; lower left is better.${left_out.length ? ` No stable run: ${left_out.join(", ")}.` : ""}`,
    ),
  );
}

function result_of(run: ComparedRun): Node {
  const broken = run.result === "diverged" || run.result === "failed";
  return element(
    "span",
    { class: broken ? "bad" : run.result === "stable" ? "good" : "" },
    broken && run.diverged_at_step ? `${run.result} at step ${run.diverged_at_step}` : run.result,
  );
}

function named(name: string, colors: RunColors): Node {
  const patch = element("i", { class: "patch" });
  patch.style.background = colors.of(name);
  return element("span", { class: "named" }, patch, name);
}

const or_dash = (value: number | null | undefined, text: (value: number) => string): string =>
  value === null || value === undefined ? "–" : text(value);

export function comparison_table(colors: RunColors, comparison: Comparison): HTMLElement {
  const lost = (energy: number): string =>
    with_unit(Math.abs(energy) <= 1e-12 * comparison.exchanged_energy ? 0 : energy, "J"); // rounding is 0
  const rows = comparison.runs.map((run) => [
    named(run.run, colors),
    with_unit(run.h, "s"),
    result_of(run),
    amount(run.steps),
    with_unit(run.seconds.per_step, "s"),
    with_unit(run.seconds.total, "s"),
    or_dash(run.errors.position_largest, (error) => with_unit(error, "m")),
    or_dash(run.errors.velocity_largest, (error) => with_unit(error, "m/s")),
    or_dash(run.energy.worst_loss, lost),
    or_dash(run.energy.numerical_loss, lost),
  ]);
  const made = section(
    "The runs",
    "runs",
    table(
      [
        "run",
        "step",
        "result",
        "steps",
        "per step",
        "seconds",
        "position error",
        "velocity error",
        "energy lost",
        "lost in the end",
      ],
      rows,
    ),
    note(
      "Errors: the largest distance of a vertex (or of its velocity) " +
        "from the reference at the common times the run reached. Energy lost: the ledger's numerical loss where " +
        `it was farthest from 0, and at the end; negative: made up. The motion never had more than ${with_unit(comparison.exchanged_energy, "J")}. ` +
        "Seconds: of all steps, without output, as measured once on this machine.",
    ),
  );
  made.classList.add("wide");
  return made;
}

// Runs that nobody compared with a reference: what their own files say.
export function runs_table(colors: RunColors): Panel<Run[]> {
  const holder = element("div", {}),
    place = section("The runs", "runs", holder);
  place.classList.add("wide");
  return {
    place,
    update: (runs) =>
      holder.replaceChildren(
        table(
          ["run", "integrator", "status", "step", "steps", "per step", "seconds", "energy lost"],
          runs.map((run) => [
            named(run.name, colors),
            method_of(run.run),
            run.run.status ?? "unknown",
            with_unit(run.run.h ?? 0, "s"),
            amount(run.run.steps),
            or_dash(run.run.seconds?.per_step, (s) => with_unit(s, "s")),
            or_dash(run.run.seconds?.total, (s) => with_unit(s, "s")),
            or_dash(
              books_of(run)?.worst_loss ?? last_of(column(run.energy, "numerical_loss") ?? []),
              (loss) => with_unit(loss, "J"),
            ),
          ]),
        ),
      ),
  };
}

export function work_table(colors: RunColors, comparison: Comparison): HTMLElement {
  const counts = [
    ...new Set(
      comparison.runs.flatMap((run) =>
        Object.entries(run.counts)
          .filter(([, count]) => count)
          .map(([name]) => name),
      ),
    ),
  ];
  const made = section(
    "Work counted",
    "counts",
    table(
      ["run", ...counts.map(plain)],
      comparison.runs.map((run) => [
        named(run.run, colors),
        ...counts.map((name) => amount(run.counts[name])),
      ]),
    ),
  );
  made.classList.add("wide");
  return made;
}

export function reference_panel(comparison: Comparison): HTMLElement {
  const { reference } = comparison;
  return section(
    `The reference: ${reference.method}`,
    "reference",
    table(
      ["step", "run", "seconds", "moved by"],
      reference.runs.map((run) => [
        with_unit(run.h, "s"),
        run.status,
        short(run.seconds, 3),
        or_dash(run.change, (m) => with_unit(m, "m")),
      ]),
    ),
    note(
      `${reference.convergence}. Moved by: the largest distance of a vertex from where the reference with twice the step had it.`,
    ),
  );
}

// Remarks on the comparison itself; those of the runs stand in run.json and are shown with them.
export function comparison_remarks(comparison: Comparison): HTMLElement | null {
  const entries = [
    ...comparison.warnings,
    ...comparison.runs.filter((run) => run.reason).map((run) => `${run.run}: ${run.reason}`),
  ];
  if (!entries.length) return null;
  return section(
    "Of the comparison",
    "comparison-remarks",
    element("ul", {}, ...entries.map((text) => element("li", { class: "warning" }, text))),
  );
}
