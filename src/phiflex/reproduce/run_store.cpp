#include "phiflex/reproduce/run_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/hash.h"
#include "phiflex/pages/report.h"
#include "phiflex/record/json_file.h"
#include "phiflex/record/run_folder.h"
#include "phiflex/reproduce/reproduce.h"
#include "phiflex/reproduce/step_cost_study.h"
#include "phiflex/run/run.h"

namespace phiflex {
namespace {

constexpr double most_sample_bytes = 200e6;
constexpr std::int64_t most_frames = 60;
// Energy out of nothing beyond so many times what the run had and was given: it diverged.
constexpr double divergence = 10;
constexpr double kNoLimit = 1e300;  // of a scene's energy

double upper_median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

// Processor seconds of the steps, all threads together: a busy machine does not make a method dear. From one step's
// report of progress to the next one's first observer lie the step and its rows of the tables; those that write a frame
// do not count, nor does the first step, which makes what the others keep, unless it is all there is.
class StepClock {
 public:
  // Begins with the initial state, which is no step.
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

std::string key_of(const RunOrder& order, const Scene& scene) {
  Hash hash;
  hash.add(to_json(scene).dump());
  hash.add(std::filesystem::weakly_canonical(order.scene_file).parent_path().string());
  hash.add(order.sample);
  hash.add(static_cast<std::int64_t>(order.repeat));
  hash.add(order.max_seconds);
  hash.add(static_cast<std::int64_t>(order.frames));
  for (const std::filesystem::path& mesh : order.meshes) hash.add(file_mark(mesh));
  hash.add(program_mark());
  return hash.hexadecimal();
}

}  // namespace

std::string file_mark(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return "missing";
  const auto written = std::filesystem::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{}-{}", written, std::filesystem::file_size(file, error));
}

std::string program_mark() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "" : file_mark(program);
}

Scene ordered_scene(const RunOrder& order) {
  std::vector<Problem> unused;
  Scene scene = read_scene(order.scene_file, read_options(order.overrides), unused);
  scene.limits.energy =
      kNoLimit;  // experiments show what becomes of a motion that diverges; find_divergence() tells
  return scene;
}

KeptRun::KeptRun(std::filesystem::path folder, RunOrder order)
    : folder_(std::move(folder)), order_(std::move(order)) {
  const RunFolder run{folder_};
  account_ = read_run_json(run.run_json());
  const nlohmann::ordered_json kept = read_json_file(folder_ / "kept.json");
  status_ = account_.at("status").get<std::string>();
  reason_ = account_.value("reason", "");
  steps_ = account_.at("steps").get<std::int64_t>();
  h_ = account_.at("h").get<double>();
  const auto costs = kept.at("processor_seconds_per_step").get<std::vector<double>>();
  cost_ = upper_median(costs);
  seconds_ = kept.at("seconds").get<double>();
  processor_seconds_ = kept.at("processor_seconds").get<double>();
  tables_.push_back(read_csv(run.energy_csv()));
  for (const std::filesystem::path& path : {run.probes_csv(), folder_ / "measures.csv"})
    if (std::filesystem::is_regular_file(path)) tables_.push_back(read_csv(path));
  find_divergence();
}

// Energy made up by the method, -numerical_loss, beyond ten times the initial kinetic and elastic energy, the external
// work and what gravity gave.
void KeptRun::find_divergence() {
  if (status_ == "failed") {
    diverged_at_ = steps_ + 1;
    return;
  }
  const std::vector<double>*loss = column("numerical_loss"), *kinetic = column("kinetic"),
        *elastic = column("elastic"), *gravity = column("gravity"), *work = column("external_work");
  if (!loss || !kinetic || !elastic || !gravity || !work || loss->empty()) return;
  double given = 0;
  const double initial = std::abs(kinetic->front()) + std::abs(elastic->front());
  for (std::size_t i = 0; i < loss->size(); ++i) {
    given = std::max({given, std::abs((*work)[i]), gravity->front() - (*gravity)[i]});
    if (std::isfinite((*loss)[i]) && -(*loss)[i] <= divergence * (initial + given)) continue;
    if (-(*loss)[i] < 1e-12) continue;  // nothing had moved yet
    diverged_at_ = static_cast<std::int64_t>(i);
    reason_ = fmt::format("the energy grew beyond all bounds at step {}", i);
    return;
  }
}

const std::vector<double>* KeptRun::column(const std::string& name) const {
  for (const CsvTable& table : tables_)
    if (const std::vector<double>* found = table.column(name)) return found;
  return nullptr;
}

const SampledMotion& KeptRun::motion() const {
  if (!motion_) motion_ = std::make_unique<SampledMotion>(read_motion(folder_ / "motion.bin"));
  return *motion_;
}

std::shared_ptr<const KeptRun> RunStore::run(const RunOrder& order) {
  Scene scene = ordered_scene(order);
  const std::filesystem::path folder = folder_ / key_of(order, scene);
  if (std::filesystem::is_regular_file(folder / "kept.json")) {
    try {
      return std::make_shared<const KeptRun>(folder, order);
    } catch (const std::exception&) {
      // Damaged: made again below.
    }
  }
  std::filesystem::create_directories(folder);
  std::error_code ignored;
  std::filesystem::remove(folder / "kept.json", ignored);

  const double h = scene.time.step;
  const auto steps = std::max<std::int64_t>(1, std::llround(scene.time.end / h));
  if (order.frames) scene.output.every = std::max<std::int64_t>(1, steps / most_frames);
  std::vector<double> costs;
  double seconds = 0;
  const double processor_start = processor_seconds();
  for (int repeat = 0; repeat < order.repeat; ++repeat) {
    std::unique_ptr<MotionSampler> sampler;
    RunOptions options;
    options.folder = folder;
    options.existing = ExistingFolder::reuse;
    options.frames = order.frames ? Frames::written : Frames::none;
    options.checkpoint_every = steps;
    options.control.threads = threads_;
    options.control.stop = stop_;
    options.control.finished = [](const RunFolder& finished) { write_report(finished); };
    if (order.max_seconds > 0) options.control.max_seconds = order.max_seconds;
    options.control.limit_clock = processor_seconds;
    StepClock clock;
    options.control.progress = [&](const Progress&) { clock.next_step_begins(); };
    options.control.observe = [&](const Simulation& simulation) {
      clock.step_is_over(simulation.step(), !order.frames || simulation.step() % scene.output.every != 0);
      if (!sampler) {
        auto every = static_cast<double>(
            order.sample > 0 ? std::max<std::int64_t>(1, std::llround(order.sample / h)) : 1);
        const double bytes =
            48.0 * static_cast<double>(simulation.model().dofs()) / 3 * static_cast<double>(steps) / every;
        every *= std::max(1.0, std::ceil(bytes / most_sample_bytes));
        sampler = std::make_unique<MotionSampler>(static_cast<std::int64_t>(every));
      }
      sampler->observe(simulation);
    };
    const RunSummary summary = run_scene(scene, order.scene_file, {}, options);
    if (summary.status == RunStatus::interrupted) throw Interrupted{};
    costs.push_back(clock.per_step());
    seconds += summary.total_seconds;
    if (repeat == 0) write_motion(folder / "motion.bin", sampler ? sampler->motion() : SampledMotion{});
    // A run that came to no end is not tried again for its time.
    if (summary.status != RunStatus::done) break;
  }
  const nlohmann::ordered_json kept = {{"processor_seconds_per_step", costs},
                                       {"seconds", seconds},
                                       {"processor_seconds", processor_seconds() - processor_start}};
  write_file_atomically(folder / "kept.json", kept.dump(2) + "\n");
  return std::make_shared<const KeptRun>(folder, order);
}

}  // namespace phiflex
