import type { Table } from "./data";

// The probes of a table: columns NAME_x, NAME_y and NAME_z.
export function probe_names(probes: Table): string[] {
  return probes.names
    .filter((name) => name.endsWith("_x"))
    .map((name) => name.slice(0, -2))
    .filter((name) => ["_y", "_z"].every((axis) => probes.names.includes(name + axis)));
}

// What exerts forces, of a table of reactions: columns NAME.fx, NAME.fy and NAME.fz.
export function reaction_names(reactions: Table): string[] {
  return reactions.names
    .filter((name) => name.endsWith(".fx"))
    .map((name) => name.slice(0, -3))
    .filter((name) => [".fy", ".fz"].every((axis) => reactions.names.includes(name + axis)));
}
