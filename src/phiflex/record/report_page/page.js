// Puts the run's data in the page. All text goes in as text, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const run = data.run;

function plain(name) {
  return name.replaceAll("_", " ").replace(/\b(krylov|newton)\b/g, (word) => word[0].toUpperCase() + word.slice(1))
    .replace(/\bcg\b/, "CG").replace("hessian", "Hessian");
}
function amount(value) { return Number(value || 0).toLocaleString("en-US").replaceAll(",", "\u202f"); }
function seconds(value) { return with_unit(value || 0, "s"); }
function column(table, name) {
  const at = table ? table.names.indexOf(name) : -1;
  return at < 0 ? null : table.columns[at];
}
function largest(values) { return values.reduce((most, value) => Math.max(most, Math.abs(value ?? 0)), 0); }
function remove(id) { by_id(id).remove(); }

// ---- what it was
const scene = run.scene || {};
const asked = scene.integrator && scene.integrator.type, stepped = run.method || asked;
const known_method = asked === "auto" && stepped !== asked ? `auto: ${stepped}` : stepped, method = stepped || "the integrator";
const sizes = run.sizes || {}, cost = run.seconds || {}, counts = run.counts || {};
by_id("name").textContent = scene.name || data.folder || "run";
by_id("status").textContent = run.status === "limit" ? "stopped at a limit" : run.status || "unknown";
by_id("status").classList.add(run.status || "unknown");
if (run.reason) {
  by_id("reason").textContent = run.reason;
  by_id("reason").classList.add(run.status);
  by_id("reason").hidden = false;
}
const figures = [
  ["integrator", known_method],
  ["steps", run.steps < run.steps_planned ? `${amount(run.steps)} of ${amount(run.steps_planned)}` : amount(run.steps)],
  ["step size", run.h ? seconds(run.h) : ""],
  ["simulated", run.h ? seconds(run.h * run.steps) : ""],
  ["tetrahedra", sizes.elements ? amount(sizes.elements) : ""],
  ["springs", sizes.springs ? amount(sizes.springs) : ""],
  ["degrees of freedom", sizes.degrees_of_freedom ? amount(sizes.degrees_of_freedom) : ""],
  ["per step", cost.per_step ? seconds(cost.per_step) : ""],
  ["whole run", cost.total ? seconds(cost.total) : ""],
];
for (const [name, value] of figures)
  if (value) by_id("figures").append(element("div", {}, element("dt", {}, name), element("dd", {}, value)));

// ---- the clock and the motion
const motion = data.motion, energy = data.energy;
const times = motion ? motion.times : energy ? column(energy, "time") : [0];
const table_end = energy ? column(energy, "time").at(-1) : times.at(-1);
const clock = new Clock(times[0], Math.max(times.at(-1), table_end));

const probes = [];
if (data.probes)
  for (const name of data.probes.names)
    if (name.endsWith("_x")) {
      const base = name.slice(0, -2), axes = ["_x", "_y", "_z"].map((axis) => column(data.probes, base + axis));
      if (axes.every((values) => values))
        probes.push({ name: base, time: column(data.probes, "time"), x: axes[0], y: axes[1], z: axes[2] });
    }

if (motion) {
  const gravity = Array.isArray(scene.gravity) ? scene.gravity : [0, -1, 0];
  const pull = gravity.map(Math.abs), up = pull.every((g) => g === 0) ? 1 : pull.indexOf(Math.max(...pull));
  const finite_probes = probes.filter((probe) => [probe.x, probe.y, probe.z].every((values) => !values.includes(null)));
  const player = new Player(by_id("stage"), motion, finite_probes, up, gravity[up] > 0 ? -1 : 1);
  clock.listen(() => player.show(clock.time));
  window.addEventListener("theme", () => player.draw_soon());
  by_id("home").addEventListener("click", () => player.reset());
  if (motion.times.length < motion.frames_in_run)
    by_id("motion_note").textContent = `${motion.times.length} of the run's ${amount(motion.frames_in_run)} frames are shown; ` +
      "frames.pvd opens all of them in ParaView.";
} else {
  by_id("home").remove();
  document.querySelector(".stage").remove();
  by_id("motion_note").textContent = run.frames > 0 ? "The surface is too large for this page: open frames.pvd in ParaView."
    : run.status === "running" ? "No frames yet." : "This run wrote no frames.";
  if (!energy) document.querySelector(".transport").remove();
}

