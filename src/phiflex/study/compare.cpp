#include "phiflex/study/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "phiflex/record/csv_table.h"
#include "phiflex/record/energy_csv.h"
#include "phiflex/record/folder_lock.h"
#include "phiflex/run/choose_method.h"
#include "phiflex/scene/scene.h"
#include "phiflex/study/compare_report.h"
#include "phiflex/study/reference_method.h"
#include "phiflex/study/trajectory.h"

namespace phiflex {
namespace {

// All trajectories together; more instants than this allows are thinned.
constexpr std::size_t trajectory_bytes = std::size_t{1} << 30;
constexpr std::size_t fewest_times = 16;
constexpr int most_halvings = 12;
// Of the energy that a reference exchanges; one that lost more is not used. So many of them, and another method
// is tried.
constexpr double largest_loss_of_reference = 0.1;
constexpr int most_unfit = 2;
// Of a run that is shown: what a page plays in a few seconds.
constexpr double most_frames = 200;
// Distances below this part of the scene's size are rounding.
constexpr double rounding = 1e-12;

// "siere:modes=10" at 0.01 lies in "siere+modes=10@0.01".
std::string folder_name(const std::string& method, double h) {
  std::string name;
  for (const char letter : method) {
    const bool plain = std::isalnum(static_cast<unsigned char>(letter)) ||
                       std::string_view("._=+-").find(letter) != std::string_view::npos;
    name += letter == ':' ? '+' : plain ? letter : '_';
  }
  return fmt::format("{}@{}", name, h);
}

// A run to be made: the scene as the method and the step change it.
struct Plan {
  MethodVariant method;
  double h;
  Scene scene;
  Messages messages;
};

class ComparisonRun {
 public:
  ComparisonRun(const std::string& scene_file, const std::vector<std::string>& overrides,
                const CompareOptions& options)
      : scene_file_(scene_file), overrides_(overrides), options_(options) {
    comparison_.scene_file = scene_file;
  }

  Comparison carry_out() {
    plan();
    const RunFolder folder = make_run_folder(options_.folder, options_.existing);
    const FolderLock lock(folder);
    clear_run_folder(folder, options_.existing);
    remove_comparison(options_.folder);
    for (const Plan& plan : plans_) {
      if (stopped()) break;
      make_run(plan);
    }
    if (!stopped()) make_references();
    judge();
    if (stopped()) comparison_.status = RunStatus::interrupted;
    return std::move(comparison_);
  }

 private:
  bool stopped() const { return options_.control.stop && options_.control.stop->load(); }
  void say(const std::string& words) const {
    if (options_.on_message) options_.on_message(words);
  }

  Plan make_plan(const MethodVariant& method, double h) const {
    std::vector<std::string> all = overrides_;
    for (std::string& one : overrides_of(method)) all.push_back(std::move(one));
    all.push_back(fmt::format("time.step={}", h));
    std::vector<Problem> unused;
    Plan plan{method, h, read_scene(scene_file_, read_options(all), unused), {}};
    for (const Problem& problem : unused) plan.messages.warn(problem.text());
    return plan;
  }

  // Reads every scene, builds one, chooses the reference and the common times; runs nothing.
  void plan() {
    std::vector<Problem> unused;
    const Scene scene = read_scene(scene_file_, read_options(overrides_), unused);
    for (const Problem& problem : unused) comparison_.messages.warn(problem.text());
    comparison_.scene_name = scene.name;
    const std::vector<double> common = options_.steps.empty() ? std::vector{scene.time.step} : options_.steps;
    std::vector<Problem> problems;
    for (const MethodVariant& method : options_.integrators)
      for (const double h : method.step ? std::vector{*method.step} : common) {
        const bool there = std::any_of(plans_.begin(), plans_.end(), [&](const Plan& plan) {
          return plan.method.label() == method.label() && plan.h == h;
        });
        if (there) continue;
        try {
          plans_.push_back(make_plan(method, h));
        } catch (const InputError& error) {
          problems.insert(problems.end(), error.problems().begin(), error.problems().end());
        }
      }
    if (!problems.empty()) throw InputError(std::move(problems));

    std::vector<double> steps;
    for (const Plan& one : plans_) steps.push_back(one.h);
    const SceneModel world = build_scene(plans_[0].scene, scene_file_);
    comparison_.messages.warn(world.messages().warnings());
    candidates_ = reference_candidates(world, *std::min_element(steps.begin(), steps.end()),
                                       options_.reference ? &*options_.reference : nullptr);
    const ReferenceChoice& choice = candidates_.front();
    comparison_.reference = choice.method;
    comparison_.reference_reason = choice.reason;
    make_plan(choice.method, *choice.method.step);  // refuses now what would be refused after all runs
    for (const ReferenceChoice& candidate : candidates_) steps.push_back(*candidate.method.step);
    const std::size_t bytes =
        static_cast<std::size_t>(world.vertices()) * 6 * sizeof(double) * (plans_.size() + 2);
    comparison_.times =
        common_times(steps, duration_of(scene.time),
                     std::max(fewest_times, trajectory_bytes / std::max<std::size_t>(bytes, 1)));
    plan_frames(steps, scene);
    const double extent = world.rest().size() > 0 ? world.rest().cwiseAbs().maxCoeff() : 0;
    smallest_distance_ = rounding * extent;
  }

