// Simulation for Python: steps with the interpreter's lock released, positions and velocities as views, tables of the
// ledger and the probes, saved states, and several simulations in one parallel loop.
#include "phiflex/run/simulation.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>

#include "phiflex/base/files.h"
#include "phiflex/base/hash.h"
#include "phiflex/base/interruption.h"
#include "phiflex/base/parallel.h"
#include "phiflex/record/energy_csv.h"
#include "phiflex/record/machine.h"
#include "phiflex/record/named_tables.h"
#include "phiflex/record/run_folder.h"
#include "phiflex/record/state_hash.h"
#include "phiflex/run/run.h"
#include "phiflex/run/run_summary.h"
#include "phiflex/run/version.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"
#include "python/src/bind.h"
#include "python/src/model.h"
#include "python/src/step_failure.h"
#include "python/src/system.h"

namespace phiflex {
namespace python {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostSnapshots = 64;  // for pages; every second is dropped when there are more
constexpr auto kSignalInterval = std::chrono::milliseconds(20);
constexpr std::string_view kSavedMagic = "PHIFLEXS1";

// Where all vertices are; arrays in Python keep it alive.
struct MotionMemory {
  Vector x, v;
};

// Ctrl-C, between steps and within one: Python's exception, now and then.
void look_for_signals() {
  thread_local Clock::time_point looked = Clock::now();
  const Clock::time_point now = Clock::now();
  if (now - looked < kSignalInterval) return;
  looked = now;
  const py::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

// How many simulations are inside a step: beside others, each keeps its loops on its own thread.
std::atomic<int> stepping{0};

class SimulationHandle {
 public:
  // scene_file: how messages name it. steps: absent: the scene's.
  SimulationHandle(Scene scene, SceneModel world, std::int64_t steps, Messages messages)
      : scene_(std::move(scene)),
        world_(std::move(world)),
        messages_(std::move(messages)),
        simulation_(std::make_unique<Simulation>(scene_, world_, steps)),
        motion_(std::make_shared<MotionMemory>()) {
    messages_.warn(world_.messages().warnings());
    messages_.warn(method_warnings(simulation_->choice().spec, simulation_->system()));
    motion_->x.resize(3 * Index(world_.vertices()));
    motion_->v.resize(3 * Index(world_.vertices()));
    record();
  }

  // -- Steps
  // At most `count`; fewer at the scene's end. Returns how many were made.
  std::int64_t advance(std::int64_t count) {
    const Busy busy(*this);
    take_velocities();
    std::int64_t made = 0;
    const py::gil_scoped_release release;
    const PollForInterruption poll(&look_for_signals);
    for (; made < count && simulation_->step() < simulation_->steps(); ++made) {
      make_step();
      look_for_signals();
    }
    return made;
  }

  // Of a batch: the same without looking for signals. The caller has released the interpreter and holds Busy.
  void advance_in_loop(std::int64_t count) {
    for (std::int64_t made = 0; made < count && simulation_->step() < simulation_->steps(); ++made)
      make_step();
  }

  class Busy {
   public:
    explicit Busy(SimulationHandle& simulation) : simulation_(simulation) {
      if (simulation_.busy_.exchange(true))
        throw std::runtime_error("this simulation is in a step: it serves one thread and one call at a time");
    }
    ~Busy() { simulation_.busy_.store(false); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    SimulationHandle& simulation_;
  };

  // Velocities that Python has written since the latest step.
  void take_velocities() {
    Vector& v = motion_->v;
    if (std::memcmp(v.data(), seen_v_.data(), bytes()) == 0) return;
    for (Index i = 0; i < v.size(); ++i)
      if (!std::isfinite(v[i])) {
        const double bad = v[i];
        std::memcpy(v.data(), seen_v_.data(), bytes());
        refuse("velocities",
               fmt::format("vertex {} was given {}, which is not allowed; expected finite numbers "
                           "(all velocities are as before)",
                           i / 3, bad));
      }
    simulation_->set_velocities(v);
    show();
    rewrite_ledger_row();
  }

  // -- What it is
  const Simulation& simulation() const { return *simulation_; }
  std::int64_t vertices() const { return world_.vertices(); }
  const SceneModel& world() const { return world_; }
  // Before the first step and of the steps so far.
  Messages messages() const {
    Messages all = messages_;
    all.add(simulation_->messages());
    return all;
  }

  py::array positions(int first, int count) const {
    return part(motion_->x, first, count, Access::read_only);
  }
  py::array velocities(int first, int count) const {
    return part(motion_->v, first, count, Access::writable);
  }
  const double* x() const { return motion_->x.data(); }

  std::string hash() {
    const Busy busy(*this);
    take_velocities();
    return state_hash(simulation_->state());
  }

  // Columns by rows: (steps + 1, columns).
  py::array ledger() const { return table(ledger_, kEnergyColumns); }
  py::array probes() const { return table(probes_, 3 * std::size_t(world_.probe_names().size())); }
  std::vector<double> latest() const { return {ledger_.end() - kEnergyColumns, ledger_.end()}; }

  py::dict work() const {
    py::dict counts;
    for (const WorkCount& count : work_counts) counts[count.name] = simulation_->work().*count.member;
    for (const WorkPhase& phase : work_phases)
      counts[(std::string(phase.name) + "_seconds").c_str()] = simulation_->work().*phase.seconds;
    return counts;
  }

  std::shared_ptr<SystemHandle> system() const {
    std::shared_ptr<const MechanicalSystem> model = world_.make_model(simulation_->state().t);
    return std::make_shared<SystemHandle>(std::make_shared<SystemLife>(std::move(model)));
  }
  py::tuple state() {
    const Busy busy(*this);
    take_velocities();
    const State& at = simulation_->state();
    return py::make_tuple(at.t, copied(at.q), copied(at.v));
  }

  // -- Saved states
  void save(const std::string& path) {
    const Busy busy(*this);
    take_velocities();
    ArchiveWriter out;
    out.put(std::string_view(world_.hash()));
    out.put(std::string_view(scene_hash_of_motion()));
    simulation_->save(out);
    out.put(std::span<const double>(ledger_));
    out.put(std::span<const double>(probes_));
    Hash check;
    check.add(out.bytes());
    write_file_atomically(path, std::string(kSavedMagic) + check.hexadecimal() + out.bytes());
  }

  void restore(const std::string& path) {
    const Busy busy(*this);
    const std::string bytes_read = read_file(path);
    const std::size_t head = kSavedMagic.size() + 16;
    if (!bytes_read.starts_with(kSavedMagic) || bytes_read.size() < head)
      throw InputError(path, "", "is not a state that Simulation.save() wrote");
    const std::string_view body = std::string_view(bytes_read).substr(head);
    Hash check;
    check.add(body);
    if (check.hexadecimal() != bytes_read.substr(kSavedMagic.size(), 16))
      throw InputError(path, "", "is damaged: its check sum is another one");
    // A state that cannot be used leaves the simulation as it is.
    ArchiveReader in(body);
    try {
      if (in.get_text() != world_.hash() || in.get_text() != scene_hash_of_motion())
        throw InputError(path, "", "is a state of another model, step or integrator");
      auto loaded = std::make_unique<Simulation>(scene_, world_, simulation_->steps());
      loaded->load(in);
      std::vector<double> ledger = in.get_doubles(), probes = in.get_doubles();
      in.finish();
      const std::size_t rows = std::size_t(loaded->step()) + 1;
      if (ledger.size() != rows * kEnergyColumns || probes.size() != rows * 3 * world_.probe_names().size())
        throw ArchiveError("its tables have other rows than steps");
      simulation_ = std::move(loaded);
      ledger_ = std::move(ledger);
      probes_ = std::move(probes);
    } catch (const ArchiveError& error) {
      throw InputError(path, "", std::string("cannot be used: ") + error.what());
    }
    std::erase_if(snapshots_, [&](const Snapshot& one) { return one.step > simulation_->step(); });
    show();
  }

  // A run folder of what was recorded: the tables, and snapshots as frames.
  void write(const std::string& path, bool reuse, std::vector<std::string> names) {
    const Busy busy(*this);
    const RunFolder folder = prepare_run_folder(path, reuse ? ExistingFolder::reuse : ExistingFolder::refuse);
    EnergySummary energies;
    {
      EnergyCsv table(folder.energy_csv());
      for (std::size_t at = 0; at < ledger_.size(); at += kEnergyColumns) {
        const std::span<const double, kEnergyColumns> columns(ledger_.data() + at, kEnergyColumns);
        const EnergyRow row = row_of(columns, simulation_->available_energy());
        table.write(row);
        energies.add(row);
      }
      table.flush();
    }
    if (!world_.probe_names().empty()) {
      ProbesCsv table(folder.probes_csv(), world_.probe_names());
      std::vector<Point3> at(world_.probe_names().size());
      for (std::size_t row = 0; row * kEnergyColumns < ledger_.size(); ++row) {
        std::memcpy(at.data(), probes_.data() + row * 3 * at.size(), sizeof(Point3) * at.size());
        table.write(std::int64_t(row), ledger_[row * kEnergyColumns + 1], at);
      }
      table.flush();
    }
    FrameWriter frames(folder, world_.frame_geometry());
    std::vector<double> densities;
    const auto write_frame = [&](double t, const Vector& x, const Vector& v) {
      Vector u(x.size());
      for (Index i = 0; i < x.size(); ++i) u[i] = x[i] - world_.rest()[i];
      world_.strain_energy_densities(t, x, densities);
      frames.write(t, as_span(u), as_span(v), densities);
    };
    for (const Snapshot& one : snapshots_)
      if (one.step < simulation_->step()) write_frame(one.t, one.x, one.v);
    write_frame(simulation_->state().t, motion_->x, motion_->v);
    frames.sync();

    RunSummary summary;
    summary.status = !simulation_->failure().empty()               ? RunStatus::failed
                     : simulation_->step() == simulation_->steps() ? RunStatus::done
                                                                   : RunStatus::interrupted;
    summary.reason = !simulation_->failure().empty() ? simulation_->failure()
                     : summary.status == RunStatus::done
                         ? ""
                         : fmt::format("written after step {}, from Python", simulation_->step());
    summary.version = version();
    summary.scene = to_json(scene_);
    if (scene_.bodies.empty())  // of a model from arrays: the names, for the page
      for (std::string& name : names) summary.scene["bodies"].push_back({{"name", std::move(name)}});
    summary.method = simulation_->method().name;
    summary.machine = this_machine();
    summary.threads = thread_count();
    summary.vertices = world_.vertices();
    summary.elements = world_.tetrahedra() + world_.triangles();
    summary.triangles = world_.triangles();
    summary.springs = world_.springs();
    summary.degrees_of_freedom = simulation_->model().dofs();
    summary.steps = simulation_->step();
    summary.steps_planned = std::max(simulation_->step(), scene_.bodies.empty() ? 0 : simulation_->steps());
    summary.h = simulation_->h();
    summary.work = simulation_->work();
    summary.quality = simulation_->quality();
    summary.total_seconds = summary.seconds_per_step = seconds_;
    summary.seconds_per_step /= double(std::max<std::int64_t>(1, simulation_->step()));
    summary.energy_first = energies.first();
    summary.energy_last = energies.last();
    summary.energy_available = energies.available();
    summary.energy_largest_relative_change = energies.largest_relative_change();
    summary.hash = state_hash(simulation_->state());
    summary.frames = frames.frames();
    summary.messages = messages();
    write_run_json(folder.run_json(), summary);
  }

 private:
  struct Snapshot {
    std::int64_t step;
    double t;
    Vector x, v;
  };

  std::size_t bytes() const { return sizeof(double) * std::size_t(motion_->v.size()); }

  py::array part(const Vector& all, int first, int count, Access access) const {
    return view({py::ssize_t(count), 3}, all.data() + 3 * Index(first), motion_, access);
  }
  static py::array table(const std::vector<double>& rows, std::size_t columns) {
    const std::size_t count = columns == 0 ? 0 : rows.size() / columns;
    return py::array_t<double>({py::ssize_t(count), py::ssize_t(columns)}, rows.data());
  }

  // Of what the motion depends on: the output does not belong to it.
  std::string scene_hash_of_motion() const {
    Scene scene = scene_;
    scene.output = {};
    return scene_hash(scene);
  }

  void make_step() {
    const Clock::time_point start = Clock::now();
    {
      struct Count {
        Count() : others(stepping.fetch_add(1)) {}
        ~Count() { stepping.fetch_sub(1); }
        int others;
      } count;
      std::optional<LoopsOnThisThread> alone;
      if (count.others > 0) alone.emplace();
      const StepStatus status = simulation_->advance();
      if (status != StepStatus::ok) throw StepFailure(simulation_->failure(), std::string(describe(status)));
    }
    seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
    record();
  }

  // The current state into the memory that Python sees.
  void show() {
    simulation_->model().expand(simulation_->state(), motion_->x, motion_->v);
    seen_v_.resize(motion_->v.size());
    std::memcpy(seen_v_.data(), motion_->v.data(), bytes());
  }

  void record() {
    show();
    const std::size_t before = ledger_.size();
    ledger_.resize(before + kEnergyColumns);
    fill_ledger_row(ledger_.data() + before);
    if (!world_.probe_names().empty()) {
      world_.probe_positions(motion_->x, probe_points_);
      for (const Point3& point : probe_points_) probes_.insert(probes_.end(), point.begin(), point.end());
    }
    if (simulation_->step() % snapshot_every_ != 0) return;
    snapshots_.push_back({simulation_->step(), simulation_->state().t, motion_->x, motion_->v});
    if (snapshots_.size() <= kMostSnapshots) return;
    snapshot_every_ *= 2;
    std::erase_if(snapshots_, [&](const Snapshot& one) { return one.step % snapshot_every_ != 0; });
  }

  void fill_ledger_row(double* row) const {
    const EnergyColumns columns = columns_of(energy_row(*simulation_));
    std::memcpy(row, columns.data(), sizeof columns);
  }
  void rewrite_ledger_row() { fill_ledger_row(ledger_.data() + ledger_.size() - kEnergyColumns); }

  Scene scene_;
  SceneModel world_;
  Messages messages_;
  std::unique_ptr<Simulation> simulation_;
  std::shared_ptr<MotionMemory> motion_;
  Vector seen_v_;  // as the latest step left them
  std::vector<double> ledger_, probes_;
  std::vector<Point3> probe_points_;
  std::vector<Snapshot> snapshots_;
  std::int64_t snapshot_every_ = 1;
  double seconds_ = 0;  // of all steps
  std::atomic<bool> busy_{false};
};

std::shared_ptr<SimulationHandle> make_handle(const Scene& scene, SceneModel world, std::int64_t steps,
                                              const std::vector<Problem>& remarks) {
  Messages messages;
  for (const Problem& remark : remarks) messages.warn(remark.text());
  return std::make_shared<SimulationHandle>(scene, std::move(world), steps, std::move(messages));
}

std::shared_ptr<SimulationHandle> from_scene(const Scene& scene, const std::string& name,
                                             const std::vector<Problem>& remarks) {
  return make_handle(scene, build_scene(scene, name), step_count(scene.time), remarks);
}

std::shared_ptr<SimulationHandle> from_file(const std::string& path, std::vector<std::string> overrides) {
  const py::gil_scoped_release release;
  std::vector<Problem> remarks;
  return from_scene(read_scene(path, read_options(std::move(overrides)), remarks), path, remarks);
}

std::shared_ptr<SimulationHandle> from_text(const std::string& text, const std::string& name,
                                            std::vector<std::string> overrides) {
  const py::gil_scoped_release release;
  std::vector<Problem> remarks;
  return from_scene(parse_scene(text, name, read_options(std::move(overrides)), remarks), name, remarks);
}

// settings: a scene's text, of which the time, the integrator, the output and the limits are taken. steps: 0: those of
// the settings; otherwise how many there will be at most.
std::shared_ptr<SimulationHandle> from_model(const ModelHandle& model, const std::string& settings,
                                             std::int64_t steps,
                                             const std::vector<std::pair<std::string, int>>& probes) {
  const py::gil_scoped_release release;
  std::vector<Problem> remarks;
  Scene scene = parse_scene(settings, "model", read_options(), remarks);
  scene.bodies.clear();
  std::vector<SceneModel::Probe> points;
  for (const auto& [name, vertex] : probes) points.push_back({name, vertex});
  return make_handle(scene, SceneModel(model.assembly, "model", std::move(points)),
                     steps > 0 ? steps : step_count(scene.time), remarks);
}

// All of them by `count` steps, on all threads, and their positions into one array (simulations, vertices, 3). One that
// fails does not stop the others. Returns what went wrong with each: none or the exception's words.
py::list advance_together(const std::vector<std::shared_ptr<SimulationHandle>>& all, std::int64_t count,
                          py::array_t<double, py::array::c_style> positions) {
  std::vector<std::unique_ptr<SimulationHandle::Busy>> busy;
  for (const auto& one : all) {
    busy.push_back(std::make_unique<SimulationHandle::Busy>(*one));
    one->take_velocities();
  }
  const py::ssize_t stride = positions.size() / std::max<py::ssize_t>(1, py::ssize_t(all.size()));
  for (const auto& one : all)
    if (3 * one->vertices() != stride)
      throw std::invalid_argument("simulations of a batch have equal numbers of vertices");
  double* to = positions.mutable_data();
  std::vector<std::string> failures(all.size());
  std::vector<std::exception_ptr> thrown(all.size());
  {
    const py::gil_scoped_release release;
    parallel_for(std::ptrdiff_t(all.size()), [&](std::ptrdiff_t i) {
      SimulationHandle& one = *all[std::size_t(i)];
      try {
        one.advance_in_loop(count);
      } catch (const StepFailure& failure) {
        failures[std::size_t(i)] = failure.what();
      } catch (...) {
        thrown[std::size_t(i)] = std::current_exception();
      }
      std::memcpy(to + i * stride, one.x(), sizeof(double) * std::size_t(stride));
    });
  }
  for (const std::exception_ptr& one : thrown)
    if (one) std::rethrow_exception(one);
  py::list result;
  for (const std::string& failure : failures)
    result.append(failure.empty() ? py::object(py::none()) : py::object(py::str(failure)));
  return result;
}

}  // namespace

void bind_simulation(py::module_& m) {
  py::class_<SimulationHandle, std::shared_ptr<SimulationHandle>>(m, "Simulation")
      .def("advance", &SimulationHandle::advance)
      .def("bodies", [](const SimulationHandle& s) { return body_list(s.world()); })
      .def("probe_names", [](const SimulationHandle& s) { return s.world().probe_names(); })
      .def("positions", &SimulationHandle::positions)
      .def("velocities", &SimulationHandle::velocities)
      .def("hash", &SimulationHandle::hash)
      .def("ledger", &SimulationHandle::ledger)
      .def("probes", &SimulationHandle::probes)
      .def("latest", &SimulationHandle::latest)
      .def("work", &SimulationHandle::work)
      .def("warnings", [](const SimulationHandle& s) { return s.messages().warnings(); })
      .def("method", [](const SimulationHandle& s) { return std::string(s.simulation().method().name); })
      .def("note", [](const SimulationHandle& s) { return s.simulation().choice().note; })
      .def_property_readonly("step", [](const SimulationHandle& s) { return s.simulation().step(); })
      .def_property_readonly("steps", [](const SimulationHandle& s) { return s.simulation().steps(); })
      .def_property_readonly("h", [](const SimulationHandle& s) { return s.simulation().h(); })
      .def_property_readonly("time", [](const SimulationHandle& s) { return s.simulation().state().t; })
      .def("system", &SimulationHandle::system)
      .def("state", &SimulationHandle::state)
      .def("save", &SimulationHandle::save)
      .def("restore", &SimulationHandle::restore)
      .def("write", &SimulationHandle::write);
  m.def("simulation_from_file", &from_file);
  m.def("simulation_from_text", &from_text);
  m.def("simulation_from_model", &from_model);
  m.def("advance_together", &advance_together);
  m.attr("ledger_columns") = std::string(energy_header);
}

}  // namespace python
}  // namespace phiflex
