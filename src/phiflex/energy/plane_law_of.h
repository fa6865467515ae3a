// A law of the catalogue in plane strain: F = [[F2, 0], [0, 1]], and of its stress the part in the plane. The
// third derivative is the second one at F + e A in dual numbers.
#pragma once

#include "phiflex/base/dual.h"
#include "phiflex/energy/plane_law.h"
#include "phiflex/material/material.h"

namespace phiflex {

template <class Law>
class PlaneLawOf final : public PlaneLaw {
 public:
  using Moduli = typename Law::template Moduli<double>;
  explicit PlaneLawOf(const Moduli& p) : p_(p) {}
  double psi(const Strain& F) const override { return at(F).psi(); }
  Strain P(const Strain& F) const override { return in_plane(at(F).P()); }
  double P_across(const Strain& F) const override { return at(F).P()(2, 2); }
  Hessian dP(const Strain& F) const override { return matrix_of(at(F)); }
  Hessian projected_dP(const Strain& F) const override {
    return matrix_of(typename Law::template Projected<double>(p_, embedded(F)));
  }
  Hessian d2P(const Strain& F, const Strain& A) const override {
    Mat3<Dual<>> moved;
    const Mat3<double> at_F = embedded(F), along = unit_free(A);
    for (int k = 0; k < 9; ++k) moved.e[k] = {at_F.e[k], along.e[k]};
    const typename Law::template At<Dual<>> second(moduli_as<Law, Dual<>>(p_), moved);
    Hessian T;
    for (int k = 0; k < 4; ++k) {
      Mat3<Dual<>> dF = Mat3<Dual<>>::zero();
      dF(k / 2, k % 2) = Dual<>(1.0);
      const Mat3<Dual<>> change = second.dP(dF);
      for (int i = 0; i < 4; ++i) T(i, k) = change(i / 2, i % 2).slope;
    }
    return T;
  }

 private:
  auto at(const Strain& F) const { return typename Law::template At<double>(p_, embedded(F)); }
  static Mat3<double> unit_free(const Strain& F) { return {F[0], F[1], 0, F[2], F[3], 0, 0, 0, 0}; }
  static Mat3<double> embedded(const Strain& F) { return {F[0], F[1], 0, F[2], F[3], 0, 0, 0, 1}; }
  static Strain in_plane(const Mat3<double>& P) { return {P(0, 0), P(0, 1), P(1, 0), P(1, 1)}; }
  template <class Second>
  static Hessian matrix_of(const Second& second) {
    Hessian H;
    for (int k = 0; k < 4; ++k) {
      Mat3<double> dF = Mat3<double>::zero();
      dF(k / 2, k % 2) = 1;
      H.col(k) = in_plane(second.dP(dF));
    }
    return H;
  }
  Moduli p_;
};

}  // namespace phiflex
