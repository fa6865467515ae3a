// A Stokes fluid around particles, by regularized Stokeslets (Cortez: The method of regularized Stokeslets, 2001;
// in three dimensions Cortez, Fauci and Medovikov 2005). Forces g_j on the fluid at x_j, spread over blobs of
// radius e, move it with
//
//   u(x) = 1/(8 pi mu) sum_j ((r^2 + 2 e^2) g_j + (g_j.r) r)/(r^2 + e^2)^(3/2),     r = x - x_j           (1)
//
// The fluid sticks to the particles, u(x_i) = v_i: a linear system S(x) g = v with a dense, symmetric positive
// definite S. The particles feel the opposite of what they do to the fluid,
//
//   f = -g = -S(x)^-1 v,       -df/dv = S^-1                                                              (2)
//
// so that every particle drags every other through the fluid (two-way), and the fluid takes v.g >= 0. The change
// of (2) with the positions is not symmetric and is left out of the tangent. One particle alone has the drag
// 4 pi mu e v, that of a ball of radius 2/3 e.
#pragma once

#include <mutex>
#include <vector>

#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/model/load.h"

namespace phiflex {

struct StokesFluid {
  double viscosity = 0;  // mu, Pa s
  double radius = 0;     // e, m
};

// The velocity (1) at `at` of a force g at the origin.
Eigen::Vector3d stokeslet_velocity(const StokesFluid& fluid, const Eigen::Vector3d& at,
                                   const Eigen::Vector3d& g);

class StokesLoad final : public Load {
 public:
  // vertices: of the model, those that carry a Stokeslet; work grows with the cube of their number.
  StokesLoad(std::vector<int> vertices, StokesFluid fluid);

  void add_force(const Motion& at, Vector& f) const override;
  void add_force_rate(const Motion&, Vector&) const override {}
  void add_couplings(std::vector<Coupling>& couplings) const override;
  std::unique_ptr<DragAssembler> make_drag_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override;

  // S^-1 at the positions x of all vertices, over the Stokeslets.
  void resistance(const Vector& x, Eigen::MatrixXd& inverse) const;
  const std::vector<int>& vertices() const { return vertices_; }

 private:
  void factorize(const Vector& x) const;  // under the lock

  std::vector<int> vertices_;
  StokesFluid fluid_;
  // The factorization at the latest positions: it depends on nothing else, so that keeping it changes no result.
  mutable std::mutex mutex_;
  mutable Vector places_, speeds_;
  mutable Eigen::MatrixXd S_;
  mutable Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace phiflex
