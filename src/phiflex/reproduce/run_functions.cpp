#include "phiflex/reproduce/run_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/tet_locator.h"
#include "phiflex/reproduce/signals.h"
#include "phiflex/run/scene_model.h"

namespace phiflex {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

const std::vector<double>& column_of(const KeptRun& run, const std::string& name) {
  if (const std::vector<double>* column = run.column(name)) return *column;
  throw ExpressionError(fmt::format("no column '{}' in the tables of the run", name));
}

Signal signal_of(const KeptRun& run, const std::string& name) {
  const std::vector<double>&times = column_of(run, "time"), &values = column_of(run, name);
  // A table may have been written at fewer steps than the ledger.
  if (times.size() != values.size())
    throw ExpressionError(fmt::format("column '{}' has other instants than 'time'", name));
  return {times, values};
}

double number_in(const KeptRun& run, const char* group, const std::string& name) {
  const nlohmann::ordered_json& account = run.account();
  if (!account.contains(group) || !account[group].contains(name))
    throw ExpressionError(fmt::format("run.json has no {}.{}", group, name));
  return account[group][name].get<double>();
}

template <class Distance>
std::vector<double> distances(const SampledMotion& a, const SampledMotion& b, const Distance& distance) {
  if (!a.x.empty() && !b.x.empty() && a.x[0].size() != b.x[0].size())
    throw ExpressionError(
        "the runs have different numbers of vertices (fine_err carries a coarse run to a fine one)");
  std::vector<double> all;
  for (const auto& [i, j] : common_instants(a, b)) all.push_back(distance(i, j));
  return all;
}

[[noreturn]] void no_common_instant(const KeptRun& run) {
  if (run.stopped())
    throw Undecided(
        fmt::format("a run was stopped after {} steps, before it could be compared", run.steps()));
  throw ExpressionError("the runs have no sampled instant in common (see `sample`)");
}

// Largest of a list that a run must have reached to its end.
double largest(const std::vector<double>& all, const KeptRun& run) {
  if (run.diverged()) return infinite;
  if (all.empty()) no_common_instant(run);
  return *std::max_element(all.begin(), all.end());
}

std::vector<double> position_errors(const KeptRun& run, const KeptRun& truth) {
  const SampledMotion &a = run.motion(), &b = truth.motion();
  return distances(a, b, [&](std::size_t i, std::size_t j) { return largest_distance(a.x[i], b.x[j]); });
}

std::vector<double> velocity_errors(const KeptRun& run, const KeptRun& truth) {
  const SampledMotion &a = run.motion(), &b = truth.motion();
  return distances(a, b, [&](std::size_t i, std::size_t j) { return largest_distance(a.v[i], b.v[j]); });
}

std::vector<double> shared_times(const KeptRun& run, const KeptRun& truth) {
  const SampledMotion &a = run.motion(), &b = truth.motion();
  std::vector<double> times;
  for (const auto& [i, j] : common_instants(a, b)) times.push_back(a.times[i]);
  return times;
}

// |a - b| / |b - start| at the last common instant, in the Euclidean norm; of velocities |a - b| / |b|.
double relative_error(const KeptRun& run, const KeptRun& truth, bool velocities) {
  if (run.diverged()) return infinite;
  const SampledMotion &a = run.motion(), &b = truth.motion();
  const auto common = common_instants(a, b);
  if (common.empty()) no_common_instant(run);
  const auto [i, j] = common.back();
  const double position = (a.x[i] - b.x[j]).norm() / (b.x[j] - b.x[0]).norm();
  return velocities ? std::max(position, (a.v[i] - b.v[j]).norm() / b.v[j].norm()) : position;
}

double motion_of(const KeptRun& run) {
  double farthest = 0;
  for (const Vector& x : run.motion().x)
    farthest = std::max(farthest, largest_distance(x, run.motion().x[0]));
  return farthest;
}

double most_energy(const KeptRun& run) {
  const std::vector<double>&kinetic = column_of(run, "kinetic"), &elastic = column_of(run, "elastic");
  double most = 0;
  for (std::size_t i = 0; i < kinetic.size(); ++i) most = std::max(most, kinetic[i] + elastic[i]);
  return most;
}

double loss_of(const KeptRun& run, const KeptRun& truth) {
  return column_of(run, "numerical_loss").back() / most_energy(truth);
}

// The largest distance, over the sampled instants, of vertices that lie in one place at rest.
double largest_gap(const KeptRun& run) {
  const SceneModel world = build_scene(ordered_scene(run.order()), run.order().scene_file);
  std::map<std::array<double, 3>, std::vector<Index>> places;
  for (Index v = 0; 3 * v < world.rest().size(); ++v)
    places[{world.rest()[3 * v], world.rest()[3 * v + 1], world.rest()[3 * v + 2]}].push_back(v);
  double largest = 0;
  for (const Vector& x : run.motion().x)
    for (const auto& [place, copies] : places)
      for (const Index copy : copies)
        largest = std::max(largest, (x.segment<3>(3 * copy) - x.segment<3>(3 * copies[0])).norm());
  return largest;
}

// A coarse run's vertices carried to the fine run's by the barycentric coordinates of the rest shapes.
class Carried {
 public:
  Carried(const KeptRun& coarse, const KeptRun& fine) : coarse_(coarse), fine_(fine) {
    const SceneModel from = build_scene(ordered_scene(coarse.order()), coarse.order().scene_file);
    const SceneModel to = build_scene(ordered_scene(fine.order()), fine.order().scene_file);
    if (from.bodies().size() != 1 || to.bodies().size() != 1 || !from.bodies()[0].solid() ||
        !to.bodies()[0].solid())
      throw ExpressionError("fine_err needs scenes with one solid body each");
    const TetMesh& mesh = from.bodies()[0].solid()->mesh;
    tets_ = mesh.tets;
    const TetLocator locator(mesh.vertices, mesh.tets);
    for (const Point3& x : to.bodies()[0].rest()) places_.push_back(locator.locate(x));
    offset_.resize(3 * static_cast<Index>(places_.size()));
    // The fine rest shape need not lie exactly where the carried one does: compared are displacements.
    rest_ = to.rest();
    Vector carried;
    carry(from.rest(), carried);
    offset_ = rest_ - carried;
  }

