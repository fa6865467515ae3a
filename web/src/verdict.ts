// One plain sentence about a run: what the integrator took or added, against the energy that the motion exchanged.
import { column, largest, last_of, method_of, type Run } from "./data";
import { element } from "./dom";
import { ledger_sentences } from "./ledger_sentences";
import { percent, with_unit } from "./words";

export function verdict(run: Run): { parts: (string | Node)[]; kept: boolean } {
  const { energy } = run,
    method = method_of(run.run) || "the integrator";
  const values = (name: string): (number | null)[] => column(energy, name) ?? [];
  const kinetic = largest(values("kinetic")),
    elastic = Math.abs(values("elastic")[0] ?? 0);
  const exchanged = Math.max(kinetic, elastic);
  if (!energy) return { parts: ["No energies were written."], kept: false };
  if (!(exchanged > 0)) return { parts: ["Nothing moved."], kept: false };

  const loss = values("numerical_loss"),
    last = last_of(loss) ?? 0,
    worst = loss.reduce<number>((far, one) => (Math.abs(one ?? 0) > Math.abs(far) ? (one ?? 0) : far), 0),
    share = percent(Math.abs(worst) / exchanged);
  const strong = (text: string): Node => element("b", {}, text);
  const of = `of ${elastic >= kinetic ? "the elastic energy at the start" : "the largest kinetic energy"} (${with_unit(exchanged, "J")})`;
  const damping = ledger_sentences(run, exchanged)
    .map((sentence) => ` ${sentence}`)
    .join("");
  if (loss.includes(null))
    return { parts: [`${method} `, strong("blew up"), ": its energy stopped being a number."], kept: false };
  if (Math.abs(worst) < 1e-3 * exchanged)
    return {
      parts: [
        `${method} `,
        strong("kept the energy"),
        `: its numerical loss never passed ${share} ${of}.`,
        damping,
      ],
      kept: true,
    };
  const took = (energy_lost: number): string =>
    `${energy_lost > 0 ? "took" : "added"} ${with_unit(Math.abs(energy_lost), "J")}`;
  // The number that the command prints; what is left of it in the end, where that is another one.
  const in_the_end = Math.abs(last - worst) > 0.01 * Math.abs(worst) ? `; by the end it had ${took(last).replace("took", "taken")}` : "";
  return {
    parts: [`${method} `, strong(took(worst)), `, ${share} ${of}${in_the_end}.`, damping],
    kept: false,
  };
}

export function verdict_element(run: Run): HTMLElement {
  const { parts, kept } = verdict(run);
  return element("p", { class: kept ? "verdict kept" : "verdict" }, ...parts);
}