// ---- transport
const duration = clock.end - clock.start;
if (motion || energy) connect_transport(by_id("scrub"));
function connect_transport(scrub) {
  scrub.min = clock.start;
  scrub.max = clock.end;
  scrub.addEventListener("input", () => { clock.pause(); clock.set(Number(scrub.value)); });
  by_id("play").addEventListener("click", () => clock.toggle());
  const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
  // Real time where that lasts three seconds to a minute, else what comes near.
  clock.speed = duration < 3 ? Math.max(0.01, ...speeds.filter((speed) => speed <= 1 && duration / speed >= 3))
    : speeds.find((speed) => speed >= 1 && duration / speed <= 60) || 10;
  for (const speed of speeds) {
    const option = element("option", { value: speed }, speed === 1 ? "real time" : `${speed} ×`);
    option.selected = speed === clock.speed;
    by_id("speed").append(option);
  }
  by_id("speed").addEventListener("change", (event) => { clock.speed = Number(event.target.value); });
  clock.listen(() => {
    scrub.value = clock.time;
    by_id("now").textContent = `${clock.time.toFixed(duration < 0.1 ? 5 : 3)} s`;
    by_id("play").textContent = clock.playing ? "❚❚" : "▶";
  });
}
function step_frames(by) {
  clock.pause();
  const i = index_at(times, clock.time + 1e-9 * duration);
  clock.set(times[Math.min(times.length - 1, Math.max(0, i + by))]);
}
window.addEventListener("keydown", (event) => {
  const tag = event.target.tagName;
  if (event.ctrlKey || event.metaKey || event.altKey || tag === "SELECT" || tag === "PRE") return;
  const actions = {
    " ": () => clock.toggle(),
    ArrowRight: () => step_frames(event.shiftKey ? 10 : 1),
    ArrowLeft: () => step_frames(event.shiftKey ? -10 : -1),
    Home: () => { clock.pause(); clock.set(clock.start); },
    End: () => { clock.pause(); clock.set(clock.end); },
  };
  if (!actions[event.key] || event.key === " " && (tag === "BUTTON" || tag === "SUMMARY")) return;
  event.preventDefault();
  actions[event.key]();
});

// ---- energy and ledger
if (energy) {
  const time = column(energy, "time"), in_table = (name) => column(energy, name) || time.map(() => 0);
  const curves = ["kinetic", "elastic", "gravity", "contact", "total"].map((name) =>
    ({ name, values: in_table(name), color: `--${name}`, width: name === "total" ? 2.4 : 1.7 }));
  const moving = curves.filter((curve) => largest(curve.values) > 0 || curve.name === "total");
  const missing = curves.filter((curve) => !moving.includes(curve)).map((curve) => curve.name);
  new Plot(document.querySelector("#energy .plot"), time, moving, "J", clock, 270);
  const notes = missing.length ? [`Always zero: ${missing.join(", ")}.`] : [];
  if (energy.rows > time.length) notes.push(`${amount(energy.rows)} rows drawn as ${amount(time.length)} points.`);
  document.querySelector("#energy .note").textContent = notes.join(" ");

  new Plot(document.querySelector("#ledger .plot"), time, [
    { name: "external work", values: in_table("external_work"), color: "--external" },
    { name: "dissipated", values: in_table("dissipated"), color: "--dissipated" },
    { name: "numerical loss", values: in_table("numerical_loss"), color: "--loss", width: 2.4, fill: true },
  ], "J", clock, 210);
  say_verdict(in_table("numerical_loss"), in_table("kinetic"), in_table("elastic"), in_table("dissipated"));
} else {
  remove("energy");
  remove("ledger");
}

