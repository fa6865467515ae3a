#include "phiflex/reproduce/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/parallel.h"
#include "phiflex/record/machine.h"
#include "phiflex/reproduce/curve_functions.h"
#include "phiflex/reproduce/mesh_functions.h"
#include "phiflex/reproduce/mode_twist.h"
#include "phiflex/reproduce/run_functions.h"
#include "phiflex/reproduce/run_store.h"
#include "phiflex/reproduce/scalar_functions.h"
#include "phiflex/reproduce/statements.h"
#include "phiflex/reproduce/step_cost_study.h"
#include "phiflex/reproduce/study_functions.h"
#include "phiflex/reproduce/substitution.h"
#include "phiflex/run/mode_comparison.h"
#include "phiflex/run/version.h"
#include "phiflex/study/method_variant.h"

namespace phiflex {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int most_halvings = 12;
constexpr double quick_seconds = 20,
                 full_seconds = 600;  // of the processor for a run, unless it says otherwise
// A reference that no claim uses converges when it moves by less than this part of its motion.
constexpr double truth_tolerance = 0.01;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

// "AMD EPYC, 2 cores, 25 GB of memory, 1 thread"
std::string machine_words(int threads) {
  const Machine machine = this_machine();
  const int used = threads > 0 ? threads : machine.cores;
  return fmt::format("{}, {} core{}, {:.0f} GB of memory, {} thread{}", machine.cpu, machine.cores,
                     machine.cores == 1 ? "" : "s", machine.memory_gigabytes, used, used == 1 ? "" : "s");
}

class Reproduction {
 public:
  // `longest_run`: s, of a run that is made for an estimate only.
  Reproduction(const Experiment& experiment, const ReproduceOptions& options,
               double longest_run = std::numeric_limits<double>::infinity())
      : experiment_(experiment),
        options_(options),
        longest_run_(longest_run),
        store_(options.runs, options.threads, options.stop) {
    functions_ = run_functions(book_);
    for (const Functions& table : {mesh_functions(options.meshes), curve_functions(), scalar_functions(),
                                   study_functions(experiment.folder)})
      functions_.insert(table.begin(), table.end());
    book_.measured = [this](const std::string& run, const std::string& metric, double value) {
      statements_.note_measurement(run, metric, value);
    };
  }

  // `changed`: values of the sweep.
  Outcome carry_out(const nlohmann::json& changed) {
    const Clock::time_point start = Clock::now();
    outcome_.id = experiment_.id;
    outcome_.variant = options_.variant;
    take_values(changed);
    for (const RunSpec& run : experiment_.runs) make_family(run);
    for (const ModesSpec& modes : experiment_.modes) make_modes(modes);
    for (const ClaimSpec& claim : experiment_.claims) statements_.state_claims(claim);
    for (const TableRowSpec& row : experiment_.table) statements_.compare_numbers(row);
    for (const PlotSpec& plot : experiment_.plots) statements_.draw(plot);
    judge(outcome_);
    outcome_.seconds = seconds_since(start);
    outcome_.machine = machine_words(options_.threads);
    outcome_.date = today();
    outcome_.version = version();
    return std::move(outcome_);
  }

  CostEstimate estimate() {
    const double start = processor_seconds();
    const Outcome seen = carry_out(nlohmann::json::object());
    CostEstimate made{.seconds = processor_seconds() - start + left_,
                      .how = {},
                      .machine = seen.machine,
                      .date = seen.date};
    made.how =
        cut_ == 0
            ? "nothing had to be cut short"
            : fmt::format(
                  "{} of {} runs were made for {:.2g} s and the rest of their steps reckoned at that pace",
                  cut_, seen.runs.size(), longest_run_);
    if (!dearest_.empty()) made.how += "; the dearest is " + dearest_;
    return made;
  }

 private:
  [[noreturn]] void wrong(const std::string& place, const std::string& message) const {
    throw InputError((experiment_.folder / "experiment.json").string(), place, message);
  }

  // ---- values

