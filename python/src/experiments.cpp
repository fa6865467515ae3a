// What the experiments (phiflex.experiments) need of the engine beyond a simulation: runs with their motion kept and
// their time measured on the processor, modes of two meshes compared, and single steps.
#include <time.h>

#include <atomic>
#include <chrono>
#include <cmath>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/linalg/modes.h"
#include "phiflex/mesh/tet_locator.h"
#include "phiflex/pages/viewer_page.h"
#include "phiflex/run/mode_comparison.h"
#include "phiflex/run/run.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"
#include "phiflex/study/method_variant.h"
#include "python/src/bind.h"
#include "python/src/step_failure.h"

namespace phiflex {
namespace python {
namespace {

using Overrides = std::vector<std::string>;

constexpr double kMostMotionBytes = 200e6;
constexpr std::int64_t kMostFrames = 60;
constexpr double kNoLimit =
    1e300;  // of a scene's energy: experiments show what becomes of a motion that diverges

// Of all threads of this process, s.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Scene experiment_scene(const std::string& file, const Overrides& overrides) {
  std::vector<Problem> unused;
  Scene scene = read_scene(file, read_options(overrides), unused);
  scene.limits.energy = kNoLimit;
  return scene;
}

Scene experiment_scene(const std::string& file, const Overrides& overrides, const std::string& method) {
  Overrides all = overrides;
  for (const std::string& word : overrides_of(parse_method_variant(method, "method"))) all.push_back(word);
  return experiment_scene(file, all);
}

// -- Runs

// Processor seconds of the steps, all threads together. From one step's report of progress to the next one's first
// observer lie the step and its rows of the tables; steps that write a frame do not count, nor does the first step,
// which makes what the others keep, unless it is all there is.
class StepClock {
 public:
  void step_is_over(std::int64_t step, bool counts) {
    if (step == 0) start_ = processor_seconds();
    if (step == 1) first_ = processor_seconds() - start_;
    if (!started_ || !counts) return;
    seconds_ += processor_seconds() - start_;
    ++steps_;
  }
  void next_step_begins() {
    started_ = true;
    start_ = processor_seconds();
  }
  double per_step() const { return steps_ > 0 ? seconds_ / static_cast<double>(steps_) : first_; }

 private:
  bool started_ = false;
  double start_ = 0, first_ = 0, seconds_ = 0;
  std::int64_t steps_ = 0;
};

// Positions and velocities of all vertices at every so many steps.
struct KeptMotion {
  std::int64_t every = 0;  // 0: not known yet
  std::vector<double> times;
  std::vector<Vector> x, v;

