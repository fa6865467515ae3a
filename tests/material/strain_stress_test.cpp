// Laws as functions of C = F'F (material/strain_stress.h).
#include "phiflex/material/strain_stress.h"

#include <gtest/gtest.h>

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
class StrainLaws : public ::testing::Test {
 protected:
  const typename Law::template Moduli<double> p = test::example_moduli<Law>(2.5e-6);
  Samples samples{11};
  static constexpr bool kOfC = Law::function_of_C != FunctionOfC::nowhere;
};

template <class Tuple>
struct AsTypes;
template <class... L>
struct AsTypes<std::tuple<L...>> {
  using Type = ::testing::Types<L..., DesignedSpline>;
};
struct StrainLawName {
  template <class Law>
  static std::string GetName(int) {
    return std::string(Law::name);
  }
};
TYPED_TEST_SUITE(StrainLaws, typename AsTypes<Laws>::Type, StrainLawName);

double largest_entry(const Sym3<double>& a) {
  return test::largest_entry(full(a));
}

TYPED_TEST(StrainLaws, EnergyOfATurnedShapeIsTheSameExactlyWhereTheLawSaysSo) {
  using At = typename TypeParam::template At<double>;
  for (int i = 0; i < kSamples; ++i) {
    const Mat3<double> F = this->samples.ordinary(), turned = this->samples.rotation() * F;
    const double difference = std::abs(At(this->p, turned).psi() - At(this->p, F).psi());
    if (this->kOfC) {
      EXPECT_LE(difference, kRounding);
    } else {
      EXPECT_GT(difference, 1e-3);
    }
    if (TypeParam::needs_positive_J) continue;
    const Mat3<double> mirrored = diagonal(Vec3<double>{1, 1, -1}) * F;
    const double mirror = std::abs(At(this->p, mirrored).psi() - At(this->p, F).psi());
    if (TypeParam::function_of_C == FunctionOfC::everywhere) {
      EXPECT_LE(mirror, kRounding);
    } else {
      EXPECT_GT(mirror, 1e-3);
    }
  }
}

TYPED_TEST(StrainLaws, StressAndEnergyOfCAreThoseOfF) {
  if constexpr (TestFixture::kOfC) {
    for (int i = 0; i < kSamples; ++i) {
      const Mat3<double> F = this->samples.ordinary();
      const typename TypeParam::template At<double> at(this->p, F);
      const StrainLaw<TypeParam, double> of_strain(this->p, gram(F));
      EXPECT_NEAR(of_strain.psi(), at.psi(), kRounding);
      EXPECT_LE(largest_entry(F * full(of_strain.S()) - at.P()), kRounding);
    }
  }
}

TYPED_TEST(StrainLaws, TheShortWayIsTheGeneralOne) {
  if constexpr (TestFixture::kOfC) {
    for (int i = 0; i < kSamples; ++i) {
      const Sym3<double> C = gram(this->samples.ordinary());
      const StrainLaw<TypeParam, double> law(this->p, C);
      const CholeskyStrain<TypeParam, double> general(this->p, C);
      const Sym3<double> dC = symmetric_part(this->samples.matrix());
      EXPECT_NEAR(law.psi(), general.psi(), kRounding);
      EXPECT_LE(largest_entry(law.S() - general.S()), 10 * kRounding);  // stretches of 0.3: F^-1 is 3
      EXPECT_LE(largest_entry(law.dS(dC) - general.dS(dC)), 100 * kRounding);
    }
  }
}

TYPED_TEST(StrainLaws, StressIsTwiceTheDerivativeOfTheEnergyAndItsDerivativeIsItsDerivative) {
  if constexpr (TestFixture::kOfC) {
    using Of = StrainLaw<TypeParam, double>;
    for (int i = 0; i < kSamples; ++i) {
      const Sym3<double> C = gram(this->samples.ordinary()), dC = symmetric_part(this->samples.matrix());
      // Five points: errors of h^4 times fifth derivatives, up to 1e2/0.09^4 at eigenvalues of 0.09, and eps/h.
      const double h = 1e-4;
      const auto derivative = [&](const auto& g) {
        return (1 / (12 * h)) * (8.0 * (g(h) - g(-h)) - (g(2 * h) - g(-2 * h)));
      };
      const double psi = derivative([&](double s) { return Of(this->p, C + s * dC).psi(); });
      EXPECT_NEAR(0.5 * contract(Of(this->p, C).S(), dC), psi, 1e-8);
      Sym3<double> dS;
      for (int k = 0; k < 6; ++k)
        dS.e[k] = derivative([&](double s) { return Of(this->p, C + s * dC).S().e[k]; });
      EXPECT_LE(largest_entry(Of(this->p, C).dS(dC) - dS), 1e-6);
    }
  }
}