  void take_values(const nlohmann::json& changed) {
    nlohmann::ordered_json all = experiment_.values;
    for (const auto& [name, value] : experiment_.variant(options_.variant).values.items()) all[name] = value;
    for (const auto& [name, value] : changed.items()) all[name] = value;
    names_["quick"] = options_.variant == Variant::quick;
    for (const auto& [name, value] : all.items()) {
      try {
        names_[name] = substitution_.value_from(value, names_);
      } catch (const Undecided& undecided) {
        names_[name] = Value::unknown(undecided.what());
      } catch (const ExpressionError& error) {
        wrong("/values/" + name, error.what());
      }
    }
  }

  // The papers' own meshes where they are there.
  void choose_meshes(const std::string& scene, const Names& names, RunOrder& order) {
    for (const MeshChoice& mesh : experiment_.meshes) {
      if (!mesh.scenes.empty() &&
          std::find(mesh.scenes.begin(), mesh.scenes.end(), scene) == mesh.scenes.end())
        continue;
      const std::string file = filled(mesh.file, names, functions_);
      if (file.empty()) {
        note_body(fmt::format("{}: {} (the {} variant)", scene, mesh.stand_in, name_of(options_.variant)));
        continue;
      }
      const std::filesystem::path path = options_.meshes / file;
      if (options_.meshes.empty() || !std::filesystem::is_regular_file(path)) {
        note_body(fmt::format("{}: {} stands in for {}, which is not at hand", scene, mesh.stand_in, file));
        continue;
      }
      note_body(fmt::format("{}: {}", scene, file));
      order.meshes.push_back(path);
      order.overrides.push_back(mesh.at + "=" +
                                nlohmann::json{{"file", std::filesystem::absolute(path).string()}}.dump());
      substitution_.add_overrides(mesh.also, names, order.overrides);
    }
  }

  void note_body(const std::string& words) {
    std::vector<std::string>& all = outcome_.bodies;
    if (std::find(all.begin(), all.end(), words) == all.end()) all.push_back(words);
  }

  // ---- runs

  RunOrder order_of(const RunSpec& run, const Names& names) {
    RunOrder order;
    const std::string scene = filled(run.scene, names, functions_);
    order.scene_file = (experiment_.folder / scene).lexically_normal().string();
    choose_meshes(scene, names, order);
    substitution_.add_overrides(run.set, names, order.overrides);
    if (!run.integrator.empty()) {
      const MethodVariant method =
          parse_method_variant(filled(run.integrator, names, functions_), "integrator");
      for (std::string& one : overrides_of(method)) order.overrides.push_back(std::move(one));
      if (method.step) order.overrides.push_back(fmt::format("time.step={}", *method.step));
    }
    if (!run.step.is_null())
      order.overrides.push_back(fmt::format("time.step={}", substitution_.number_or(run.step, names, 0)));
    if (!run.end.is_null())
      order.overrides.push_back(fmt::format("time.end={}", substitution_.number_or(run.end, names, 0)));
    order.overrides.insert(order.overrides.end(), options_.overrides.begin(), options_.overrides.end());
    order.sample = substitution_.number_or(run.sample, names, 0);
    order.repeat = run.repeat;
    order.max_seconds = substitution_.number_or(
        run.max_seconds, names, options_.variant == Variant::quick ? quick_seconds : full_seconds);
    order.frames = run.frames;
    return order;
  }

  void make_family(const RunSpec& run) {
    std::vector<std::string> outer_done;  // prefixes of the repetition that have found what they look for
    try {
      substitution_.repeat(run.repetition, names_,
                           [&](const Names& names) { make_member(run, names, outer_done); });
    } catch (const Undecided& undecided) {
      leave_family(run.name, undecided.what());
    }
  }

  // Of what is not known, no list can be made and no name written.
  void leave_family(const std::string& name, const std::string& why) {
    say(fmt::format("{}: not made, {}", name, why));
    book_.unnamed_why = why;
  }