  std::vector<double> errors(bool velocities) const {
    const SampledMotion &a = coarse_.motion(), &b = fine_.motion();
    std::vector<double> all;
    Vector carried;
    for (const auto& [i, j] : common_instants(a, b)) {
      carry(velocities ? a.v[i] : a.x[i], carried);
      if (!velocities) carried += offset_;
      all.push_back(largest_distance(carried, velocities ? b.v[j] : b.x[j]));
    }
    return all;
  }

 private:
  void carry(const Vector& x, Vector& carried) const {
    carried.setZero(3 * static_cast<Index>(places_.size()));
    for (std::size_t p = 0; p < places_.size(); ++p)
      for (std::size_t a = 0; a < 4; ++a)
        carried.segment<3>(3 * static_cast<Index>(p)) +=
            places_[p].weights[a] *
            x.segment<3>(3 * static_cast<Index>(tets_[static_cast<std::size_t>(places_[p].tet)][a]));
  }

  const KeptRun &coarse_, &fine_;
  std::vector<std::array<int, 4>> tets_;
  std::vector<TetLocator::Place> places_;
  Vector rest_, offset_;
};

}  // namespace

const NamedRun& RunBook::named(const std::string& name) const {
  const auto found = runs.find(name);
  if (found != runs.end()) return found->second;
  if (left_out.contains(name))
    throw ExpressionError(fmt::format("the run '{}' was left out: a run before it was good enough", name));
  if (const auto why = not_made.find(name); why != not_made.end())
    throw Undecided(fmt::format("the run '{}' was not made: {}", name, why->second));
  if (!unnamed_why.empty()) throw Undecided(fmt::format("the run '{}' was not made: {}", name, unnamed_why));
  throw ExpressionError(fmt::format("no run '{}'", name));
}

const KeptRun& RunBook::run(const std::string& name) {
  const NamedRun& found = named(name);
  const auto last = static_cast<int>(found.levels.size()) - 1;
  return *found.levels[static_cast<std::size_t>(found.truth ? std::max(0, last - coarser) : last)];
}

const KeptRun& RunBook::reference(const std::string& name) {
  const KeptRun& found = run(name);
  if (found.diverged())
    throw Undecided(
        fmt::format("'{}' diverged at step {}: nothing can be compared with it", name, found.diverged_at()));
  if (found.steps() == 0)
    throw Undecided(fmt::format("'{}' made no step: nothing can be compared with it", name));
  return found;
}

const KeptRun& RunBook::compared_truth(const std::string& name) {
  const NamedRun& found = named(name);
  if (found.truth && !found.converged) {
    unconverged_used.insert(name);
    if (coarser > 0 && found.levels.size() < 2)
      throw Undecided(fmt::format("the truth '{}' was never made with half its step", name));
  }
  return reference(name);
}

