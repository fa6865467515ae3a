// A law of the catalogue in plane strain: F = [[F2, 0], [0, 1]], and of its stress the part in the plane. The
// third derivative is the second one at F + e A in dual numbers.
#include "phiflex/energy/plane_law.h"

#include <stdexcept>
#include <type_traits>

#include "phiflex/base/dual.h"
#include "phiflex/material/catalogue.h"

namespace phiflex {
namespace {

template <class Law>
class PlaneLawOf final : public PlaneLaw {
 public:
  explicit PlaneLawOf(const Lame<double>& p) : p_(p) {}
  double psi(const Strain& F) const override { return at(F).psi(); }
  Strain P(const Strain& F) const override { return in_plane(at(F).P()); }
  Hessian dP(const Strain& F) const override { return matrix_of(at(F)); }
  Hessian projected_dP(const Strain& F) const override {
    return matrix_of(typename Law::template Projected<double>(p_, embedded(F)));
  }
  Hessian d2P(const Strain& F, const Strain& A) const override {
    Mat3<Dual<>> moved;
    const Mat3<double> at_F = embedded(F), along = unit_free(A);
    for (int k = 0; k < 9; ++k) moved.e[k] = {at_F.e[k], along.e[k]};
    const typename Law::template At<Dual<>> second({p_.mu, p_.lambda}, moved);
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
  Lame<double> p_;
};

// Dual numbers do not pass through the singular vectors of equal stretches.
template <class Law>
constexpr bool kSmooth =
    !std::is_same_v<Law, Corotated> && !std::is_same_v<Law, Arap> && !std::is_same_v<Law, Spline>;

}  // namespace

bool has_plane_law(const std::string& law) {
  return with_material(law, []<class Law>(LawTag<Law>) { return kSmooth<Law>; });
}

std::unique_ptr<PlaneLaw> make_plane_law(const std::string& law, double young, double poisson) {
  return with_material(law, [&]<class Law>(LawTag<Law>) -> std::unique_ptr<PlaneLaw> {
    if constexpr (kSmooth<Law>)
      return std::make_unique<PlaneLawOf<Law>>(Law::parameters(young, poisson));
    else
      throw std::invalid_argument("make_plane_law: not for laws of singular vectors such as " + law);
  });
}

}  // namespace phiflex