  // The scene's frames, as the coarsest step has them, thinned to times that all runs reach.
  void plan_frames(const std::vector<double>& steps, const Scene& scene) {
    const std::vector<double> all =
        common_times(steps, duration_of(scene.time), std::numeric_limits<std::size_t>::max());
    frame_spacing_ =
        (all.empty() ? duration_of(scene.time) : all.front()) * static_cast<double>(scene.output.every);
    frame_spacing_ *= std::max(1.0, std::ceil(duration_of(scene.time) / frame_spacing_ / most_frames));
  }

  RunSummary simulate(const Plan& plan, const std::string& folder, double max_seconds,
                      Trajectory& trajectory) {
    Scene scene = plan.scene;
    scene.output.every = std::max<std::int64_t>(1, std::llround(frame_spacing_ / plan.h));
    RunOptions run;
    run.folder = options_.folder / folder;
    run.existing = ExistingFolder::reuse;
    run.frames = options_.frames;
    run.control = options_.control;
    run.control.max_seconds = max_seconds;
    run.control.observe = [&](const Simulation& simulation) { trajectory.observe(simulation); };
    return run_scene(scene, scene_file_, plan.messages, run);
  }

  void make_run(const Plan& plan) {
    ComparedRun run;
    run.method = plan.method.label();
    run.h = plan.h;
    run.folder = "runs/" + folder_name(run.method, run.h);
    trajectories_.emplace_back(comparison_.times);
    run.summary = simulate(plan, run.folder, options_.control.max_seconds, trajectories_.back());
    run.seconds = run.summary.seconds_per_step * static_cast<double>(run.summary.steps);
    if (run.summary.status == RunStatus::failed) {
      const bool finite = run.summary.reason.find(describe(StepStatus::not_finite)) == std::string::npos;
      run.result = finite ? ComparedResult::failed : ComparedResult::diverged;
      run.diverged_at = run.summary.steps + 1;
    } else if (run.summary.status != RunStatus::done) {
      run.result =
          run.summary.status == RunStatus::limit ? ComparedResult::limit : ComparedResult::interrupted;
    }
    run.reason = run.summary.reason;
    const std::vector<double> losses = column_of(run.folder, "numerical_loss");
    run.numerical_loss = losses.back();
    for (const double loss : losses) run.largest_loss = std::max(run.largest_loss, std::abs(loss));
    take_messages(run);
    say(fmt::format("{}: {} of {} steps, {:.3g} s, {:.3g} ms per step{}{}", run.name(), run.summary.steps,
                    run.summary.steps_planned, run.seconds, 1e3 * run.summary.seconds_per_step,
                    run.reason.empty() ? "" : "; ", run.reason));
    comparison_.runs.push_back(std::move(run));
  }

  // What was said of a run and is not said of the scene already.
  void take_messages(const ComparedRun& run) {
    Messages of_scene = comparison_.messages, of_run;
    for (const std::string& warning : of_scene.add_new(run.summary.messages).warnings())
      of_run.warn(run.method + ": " + warning);
    comparison_.messages.add_new(of_run);
  }

  // A reference that lost or made up much of the energy it exchanged is no truth: the next candidate takes its place.
  // As long as there is no reference, a candidate has an equal share of the seconds that are left.
  void make_references() {
    double spent = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      comparison_.reference = candidates_[i].method;
      comparison_.reference_reason = candidates_[i].reason;
      comparison_.references.clear();
      const double share = (options_.reference_seconds - spent) / static_cast<double>(candidates_.size() - i);
      if (halve_reference(spent + share, i + 1 == candidates_.size(), spent) || stopped() ||
          spent >= options_.reference_seconds)
        break;
    }
    if (!has_reference_) exchanged_without_reference();
    comparison_.convergence = convergence_words();
  }