double position_error(const KeptRun& run, const KeptRun& truth, double until) {
  const std::vector<double> errors = position_errors(run, truth), times = shared_times(run, truth);
  if (run.diverged() && column_of(run, "time").back() < until) return infinite;
  double largest_error = 0;
  bool any = false;
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (times[i] <= until * (1 + 1e-9)) {
      largest_error = std::max(largest_error, errors[i]);
      any = true;
    }
  if (!any) no_common_instant(run);
  return largest_error;
}

Functions run_functions(RunBook& book) {
  Functions table;
  // name(run, ...) -> a number that is kept among the measurements.
  const auto measure = [&](const std::string& name, std::size_t least, std::size_t most, auto value) {
    table[name] = [&book, name, least, most, value](Arguments a) -> Value {
      expect_count(a, least, most, name);
      const double number = value(a);
      if (book.measured) {
        std::string metric = name;
        for (std::size_t i = 1; i < a.size(); ++i) metric += (i == 1 ? "(" : ",") + a[i].written();
        book.measured(a[0].text(), metric + (a.size() > 1 ? ")" : ""), number);
      }
      return number;
    };
  };
  const auto plain = [&](const std::string& name, std::size_t least, std::size_t most, auto value) {
    table[name] = [name, least, most, value](Arguments a) -> Value {
      expect_count(a, least, most, name);
      return value(a);
    };
  };
  const auto run = [&book](const Value& name) -> const KeptRun& { return book.run(name.text()); };
  const auto reference = [&book](const Value& name) -> const KeptRun& { return book.reference(name.text()); };
  const auto truth = [&book](const Value& name) -> const KeptRun& {
    return book.compared_truth(name.text());
  };

  plain("exists", 1, 1, [&book](Arguments a) -> Value { return book.runs.contains(a[0].text()); });
  plain("done", 1, 1, [run](Arguments a) -> Value { return run(a[0]).done() && !run(a[0]).diverged(); });
  plain("diverges", 1, 1, [run](Arguments a) -> Value { return run(a[0]).diverged(); });
  plain("stopped", 1, 1, [run](Arguments a) -> Value { return run(a[0]).stopped(); });
  measure("failed_at", 1, 1, [run](Arguments a) { return static_cast<double>(run(a[0]).diverged_at()); });
  measure("steps", 1, 1, [run](Arguments a) { return static_cast<double>(run(a[0]).steps()); });
  measure("step", 1, 1, [run](Arguments a) { return run(a[0]).h(); });
  measure("cost", 1, 1, [run](Arguments a) {
    const KeptRun& one = run(a[0]);
    if (one.steps() == 0) throw Undecided(fmt::format("'{}' made no step: it has no cost", a[0].text()));
    return one.cost();
  });
  measure("seconds", 2, 2, [run](Arguments a) { return number_in(run(a[0]), "seconds", a[1].text()); });
  measure("count", 2, 2, [run](Arguments a) { return number_in(run(a[0]), "counts", a[1].text()); });
  measure("work", 1, 1, [run](Arguments a) {
    double sum = 0;
    for (const char* name : {"force_evaluations", "stiffness_products", "solves"})
      sum += number_in(run(a[0]), "counts", name);
    return sum;
  });
  for (const auto& [name, key] : {std::pair{"vertices", "vertices"},
                                  {"elements", "elements"},
                                  {"springs", "springs"},
                                  {"dofs", "degrees_of_freedom"}})
    measure(name, 1, 1,
            [run, key = std::string(key)](Arguments a) { return number_in(run(a[0]), "sizes", key); });

  plain("times", 1, 1, [run](Arguments a) -> Value { return column_of(run(a[0]), "time"); });
  plain("series", 2, 2, [run](Arguments a) -> Value { return column_of(run(a[0]), a[1].text()); });
  measure("at", 3, 3,
          [run](Arguments a) { return value_at(signal_of(run(a[0]), a[1].text()), a[2].number()); });
  const auto windowed = [&](const std::string& name, double (*of)(const Signal&, double, double)) {
    measure(name, 2, 4, [run, of](Arguments a) {
      return of(signal_of(run(a[0]), a[1].text()), a.size() > 2 ? a[2].number() : -infinite,
                a.size() > 3 ? a[3].number() : infinite);
    });
  };
  windowed("mean_of", mean_of);
  windowed("max_of", largest_of);
  windowed("min_of", smallest_of);
  windowed("amplitude", amplitude_of);

  measure("err", 2, 3, [run, truth](Arguments a) {
    if (a.size() == 3) return position_error(run(a[0]), truth(a[1]), a[2].number());
    return largest(position_errors(run(a[0]), truth(a[1])), run(a[0]));
  });
  measure("velocity_err", 2, 2,
          [run, truth](Arguments a) { return largest(velocity_errors(run(a[0]), truth(a[1])), run(a[0])); });
  plain("errs", 2, 2, [run, truth](Arguments a) -> Value { return position_errors(run(a[0]), truth(a[1])); });
  plain("common_times", 2, 2, [run](Arguments a) -> Value { return shared_times(run(a[0]), run(a[1])); });
  measure("relative_err", 2, 2,
          [run, truth](Arguments a) { return relative_error(run(a[0]), truth(a[1]), false); });
  measure("relative_state_err", 2, 2,
          [run, truth](Arguments a) { return relative_error(run(a[0]), truth(a[1]), true); });
  measure("motion", 1, 1, [run](Arguments a) { return motion_of(run(a[0])); });
  measure("gap", 1, 1, [run](Arguments a) { return largest_gap(run(a[0])); });
  measure("lost", 2, 2, [run, reference](Arguments a) { return loss_of(run(a[0]), reference(a[1])); });
  measure("keep", 2, 3, [run, reference](Arguments a) {
    const std::string column = a.size() > 2 ? a[2].text() : "elastic";
    if (run(a[0]).diverged())
      throw Undecided(fmt::format("'{}' diverged: it has no amplitude to keep", a[0].text()));
    return kept_amplitude(signal_of(run(a[0]), column), strongest_period(signal_of(reference(a[1]), column)));
  });
  measure("period", 2, 2, [run](Arguments a) { return strongest_period(signal_of(run(a[0]), a[1].text())); });
  measure("fine_err", 2, 2, [run, reference](Arguments a) {
    return largest(Carried(run(a[0]), reference(a[1])).errors(false), run(a[0]));
  });
  measure("fine_velocity_err", 2, 2, [run, reference](Arguments a) {
    return largest(Carried(run(a[0]), reference(a[1])).errors(true), run(a[0]));
  });
  plain("fine_errs", 2, 2,
        [run, reference](Arguments a) -> Value { return Carried(run(a[0]), reference(a[1])).errors(false); });

  plain("converged", 1, 1, [&book](Arguments a) -> Value { return book.named(a[0].text()).converged; });
  measure("change", 1, 1, [&book](Arguments a) { return book.named(a[0].text()).change; });
  measure("fallbacks", 1, 1, [run](Arguments a) {
    const nlohmann::ordered_json& account = run(a[0]).account();
    return account.contains("fallbacks") ? static_cast<double>(account["fallbacks"].size()) : 0.0;
  });
  plain("fell_back", 2, 2, [run](Arguments a) -> Value {
    const nlohmann::ordered_json& account = run(a[0]).account();
    for (const char* list : {"fallbacks", "warnings", "notes"})
      if (account.contains(list))
        for (const auto& one : account[list])
          if (one.is_string() && one.get<std::string>().find(a[1].text()) != std::string::npos) return true;
    return false;
  });

  const auto modes = [&book](const Value& name) -> const NamedModes& {
    const auto found = book.modes.find(name.text());
    if (const auto why = book.not_made.find(name.text());
        found == book.modes.end() && why != book.not_made.end())
      throw Undecided(fmt::format("the modes '{}' were not found: {}", name.text(), why->second));
    if (found == book.modes.end() && !book.unnamed_why.empty())
      throw Undecided(fmt::format("the modes '{}' were not found: {}", name.text(), book.unnamed_why));
    if (found == book.modes.end()) throw ExpressionError(fmt::format("no modes '{}'", name.text()));
    return found->second;
  };
  plain("lambda", 1, 1, [modes](Arguments a) -> Value { return modes(a[0]).lambda; });
  plain("omega", 1, 1, [modes](Arguments a) -> Value {
    std::vector<double> all;
    for (const double lambda : modes(a[0]).lambda) all.push_back(std::sqrt(std::max(lambda, 0.0)));
    return all;
  });
  plain("ratios", 1, 1, [modes](Arguments a) -> Value { return modes(a[0]).ratios; });
  plain("matched", 1, 1, [modes](Arguments a) -> Value { return modes(a[0]).matched; });
  plain("twist", 1, 1, [modes](Arguments a) -> Value { return modes(a[0]).twist; });
  plain("rigid", 1, 1, [modes](Arguments a) -> Value { return modes(a[0]).rigid; });
  return table;
}

}  // namespace phiflex