  void observe(const Simulation& simulation) {
    if (simulation.step() % every != 0) return;
    Vector position, velocity;
    simulation.model().expand(simulation.state(), position, velocity);
    times.push_back(static_cast<double>(simulation.step()) * simulation.h());
    x.push_back(std::move(position));
    v.push_back(std::move(velocity));
  }
  static py::array_t<double> rows(const std::vector<Vector>& all) {
    const py::ssize_t columns = all.empty() ? 0 : all.front().size();
    py::array_t<double> made({py::ssize_t(all.size()), columns / 3, py::ssize_t(3)});
    for (std::size_t i = 0; i < all.size(); ++i)
      std::copy(all[i].begin(), all[i].end(), made.mutable_data() + py::ssize_t(i) * columns);
    return made;
  }
};

// A run into a folder, as the command makes it. sample: s between the instants that are kept (0: every step, below: the
// start alone); max_seconds: of the processor (0: without a limit). Ctrl-C ends it after the current step and is
// raised.
py::dict keep_run(const std::string& file, const Overrides& overrides, const std::string& folder,
                  double sample, double max_seconds, bool frames) {
  Scene scene = experiment_scene(file, overrides);
  const double h = scene.time.step;
  const auto steps = std::max<std::int64_t>(1, std::llround(scene.time.end / h));
  if (frames) scene.output.every = std::max<std::int64_t>(1, steps / kMostFrames);
  const std::int64_t every_frame = scene.output.every;
  KeptMotion motion;
  StepClock clock;
  std::atomic<bool> stop{false};
  auto looked = std::chrono::steady_clock::now();
  py::object type, value, trace;
  RunOptions options;
  options.folder = folder;
  options.existing = ExistingFolder::reuse;
  options.frames = frames ? Frames::written : Frames::none;
  options.checkpoint_every = steps;
  options.control.threads = thread_count();
  options.control.stop = &stop;
  options.control.finished = [](const RunFolder& finished) { write_report(finished); };
  if (max_seconds > 0) options.control.max_seconds = max_seconds;
  options.control.limit_clock = processor_seconds;
  options.control.progress = [&](const Progress&) {
    const auto now = std::chrono::steady_clock::now();
    if (now - looked > std::chrono::milliseconds(50)) {
      looked = now;
      const py::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() != 0) {
        PyErr_Fetch(&type.ptr(), &value.ptr(), &trace.ptr());
        stop.store(true);
      }
    }
    clock.next_step_begins();
  };
  options.control.observe = [&](const Simulation& simulation) {
    clock.step_is_over(simulation.step(), !frames || simulation.step() % every_frame != 0);
    if (motion.every == 0) {
      auto every = static_cast<double>(sample > 0 ? std::max<std::int64_t>(1, std::llround(sample / h)) : 1);
      const double bytes =
          48.0 * static_cast<double>(simulation.model().dofs()) / 3 * static_cast<double>(steps) / every;
      motion.every =
          sample < 0 ? steps + 1
                     : static_cast<std::int64_t>(every * std::max(1.0, std::ceil(bytes / kMostMotionBytes)));
    }
    motion.observe(simulation);
  };
  const double start = processor_seconds();
  RunSummary summary;
  {
    const py::gil_scoped_release release;
    summary = run_scene(scene, file, {}, options);
  }
  if (type) {
    PyErr_Restore(type.release().ptr(), value.release().ptr(), trace.release().ptr());
    throw py::error_already_set();
  }
  py::dict made;
  made["instants"] = py::array_t<double>(py::ssize_t(motion.times.size()), motion.times.data());
  made["positions"] = KeptMotion::rows(motion.x);
  made["velocities"] = KeptMotion::rows(motion.v);
  made["seconds_per_step"] = clock.per_step();
  made["processor_seconds"] = processor_seconds() - start;
  made["seconds"] = summary.total_seconds;
  return made;
}

py::array_t<double> rest_shape(const std::string& file, const Overrides& overrides) {
  const SceneModel world = build_scene(experiment_scene(file, overrides), file);
  return copied(world.rest(), 3);
}

// Of a scene with one solid body: the tetrahedra's vertices (rows of 4) and weights in which each vertex of the fine
// scene's body lies, and both rest shapes.
py::tuple carry(const std::string& file, const Overrides& overrides, const std::string& fine_file,
                const Overrides& fine_overrides) {
  const SceneModel from = build_scene(experiment_scene(file, overrides), file);
  const SceneModel to = build_scene(experiment_scene(fine_file, fine_overrides), fine_file);
  for (const SceneModel* one : {&from, &to})
    if (one->bodies().size() != 1 || !one->bodies()[0].solid())
      refuse("fine", "a run is carried to a finer mesh where both scenes have one solid body");
  const TetMesh& mesh = from.bodies()[0].solid()->mesh;
  const TetLocator locator(mesh.vertices, mesh.tets);
  const auto rows = static_cast<py::ssize_t>(to.bodies()[0].rest().size());
  py::array_t<std::int64_t> corners({rows, py::ssize_t(4)});
  py::array_t<double> weights({rows, py::ssize_t(4)});
  py::ssize_t row = 0;
  for (const Point3& x : to.bodies()[0].rest()) {
    const TetLocator::Place place = locator.locate(x);
    for (py::ssize_t k = 0; k < 4; ++k) {
      corners.mutable_at(row, k) = mesh.tets[std::size_t(place.tet)][std::size_t(k)];
      weights.mutable_at(row, k) = place.weights[std::size_t(k)];
    }
    ++row;
  }
  return py::make_tuple(corners, weights, copied(from.rest(), 3), copied(to.rest(), 3));
}

// -- Modes

py::list elastic_eigenvalues(const RestModes& modes) {
  py::list values;
  for (Index i = modes.rigid; i < modes.modes.count(); ++i) values.append(modes.modes.lambda[i]);
  return values;
}

// Cosine of each elastic mode with a pure twist about the body's longest axis, in the inner product of the masses.
py::list twist_cosines(const SceneModel& world, const DeformableModel& rest_model, const RestModes& modes) {
  const Vector& rest = world.rest();
  const Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>> x(rest.data(), 3, rest.size() / 3);
  const Eigen::Vector3d low = x.rowwise().minCoeff(), high = x.rowwise().maxCoeff(),
                        middle = (low + high) / 2;
  Index along = 0;
  (high - low).maxCoeff(&along);
  const Eigen::Vector3d axis = Eigen::Vector3d::Unit(along);
  Vector twist = Vector::Zero(rest_model.dofs());
  const std::vector<int>& row_of = rest_model.constraints().free().row_of_vertex;
  for (std::size_t v = 0; v < row_of.size(); ++v)
    if (row_of[v] >= 0)
      twist.segment<3>(3 * Index(row_of[v])) =
          (x(along, Index(v)) - low[along]) * axis.cross(x.col(Index(v)) - middle);
  const MassMatrix& mass = rest_model.mass();
  const double size = std::sqrt(mass.dot(twist, twist));
  py::list cosines;
  for (Index i = modes.rigid; i < modes.modes.count(); ++i) {
    const Vector u = modes.modes.U.col(i);
    cosines.append(std::abs(mass.dot(u, twist)) / (size * std::sqrt(mass.dot(u, u))));
  }
  return cosines;
}

// The elastic modes of a scene at rest; with a fine scene also how stiff the coarse one is (run/mode_comparison.h).
py::dict experiment_modes(const std::string& file, const Overrides& overrides, int count,
                          const std::string& fine_file, const Overrides& fine_overrides) {
  const SceneModel coarse = build_scene(experiment_scene(file, overrides), file);
  py::dict made;
  if (fine_file.empty()) {
    const auto model = coarse.make_rest_model(0);
    const RestModes modes = rest_modes(*model, count, 0);
    made["rigid"] = modes.rigid;
    made["eigenvalues"] = elastic_eigenvalues(modes);
    made["twist"] = twist_cosines(coarse, *model, modes);
    return made;
  }
  const SceneModel fine = build_scene(experiment_scene(fine_file, fine_overrides), fine_file);
  const ModeComparison compared = compare_modes(coarse, fine, 0, count);
  made["rigid"] = compared.coarse.rigid;
  made["eigenvalues"] = elastic_eigenvalues(compared.coarse);
  made["ratios"] = copied(compared.ratios);
  made["matched"] = compared.matched;
  return made;
}

// Processor seconds for the s smallest eigenpairs of the five-point Laplacian on nx times ny points.
double laplacian_modes_seconds(int nx, int ny, int s) {
  if (nx < 2 || ny < 2 || s < 1 || s > nx * ny)
    refuse("s", "expected 1 <= s <= nx ny, and 2 or more points a side");
  const auto number = [nx](int i, int j) { return i + nx * j; };
  std::vector<Coupling> couplings;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      if (i + 1 < nx) couplings.push_back({number(i, j), number(i + 1, j)});
      if (j + 1 < ny) couplings.push_back({number(i, j), number(i, j + 1)});
    }
  SparseMatrix K(std::make_shared<SparsityPattern>(1, nx * ny, couplings));
  for (int i = 0; i < nx * ny; ++i) *K.block(K.pattern().diagonal(i)) = 4;
  for (const auto& [a, b] : couplings)
    *K.block(K.pattern().find(a, b)) = *K.block(K.pattern().find(b, a)) = -1;
  const MassMatrix mass(Vector::Ones(nx * ny));
  const AssembledPencil pencil(K, mass);
  Modes modes;
  Work work;
  const py::gil_scoped_release release;
  const double start = processor_seconds();
  if (compute_modes(pencil, s, {}, modes, work) != ModesStatus::ok)
    throw StepFailure("the smallest eigenpairs of the Laplacian did not converge", "not_converged");
  return processor_seconds() - start;
}