// Twice the change of energy that a step's stress misses: the rule of two Gauss points, on its own and with
// the correction along dC (energy/elastic_two_state.h, (2) and (3)).
template <class Law>
Sym3<double> rule(const typename Law::template Moduli<double>& p, const Sym3<double>& C,
                  const Sym3<double>& dC) {
  const double g = 0.5 - 0.5 / std::sqrt(3.0);
  using Of = StrainLaw<Law, double>;
  return 0.5 * (Of(p, C + g * dC).S() + Of(p, C + (1 - g) * dC).S());
}

TYPED_TEST(StrainLaws, TheCorrectedStressTimesTheChangeOfCIsTwiceTheChangeOfEnergy) {
  if constexpr (TestFixture::kOfC) {
    using At = typename TypeParam::template At<double>;
    for (int i = 0; i < kSamples; ++i) {
      const Mat3<double> F = this->samples.ordinary(), F_plus = this->samples.ordinary();  // far turned, too
      const Sym3<double> C = gram(F), dC = gram(F_plus) - C;
      const double change = 2 * (At(this->p, F_plus).psi() - At(this->p, F).psi());
      Sym3<double> S = rule<TypeParam>(this->p, C, dC);
      S += ((change - contract(S, dC)) / contract(dC, dC)) * dC;
      const double size = std::sqrt(contract(S, S) * contract(dC, dC)) + std::abs(change);
      EXPECT_NEAR(contract(S, dC), change, 1e-12 * size);
    }
  }
}

TYPED_TEST(StrainLaws, BelowTheLimitOfTheCorrectionTheRuleAloneIsExactToRounding) {
  if constexpr (TestFixture::kOfC) {
    using At = typename TypeParam::template At<double>;
    for (double least : {1.0, 0.3, 0.1, 0.03}) {
      for (int i = 0; i < kSamples; ++i) {
        // One strongly compressed direction.
        const Mat3<double> F = this->samples.with_stretches({1.3, 0.9, least});
        const Sym3<double> C = gram(F);
        const double J = determinant(F), c = std::min(1.0, 9 * J * J / (trace(C) * trace(C)));
        // The F+ with |dC| just at the limit: F + t A.
        const double limit = law_properties<TypeParam>.smooth ? 1e-3 : 1e-6;
        const Mat3<double> A = this->samples.matrix();
        double t = 1e-3;
        for (int round = 0; round < 30; ++round) {
          const Sym3<double> dC = gram(F + t * A) - C;
          t *= limit * c / std::sqrt(contract(dC, dC));
        }
        const Mat3<double> F_plus = F + t * A;
        const Sym3<double> dC = symmetric_part(2 * t * (transpose(F + 0.5 * t * A) * A));
        const double change = 2 * (At(this->p, F_plus).psi() - At(this->p, F).psi());
        const Sym3<double> S = rule<TypeParam>(this->p, C, dC);
        // Moduli of order one: psi and its change err by some roundings of psi and of P:F, as does the
        // difference of two such energies.
        const Mat3<double> P = At(this->p, F).P();
        const double scale = 1 + std::abs(At(this->p, F).psi()) + std::sqrt(contract(P, P));
        EXPECT_NEAR(contract(S, dC), change, 2e-14 * scale) << "least stretch " << least;
      }
    }
  }
}

TYPED_TEST(StrainLaws, LanesAgreeWithDoubles) {
  if constexpr (TestFixture::kOfC) {
    using Lanes = Pack<4>;
    Mat3<double> F[4];
    Sym3<Lanes> C;
    for (int lane = 0; lane < 4; ++lane) {
      F[lane] = lane == 0 ? Mat3<double>::identity() : this->samples.ordinary();
      for (int k = 0; k < 6; ++k) C.e[k].set(lane, gram(F[lane]).e[k]);
    }
    const StrainLaw<TypeParam, Lanes> lanes(moduli_as<TypeParam, Lanes>(this->p), C);
    for (int lane = 0; lane < 4; ++lane) {
      const StrainLaw<TypeParam, double> one(this->p, gram(F[lane]));
      EXPECT_NEAR(lanes.psi()[lane], one.psi(), kRounding);
      for (int k = 0; k < 6; ++k) {
        EXPECT_NEAR(lanes.S().e[k][lane], one.S().e[k], kRounding);
        EXPECT_NEAR(lanes.dS(C).e[k][lane], one.dS(gram(F[lane])).e[k], kRounding);
      }
    }
  }
}

TYPED_TEST(StrainLaws, AtRestThereIsNoStressAndTheTangentIsThatOfLinearElasticity) {
  if constexpr (TestFixture::kOfC) {
    const Sym3<double> one = Sym3<double>::scaled_identity(1);
    const StrainLaw<TypeParam, double> rest(this->p, one);
    EXPECT_LE(largest_entry(rest.S()), 1e-14);
    const Sym3<double> dC = symmetric_part(this->samples.matrix());
    const Sym3<double> linear = rest_stress(TypeParam::at_rest(this->p), 0.5 * dC);
    EXPECT_LE(largest_entry(rest.dS(dC) - linear), 1e-13);
  }
}

}  // namespace
}  // namespace phiflex
