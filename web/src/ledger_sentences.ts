// What took energy from the motion, or gave it, beside the integrator: damping, contacts, friction, projected obstacles. In
// sentences, from the ledger's last row and the scene.
import { column, last_of, type Run, type SceneObject, type SceneValue } from "./data";
import { with_unit } from "./words";

function objects(value: SceneValue | undefined): SceneObject[] {
  return Array.isArray(value) ? (value.filter((one) => one && typeof one === "object") as SceneObject[]) : [];
}

// Damping by mass or stiffness, or viscoelastic branches.
function has_damping(scene: SceneObject): boolean {
  const relaxes = (holder: SceneObject): boolean =>
    objects(((holder.material ?? {}) as SceneObject).prony).length > 0;
  return objects(scene.bodies).some(
    (body) =>
      relaxes(body) ||
      objects(body.regions).some(relaxes) ||
      Object.values((body.damping ?? {}) as SceneObject).some(
        (value) => typeof value === "number" && value > 0,
      ),
  );
}

// "The projected floor", "The projected obstacles (floor, sphere)"; of particles that push each other "Impulses of contact".
function projecting(scene: SceneObject): { who: string; advice: string } {
  const types = objects(scene.contacts)
    .filter((contact) => contact.mode === "project")
    .map((contact) => String(contact.type ?? "obstacle"));
  const advice = ': use "mode": "barrier", which keeps the energy';
  if (types.length === 1) return { who: `The projected ${types[0]}`, advice };
  if (types.length > 1) return { who: `The projected obstacles (${[...new Set(types)].join(", ")})`, advice };
  return { who: "Impulses of contact", advice: "" };
}

// exchanged: by the motion, J. What is below a billionth of it is rounding.
export function ledger_sentences({ energy, run }: Run, exchanged: number): string[] {
  const scene = run.scene ?? {};
  const booked = (name: string): number => {
    const value = last_of(column(energy, name) ?? []) ?? 0;
    return Math.abs(value) > 1e-9 * exchanged ? value : 0;
  };
  const joules = (value: number): string => with_unit(Math.abs(value), "J");
  const damped = booked("dissipated"),
    rubbed = booked("friction"),
    pushed = booked("contact_work"),
    touched = (column(energy, "contact") ?? []).some((value) => value !== 0);
  const damping = has_damping(scene),
    damper = !touched
      ? "Physical damping"
      : damping
        ? "Physical damping, with contacts that did not rebound,"
        : "Contacts that did not rebound";
  const sentences: string[] = [];
  if (damped) sentences.push(`${damper} took ${joules(damped)}.`);
  else if (!damping) sentences.push("There was no physical damping.");
  if (rubbed) sentences.push(`Friction took ${joules(rubbed)}.`);
  const { who, advice } = projecting(scene);
  if (pushed > 0) sentences.push(`${who} added ${joules(pushed)}${advice}.`);
  if (pushed < 0) sentences.push(`${who} took ${joules(pushed)}.`);
  return sentences;
}