  void make_member(const RunSpec& run, const Names& names, std::vector<std::string>& outer_done) {
    std::string prefix, name;
    try {
      name = filled(run.name, names, functions_);
      for (std::size_t i = 0; i + 1 < run.repetition.size(); ++i)
        prefix += names.at(run.repetition[i].first).written() + "/";
    } catch (const ExpressionError& error) {
      wrong("/runs/" + run.name, error.what());
    }
    if (std::find(outer_done.begin(), outer_done.end(), prefix) != outer_done.end()) {
      book_.left_out.insert(name);
      return;
    }
    if (book_.runs.contains(name))
      wrong("/runs/" + run.name, fmt::format("two runs have the name '{}'", name));
    try {
      const RunOrder order = order_of(run, names);
      if (run.truth)
        make_truth(name, *run.truth, order, names);
      else
        make_run(name, order);
      if (is_good_enough(run, names)) outer_done.push_back(prefix);
    } catch (const Undecided& undecided) {
      say(fmt::format("{}: not made, {}", name, undecided.what()));
      book_.not_made[name] = undecided.what();
    } catch (const ExpressionError& error) {
      wrong("/runs/" + name, error.what());
    }
  }

  bool is_good_enough(const RunSpec& run, const Names& names) const {
    try {
      return !run.until.empty() && evaluate(run.until, names, functions_).truth();
    } catch (const Undecided&) {
      return false;  // not known to be
    }
  }

  void make_run(const std::string& name, const RunOrder& order) {
    NamedRun named;
    RunOrder shorter = order;
    shorter.max_seconds = std::min(order.max_seconds, longest_run_);
    named.levels.push_back(store_.run(shorter));
    if (shorter.max_seconds < order.max_seconds) reckon_rest(name, order, named.finest());
    account(name, named, "");
    book_.runs.emplace(name, std::move(named));
  }

  // What is left of a run that was stopped for an estimate.
  void reckon_rest(const std::string& name, const RunOrder& order, const KeptRun& run) {
    if (!run.stopped()) return;
    const Scene scene = ordered_scene(order);
    const double steps = std::round(scene.time.end / scene.time.step);
    // The first step is dearer than the others, which is all that is known when there is no other.
    const double pace = run.cost() > 0 ? run.cost() : run.processor_seconds();
    const double once =
        run.processor_seconds() + std::max(0.0, steps - static_cast<double>(run.steps())) * pace;
    // One that meets its limit is not repeated.
    const double whole = once < order.max_seconds ? order.repeat * once : order.max_seconds;
    add_rest(
        whole, run.processor_seconds(),
        fmt::format("'{}': {} steps of {:.2g} s{}", name, steps, pace,
                    once < order.max_seconds ? order.repeat > 1 ? fmt::format(", {} times", order.repeat) : ""
                                             : fmt::format(", stopped after {:.4g} s", order.max_seconds)));
  }

  void add_rest(double whole, double spent, const std::string& words) {
    ++cut_;
    left_ += whole - spent;
    if (whole <= dearest_seconds_) return;
    dearest_seconds_ = whole;
    dearest_ = words;
  }

  static std::string status_of(const KeptRun& run) {
    if (run.diverged()) return fmt::format("diverged at step {}", run.diverged_at());
    if (run.stopped()) return fmt::format("stopped after {} steps", run.steps());
    return run.done() ? "done" : run.reason();
  }

  void account(const std::string& name, const NamedRun& named, const std::string& note) {
    const KeptRun& run = named.finest();
    std::string remark = note;
    if (run.diverged() && !run.reason().empty()) remark += (remark.empty() ? "" : "; ") + run.reason();
    outcome_.runs.push_back({name, status_of(run), run.h(), run.steps(), run.cost(), remark, run.folder()});
    say(fmt::format("{}: {}, {} steps, {:.3g} ms per step{}{}", name, status_of(run), run.steps(),
                    1e3 * run.cost(), note.empty() ? "" : "; ", note));
  }

