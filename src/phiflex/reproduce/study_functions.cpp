#include "phiflex/reproduce/study_functions.h"

#include <fmt/format.h>

#include <memory>

#include "phiflex/reproduce/particle_row_study.h"
#include "phiflex/reproduce/spectrum_study.h"
#include "phiflex/reproduce/square_root_study.h"
#include "phiflex/reproduce/static_step_study.h"
#include "phiflex/reproduce/step_cost_study.h"
#include "phiflex/study/penalty_study.h"

namespace phiflex {
namespace {

int whole(const Value& value) {
  const double number = value.number();
  if (!(number >= 1 && number <= 1e6)) throw ExpressionError("a whole number from 1 on is wanted");
  return static_cast<int>(number);
}

std::vector<std::string> texts(const Value& list) {
  std::vector<std::string> all;
  for (const Value& each : list.list()) all.push_back(each.text());
  return all;
}

SquareRootOutcome square_root_of(Arguments a) {
  expect_usage(a, 3, 3, "square_root_residual(method, n, condition)");
  static const std::map<std::string, SquareRootMethod> methods{
      {"newton", SquareRootMethod::newton},
      {"denman-beavers", SquareRootMethod::denman_beavers},
      {"schur", SquareRootMethod::schur},
      {"eigen", SquareRootMethod::eigen}};
  const auto found = methods.find(a[0].text());
  if (found == methods.end())
    throw ExpressionError(fmt::format("'{}' is no way to a square root", a[0].text()));
  return square_root(found->second, matrix_of_condition(whole(a[1]), a[2].number()));
}

double count_of(const Work& work, const std::string& name) {
  for (const WorkCount& count : work_counts)
    if (name == count.name) return static_cast<double>(work.*count.member);
  throw ExpressionError(fmt::format("there is no count '{}'", name));
}

Value row_iterations(Arguments a) {
  expect_usage(a, 2, 2, "row_iterations('newton' or 'bfgs', stiffness)");
  if (a[0].text() != "newton" && a[0].text() != "bfgs")
    throw ExpressionError("row_iterations knows 'newton' and 'bfgs'");
  ParticleRow row;
  row.stiffness = a[1].number();
  const int iterations =
      minimizer_iterations(row, a[0].text() == "newton" ? Minimizer::newton : Minimizer::bfgs);
  if (iterations < 0)
    throw Undecided(fmt::format("{} did not converge at stiffness {}", a[0].text(), row.stiffness));
  return iterations;
}

Value jacobian(Arguments a) {
  expect_usage(a, 2, 2, "siere_jacobian(resolution, modes)");
  const SiereJacobian J = siere_jacobian(whole(a[0]), whole(a[1]));
  return std::vector<double>{double(J.rank), J.fill, J.reduced_fill, double(J.size)};
}

// Lowest eigenvalues of the thesis's square of two triangles over the penalty, or of continuous ones.
Value penalty_curve(Arguments a) {
  expect_usage(a, 4, 4, "dg_lambda('bz', 'ip' or 'continuous', from, to, n)");
  PenaltyStudy study;
  study.from = a[1].number();
  study.to = a[2].number();
  study.points = whole(a[3]);
  const PenaltyCurves curves = study_penalty(study);
  if (a[0].text() == "bz") return curves.babuska_zlamal;
  if (a[0].text() == "ip") return curves.interior_penalty;
  if (a[0].text() == "continuous") return std::vector<double>(curves.penalty.size(), curves.continuous);
  throw ExpressionError(fmt::format("'{}' is no flux: 'bz', 'ip' or 'continuous'", a[0].text()));
}

}  // namespace

Functions study_functions(const std::filesystem::path& folder) {
  Functions table;
  table["dg_lambda"] = penalty_curve;
  table["square_root_residual"] = [](Arguments a) -> Value { return square_root_of(a).residual; };
  table["square_root_best"] = [](Arguments a) -> Value { return square_root_of(a).best_residual; };
  table["square_root_seconds"] = [](Arguments a) -> Value { return square_root_of(a).seconds; };
  table["wave_eigenvalue"] = [](Arguments a) -> Value {
    expect_usage(a, 1, 2, "wave_eigenvalue(elements [, b])");
    return wave_eigenvalue(whole(a[0]), a.size() > 1 ? a[1].number() : 1);
  };
  table["row_iterations"] = row_iterations;
  table["laplacian_modes_seconds"] = [](Arguments a) -> Value {
    expect_usage(a, 3, 3, "laplacian_modes_seconds(nx, ny, s)");
    return laplacian_modes_seconds(whole(a[0]), whole(a[1]), whole(a[2]));
  };
  table["siere_jacobian"] = jacobian;
  table["newmark_seconds"] = [folder](Arguments a) -> Value {
    expect_usage(a, 3, 3, "newmark_seconds(scene, overrides, iterations)");
    return newmark_step_seconds(folder / a[0].text(), texts(a[1]), whole(a[2]));
  };
  table["step_seconds"] = [folder](Arguments a) -> Value {
    expect_usage(a, 3, 3, "step_seconds(scene, overrides, method)");
    return method_step_seconds(folder / a[0].text(), texts(a[1]), a[2].text());
  };
  const auto study = std::make_shared<StaticStepStudy>(folder);
  const auto state_of = [study](Arguments a, const char* usage) -> const StaticState& {
    expect_usage(a, 2, 2, usage);
    const StaticState& state = study->state(a[0].text(), texts(a[1]));
    if (!state.failure.empty()) throw Undecided("there is no static state: " + state.failure);
    return state;
  };
  table["static_residual"] = [state_of](Arguments a) -> Value {
    return state_of(a, "static_residual(scene, overrides)").residual;
  };
  table["static_inverted"] = [state_of](Arguments a) -> Value {
    return state_of(a, "static_inverted(scene, overrides)").inverted;
  };
  table["one_step"] = [study](Arguments a) -> Value {
    expect_usage(a, 6, 6, "one_step(scene, overrides, step_overrides, method, tau, 'count')");
    return count_of(study->step(a[0].text(), texts(a[1]), texts(a[2]), a[3].text(), a[4].number()),
                    a[5].text());
  };
  return table;
}

}  // namespace phiflex
