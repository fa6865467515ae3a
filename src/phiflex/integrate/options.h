// The settings of all methods of the catalogue; each uses some and ignores the rest (catalogue.h says which).
#pragma once

#include <string>

#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/matfun/catalogue.h"

namespace phiflex {

// What Newton's method does where its matrix is not positive definite: take the projected stiffness (when
// project_hessian allows it), or add a growing multiple of the mass (newton.h).
enum class HessianCorrection { projection, diagonal };
// generalized-alpha: beta and gamma from am - af, or from am + af, a misprint in circulation that makes it unstable
// (for `phiflex analyze` to show; scenes have no key for it).
enum class AlphaRule { difference, sum };
// siere: the modes taken out of the right side and one solve, or the low-rank update of the original paper.
enum class SiereForm { one_solve, woodbury };
enum class GautschiFilter { symplectic, gautschi, hochbruck_lubich };

struct IntegratorOptions {
  LinearSolver solver = LinearSolver::automatic;  // of implicit steps of systems that have positions
  RefactorPolicy refactor = RefactorPolicy::automatic;
  double linear_tolerance = 1e-6;  // of conjugate gradients on a kept factorization, relative
  double newton_tolerance = 1e-8;  // relative to the velocities: (4) of newton.h
  int newton_limit = 50;           // iterations per step
  bool project_hessian = true;     // fall back to the projected stiffness when the exact one is indefinite
  bool halve_step = true;          // halve the step, as the last resort, when Newton does not converge
  double rho_infinity = 0.9;       // generalized-alpha: spectral radius at infinite frequency, 0..1
  AlphaRule alpha_rule = AlphaRule::difference;
  double newmark_beta = 0.25;
  double newmark_gamma = 0.5;
  HessianCorrection hessian_correction = HessianCorrection::projection;  // of Newton's method
  double zheng_p = 0.25;                                                 // zheng: weights of stiffness,
  double zheng_q = 1;                                                    //   damping
  double zheng_r = 1;                                                    //   and mass in its matrix
  double gui_lambda = 4;           // gui: its matrix is M + h/2 D0 + h^2/lambda K0
  std::string evaluator = "auto";  // exponential methods: a name of the evaluators' catalogue, or auto
  MechanicalPhiOptions phi;        // exponential methods: tolerance and bases of the evaluator
  double error_tolerance = 0;      // methods with an embedded pair: of a step, relative; 0: the step is fixed
  GautschiFilter filter = GautschiFilter::symplectic;  // gautschi
  int modes = 5;                                       // siere, emx: how many modes move exactly
  double modes_tolerance = 1e-2;                       // siere: of their relative residual
  SiereForm siere_form = SiereForm::one_solve;
  double em_tolerance = 1e-3;      // em, emx: (3) of em_solver.h, relative
  double energy_tolerance = 1e-4;  // em, emx: of the energy of a step, relative
  double dissipation = 1;          // em, emx: the dial, 1/3..1; 1: none
  int substeps = 0;                // em, emx, verlet: in a step; 0: as it asks for
};

}  // namespace phiflex
