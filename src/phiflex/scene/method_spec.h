// The step, and the method with its settings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "phiflex/scene/values.h"

namespace phiflex {

struct TimeSpec {
  double step = 0;  // s
  double end = 0;   // s
  bool operator==(const TimeSpec&) const = default;
};

// The number of steps, round(end / step); validation has made sure that the step divides the end.
std::int64_t step_count(const TimeSpec& time);

enum class Refactor { automatic, always };  // "auto", "always"
enum class SolverWord { automatic, factorization, multigrid };

// The evaluator of matrix functions with its own settings; a name alone takes the defaults.
enum class BasisProductOf { step, energy };  // of a basis: "step", "energy"
struct EvaluatorSpec {
  static constexpr Signature signature{"type"};
  std::string type = "auto";
  std::optional<std::int64_t> m;    // basis vectors, of those that have a first or fixed number
  std::optional<double> tolerance;  // relative; for expv Expokit's own, absolute and per second
  std::int64_t largest_basis = 60;  // vectors of the state's size
  BasisProductOf inner_product = BasisProductOf::step;
  bool operator==(const EvaluatorSpec&) const = default;
};

enum class Filter { symplectic, gautschi, hochbruck_lubich };

enum class HessianRepair { projection, diagonal };

// Every key any method may need; a method reads its own and leaves the others.
struct IntegratorSpec {
  std::string type = "auto";
  double newton_tolerance = 1e-8;  // relative
  std::int64_t newton_limit = 50;
  Switch project_hessian = Switch::on;                           // fall back to the projected stiffness
  HessianRepair hessian_correction = HessianRepair::projection;  // of Newton's method
  Switch halve_step = Switch::on;                                // fall back to two half steps
  double rho_infinity = 0.9;       // generalized-alpha: spectral radius at infinity
  double beta = 0.25;              // newmark
  double gamma = 0.5;              // newmark
  double p = 0.25, q = 1, r = 1;   // zheng: weights of stiffness, damping and mass
  double lambda = 4;               // gui
  double linear_tolerance = 1e-6;  // relative, of solves with a kept factorization
  SolverWord solver = SolverWord::automatic;
  Refactor refactor = Refactor::automatic;
  std::int64_t modes = 5;                                       // siere, emx: modes that move exactly
  double modes_tolerance = 1e-2;                                // siere: relative eigen-residual
  LinearForm form = LinearForm::one_solve;                      // siere: of its linear system
  std::variant<std::string, EvaluatorSpec> evaluator = "auto";  // exponential methods
  double tolerance = 1e-4;             // exponential methods: of matrix functions, relative
  double error_tolerance = 0;          // embedded pairs: of a step, relative; 0: the step is fixed
  Filter filter = Filter::symplectic;  // gautschi
  double em_tolerance = 1e-3;          // em, emx: of the solver's update, relative
  double energy_tolerance = 1e-4;      // em, emx: of a step's energy, relative
  double dissipation = 1;              // em, emx: the damping dial, 1/3..1
  std::int64_t substeps = 0;           // em, emx, verlet: in a step; 0: as many as it asks for
  bool operator==(const IntegratorSpec&) const = default;
};

}  // namespace phiflex
