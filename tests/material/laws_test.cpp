// What every law of the catalogue must satisfy (material/material.h).
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <limits>
#include <type_traits>

#include "phiflex/base/dual.h"
#include "phiflex/material/all_laws.h"
#include "tests/material/designed_spline.h"
#include "tests/material/example_material.h"
#include "tests/material/samples.h"

namespace phiflex {
namespace {

using test::DesignedSpline;
using test::largest_entry;
using test::Samples;

using test::kRounding;
using test::kSamples;

template <class Law>
class MaterialLaws : public ::testing::Test {
 protected:
  using At = typename Law::template At<double>;
  using Projected = typename Law::template Projected<double>;
  using Hessian = Eigen::Matrix<double, 9, 9>;

  const typename Law::template Moduli<double> p = test::example_moduli<Law>(2.5e-6);
  const Lame<double> lame = Law::at_rest(p);
  Samples samples{7};

  // Deformations inside the law's domain: ordinary, and inverted ones where the law allows them.
  Mat3<double> deformation(int i) {
    return i % 2 == 1 && !Law::needs_positive_J ? samples.inverted() : samples.ordinary();
  }

  template <class Second>
  static Hessian matrix_of(const Second& second) {
    Hessian H;
    for (int k = 0; k < 9; ++k) {
      Mat3<double> dF = Mat3<double>::zero();
      dF.e[k] = 1;
      const Mat3<double> dP = second.dP(dF);
      for (int i = 0; i < 9; ++i) H(i, k) = dP.e[i];
    }
    return H;
  }

  static Mat3<Dual<>> along(const Mat3<double>& F, const Mat3<double>& dF) {
    Mat3<Dual<>> moved;
    for (int k = 0; k < 9; ++k) moved.e[k] = {F.e[k], dF.e[k]};
    return moved;
  }
  auto dual_at(const Mat3<double>& F, const Mat3<double>& dF) const {
    return typename Law::template At<Dual<>>(moduli_as<Law, Dual<>>(p), along(F, dF));
  }