// -- Single steps

int count_inverted(const SceneModel& world, const Vector& x) {
  int inverted = 0;
  for (const Body& body : world.bodies()) {
    if (!body.solid()) continue;
    for (const std::array<int, 4>& tet : body.solid()->mesh.tets) {
      const auto corner = [&](std::size_t i) { return x.segment<3>(3 * (body.first_vertex + tet[i])); };
      Eigen::Matrix3d edges;
      edges << corner(1) - corner(0), corner(2) - corner(0), corner(3) - corner(0);
      inverted += edges.determinant() <= 0;
    }
  }
  return inverted;
}

double largest_per_vertex(const Vector& f) {
  double largest = 0;
  for (Index i = 0; i + 2 < f.size(); i += 3) largest = std::max(largest, f.segment<3>(i).norm());
  return largest;
}

// A scene that brings its body to a static state: backward Euler with steps so long that inertia is nothing, while a
// constraint moves. Time and positions at its end; residual: largest force on a free vertex over the largest on a held
// one.
py::dict static_state(const std::string& file, const Overrides& overrides) {
  const Scene scene = experiment_scene(file, overrides);
  const SceneModel world = build_scene(scene, file);
  const auto steps = static_cast<std::int64_t>(std::llround(scene.time.end / scene.time.step));
  Simulation simulation(scene, world, steps);
  {
    const py::gil_scoped_release release;
    while (simulation.step() < steps)
      if (simulation.advance() != StepStatus::ok)
        throw StepFailure("there is no static state: " + simulation.failure(), "failed");
  }
  const DeformableModel& model = simulation.model();
  State at = simulation.state();
  at.v.setZero();
  Vector f, e, v, x;
  model.force(at, f);
  model.expand(at, x, v);
  model.external_forces(at, e);
  py::dict made;
  made["time"] = at.t;
  made["positions"] = copied(x);
  made["residual"] = largest_per_vertex(f) / std::max(largest_per_vertex(e), 1e-300);
  made["inverted"] = count_inverted(world, x);
  return made;
}