  // Halves until (2) is known well enough, or the seconds are used up: to `until` without a reference, and all of them
  // with one. False when no reference kept its energy.
  bool halve_reference(double until, bool is_last, double& spent) {
    double h = *comparison_.reference.step;
    int unfit = 0;
    std::optional<Trajectory> coarser;
    for (int halving = 0; halving <= most_halvings; ++halving, h /= 2) {
      Trajectory trajectory(comparison_.times);
      const std::string folder = "reference/" + folder_name(comparison_.reference.name, h);
      const RunSummary summary =
          simulate(make_plan(comparison_.reference, h), folder,
                   (has_reference_ ? options_.reference_seconds : until) - spent, trajectory);
      ReferenceRun made{h, folder, summary.status, {}, summary.total_seconds};
      spent += summary.total_seconds;
      const bool ended = summary.status == RunStatus::done;
      const bool good = ended && summary.energy_largest_relative_change <= largest_loss_of_reference;
      if (good && coarser) made.change = largest_change(*coarser, trajectory);
      comparison_.references.push_back(made);
      if (good) {
        for (const ReferenceRun& earlier : comparison_.references)
          if (earlier.folder != folder) remove_frames(RunFolder{options_.folder / earlier.folder});
        measure_errors(trajectory);
        exchanged_by(folder);
        has_reference_ = true;
        coarser = std::move(trajectory);
      } else if (!ended && summary.status != RunStatus::failed) {
        say(fmt::format("reference {}: {}", made.folder.substr(10), summary.reason));
        break;
      } else {
        coarser.reset();
      }
      if (ended && !good) {
        const std::string loss = loss_words(summary.energy_worst_loss, summary.energy_exchanged);
        say(fmt::format("reference {} is not used: it {}", made.folder.substr(10), loss));
        comparison_.messages.warn(fmt::format("{} is no reference: it {}", made.folder.substr(10), loss));
        if (++unfit == most_unfit && !is_last) break;
      }
      const std::optional<double> smallest = smallest_error();
      say(fmt::format(
          "reference {}: {:.3g} s{}", made.folder.substr(10), made.seconds,
          !good ? ended ? "" : "; " + summary.reason
          : made.change && smallest
              ? fmt::format("; moved by {:.3g} m, the smallest error is {:.3g} m", *made.change, *smallest)
              : std::string()));
      comparison_.converged =
          made.change && (*made.change < 0.1 * smallest.value_or(0) || *made.change <= smallest_distance_);
      // Half the step costs at least as much again, mostly twice.
      const double allowed = has_reference_ ? options_.reference_seconds : until;
      if (comparison_.converged || stopped() || spent + 2 * made.seconds > allowed) break;
    }
    return has_reference_;
  }

  double largest_change(const Trajectory& coarse, const Trajectory& fine) const {
    double largest = 0;
    for (std::size_t k = 0; k < std::min(coarse.reached(), fine.reached()); ++k)
      largest = std::max(largest, position_distance(coarse, fine, k));
    return largest;
  }

  void measure_errors(const Trajectory& reference) {
    for (std::size_t i = 0; i < comparison_.runs.size(); ++i) {
      ComparedRun& run = comparison_.runs[i];
      run.position_error.clear();
      run.velocity_error.clear();
      for (std::size_t k = 0; k < std::min(trajectories_[i].reached(), reference.reached()); ++k) {
        run.position_error.push_back(position_distance(trajectories_[i], reference, k));
        run.velocity_error.push_back(velocity_distance(trajectories_[i], reference, k));
      }
    }
  }

  // Of runs that were carried to their end; of all where none was.
  std::optional<double> smallest_error() const {
    std::optional<double> finished, any;
    const auto take = [](const std::optional<double>& error, std::optional<double>& smallest) {
      if (error && (!smallest || *error < *smallest)) smallest = error;
    };
    for (const ComparedRun& run : comparison_.runs) {
      if (run.result == ComparedResult::stable) take(run.largest_position_error(), finished);
      take(run.largest_position_error(), any);
    }
    return finished ? finished : any;
  }

