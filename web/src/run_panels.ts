// The panels of one run: energy, ledger, probes, reactions, cost, counts, remarks, setting.
import type { Clock } from "./clock";
import { column, largest, type Run, type RunSummary, type Table } from "./data";
import { element } from "./dom";
import { note, section, table, type Panel } from "./panel";
import { Plot, type Curve } from "./plot";
import { probe_names, reaction_names } from "./probes";
import { scene_tree } from "./scene_tree";
import { verdict_element } from "./verdict";
import { amount, plain, short, with_unit } from "./words";

function curves_of(energy: Table, names: [string, string, string][]): Curve[] {
  const time = column(energy, "time") ?? [];
  return names.map(([name, key, color]) => ({
    name,
    color,
    x: time,
    y: column(energy, key) ?? time.map(() => 0),
    width: color === "--total" || color === "--loss" ? 2.2 : 1.5,
  }));
}

export function energy_panel(clock: Clock): Panel<Run> {
  const plot = new Plot({ label: "Energies over time", x_unit: "s", y_unit: "J", height: 220 }, clock),
    remark = note();
  return {
    place: section("Energy", "energy", plot.place, remark),
    update: ({ energy, run }) => {
      plot.place.hidden = !energy;
      if (!energy) {
        remark.textContent =
          run.status === "running" ? "No step is done yet." : "This run wrote no row of energies.";
        return;
      }
      const all = curves_of(
        energy,
        ["kinetic", "elastic", "gravity", "contact", "total"].map((name) => [name, name, `--${name}`]),
      );
      const moving = all.filter((curve) => curve.name === "total" || largest([...curve.y]) > 0);
      plot.update(moving);
      const zero = all.filter((curve) => !moving.includes(curve)).map((curve) => curve.name);
      const points = moving[0].x.length;
      remark.textContent = [
        zero.length ? `Always zero: ${zero.join(", ")}.` : "",
        energy.rows > points ? `${amount(energy.rows)} rows drawn as ${amount(points)} points.` : "",
      ]
        .join(" ")
        .trim();
    },
  };
}

const contact_work: [string, string, string] = ["contact work", "contact_work", "--contact"],
  friction: [string, string, string] = ["friction", "friction", "--elastic"];

function moves(energy: Table, name: string): boolean {
  return largest(column(energy, name) ?? []) > 0;
}

export function ledger_panel(clock: Clock): Panel<Run> {
  const plot = new Plot(
    { label: "Ledger of energy over time", x_unit: "s", y_unit: "J", height: 180 },
    clock,
  );
  const sentence = element("div", {});
  const place = section(
    "Where the energy went",
    "ledger",
    sentence,
    plot.place,
    note(
      "Numerical loss = first total + " +
        "external work + contact work − dissipated − friction − total: what the integrator took (positive) or made up (negative).",
    ),
  );
  return {
    place,
    update: (run) => {
      place.hidden = !run.energy;
      if (!run.energy) return;
      sentence.replaceChildren(verdict_element(run));
      plot.update(
        curves_of(run.energy, [
          ["external work", "external_work", "--external"],
          ["dissipated", "dissipated", "--dissipated"],
          ...(moves(run.energy, "contact_work") ? [contact_work] : []),
          ...(moves(run.energy, "friction") ? [friction] : []),
          ["numerical loss", "numerical_loss", "--loss"],
        ]).map((curve) => ({ ...curve, fill: curve.name === "numerical loss" })),
      );
    },
  };
}

// A plot with three curves, x, y and z, for each name of a table; `column_of` names the columns.
function vectors_panel(
  clock: Clock,
  place: HTMLElement,
  holder: HTMLElement,
  look: { label: string; unit: string },
  table_of: (run: Run) => Table | null | undefined,
  names_of: (table: Table) => string[],
  column_of: (name: string, axis: string) => string,
): Panel<Run> {
  const plots = new Map<string, Plot>();
  return {
    place,
    update: (run) => {
      const table = table_of(run),
        names = table ? names_of(table) : [];
      place.hidden = !names.length;
      for (const name of names) {
        if (!plots.has(name)) {
          plots.set(
            name,
            new Plot({ label: `${look.label} ${name}`, x_unit: "s", y_unit: look.unit, height: 150 }, clock),
          );
          holder.append(element("h3", {}, name), plots.get(name)!.place);
        }
        plots
          .get(name)!
          .update(
            ["x", "y", "z"].map((axis) => ({
              name: axis,
              color: `--axis-${axis}`,
              x: column(table!, "time") ?? [],
              y: column(table!, column_of(name, axis))!,
            })),
          );
      }
    },
  };
}

export function probes_panel(clock: Clock): Panel<Run> {
  const holder = element("div", {});
  return vectors_panel(
    clock,
    section("Probes", "probes", holder),
    holder,
    { label: "Motion of the probe", unit: "m" },
    (run) => run.probes,
    probe_names,
    (name, axis) => `${name}_${axis}`,
  );
}