// The counted work of one step of a method from such a state, all velocities zero.
py::dict one_step(const std::string& file, const Overrides& overrides, const std::string& method, double tau,
                  double t, const py::object& positions) {
  const Scene scene = experiment_scene(file, overrides, method);
  const SceneModel world = build_scene(scene, file);
  const Vector x = vector_of(positions, "positions", world.rest().size());
  const std::unique_ptr<DeformableModel> model = world.make_model(t);
  const std::unique_ptr<Integrator> integrator =
      find_integrator(scene.integrator.type)->make(*model, scene.integrator.options);
  const State now = model->state(t, x, Vector::Zero(x.size()));
  State next = now;
  const StepReport report = integrator->step(now, tau, next);
  if (report.status != StepStatus::ok) throw StepFailure("one step of " + method + " failed", "failed");
  py::dict counts;
  for (const WorkCount& count : work_counts)
    counts[count.name] = static_cast<double>(report.work.*count.member);
  return counts;
}

// Processor seconds of steps of Newmark's method (beta = 1/4, gamma = 1/2) that make a given number of Newton
// iterations, each with a stiffness assembled and factorized anew, whatever the residual is:
//
//   q+ = q + h v + h^2/4 (a + a+),  v+ = v + h/2 (a + a+),  (M + h/2 D + h^2/4 K) da = f(q+, v+) - M a+,  a+ <- a+ + da    (1)
std::vector<double> newmark_seconds(const std::string& file, const Overrides& overrides, int iterations,
                                    int steps) {
  const Scene scene = experiment_scene(file, overrides);
  const SceneModel world = build_scene(scene, file);
  const std::unique_ptr<DeformableModel> model = world.make_model(0);
  const std::unique_ptr<AssembledTangent> tangent = model->assembled_tangent(Definiteness::exact);
  ImplicitMatrix matrix(model->mass(), model->pattern(), RefactorPolicy::always, 1e-6);
  const double h = scene.time.step;
  State now = world.initial_state(*model), next = now;
  Vector a, a_next, f, Ma, da;
  Work work;
  model->force(now, f);
  model->mass().solve(f, a);
  std::vector<double> seconds;
  for (int step = 0; step < steps; ++step) {
    const double start = processor_seconds();
    a_next = a;
    next.t = now.t + h;
    for (int i = 0; i <= iterations; ++i) {
      next.q = now.q + h * now.v + h * h / 4 * (a + a_next);  // (1)
      next.v = now.v + h / 2 * (a + a_next);
      if (i == iterations) break;
      tangent->update(next);
      matrix.set({1, h / 2, h * h / 4}, tangent->D(), tangent->K());
      model->force(next, f);
      model->mass().apply(a_next, Ma);
      if (matrix.solve(f - Ma, da, work) != SolveStatus::ok)
        throw StepFailure("the matrix of a Newmark step cannot be factorized", "failed");
      a_next += da;
    }
    seconds.push_back(processor_seconds() - start);
    std::swap(now, next);
    std::swap(a, a_next);
  }
  return seconds;
}

// The same of a method of the catalogue, without its first step, which makes what the others keep.
std::vector<double> step_seconds(const std::string& file, const Overrides& overrides,
                                 const std::string& method, int steps) {
  const Scene scene = experiment_scene(file, overrides, method);
  Simulation simulation(scene, build_scene(scene, file), steps + 1);
  std::vector<double> seconds;
  for (int step = 0; step <= steps; ++step) {
    const double start = processor_seconds();
    if (simulation.advance() != StepStatus::ok)
      throw StepFailure("a step of " + method + " failed: " + simulation.failure(), "failed");
    if (step > 0) seconds.push_back(processor_seconds() - start);
  }
  return seconds;
}

}  // namespace

void bind_experiments(py::module_& m) {
  m.def("experiment_scene", [](const std::string& file, const Overrides& overrides) {
    return to_json(experiment_scene(file, overrides)).dump();
  });
  m.def("method_overrides",
        [](const std::string& words) { return overrides_of(parse_method_variant(words, "integrator")); });
  m.def("keep_run", &keep_run);
  m.def("rest_shape", &rest_shape);
  m.def("carry", &carry);
  m.def("experiment_modes", &experiment_modes);
  m.def("laplacian_modes_seconds", &laplacian_modes_seconds);
  m.def("static_state", &static_state);
  m.def("one_step", &one_step);
  m.def("newmark_seconds", &newmark_seconds);
  m.def("step_seconds", &step_seconds);
}

}  // namespace python
}  // namespace phiflex
