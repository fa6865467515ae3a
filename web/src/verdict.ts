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
    worst = largest(loss);
  const strong = (text: string): Node => element("b", {}, text);
  const of = `of ${elastic >= kinetic ? "the elastic energy at the start" : "the largest kinetic energy"} (${with_unit(exchanged, "J")})`;
  const damping = ledger_sentences(run, exchanged)
    .map((sentence) => ` ${sentence}`)
    .join("");
  if (loss.includes(null))
    return { parts: [`${method} `, strong("blew up"), ": its energy stopped being a number."], kept: false };
  if (worst < 1e-3 * exchanged)
    return {
      parts: [
        `${method} `,
        strong("kept the energy"),
        `: its numerical loss never passed ${percent(worst / exchanged)} ${of}.`,
        damping,
      ],
      kept: true,
    };
  if (Math.abs(last) < 0.5 * worst)
    return {
      parts: [
        `${method} ended with a numerical loss of `,
        strong(percent(last / exchanged)),
        ` ${of}, `,
        strong(percent(worst / exchanged)),
        " at worst on the way.",
        damping,
      ],
      kept: false,
    };
  return {
    parts: [
      `${method} `,
      strong(`${last > 0 ? "stole" : "added"} ${percent(Math.abs(last) / exchanged)}`),
      ` ${of}: ${with_unit(Math.abs(last), "J")}.`,
      damping,
    ],
    kept: false,
  };
}

export function verdict_element(run: Run): HTMLElement {
  const { parts, kept } = verdict(run);
  return element("p", { class: kept ? "verdict kept" : "verdict" }, ...parts);
}