export function reactions_panel(clock: Clock): Panel<Run> {
  const holder = element("div", {});
  return vectors_panel(
    clock,
    section("Reactions", "reactions", holder),
    holder,
    { label: "Force on the bodies by", unit: "N" },
    (run) => run.reactions,
    reaction_names,
    (name, axis) => `${name}.f${axis}`,
  );
}

const phase_names = ["assembly", "factorization", "solve", "modes", "matfun", "output"];

function phase_bars(cost: Record<string, number>): HTMLElement {
  const phases: [string, number][] = phase_names.map((name) => [name, cost[name] || 0]);
  phases.push(["other", Math.max(0, cost.total - phases.reduce((sum, [, spent]) => sum + spent, 0))]);
  const most = Math.max(...phases.map(([, spent]) => spent));
  return element(
    "div",
    { class: "bars" },
    ...phases
      .filter(([, spent]) => spent > 0)
      .map(([name, spent]) => {
        const length = element("i");
        length.style.width = `${((100 * spent) / most).toFixed(2)}%`;
        return element(
          "div",
          { class: "bar" },
          element("span", {}, name),
          element("div", {}, length),
          element("span", {}, with_unit(spent, "s")),
          element("span", {}, `${((100 * spent) / cost.total).toFixed(1)} %`),
        );
      }),
  );
}

export function cost_panel(): Panel<Run> {
  const holder = element("div", {});
  return {
    place: section("Cost by phase", "cost", holder),
    update: ({ run }) => {
      const cost = run.seconds ?? {},
        simulated = (run.h ?? 0) * (run.steps ?? 0);
      if (!(cost.total > 0)) {
        holder.replaceChildren(note("Not measured yet."));
        return;
      }
      const pace = !(simulated > 0)
        ? "."
        : simulated >= cost.total
          ? `: ${short(simulated / cost.total, 2)} times faster than real time.`
          : `: ${short(cost.total / simulated, 2)} times slower than real time.`;
      holder.replaceChildren(
        phase_bars(cost),
        note(`${with_unit(cost.total, "s")} for ${with_unit(simulated, "s")} simulated${pace}`),
      );
    },
  };
}

export function counts_panel(): Panel<Run> {
  const holder = element("div", {}),
    place = section("Work counted", "counts", holder);
  return {
    place,
    update: ({ run }) => {
      const counts = Object.entries(run.counts ?? {}),
        never = counts.filter(([, count]) => !count);
      place.hidden = !counts.length;
      const done = counts.filter(([, count]) => count);
      holder.replaceChildren(
        table(
          [],
          done.map(([name, count]) => [plain(name), amount(count)]),
        ),
        note(never.length ? `None: ${never.map(([name]) => plain(name)).join(", ")}.` : ""),
      );
    },
  };
}

// Warnings and remarks of runs, the grave ones first; with several runs each says whose it is.
export function remarks_panel(): Panel<Run[]> & { grave: () => boolean } {
  const list = element("ul", {}),
    place = section("Warnings and remarks", "remarks", list);
  let warnings = 0;
  return {
    place,
    grave: () => warnings > 0,
    update: (runs) => {
      const kinds: [string, (run: Run) => string[] | undefined][] = [
        ["warning", ({ run }) => run.warnings],
        ["fallback", ({ run }) => run.fallbacks],
        ["remark", ({ run }) => run.notes],
        ["remark", (run) => run.remarks],
      ];
      const entries = kinds.flatMap(([kind, of]) =>
        runs.flatMap((run) =>
          (of(run) ?? []).map((text) =>
            element("li", { class: kind }, runs.length > 1 ? `${run.name}: ${text}` : text),
          ),
        ),
      );
      warnings = entries.filter((entry) => entry.className === "warning").length;
      place.hidden = !entries.length;
      list.replaceChildren(...entries);
    },
  };
}

export function setting_panel(): Panel<RunSummary> {
  const holder = element("div", { class: "setting" });
  return {
    place: section("Setting", "setting", holder),
    update: (run) => {
      const rows: [string, string | Node | undefined | false][] = [
        ["version", run.version],
        ["machine", run.machine?.description],
        [
          "threads",
          run.threads !== undefined && `${run.threads}${run.deterministic ? ", deterministic" : ""}`,
        ],
        ["vertices", run.sizes?.vertices !== undefined && amount(run.sizes.vertices)],
        ["final state", run.hash && element("code", {}, run.hash)],
      ];
      const known = rows.filter((row): row is [string, string | Node] => Boolean(row[1]));
      const scene = run.scene ?? {};
      holder.replaceChildren(
        table([], known),
        element(
          "div",
          {},
          element("h3", {}, "The scene, every default filled in"),
          scene_tree(scene),
          element(
            "details",
            { class: "raw" },
            element("summary", {}, "as JSON"),
            element("pre", { tabindex: 0 }, JSON.stringify(scene, null, 2)),
          ),
        ),
      );
    },
  };
}