// One plain sentence: what the integrator took or added, against the energy the motion exchanged.
function say_verdict(loss, kinetic, elastic, dissipated) {
  const place = by_id("verdict");
  const exchanged = Math.max(largest(kinetic), Math.abs(elastic[0] ?? 0));
  if (!(exchanged > 0)) {
    place.textContent = "Nothing moved.";
    return;
  }
  const last = loss.filter((value) => value !== null).at(-1) ?? 0, worst = largest(loss);
  const percent = (value) => {
    const share = 100 * value / exchanged;
    return `${Math.abs(share) >= 10 ? Math.round(share) : short(share, 1)} %`;
  };
  const released = Math.abs(elastic[0] ?? 0) >= largest(kinetic);
  const of = `of ${released ? "the elastic energy at the start" : "the largest kinetic energy"} (${with_unit(exchanged, "J")})`;
  const say = (...parts) => place.append(...parts);
  if (worst < 1e-3 * exchanged) {
    place.classList.add("kept");
    say(method, " ", element("b", {}, "kept the energy"), `: its numerical loss never passed ${percent(worst)} ${of}.`);
  } else if (Math.abs(last) < 0.5 * worst) {
    say(method, " ended with a numerical loss of ", element("b", {}, percent(last)), ` ${of}, `,
      element("b", {}, percent(worst)), " at worst on the way.");
  } else {
    say(method, " ", element("b", {}, `${last > 0 ? "stole" : "added"} ${percent(Math.abs(last))}`), ` ${of}: ${with_unit(Math.abs(last), "J")}.`);
  }
  const damped = dissipated.at(-1);
  say(damped ? ` Physical damping took ${with_unit(damped, "J")}.` : " There was no physical damping.");
}

// ---- probes
if (probes.length) {
  const place = document.querySelector("#probes .plots");
  for (const probe of probes) {
    const box = element("div", {}, element("h3", {}, probe.name));
    place.append(box);
    new Plot(box, probe.time, ["x", "y", "z"].map((axis, k) =>
      ({ name: axis, values: probe[axis], color: ["--kinetic", "--gravity", "--elastic"][k] })), "m", clock, 190);
  }
} else {
  remove("probes");
}

// ---- cost
const phases = ["assembly", "factorization", "solve", "modes", "matfun", "output"].map((name) => [name, cost[name] || 0]);
const named = phases.reduce((sum, [, value]) => sum + value, 0);
if (cost.total > 0) {
  phases.push(["other", Math.max(0, cost.total - named)]);
  for (const [name, value] of phases.filter(([, spent]) => spent > 0))
    document.querySelector("#cost .bars").append(element("div", { class: "bar" }, element("span", {}, name),
      element("div", {}, element("i", { style: `width: ${(100 * value / cost.total).toFixed(2)}%` })),
      element("span", {}, seconds(value)), element("span", {}, `${(100 * value / cost.total).toFixed(1)} %`)));
  const simulated = run.h * run.steps;
  document.querySelector("#cost .note").textContent = `${seconds(cost.total)} for ${seconds(simulated)} simulated` +
    (!(simulated > 0) ? "." : simulated >= cost.total ? `: ${short(simulated / cost.total, 2)} times faster than real time.`
      : `: ${short(cost.total / simulated, 2)} times slower than real time.`);
} else {
  document.querySelector("#cost .bars").textContent = "Not measured yet.";
}
for (const [name, value] of Object.entries(counts).filter(([, times_done]) => times_done))
  document.querySelector("#counts tbody").append(element("tr", {}, element("td", {}, plain(name)), element("td", {}, amount(value))));
const never = Object.keys(counts).filter((name) => !counts[name]);
if (never.length) document.querySelector("#counts .note").textContent = `None: ${never.map(plain).join(", ")}.`;
if (!Object.keys(counts).length) remove("counts");

// ---- remarks
const remarks = [["warning", run.warnings], ["fallback", run.fallbacks], ["remark", run.notes]];
for (const [kind, list] of remarks)
  for (const text of list || []) document.querySelector("#remarks ul").append(element("li", { class: kind }, text));
if (!document.querySelector("#remarks li")) remove("remarks");

// ---- setting
const machine = run.machine && run.machine.description;
for (const [name, value] of [
  ["version", run.version], ["machine", machine],
  ["threads", run.threads && `${run.threads}${run.deterministic ? ", deterministic" : ""}`],
  ["vertices", sizes.vertices && amount(sizes.vertices)],
  ["final state", run.hash],
]) if (value) document.querySelector("#setting tbody").append(
  element("tr", {}, element("td", {}, name), element("td", {}, name === "final state" ? element("code", {}, value) : String(value))));
document.querySelector("#setting pre").textContent = JSON.stringify(scene, null, 2);

clock.set(clock.start);
if (motion && !matchMedia("(prefers-reduced-motion: reduce)").matches && motion.times.length > 1) clock.toggle();