  std::string convergence_words() const {
    if (comparison_.references.empty()) return "not converged: no reference was made";
    if (!has_reference_)
      return fmt::format(
          "not converged: no reference ended with at least {:.0f} % of its energy; there are no errors",
          100 * (1 - largest_loss_of_reference));
    const ReferenceRun& last = comparison_.references.back();
    if (comparison_.converged)
      return fmt::format("converged: the last halving, to {} s, moved no vertex by more than {:.3g} m{}",
                         last.h, *last.change,
                         *last.change <= smallest_distance_ ? ", which is rounding"
                                                            : ", less than a tenth of the smallest error");
    const std::optional<double> smallest = smallest_error();
    std::string words = "not converged: ";
    if (last.change && smallest) {
      words += fmt::format(
          "the last halving, to {} s, still moved a vertex by {:.3g} m, {:.3g} of the smallest error", last.h,
          *last.change, *last.change / *smallest);
    } else {
      words += "no two references reached the end";
    }
    return words + fmt::format(" ({:.3g} s were allowed for references)", options_.reference_seconds);
  }

  // Of a run's ledger; never empty, since row 0 is the initial state.
  std::vector<double> column_of(const std::string& folder, const char* name) const {
    return *read_csv(RunFolder{options_.folder / folder}.energy_csv()).column(name);
  }

  void exchanged_by(const std::string& folder) {
    const std::vector<double> kinetic = column_of(folder, "kinetic");
    comparison_.exchanged_energy =
        std::max(column_of(folder, "elastic").front(), *std::max_element(kinetic.begin(), kinetic.end()));
  }

  // Of the run that kept its energy best.
  void exchanged_without_reference() {
    const ComparedRun* best = nullptr;
    for (const ComparedRun& run : comparison_.runs)
      if (run.result == ComparedResult::stable && (!best || run.summary.energy_largest_relative_change <
                                                                best->summary.energy_largest_relative_change))
        best = &run;
    if (best) comparison_.exchanged_energy = best->summary.energy_exchanged;
  }

  // Runs that went on although their energy had grown beyond all bounds.
  void judge() {
    const double bound = 10 * comparison_.exchanged_energy;
    for (ComparedRun& run : comparison_.runs) {
      if (bound <= 0) break;
      const std::vector<double> loss = column_of(run.folder, "numerical_loss");
      const auto grown =
          std::find_if(loss.begin(), loss.end(), [&](double lost) { return !(-lost <= bound); });
      if (grown == loss.end()) continue;
      run.diverged_at = grown - loss.begin();  // a row per step
      if (run.result != ComparedResult::diverged && run.result != ComparedResult::failed)
        run.reason = fmt::format(
            "from step {} on it had made up more than ten times the energy that {} exchanges",
            run.diverged_at, has_reference_ ? "the reference" : "the run that kept its energy best");
      run.result = ComparedResult::diverged;
    }
  }

  const std::string& scene_file_;
  const std::vector<std::string>& overrides_;
  const CompareOptions& options_;
  std::vector<Plan> plans_;
  std::vector<ReferenceChoice> candidates_;
  bool has_reference_ = false;            // one that ended and kept its energy
  std::vector<Trajectory> trajectories_;  // of the runs
  double smallest_distance_ = 0;          // m
  double frame_spacing_ = 0;              // s
  Comparison comparison_;
};

std::optional<double> largest(const std::vector<double>& errors) {
  if (errors.empty()) return std::nullopt;
  return *std::max_element(errors.begin(), errors.end());
}

}  // namespace

std::string_view name_of(ComparedResult result) {
  switch (result) {
    case ComparedResult::stable:
      return "stable";
    case ComparedResult::diverged:
      return "diverged";
    case ComparedResult::failed:
      return "failed";
    case ComparedResult::limit:
      return "limit";
    case ComparedResult::interrupted:
      return "interrupted";
  }
  return "";
}

std::string ComparedRun::name() const {
  return fmt::format("{}@{}", method, h);
}
std::optional<double> ComparedRun::largest_position_error() const {
  return largest(position_error);
}
std::optional<double> ComparedRun::largest_velocity_error() const {
  return largest(velocity_error);
}

Comparison compare_scene(const std::string& scene_file, const std::vector<std::string>& overrides,
                         const CompareOptions& options) {
  return ComparisonRun(scene_file, overrides, options).carry_out();
}

}  // namespace phiflex
