// A muscle: an active stress T along the fibres of tetrahedra, with an activation a(t). With n the fibres' direction at
// rest, a unit vector, V, w_q and F the volume, the points' weights and the deformation gradient of an element,
//
//   U(x) = sum_e V_e sum_q w_q T/2 (|F n|^2 - 1),     f = -a(t) dU/dx                                     (1)
//   active stress  S = a(t) T n n',   P = a(t) T F n n',   Cauchy  a(t) T (F n)(F n)'/J                   (2)
//
// This is the active second Piola-Kirchhoff stress of Land et al., Verification of cardiac mechanics software:
// benchmark problems and solutions for testing active and passive material behaviour (2015): fibres of the stretch s
// pull with a T s per area of the rest shape, weaker as they shorten. F n = sum_i c_i x_i, c_i = n.grad N_i, so that U
// is a quadratic form of the positions,
//
//   f_i = -a(t) sum_j A_ij (x_j - x_i),   A_ij = sum_eq T V w c_i c_j,   sum_j A_ij = 0                    (3)
//   K = -df/dx = a(t) A (x) 1,   positive semidefinite for a(t) >= 0                                       (4)
//
// Forces come in pairs along the line between two vertices: no resultant and no torque. What the muscle does in an
// energy-momentum step is exact, dx.f(t + h/2, x + dx/2) = -a(t + h/2) (U(x + dx) - U(x)).
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "phiflex/fem/tet_batches.h"
#include "phiflex/model/load.h"
#include "phiflex/model/modulation.h"

namespace phiflex {

// An entry of A in (3).
struct MusclePair {
  int i = 0, j = 0;  // vertices of the model, i < j
  double A = 0;      // N/m
};

// rest: of all vertices, m. quadratic: nodes of each tetrahedron, or empty for linear ones. directions: of the fibres
// of each tetrahedron, of any length; one of length 0 has no fibres. stress: T, Pa.
std::vector<MusclePair> muscle_pairs(const Vector& rest, std::span<const Tet> tets,
                                     std::span<const QuadraticTet> quadratic,
                                     std::span<const Eigen::Vector3d> directions, double stress);

class MuscleLoad : public Load {
 public:
  MuscleLoad(std::vector<MusclePair> pairs, ActiveTime active, Modulation activation)
      : pairs_(std::move(pairs)), active_(active), activation_(std::move(activation)) {}

  void add_force(const Motion& at, Vector& f) const override;
  void add_force_rate(const Motion& at, Vector& g) const override;
  void add_couplings(std::vector<Coupling>& couplings) const override;
  std::unique_ptr<LoadStiffness> make_stiffness(const FreeVertices& free,
                                                const SparsityPattern& pattern) const override;
  void add_stiffness_product(const Motion& at, const Vector& dx, Vector& y) const override;

  double activation(double t) const { return active_.covers(t) ? activation_.at(t) : 0; }
  const std::vector<MusclePair>& pairs() const { return pairs_; }

 private:
  void add(double factor, const Vector& x, Vector& f) const;  // f -= factor A x
  std::vector<MusclePair> pairs_;
  ActiveTime active_;
  Modulation activation_;
};

}  // namespace phiflex
