// Runs made up for tests: their numbers follow formulas, their files have the shape of real ones.
import { sheet_motion, table_of } from "./encoder.mjs";

const range = (count) => Array.from({ length: count }, (_, i) => i);

export function made_run({
  name = "made",
  frames = 61,
  end = 2,
  damping = 0,
  columns = 24,
  rows = 10,
  wave = 0.02,
  motion = true,
  change = {},
  contacts = [],
  fields = [],
  rounding = 0, // J, in every value of the elastic energy
} = {}) {
  const times = range(frames).map((i) => (frames > 1 ? (end * i) / (frames - 1) : 0));
  const shape = (u, v, t) => [
    u,
    0.3 + 0.15 * u * Math.sin(5 * t) * Math.exp(-damping * t) + wave * Math.sin(9 * u + 6 * t),
    0.4 * v,
  ];
  const made = motion
    ? sheet_motion({ columns, rows, times, shape, regions: (u) => (u < 0.5 ? 0 : 1), fields })
    : { header: null, data: [] };
  const loss = times.map((t) => 0.8 * (1 - Math.exp(-damping * t)));
  const energy = frames
    ? table_of({
        step: range(frames),
        time: times,
        kinetic: times.map((t, i) => (1 - loss[i]) * Math.cos(5 * t) ** 2),
        elastic: times.map((t, i) => (1 - loss[i]) * Math.sin(5 * t) ** 2 + rounding),
        gravity: times.map(() => 0),
        contact: times.map(() => 0),
        total: loss.map((taken) => 1 - taken),
        external_work: times.map(() => 0),
        dissipated: times.map(() => 0),
        numerical_loss: loss,
      })
    : null;
  const probes = frames
    ? table_of({
        step: range(frames),
        time: times,
        tip_x: times.map(() => 1),
        tip_y: times.map((t) => 0.3 + 0.15 * Math.sin(5 * t)),
        tip_z: times.map(() => 0.2),
      })
    : null;
  const run = {
    status: "done",
    reason: "",
    version: "0.1.0",
    method: "si",
    machine: { description: "a machine" },
    threads: 2,
    deterministic: true,
    sizes: { vertices: 275, elements: 1200, springs: 0, degrees_of_freedom: 825 },
    steps: frames - 1,
    steps_planned: frames - 1,
    h: end / Math.max(1, frames - 1),
    seconds: {
      assembly: 0.02,
      factorization: 0.01,
      solve: 0.3,
      modes: 0,
      matfun: 0,
      output: 0.05,
      total: 0.6,
      per_step: 0.004,
    },
    counts: { force_evaluations: 200, assemblies: 1, krylov_vectors: 0 },
    hash: "4637f433af0e7196",
    frames,
    warnings: [],
    fallbacks: [],
    notes: ["integrator auto: si, because"],
    scene: {
      phiflex: 1,
      name,
      time: { step: 0.01, end },
      integrator: { type: "si" },
      gravity: [0, -9.81, 0],
      bodies: [
        {
          name: "sheet",
          mesh: { generate: "box", size: [1, 0.1, 0.4] },
          material: { type: "neo-hookean", young: 2e5 },
        },
      ],
      contacts,
    },
    ...change,
  };
  return {
    run: {
      name,
      folder: `runs/${name}`,
      reference: false,
      run,
      energy,
      probes,
      motion: made.header,
      remarks: [],
    },
    chunks: made.data,
  };
}

export function page_of(...made) {
  return {
    kind: "run",
    title: made[0].run.name,
    program: "phiflex 0.1.0",
    served: null,
    runs: made.map((one) => one.run),
    comparison: null,
  };
}

// A comparison of runs named METHOD@STEP.
export function comparison_of(made, times) {
  const columns = { time: times };
  for (const [i, { run }] of made.entries()) {
    columns[`${run.name} position_error`] = times.map((t) => 1e-4 * (i + 1) * (t + 0.01));
    columns[`${run.name} velocity_error`] = times.map((t) => 1e-3 * (i + 1) * (t + 0.01));
  }
  return {
    scene: "made",
    scene_file: "made.json",
    status: "done",
    exchanged_energy: 1,
    times: times.length,
    warnings: [],
    reference: {
      method: "rk4",
      chosen: "the most accurate applicable method, of order 4",
      converged: true,
      convergence: "converged: it moved no vertex",
      runs: [
        { h: 0.001, folder: "reference/rk4", status: "done", change: null, seconds: 2 },
        { h: 0.0005, folder: "r", status: "done", change: 1e-7, seconds: 4 },
      ],
    },
    runs: made.map(({ run }, i) => ({
      run: run.name,
      method: run.name.split("@")[0],
      h: 0.01,
      folder: run.folder,
      result: "stable",
      reason: "",
      diverged_at_step: null,
      steps: 100,
      steps_planned: 100,
      seconds: { total: 0.1 * (i + 1), per_step: 0.001 * (i + 1) },
      counts: { force_evaluations: 100 * (i + 1), solves: 5 },
      errors: {
        position_largest: 1e-4 * (i + 1),
        velocity_largest: 1e-3 * (i + 1),
        position_last: 1e-4,
        velocity_last: 1e-3,
        times: times.length,
      },
      energy: {
        first: 1,
        last: 1,
        numerical_loss: 0.1,
        worst_loss: 0.1 * i,
        numerical_loss_relative: 0.1 * i,
        numerical_loss_largest_relative: 0.1 * i,
      },
      fallbacks: [],
    })),
    errors: table_of(columns),
  };
}
