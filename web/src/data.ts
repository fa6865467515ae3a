// What the page is given, as the program writes it (src/phiflex/pages/viewer_page.h): the types, and where to find it.

export interface Table {
  rows: number; // in the file; the columns may be thinned
  names: string[];
  columns: (number | null)[][]; // null: not finite
}

// A number of a field at every vertex: "von_mises", "stress_xx", "contact_force_x".
export interface FieldHeader {
  name: string;
  unit: string; // empty: a ratio
  at_rest: number;
  low: number | null; // extremes
  high: number | null;
  typical: number | null; // how far 99 % of the vertices go from the value at rest
}

export interface MotionHeader {
  frames_in_run: number;
  times: number[]; // s, of the frames that are shown
  low: number[];
  high: number[];
  vertices: number;
  triangles: string; // packed int32, 3 per triangle
  triangle_region: string; // packed uint16
  triangle_body: string;
  lines: string; // packed int32, 2 per line
  line_body: string;
  rest: string; // packed float32, 3 per vertex
  bodies: string[];
  largest: { speed: number | null; displacement: number | null; strain_energy: number | null };
  fields?: FieldHeader[]; // in the order of the chunks' fields; absent: none
  chunks: { first: number; count: number }[];
  left_out: string;
}

export type SceneValue = string | number | boolean | null | SceneValue[] | { [key: string]: SceneValue };
export type SceneObject = { [key: string]: SceneValue };

// run.json. All of it may be missing: a run may have failed before it had anything to say.
export interface RunSummary {
  status?: string;
  reason?: string;
  version?: string;
  method?: string;
  machine?: { description?: string };
  threads?: number;
  deterministic?: boolean;
  sizes?: { vertices?: number; elements?: number; triangles?: number; springs?: number; degrees_of_freedom?: number };
  steps?: number;
  steps_planned?: number;
  h?: number;
  seconds?: Record<string, number>;
  counts?: Record<string, number>;
  energy?: { worst_loss?: number | null; exchanged?: number | null }; // J
  hash?: string;
  frames?: number;
  warnings?: string[];
  fallbacks?: string[];
  notes?: string[];
  scene?: SceneObject;
}

export interface Run {
  name: string;
  folder: string;
  reference: boolean;
  run: RunSummary;
  energy: Table | null;
  probes: Table | null;
  reactions?: Table | null;
  motion: MotionHeader | null;
  remarks: string[];
}

export interface ComparedRun {
  run: string;
  method: string;
  h: number;
  result: string;
  reason: string;
  diverged_at_step: number | null;
  steps: number;
  seconds: Record<string, number>;
  counts: Record<string, number>;
  errors: { position_largest: number | null; velocity_largest: number | null };
  energy: { numerical_loss: number | null; worst_loss: number | null }; // J, at the end and farthest from 0
  fallbacks: string[];
}

export interface Comparison {
  scene: string;
  status: string;
  reference: {
    method: string;
    chosen: string;
    converged: boolean;
    convergence: string;
    runs: { h: number; status: string; change: number | null; seconds: number }[];
  };
  exchanged_energy: number;
  times: number;
  runs: ComparedRun[];
  warnings: string[];
  errors: Table | null; // columns: time, then "RUN position_error" and "RUN velocity_error"
}

export interface PageData {
  kind: "run" | "compare" | "live";
  title: string;
  program: string;
  gallery?: { name: string; line: string }[]; // of a live page
  served: { poll_seconds: number } | null;
  runs: Run[];
  comparison: Comparison | null;
}

export interface RunStatus {
  status: string;
  steps: number;
  steps_planned: number;
  frames: number;
  version: number;
}

export function read_page_data(): PageData {
  const holder = document.getElementById("phiflex-data");
  if (!holder) throw new Error("the page holds no data");
  return JSON.parse(holder.textContent ?? "") as PageData;
}

export function column(table: Table | null, name: string): (number | null)[] | null {
  const at = table ? table.names.indexOf(name) : -1;
  return at < 0 ? null : table!.columns[at];
}

export function largest(values: (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
}

export function last_of(values: (number | null)[]): number | null {
  for (let i = values.length - 1; i >= 0; --i) if (values[i] !== null) return values[i];
  return null;
}

// The last index whose time is not after `time`; times ascend.
export function index_at(times: readonly (number | null)[], time: number): number {
  let low = 0,
    high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((times[middle] ?? Infinity) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

// What stepped, and "auto: em" where the scene left the choice to the program.
export function method_of(run: RunSummary): string {
  const integrator = run.scene?.integrator as SceneObject | undefined;
  const asked = typeof integrator?.type === "string" ? integrator.type : "";
  const stepped = run.method || asked;
  return asked === "auto" && stepped !== asked ? `auto: ${stepped}` : stepped;
}

// The run's own account of its energy, where it has ended: what the command prints. While it goes on, its rows tell.
export function books_of(run: Run): RunSummary["energy"] {
  return run.run.status === "running" ? undefined : run.run.energy;
}

// The sense of "up": against gravity, y where there is none.
export function up_of(run: RunSummary): [number, number, number] {
  const gravity = run.scene?.gravity;
  const pull = Array.isArray(gravity) && gravity.length === 3 ? gravity.map(Number) : [0, -1, 0];
  const most = Math.max(...pull.map(Math.abs));
  const axis = most > 0 ? pull.findIndex((g) => Math.abs(g) === most) : 1;
  const up: [number, number, number] = [0, 0, 0];
  up[axis] = pull[axis] > 0 ? -1 : 1;
  return up;
}
