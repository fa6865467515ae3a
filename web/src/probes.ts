import type { Table } from "./data";

// The probes of a table: columns NAME_x, NAME_y and NAME_z.
export function probe_names(probes: Table): string[] {
  return probes.names
    .filter((name) => name.endsWith("_x"))
    .map((name) => name.slice(0, -2))
    .filter((name) => ["_y", "_z"].every((axis) => probes.names.includes(name + axis)));
}