  // (A + |A|)/2, the nearest positive semidefinite matrix in the Frobenius norm.
  static Hessian positive_part(const Hessian& H) {
    const Eigen::SelfAdjointEigenSolver<Hessian> eigen(H);
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
           eigen.eigenvectors().transpose();
  }
};

template <class... L>
::testing::Types<L..., DesignedSpline> types_of(std::tuple<L...>);
struct LawName {
  template <class Law>
  static std::string GetName(int) {
    std::string name(Law::name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};
TYPED_TEST_SUITE(MaterialLaws, decltype(types_of(std::declval<Laws>())), LawName);

TYPED_TEST(MaterialLaws, StressIsTheDerivativeOfEnergy) {
  for (int i = 0; i < kSamples; ++i) {
    const Mat3<double> F = this->deformation(i), dF = this->samples.matrix();
    const typename TestFixture::At at(this->p, F);
    const Dual<> psi = this->dual_at(F, dF).psi();
    EXPECT_NEAR(psi.value, at.psi(), kRounding);
    EXPECT_NEAR(psi.slope, contract(at.P(), dF), kRounding);
  }
}

TYPED_TEST(MaterialLaws, SecondDerivativeIsTheDerivativeOfStress) {
  for (int i = 0; i < kSamples; ++i) {
    const Mat3<double> F = this->deformation(i), dF = this->samples.matrix();
    const Mat3<double> dP = typename TestFixture::At(this->p, F).dP(dF);
    const Mat3<Dual<>> P = this->dual_at(F, dF).P();
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(P.e[k].slope, dP.e[k], kRounding);
  }
}

// Dual numbers cannot pass through the singular vectors of equal stretches (their derivative does not exist
// though that of P does), so differences of stress stand in: central, with step h the error is h^2/6 times a
// third derivative (below 1000 here) plus 1e-14/h of rounding; h = 1e-5 gives 1.7e-8 + 1e-9.
TYPED_TEST(MaterialLaws, SecondDerivativeIsRightWhereStretchesAreEqual) {
  constexpr double h = 1e-5;
  for (const Vec3<double> s : {Vec3<double>{1, 1, 1}, {1.2, 1.2, 0.8}, {1.3, 0.7, 0.7}, {0.8, 0.8, 0.8}}) {
    if (!law_properties<TypeParam>.smooth && s[0] == 1) continue;  // the second derivative jumps at rest
    const Mat3<double> F = this->samples.with_stretches(s), dF = this->samples.matrix();
    const Mat3<double> ahead = typename TestFixture::At(this->p, F + h * dF).P();
    const Mat3<double> behind = typename TestFixture::At(this->p, F - h * dF).P();
    const Mat3<double> dP = typename TestFixture::At(this->p, F).dP(dF);
    EXPECT_LT(largest_entry((0.5 / h) * (ahead - behind) - dP), 2e-8);
  }
}

TYPED_TEST(MaterialLaws, SecondDerivativeIsSymmetric) {
  for (int i = 0; i < kSamples; ++i) {
    const auto H = this->matrix_of(typename TestFixture::At(this->p, this->deformation(i)));
    EXPECT_LT((H - H.transpose()).cwiseAbs().maxCoeff(), kRounding);
  }
}

TYPED_TEST(MaterialLaws, BlockIsTheSecondDerivativeAlongRankOneDirections) {
  const auto check = [](const auto& second, const Vec3<double>& a, const Vec3<double>& b) {
    const Mat3<double> block = second.block(a, b);
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> axis = column(Mat3<double>::identity(), k);
      const Vec3<double> expected = second.dP(outer(axis, b)) * a;
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(block(i, k), expected[i], kRounding);
    }
  };
  for (int i = 0; i < kSamples; ++i) {
    const Mat3<double> F = this->deformation(i);
    const Vec3<double> a = this->samples.vector(), b = this->samples.vector();
    check(typename TestFixture::At(this->p, F), a, b);
    check(typename TestFixture::Projected(this->p, F), a, b);
  }
}

TYPED_TEST(MaterialLaws, EnergyDoesNotChangeUnderARotationOfSpaceExceptInSmallStrain) {
  for (int i = 0; i < kSamples; ++i) {
    const Mat3<double> F = this->deformation(i), Q = this->samples.rotation();
    const double psi = typename TestFixture::At(this->p, F).psi();
    const double turned = typename TestFixture::At(this->p, Q * F).psi();
    if constexpr (TypeParam::function_of_C == FunctionOfC::nowhere) {
      EXPECT_GT(std::abs(turned - psi), 1e-6);  // small strain takes a rotation for a strain
    } else {
      EXPECT_NEAR(turned, psi, kRounding);
    }
  }
}

TYPED_TEST(MaterialLaws, EnergyHasAPreferredDirectionExactlyWhereTheLawSaysSo) {
  double largest = 0;
  for (int i = 0; i < kSamples; ++i) {
    const Mat3<double> F = this->deformation(i), Q = this->samples.rotation();
    const double psi = typename TestFixture::At(this->p, F).psi();
    largest =
        std::max(largest, std::abs(typename TestFixture::At(this->p, Q * F * transpose(Q)).psi() - psi));
  }
  if (law_properties<TypeParam>.isotropic) {
    EXPECT_LE(largest, kRounding);
  } else {
    EXPECT_GT(largest, 0.1);
  }
}

TYPED_TEST(MaterialLaws, RestIsFreeOfEnergyAndStressAndNothingHasLessEnergy) {
  const typename TestFixture::At rest(this->p, Mat3<double>::identity());
  EXPECT_NEAR(rest.psi(), 0, kRounding);
  EXPECT_LT(largest_entry(rest.P()), kRounding);
  for (int i = 0; i < kSamples; ++i)
    EXPECT_GT(typename TestFixture::At(this->p, this->deformation(i)).psi(), 1e-3);
}

TYPED_TEST(MaterialLaws, SmallStrainsAreLinearElasticity) {
  for (int i = 0; i < kSamples; ++i) {
    const Mat3<double> rest = Mat3<double>::identity(), dF = this->samples.matrix();
    const Mat3<double> linear = Linear::At<double>(TypeParam::at_rest(this->p), rest).dP(dF);
    EXPECT_LT(largest_entry(typename TestFixture::At(this->p, rest).dP(dF) - linear), kRounding);
  }
}

TYPED_TEST(MaterialLaws, YoungAndPoissonAreTheModuliAtRest) {
  using Moduli = LawProperties::Moduli;
  typename TypeParam::template Parameters<double> given{};
  if constexpr (requires { given.young; }) {
    given.young = 2.5;
    given.poisson = 0.3;
    const auto [mu, lambda] = TypeParam::at_rest(TypeParam::moduli(given));
    const double young_at_rest = mu * (3 * lambda + 2 * mu) / (lambda + mu);
    const double poisson_at_rest = lambda / (2 * (lambda + mu));
    constexpr Moduli at_rest = law_properties<TypeParam>.at_rest;
    if (at_rest == Moduli::lambda_is_bulk) {
      const Lame<double> linear = lame_from_young(given.young, given.poisson);
      EXPECT_DOUBLE_EQ(mu, linear.mu);
      EXPECT_DOUBLE_EQ(lambda + 2 * mu / 3, linear.lambda);
    } else if (at_rest == Moduli::other) {
      EXPECT_GT(std::abs(young_at_rest - given.young), 0.01);
    } else {
      EXPECT_NEAR(young_at_rest, given.young, 1e-15 * 10);
      EXPECT_NEAR(poisson_at_rest, at_rest == Moduli::poisson_is_zero ? 0 : given.poisson, 1e-15);
    }
  }
}

TYPED_TEST(MaterialLaws, ProjectionIsThePositivePartOfTheSecondDerivativeOrLargerThanIt) {
  for (int i = 0; i < kSamples; ++i) {
    const Mat3<double> F = this->deformation(i);
    const auto exact = this->matrix_of(typename TestFixture::At(this->p, F));
    const typename TestFixture::Projected projected(this->p, F);
    const auto H = this->matrix_of(projected);
    using Eigenvalues = Eigen::SelfAdjointEigenSolver<typename TestFixture::Hessian>;
    if (law_properties<TypeParam>.nearest_projection) {
      EXPECT_LT((H - this->positive_part(exact)).cwiseAbs().maxCoeff(), kRounding);
      const double least = Eigenvalues(exact).eigenvalues()[0];
      EXPECT_EQ(projected.changed(), least < -1e-9) << "least eigenvalue " << least;
    } else {
      EXPECT_GE(Eigenvalues(H).eigenvalues()[0], -kRounding);
      EXPECT_GE(Eigenvalues(H - exact).eigenvalues()[0], -kRounding);
      EXPECT_EQ(projected.changed(), (H - exact).norm() > 1e-9);
    }
  }
}

TYPED_TEST(MaterialLaws, ProjectionLeavesAStretchedStateAsItIs) {
  // Moderate equal tension: every law is convex there.
  const Mat3<double> F = this->samples.with_stretches({1.06, 1.05, 1.04});
  const typename TestFixture::Projected projected(this->p, F);
  EXPECT_FALSE(projected.changed());
  const auto exact = this->matrix_of(typename TestFixture::At(this->p, F));
  EXPECT_LT((this->matrix_of(projected) - exact).cwiseAbs().maxCoeff(), kRounding);
}

TYPED_TEST(MaterialLaws, ProjectionAtRestChangesNothing) {
  for (int i = 0; i < kSamples; ++i) {
    const Mat3<double> F = i == 0 ? Mat3<double>::identity() : this->samples.rotation();
    EXPECT_FALSE(typename TestFixture::Projected(this->p, F).changed());
  }
}

TYPED_TEST(MaterialLaws, ProjectionIsFiniteAndPositiveWhereStretchesAreEqualOrCancel) {
  std::vector<Vec3<double>> stretches = {{1, 1, 1}, {0.5, 0.5, 0.5}, {2, 2, 0.1}, {3, 0.2, 0.2}};
  if (!TypeParam::needs_positive_J)
    for (const Vec3<double> s :
         {Vec3<double>{1, 1, -1}, {1, 0.5, -0.5}, {1, 0, 0}, {9, 0, 0}, {0, 0, 0}, {1, 1, 0}})
      stretches.push_back(s);
  for (const Vec3<double>& s : stretches) {
    const Mat3<double> F = this->samples.with_stretches(s);
    const auto H = this->matrix_of(typename TestFixture::Projected(this->p, F));
    ASSERT_TRUE(H.allFinite());
    const Eigen::SelfAdjointEigenSolver<typename TestFixture::Hessian> eigen(H);
    // Rounding of what was there before the projection, which may have left nothing.
    EXPECT_GE(eigen.eigenvalues()[0], -1e-14 * (this->lame.mu + this->lame.lambda + eigen.eigenvalues()[8]));
  }
}

// Lanes fuse multiplications and additions in other places and have their own log: a few roundings apart.
TYPED_TEST(MaterialLaws, LanesEqualScalars) {
  using Lanes = Pack<kLanes>;
  const auto q = moduli_as<TypeParam, Lanes>(this->p);
  for (int i = 0; i < kSamples; ++i) {
    Mat3<double> scalars[kLanes], dF[kLanes];
    Mat3<Lanes> F, dF_lanes;
    for (int lane = 0; lane < kLanes; ++lane) {
      scalars[lane] = this->deformation(i + lane);
      dF[lane] = this->samples.matrix();
      for (int k = 0; k < 9; ++k) {
        F.e[k].set(lane, scalars[lane].e[k]);
        dF_lanes.e[k].set(lane, dF[lane].e[k]);
      }
    }
    const typename TypeParam::template At<Lanes> at(q, F);
    const typename TypeParam::template Projected<Lanes> projected(q, F);
    for (int lane = 0; lane < kLanes; ++lane) {
      const typename TestFixture::At one(this->p, scalars[lane]);
      const typename TestFixture::Projected one_projected(this->p, scalars[lane]);
      EXPECT_NEAR(at.psi()[lane], one.psi(), kRounding);
      EXPECT_EQ(projected.changed()[lane] != 0, one_projected.changed());
      for (int k = 0; k < 9; ++k) {
        EXPECT_NEAR(at.P().e[k][lane], one.P().e[k], kRounding);
        EXPECT_NEAR(at.dP(dF_lanes).e[k][lane], one.dP(dF[lane]).e[k], kRounding);
        EXPECT_NEAR(projected.dP(dF_lanes).e[k][lane], one_projected.dP(dF[lane]).e[k], kRounding);
      }
    }
  }
}

TYPED_TEST(MaterialLaws, OutsideItsDomainEnergyIsInfiniteAndStressIsNotFinite) {
  std::vector<Mat3<double>> cases = {Mat3<double>::zero(), diagonal(Vec3<double>{1, 1, 0}),
                                     diagonal(Vec3<double>{1, 1, -1})};
  for (int i = 0; i < kSamples; ++i) cases.push_back(this->samples.inverted());
  for (const Mat3<double>& F : cases) {
    const typename TestFixture::At at(this->p, F);
    if (TypeParam::needs_positive_J) {
      EXPECT_EQ(at.psi(), std::numeric_limits<double>::infinity());
      EXPECT_FALSE(std::isfinite(largest_entry(at.P())));
      const auto lanes =
          typename TypeParam::template At<Pack<4>>(moduli_as<TypeParam, Pack<4>>(this->p), [&] {
            Mat3<Pack<4>> G;
            for (int k = 0; k < 9; ++k) G.e[k] = Pack<4>(F.e[k]);
            return G;
          }());
      EXPECT_EQ(lanes.psi()[0], std::numeric_limits<double>::infinity());
    } else {
      EXPECT_TRUE(std::isfinite(at.psi()));
      EXPECT_TRUE(std::isfinite(largest_entry(at.P())));
      EXPECT_TRUE(std::isfinite(largest_entry(at.dP(this->samples.matrix()))));
    }
  }
}

}  // namespace
}  // namespace phiflex