  // Halved until it moves by less than a tenth of the smallest error that is judged by it.
  void make_truth(const std::string& name, const TruthSpec& truth, RunOrder order, const Names& names) {
    std::vector<std::string> judges;
    for (const std::string& one : truth.judges) judges.push_back(filled(one, names, functions_));
    Scene scene = ordered_scene(order);
    double h = scene.time.step;
    if (order.sample == 0) order.sample = judges.empty() ? h : coarsest_sample(judges);
    const std::vector<std::string> base = order.overrides;
    const double budget = std::min(truth.seconds, longest_run_);
    order.max_seconds = budget;
    NamedRun named;
    named.truth = true;
    named.converged = false;
    named.change = std::numeric_limits<double>::quiet_NaN();
    double spent = 0, wanted = 0;
    for (int halving = 0; halving <= most_halvings; ++halving, h /= 2) {
      order.overrides = base;
      order.overrides.push_back(fmt::format("time.step={}", h));
      const std::shared_ptr<const KeptRun> made = store_.run(order);
      spent += made->processor_seconds();
      if (made->stopped()) {
        if (named.levels.empty()) named.levels.push_back(made);
        break;
      }
      if (made->diverged()) {
        // A smaller step may be stable; what was said by a larger one that was not does not count.
        if (named.levels.empty() || named.finest().diverged()) named.levels = {made};
      } else {
        if (!named.levels.empty() && named.finest().diverged()) named.levels.clear();
        named.levels.push_back(made);
        if (named.levels.size() >= 2) {
          const KeptRun& coarser = *named.levels[named.levels.size() - 2];
          named.change = position_error(coarser, *made, std::numeric_limits<double>::infinity());
          statements_.note_measurement(name, fmt::format("change at h={}", h), named.change);
          wanted = 0.1 * smallest_error(judges, *made);
          named.converged = named.change < wanted;
        }
      }
      if (named.converged || spent + 2 * made->processor_seconds() > budget) break;
    }
    if (!named.converged && budget < truth.seconds)
      add_rest(truth.seconds, spent,
               fmt::format("the truth '{}', which may use {:.4g} s", name, truth.seconds));
    std::string note =
        named.converged ? fmt::format("converged: the last halving moved it by {:.3g} m, less than {:.3g} m",
                                      named.change, wanted)
        : std::isnan(named.change)
            ? std::string("not converged: its step could not be halved in the time it has")
            : fmt::format("not converged: the last halving moved it by {:.3g} m, {:.3g} m were wanted",
                          named.change, wanted);
    account(name, named, note);
    book_.runs.emplace(name, std::move(named));
  }

  double coarsest_sample(const std::vector<std::string>& judges) const {
    double coarsest = 0;
    for (const std::string& judge : judges) {
      const std::vector<double>& times = book_.named(judge).finest().motion().times;
      if (times.size() > 1) coarsest = std::max(coarsest, times[1]);
    }
    return coarsest;
  }

  double smallest_error(const std::vector<std::string>& judges, const KeptRun& truth) const {
    double smallest = std::numeric_limits<double>::infinity();
    for (const std::string& judge : judges) {
      const KeptRun& run = book_.named(judge).finest();
      if (!run.diverged() && run.motion().times.size() > 1)
        smallest = std::min(smallest, position_error(run, truth, std::numeric_limits<double>::infinity()));
    }
    if (std::isfinite(smallest)) return smallest;
    double farthest = 0;
    for (const Vector& x : truth.motion().x)
      farthest = std::max(farthest, largest_distance(x, truth.motion().x[0]));
    return truth_tolerance / 0.1 * farthest;
  }

  // ---- modes

  void make_modes(const ModesSpec& spec) {
    try {
      substitution_.repeat(spec.repetition, names_, [&](const Names& names) {
        const std::string name = filled(spec.name, names, functions_);
        try {
          make_one_modes(spec, name, names);
        } catch (const Undecided& undecided) {
          book_.not_made[name] = undecided.what();
        }
      });
    } catch (const Undecided& undecided) {
      leave_family(spec.name, undecided.what());
    } catch (const ExpressionError& error) {
      wrong("/modes/" + spec.name, error.what());
    }
  }

