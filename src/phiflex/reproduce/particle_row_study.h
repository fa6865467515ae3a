// Iterations of Newton's method and of BFGS on the backward Euler steps of a row of particles. A step minimizes
//
//   E(q) = |q - q_n - h v_n|^2/2 + h^2/m W(q),   W = sum_springs k/2 (|d| - l)^2 + m g sum_i y_i             (1)
//
// over the free particles. Both methods start from the place of the step before, halve
// their step until E falls enough (Armijo), and stop when the largest component of the gradient is below
// tolerance (1 + that of the start). Newton raises the diagonal where the Hessian is not positive definite; BFGS
// starts each step from the unit matrix and keeps its matrix positive definite by leaving out updates with s'y <= 0.
#pragma once

namespace phiflex {

struct ParticleRow {
  int particles = 5;      // in a row along x, the first one held
  double length = 1;      // m
  double mass = 1;        // kg, of each
  double stiffness = 1;   // N/m, of each spring
  double gravity = 9.81;  // m/s^2, downwards
  double h = 0.1;         // s
  int steps = 20;
  double tolerance = 1e-6;
};

enum class Minimizer { newton, bfgs };

// Of all steps together; -1 when a step did not converge within 10,000 iterations.
int minimizer_iterations(const ParticleRow& row, Minimizer minimizer);

}  // namespace phiflex
