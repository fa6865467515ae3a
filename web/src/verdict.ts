// One plain sentence about a run: what the integrator took or added, against the energy that the motion exchanged.
import { books_of, column, largest, last_of, method_of, type Run } from "./data";
import { element } from "./dom";
import { ledger_sentences } from "./ledger_sentences";
import { with_unit } from "./words";

export function verdict(run: Run): { parts: (string | Node)[]; kept: boolean } {
  const { energy } = run,
    method = method_of(run.run) || "the integrator";
  const values = (name: string): (number | null)[] => column(energy, name) ?? [];
  if (!energy) return { parts: ["No energies were written."], kept: false };
  // What the command prints, where the run has ended; while it goes on, the rows so far.
  const loss = values("numerical_loss"),
    last = last_of(loss) ?? 0,
    worst =
      books_of(run)?.worst_loss ??
      loss.reduce<number>((far, one) => (Math.abs(one ?? 0) > Math.abs(far) ? (one ?? 0) : far), 0),
    exchanged =
      books_of(run)?.exchanged ?? Math.max(largest(values("kinetic")), Math.abs(values("elastic")[0] ?? 0));
  if (!(exchanged > 0)) return { parts: ["Nothing moved."], kept: false };
  const strong = (text: string): Node => element("b", {}, text);
  const damping = ledger_sentences(run, exchanged)
    .map((sentence) => ` ${sentence}`)
    .join("");
  if (loss.includes(null))
    return { parts: [`${method} `, strong("blew up"), ": its energy stopped being a number."], kept: false };
  const rounded = (lost: number): number => (Math.abs(lost) <= 1e-12 * exchanged ? 0 : lost);
  const took = (lost: number): string =>
    `${rounded(lost) < 0 ? "added" : "took"} ${with_unit(Math.abs(rounded(lost)), "J")}`;
  const had = `the motion never had more than ${with_unit(exchanged, "J")}`;
  const parts: (string | Node)[] = [`${method} `, strong(took(worst)), `; ${had}.`];
  if (Math.abs(last - worst) > 0.01 * Math.abs(worst) && rounded(worst) !== 0)
    parts.push(` By the end it had ${took(last).replace("took", "taken")}.`);
  parts.push(damping);
  return { parts, kept: Math.abs(worst) < 1e-3 * exchanged };
}

export function verdict_element(run: Run): HTMLElement {
  const { parts, kept } = verdict(run);
  return element("p", { class: kept ? "verdict kept" : "verdict" }, ...parts);
}
