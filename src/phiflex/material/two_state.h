// The stress of an energy-momentum step at a point of a body, over any number type: lanes of elements on the CPU
// (energy/point_law_of.h), one element on a graphics card (cuda/em_kernels.h). With F+ = F + dF, Fbar = F + dF/2, C =
// F'F and dE = sym(Fbar'dF) = (C+ - C)/2,
//
//   S = 1/2 [S(C + 2 g1 dE) + S(C + 2 g2 dE)],   g = 1/2 -+ 1/(2 sqrt 3),   S(C) = 2 dpsi/dC              (1)
//   S += dE [psi+ - psi - S:dE]/(dE:dE)   where 4 dE:dE > 1e-6 c^2,   c = min(1, 9 det C/(tr C)^2)        (2)
//   A = sum_i 2 g_i dS/dC(C + 2 g_i dE), a map of strains                                                 (3)
//   P = sum_i w_i P(F + g_i dF),   P += dF [psi+ - psi - P:dF]/(dF:dF)   where psi is no function of C    (4)
//   P <- (1 - s) Fbar S + s P,   s = 1 - t^2 (3 - 2 t),   t = min(J, J+)/0.05 in [0, 1]                   (5)
//
// An element that is inverted at one end of the step has the stress (4), an upright one Fbar S. Both do the work that
// the energy asks for, and differ: without (5) the force would jump where an element turns inside out, and a step that
// comes to lie there would have no solution.
// What they are for, and where the limits come from: energy/elastic_two_state.h.
#pragma once

#include <limits>

#include "phiflex/material/strain_stress.h"

namespace phiflex {

// A point where an energy-momentum step starts.
template <class Real>
struct PointStartOf {
  Mat3<Real> F;
  Real psi;
  Real least;  // dE:dE above which the quotient (2) acts
};

// What the step does to a point. Of a law that is no function of C the strain is sym(F), and the frame that carries a
// stress to the first Piola-Kirchhoff stress is 1.
template <class Real>
struct PointChangeOf {
  Mat3<Real> dF, F_plus, F_bar;
  Sym3<Real> dE;

  PHIFLEX_HD PointChangeOf(const Mat3<Real>& F, const Mat3<Real>& change, bool function_of_C)
      : dF(change),
        F_plus(F + change),
        F_bar(F + Real(0.5) * change),
        dE(symmetric_part(function_of_C ? transpose(F_bar) * change : change)) {}
};

// A linear map of symmetric matrices: s = A y for the six entries of s and y (base/sym3.h).
template <class Real>
struct StrainTangentOf {
  Sym3<Real> column[6];  // what the map makes of Sym3::unit(k)

  PHIFLEX_HD static StrainTangentOf zero() {
    StrainTangentOf A;
    for (Sym3<Real>& column : A.column) column = Sym3<Real>::zero();
    return A;
  }
  PHIFLEX_HD Sym3<Real> apply(const Sym3<Real>& y) const {
    Sym3<Real> s = y.e[0] * column[0];
    for (int k = 1; k < 6; ++k) s += y.e[k] * column[k];
    return s;
  }
};

struct GaussPoint {
  double weight, g;
};

// s of (5) of a law that is a function of C where a point is upright.
template <class Real>
PHIFLEX_HD Real chord_share(const Mat3<Real>& F, const Mat3<Real>& F_plus) {
  constexpr double upright = 0.05;
  const Real least = min(determinant(F), determinant(F_plus));
  const Real t = max(Real(0.0), min(Real(1.0), Real(1 / upright) * least));
  return Real(1.0) - t * t * (Real(3.0) - Real(2.0) * t);
}

template <class Law, class Real>
struct TwoStateLaw {
  using At = typename Law::template At<Real>;
  using Strain = StrainLaw<Law, Real>;
  using Given = LawModuli<Law, Real>;
  using Start = PointStartOf<Real>;
  using Change = PointChangeOf<Real>;

  static constexpr bool kOfC = Law::function_of_C != FunctionOfC::nowhere;  // somewhere
  // Some points, or all, are averaged along the chord.
  static constexpr bool kChords = Law::function_of_C != FunctionOfC::everywhere && !Law::needs_positive_J;
  // Of (2) and (4). A law that is not smooth errs by the square of dE where its second derivative jumps, and is
  // corrected down to where that is rounding.
  static constexpr double kLeastChange = law_properties<Law>.smooth ? 1e-6 : 1e-12;
  static constexpr int kStrainPoints = 2, kChordPoints = 3;

