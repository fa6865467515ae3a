// The head of the page: what was run, how it ended, and its figures.
import { method_of, type PageData, type Run, type RunStatus } from "./data";
import { element, icon_button } from "./dom";
import { toggle_theme } from "./theme";
import { amount, with_unit } from "./words";

const status_words: Record<string, string> = { limit: "stopped at a limit" };

function run_figures({ run }: Run): [string, string][] {
  const sizes = run.sizes ?? {},
    cost = run.seconds ?? {},
    steps = run.steps ?? 0;
  return [
    ["integrator", method_of(run)],
    [
      "steps",
      steps < (run.steps_planned ?? 0) ? `${amount(steps)} of ${amount(run.steps_planned)}` : amount(steps),
    ],
    ["step size", run.h ? with_unit(run.h, "s") : ""],
    ["simulated", run.h ? with_unit(run.h * steps, "s") : ""],
    [sizes.triangles ? "triangles" : "tetrahedra", sizes.elements ? amount(sizes.elements) : ""],
    ["springs", sizes.springs ? amount(sizes.springs) : ""],
    ["degrees of freedom", sizes.degrees_of_freedom ? amount(sizes.degrees_of_freedom) : ""],
    ["per step", cost.per_step ? with_unit(cost.per_step, "s") : ""],
    ["whole run", cost.total ? with_unit(cost.total, "s") : ""],
  ];
}

function comparison_figures({ comparison, runs }: PageData): [string, string][] {
  const first = runs[0]?.run;
  const broken = comparison?.runs.filter((run) => run.diverged_at_step).length ?? 0;
  return [
    ["runs", amount(comparison?.runs.length ?? runs.length)],
    ["diverged or failed", broken ? amount(broken) : ""],
    ["reference", comparison?.reference.method ?? ""],
    ["common times", comparison ? amount(comparison.times) : ""],
    ["energy exchanged", comparison ? with_unit(comparison.exchanged_energy, "J") : ""],
    ["degrees of freedom", first?.sizes?.degrees_of_freedom ? amount(first.sizes.degrees_of_freedom) : ""],
    ["threads", first?.threads ? amount(first.threads) : ""],
  ];
}

export class Header {
  readonly place: HTMLElement;
  private badge = element("span", { class: "badge", role: "status" });
  private reason = element("p", { class: "reason" });
  private lost = false; // the program that serves the page
  private figures = element("dl", { class: "figures" });

  constructor(
    private data: PageData,
    help: () => void,
  ) {
    this.place = element(
      "header",
      { class: "head" },
      element(
        "div",
        { class: "heading" },
        element("h1", {}, data.title || data.runs[0]?.name || "run"),
        this.badge,
        element("span", { class: "spring" }),
        icon_button("theme", "Dark or light", "T", toggle_theme),
        icon_button("help", "Keys and help", "?", help),
      ),
      this.reason,
      this.figures,
    );
    this.update();
  }

  update(): void {
    const { data } = this,
      several = data.runs.length > 1 || data.kind === "compare",
      first = data.runs[0];
    const figures = several ? comparison_figures(data) : first ? run_figures(first) : [];
    this.figures.replaceChildren(
      ...figures
        .filter(([, value]) => value)
        .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
    );
    if (data.comparison) {
      const { converged, chosen, convergence, method } = data.comparison.reference;
      this.say(
        converged ? "reference converged" : "reference not converged",
        converged ? "done" : "failed",
        `Reference ${method} (${chosen}), ${convergence}.`,
      );
      this.reason.className = "lead";
    } else if (several) {
      const running = data.runs.filter(({ run }) => run.status === "running").length;
      this.say(running ? `${running} running` : "", "running", "");
    } else if (first) {
      const status = first.run.status ?? "unknown";
      this.say(status_words[status] ?? status, status, first.run.reason ?? "");
    } else {
      this.say("empty", "failed", "This page holds no run.");
    }
  }

  show_status(status: RunStatus): void {
    if (this.lost) this.update();
    this.lost = false;
    if (this.data.runs.length > 1 || status.status !== "running") return;
    this.badge.textContent = `running, step ${amount(status.steps)} of ${amount(status.steps_planned)}`;
  }

  show_lost(problem: string): void {
    this.lost = true;
    this.badge.textContent = `not connected: ${problem}`;
    this.badge.className = "badge failed";
  }

  private say(text: string, kind: string, reason: string): void {
    this.badge.textContent = text;
    this.badge.className = `badge ${kind.replace(/[^a-z]/g, "")}`;
    this.badge.hidden = !text;
    this.reason.textContent = reason;
    this.reason.className = `reason ${kind.replace(/[^a-z]/g, "")}`;
    this.reason.hidden = !reason;
  }
}