  void make_one_modes(const ModesSpec& spec, const std::string& name, const Names& names) {
    const auto order_for = [&](const std::string& scene_template, const Overrides& more) {
      const std::string scene = filled(scene_template, names, functions_);
      RunOrder made;
      made.scene_file = (experiment_.folder / scene).lexically_normal().string();
      choose_meshes(scene, names, made);
      substitution_.add_overrides(spec.set, names, made.overrides);
      made.overrides.insert(made.overrides.end(), options_.overrides.begin(), options_.overrides.end());
      substitution_.add_overrides(more, names, made.overrides);
      return made;
    };
    const RunOrder order = order_for(spec.scene, {});
    const auto count = static_cast<Index>(substitution_.number_or(spec.count, names, 10));
    const int threads_before = thread_count();
    if (options_.threads > 0) set_thread_count(options_.threads);
    const Scene coarse_scene = ordered_scene(order);
    const SceneModel coarse = build_scene(coarse_scene, order.scene_file);
    NamedModes named;
    if (spec.fine.empty() && spec.fine_scene.empty()) {
      const auto model = coarse.make_rest_model(0);
      const RestModes modes = rest_modes(*model, count, 0);
      take_lambda(modes, named);
      named.twist = twist_cosines(coarse, *model, modes);
    } else {
      const RunOrder fine_order =
          order_for(spec.fine_scene.empty() ? spec.scene : spec.fine_scene, spec.fine);
      const Scene fine_scene = ordered_scene(fine_order);
      const SceneModel fine = build_scene(fine_scene, fine_order.scene_file);
      const ModeComparison compared = compare_modes(coarse, fine, 0, count);
      take_lambda(compared.coarse, named);
      named.ratios.assign(compared.ratios.data(), compared.ratios.data() + compared.ratios.size());
      named.matched = static_cast<int>(compared.matched);
    }
    set_thread_count(threads_before);
    for (std::size_t i = 0; i < named.lambda.size(); ++i)
      statements_.note_measurement(name, fmt::format("lambda {}", i + 1), named.lambda[i]);
    for (std::size_t i = 0; i < named.ratios.size(); ++i)
      statements_.note_measurement(name, fmt::format("ratio {}", i + 1), named.ratios[i]);
    say(fmt::format("{}: {} modes", name, named.lambda.size()));
    book_.modes.emplace(name, std::move(named));
  }

  static void take_lambda(const RestModes& modes, NamedModes& named) {
    named.rigid = static_cast<int>(modes.rigid);
    for (Index i = modes.rigid; i < modes.modes.count(); ++i) named.lambda.push_back(modes.modes.lambda[i]);
  }

  void say(const std::string& words) const {
    if (options_.on_message) options_.on_message(words);
  }

  const Experiment& experiment_;
  const ReproduceOptions& options_;
  const double longest_run_;
  RunStore store_;
  RunBook book_;
  Functions functions_;
  Substitution substitution_{functions_};
  Names names_;
  Outcome outcome_;
  Statements statements_{experiment_, functions_, names_, book_, outcome_};
  // Of an estimate: runs that were cut, the seconds they would need still, and the dearest of them.
  std::size_t cut_ = 0;
  double left_ = 0, dearest_seconds_ = 0;
  std::string dearest_;
};

}  // namespace

std::filesystem::path find_meshes() {
  if (const char* named = std::getenv("PHIFLEX_MESHES"); named && *named)
    return std::filesystem::is_directory(named) ? named : "";
  std::error_code error;
  std::vector<std::filesystem::path> places;
  for (std::filesystem::path at = std::filesystem::current_path(error); !at.empty(); at = at.parent_path()) {
    places.push_back(at / "shared/meshes");
    if (at == at.root_path()) break;
  }
  for (const std::filesystem::path& place : places)
    if (std::filesystem::is_directory(place, error)) return place;
  return {};
}

Outcome reproduce(const Experiment& experiment, const ReproduceOptions& options) {
  const std::string key = outcome_key(experiment, options);
  const Clock::time_point start = Clock::now();
  const double processor_start = processor_seconds();
  Outcome outcome = Reproduction(experiment, options).carry_out(nlohmann::json::object());
  if (options.sweep == Sweep::open_parameters) {
    for (const OpenParameter& open : experiment.open)
      for (const nlohmann::json& alternative : open.alternatives) {
        if (options.on_message)
          options.on_message(fmt::format("with {} = {}:", open.name, alternative.dump()));
        const Outcome other = Reproduction(experiment, options).carry_out({{open.value, alternative}});
        outcome.sweep.push_back({open.name, alternative.dump(), other.verdict, other.reason});
      }
    judge(outcome);
  }
  outcome.seconds = seconds_since(start);
  outcome.processor_seconds = processor_seconds() - processor_start;
  outcome.key = key;
  return outcome;
}

CostEstimate estimate_cost(const Experiment& experiment, const ReproduceOptions& options,
                           double longest_run) {
  return Reproduction(experiment, options, longest_run).estimate();
}

}  // namespace phiflex