  PHIFLEX_HD static GaussPoint strain_point(int i) {
    constexpr double root_third = 0.5773502691896258;
    return {0.5, i == 0 ? 0.5 - root_third / 2 : 0.5 + root_third / 2};
  }
  PHIFLEX_HD static GaussPoint chord_point(int i) {
    constexpr double root_three_fifths = 0.7745966692414834;
    if (i == 1) return {8.0 / 18, 0.5};
    return {5.0 / 18, i == 0 ? 0.5 - root_three_fifths / 2 : 0.5 + root_three_fifths / 2};
  }

  // psi(F), from C where that is the shorter way.
  PHIFLEX_HD static Real density(const Given& p, const Mat3<Real>& F) {
    if constexpr (!kOfC || !kChords) {
      return At(p, F).psi();
    } else {
      const Real psi = Strain(p, gram(F)).psi();
      const MaskOf<Real> upright = determinant(F) > Real(0.0);
      return any(!upright) ? select(upright, psi, At(p, F).psi()) : psi;
    }
  }

  PHIFLEX_HD static Start start(const Given& p, const Mat3<Real>& F) {
    return {F, density(p, F), least_change(F)};
  }
  PHIFLEX_HD static Real least_change(const Mat3<Real>& F) {
    const Real size = trace(gram(F)), J = determinant(F);
    const Real c = min(Real(1.0), Real(9.0) * J * J / (size * size));
    return Real(0.25 * kLeastChange) * c * c;
  }

  // s of (5): 1 where a point is averaged along the chord alone, 0 where it is not.
  PHIFLEX_HD static Real chord_share(const Start& start, const Change& change) {
    if constexpr (!kChords) return Real(0.0);
    if constexpr (!kOfC) return Real(1.0);
    return phiflex::chord_share(start.F, change.F_plus);
  }

  // (1) and (2); zero of a law that is no function of C.
  PHIFLEX_HD static Sym3<Real> mean_stress(const Given& p, const Start& start, const Change& change) {
    Sym3<Real> S = Sym3<Real>::zero();
    if constexpr (kOfC) {
      const Sym3<Real> C = gram(start.F);
      for (int i = 0; i < kStrainPoints; ++i) {
        const GaussPoint point = strain_point(i);
        S += Real(point.weight) * Strain(p, C + Real(2 * point.g) * change.dE).S();
      }
      const Real size = contract(change.dE, change.dE);
      if (any(size > start.least)) {
        const Real excess = (density(p, change.F_plus) - start.psi - contract(S, change.dE)) / size;
        S += select(size > start.least, excess, Real(0.0)) * change.dE;
      }
      if constexpr (Law::needs_positive_J) {
        // C does not tell an inverted element from its mirror image.
        const Real nan(std::numeric_limits<double>::quiet_NaN());
        const MaskOf<Real> upright = determinant(change.F_plus) > Real(0.0);
        for (Real& entry : S.e) entry = select(upright, entry, nan);
      }
    }
    return S;
  }

  // (3)
  PHIFLEX_HD static StrainTangentOf<Real> tangent(const Given& p, const Start& start, const Change& change) {
    StrainTangentOf<Real> A = StrainTangentOf<Real>::zero();
    if constexpr (kOfC) {
      const Sym3<Real> C = gram(start.F);
      for (int i = 0; i < kStrainPoints; ++i) {
        const GaussPoint point = strain_point(i);
        const Strain strain(p, C + Real(2 * point.g) * change.dE);
        for (int k = 0; k < 6; ++k)
          A.column[k] += Real(4 * point.weight * point.g) * strain.dS(Sym3<Real>::unit(k));
      }
    }
    return A;
  }

  // (4); zero of a law that has no chords.
  PHIFLEX_HD static Mat3<Real> chord_stress(const Given& p, const Start& start, const Change& change) {
    Mat3<Real> P = Mat3<Real>::zero();
    if constexpr (kChords) {
      for (int i = 0; i < kChordPoints; ++i) {
        const GaussPoint point = chord_point(i);
        P += Real(point.weight) * At(p, start.F + Real(point.g) * change.dF).P();
      }
      const Real size = contract(change.dF, change.dF);
      const Real excess = (density(p, change.F_plus) - start.psi - contract(P, change.dF)) / size;
      P += select(size > Real(kLeastChange), excess, Real(0.0)) * change.dF;
    }
    return P;
  }
};

}  // namespace phiflex
