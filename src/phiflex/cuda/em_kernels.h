// The kernels of energy-momentum steps of linear tetrahedra: force and tangent of energy/elastic_two_state.h, with the
// stresses of material/two_state.h. w is the mean velocity of the step, dF = h grad w.
//
//   f_a = -V Fbar S g_a,   S += chi C0:(dE - ratio dE_before) + eta/h C0:dE                               (1)
//   K_ab = V [(g_a.S g_b) 1 + B_a(Fbar)' A B_b(F+)] = -2 df_a/dx+_b,   B_a(F) y = sym(F'y g_a')            (2)
//   A = (3) of material/two_state.h + 2 (chi + eta/h) C0
//
// Elements that are averaged along the chord have its stress and tangent by their share (material/two_state.h, (5)). A
// is symmetric, K is not: Fbar and F+ differ by how far the element turns and strains in half a step. What (2) leaves
// out is the derivative of the quotient (2) of two_state.h.
#pragma once

#include "phiflex/cuda/tet_kernels.h"
#include "phiflex/material/two_state.h"

namespace phiflex::device {

struct TwoStateView {
  const double* x;  // where the step starts, all vertices
  const double* w;  // m/s, all vertices; 0 of held ones
  double h;
  const double* psi;            // at x, of each tetrahedron
  const double* rest;           // of the linear elasticity at rest: mu at [e], lambda at [tets + e]
  double chi, ratio;            // of the dial
  const double* before;         // its dE of the step before, number k of element e at [k tets + e]; null: 0
  const double* eta = nullptr;  // of Kelvin and Voigt, s, of each tetrahedron; null: 0

  // What the strain of the step is multiplied with.
  PHIFLEX_HD double chi_of(int e) const { return eta ? chi + load(eta + e) / h : chi; }
};

PHIFLEX_HD inline Sym3<double> load_strain(const double* strains, int tets, int e) {
  Sym3<double> E;
  for (int k = 0; k < 6; ++k) E.e[k] = load(strains + static_cast<std::size_t>(k) * tets + e);
  return E;
}
PHIFLEX_HD inline Lame<double> load_rest(const double* rest, int tets, int e) {
  return {load(rest + e), load(rest + static_cast<std::size_t>(tets) + e)};
}

// Element e in the step.
template <class Law>
struct TwoStateElement {
  using Point = TwoStateLaw<Law, double>;
  Vec3<double> g[3];
  double volume;
  typename Law::template Moduli<double> moduli;
  PointStartOf<double> start;
  PointChangeOf<double> change;

  // F_of(g): the deformation gradient at the start, G_of(g): that of w.
  template <class FOf, class GOf>
  PHIFLEX_HD TwoStateElement(const TetView& tets, const double* all_moduli, const TwoStateView& step, int e,
                             const FOf& F_of, const GOf& G_of)
      : volume(load(tets.volume + e)),
        moduli(load_moduli<Law>(all_moduli, tets.tets, e)),
        start(start_of(tets, step, e, F_of)),
        change(start.F, step.h * G_of(g), Point::kOfC) {}

  PHIFLEX_HD Mat3<double> frame() const { return Point::kOfC ? change.F_bar : Mat3<double>::identity(); }
  // The share of the dial and of damping in S.
  PHIFLEX_HD Sym3<double> dial_stress(const TetView& tets, const TwoStateView& step, int e) const {
    const double chi = step.chi_of(e);
    if (chi == 0) return Sym3<double>::zero();
    Sym3<double> strain = chi * change.dE;
    if (step.before) strain += (-step.chi * step.ratio) * load_strain(step.before, tets.tets, e);
    return rest_stress(load_rest(step.rest, tets.tets, e), strain);
  }

 private:
  template <class FOf>
  PHIFLEX_HD PointStartOf<double> start_of(const TetView& tets, const TwoStateView& step, int e,
                                           const FOf& F_of) {
    load_gradients(tets, e, g);
    const Mat3<double> F = F_of(g);
    return {F, load(step.psi + e), Point::least_change(F)};
  }
};

// psi of each tetrahedron at x.
template <class Law>
struct StartDensities {
  TetView tets;
  const double* moduli;
  const double* x;
  double* psi;

  PHIFLEX_HD void operator()(int e) const {
    Vec3<double> g[3];
    load_gradients(tets, e, g);
    psi[e] = TwoStateLaw<Law, double>::density(load_moduli<Law>(moduli, tets.tets, e),
                                               deformation_gradient(tets, x, e, g));
  }
};

// From the vectors of all vertices, or of a patch.
struct GradientFromAll {
  const TetView& tets;
  const double* x;
  int e;
  PHIFLEX_HD Mat3<double> operator()(const Vec3<double> (&g)[3]) const {
    return deformation_gradient(tets, x, e, g);
  }
};
struct GradientFromPatch {
  const PatchVector& x;
  unsigned local;
  PHIFLEX_HD Mat3<double> operator()(const Vec3<double> (&g)[3]) const { return x.gradient(local, g); }
};

// (1), summed over each patch.
template <class Law>
struct TwoStateForces {
  TetView tets;
  PatchView patches;
  const double* moduli;
  TwoStateView step;
  double* sums;

  struct Shared {
    PatchVector x, w;
    PatchCorners corners;
  };
  static constexpr int kPhases = 3;
  template <int Phase>
  PHIFLEX_HD void run(int p, int thread, Shared& shared) const {
    const Patch patch(patches, p);
    if constexpr (Phase == 0) {
      shared.x.gather(patches, patch.first_vertex, patch.numbers, step.x, thread);
      shared.w.gather(patches, patch.first_vertex, patch.numbers, step.w, thread);
    } else if constexpr (Phase == 1) {
      if (thread < patch.tets) put_forces(patch.first + thread, thread, shared);
    } else {
      shared.corners.sum(patches, patch.first_vertex, patch.numbers, thread, sums);
    }
  }

 private:
  PHIFLEX_HD void put_forces(int e, int thread, Shared& shared) const {
    using Point = TwoStateLaw<Law, double>;
    const unsigned local = patches.local[e];
    const TwoStateElement<Law> at(tets, moduli, step, e, GradientFromPatch{shared.x, local},
                                  GradientFromPatch{shared.w, local});
    const Sym3<double> dial = at.dial_stress(tets, step, e);
    const double share = Point::chord_share(at.start, at.change);
    Mat3<double> P = Mat3<double>::zero();
    if (share < 1)
      P = (1 - share) * (at.change.F_bar * full(Point::mean_stress(at.moduli, at.start, at.change) + dial));
    if (share > 0)
      P += share * (Point::chord_stress(at.moduli, at.start, at.change) + at.frame() * full(dial));
    shared.corners.put(thread, -at.volume * P, at.g);
  }
};

// (2), rounded to float: 9 numbers for each ordered pair of corners, in the order of the codes of shares
// (tet_layout.h).
inline constexpr int kOrderedNumbers = 108;

template <class Law>
struct TwoStatePairs {
  TetView tets;
  const double* moduli;
  TwoStateView step;
  Float4* blocks;

  PHIFLEX_HD void operator()(int e) const {
    using Point = TwoStateLaw<Law, double>;
    const TwoStateElement<Law> at(tets, moduli, step, e, GradientFromAll{tets, step.x, e},
                                  GradientFromAll{tets, step.w, e});
    const double share = Point::chord_share(at.start, at.change);
    Sym3<double> S = at.dial_stress(tets, step, e);
    StrainTangentOf<double> A = StrainTangentOf<double>::zero();
    if (share < 1) {
      S += (1 - share) * Point::mean_stress(at.moduli, at.start, at.change);
      A = Point::tangent(at.moduli, at.start, at.change);
      for (Sym3<double>& column : A.column) column = (1 - share) * column;
    }
    if (const double chi = step.chi_of(e); chi != 0) {
      const Lame<double> rest = load_rest(step.rest, tets.tets, e);
      for (int k = 0; k < 6; ++k) A.column[k] += rest_stress(rest, 2 * chi * Sym3<double>::unit(k));
    }
    if constexpr (!Point::kOfC) S = Sym3<double>::zero();  // its strain is linear: no geometric part

    const Mat3<double> left = at.frame(), right = Point::kOfC ? at.change.F_plus : left;
    const double V = at.volume;
    float out[kOrderedNumbers];
    Mat3<double> first[3];  // K_a0; the gradients sum to zero
    for (Mat3<double>& block : first) block = Mat3<double>::zero();
    PHIFLEX_UNROLL
    for (int b = 0; b < 3; ++b) {
      const Vec3<double> Sg = S * at.g[b];
      Mat3<double> K[3];  // K_ab
      PHIFLEX_UNROLL
      for (int a = 0; a < 3; ++a) K[a] = Mat3<double>::scaled_identity(dot(at.g[a], Sg));
      PHIFLEX_UNROLL
      for (int k = 0; k < 3; ++k) {
        // B_b e_k = sym(F'e_k g_b'), and F'e_k is row k of F.
        const Vec3<double> row = {right(k, 0), right(k, 1), right(k, 2)};
        const Mat3<double> P = left * full(A.apply(symmetric_part(outer(row, at.g[b]))));
        PHIFLEX_UNROLL
        for (int a = 0; a < 3; ++a) {
          const Vec3<double> column = P * at.g[a];
          for (int j = 0; j < 3; ++j) K[a](j, k) += column[j];
        }
      }
      if constexpr (Point::kChords)
        if (share > 0)
          for (int i = 0; i < Point::kChordPoints; ++i) {
            const GaussPoint point = Point::chord_point(i);
            const typename Point::At derivative(at.moduli, at.start.F + point.g * at.change.dF);
            for (int a = 0; a < 3; ++a)
              K[a] += share * 2 * point.weight * point.g * derivative.block(at.g[a], at.g[b]);
          }
      put_block(-V * (K[0] + K[1] + K[2]), out + 18 * b);
      PHIFLEX_UNROLL
      for (int a = 0; a < 3; ++a) {
        first[a] += -V * K[a];
        if (a != b) put_block(V * K[a], out + 54 + 18 * (a + b - 1) + 9 * (a > b));
      }
    }
    PHIFLEX_UNROLL
    for (int a = 0; a < 3; ++a) put_block(first[a], out + 18 * a + 9);
    PHIFLEX_UNROLL
    for (int k = 0; k < kOrderedNumbers / 4; ++k)
      blocks[std::size_t(kOrderedNumbers / 4) * e + k] = {
          {out[4 * k], out[4 * k + 1], out[4 * k + 2], out[4 * k + 3]}};
  }
};

// The strain dE of the step, for the dial's memory.
template <class Law>
struct StrainChange {
  TetView tets;
  const double* x;
  const double* w;
  double h;
  double* strains;

  PHIFLEX_HD void operator()(int e) const {
    Vec3<double> g[3];
    load_gradients(tets, e, g);
    const PointChangeOf<double> change(deformation_gradient(tets, x, e, g),
                                       h * deformation_gradient(tets, w, e, g),
                                       TwoStateLaw<Law, double>::kOfC);
    for (int k = 0; k < 6; ++k) strains[static_cast<std::size_t>(k) * tets.tets + e] = change.dE.e[k];
  }
};
// V dE:C0:dE of each tetrahedron, weighted.
struct StrainEnergy {
  TetView tets;
  const double* rest;
  const double* strains;
  const double* weight;  // of each tetrahedron; null: 1
  PHIFLEX_HD Sums<1> operator()(int e) const {
    const Sym3<double> dE = load_strain(strains, tets.tets, e);
    return {{(weight ? load(weight + e) : 1.0) * load(tets.volume + e) *
             contract(dE, rest_stress(load_rest(rest, tets.tets, e), dE))}};
  }
};

// How many tetrahedra turn, and how many strain, faster than each of two limits, which are in units of `turn` and
// `strain` (rad and 1 in the time h). Of the velocity gradient L = grad v F^-1.
struct RateCounts {
  TetView tets;
  const double *x, *v;
  double h, turn, strain;
  double limit[2];

  PHIFLEX_HD Sums<4> operator()(int e) const {
    Vec3<double> g[3];
    load_gradients(tets, e, g);
    const Mat3<double> L =
        h * (deformation_gradient(tets, v, e, g) * inverse(deformation_gradient(tets, x, e, g)));
    const Vec3<double> twice = {L(2, 1) - L(1, 2), L(0, 2) - L(2, 0), L(1, 0) - L(0, 1)};
    const Sym3<double> D = symmetric_part(L);
    const double turning = 0.5 * ::sqrt(dot(twice, twice)) / turn,
                 straining = ::sqrt(contract(D, D)) / strain;
    Sums<4> counts;
    for (int k = 0; k < 2; ++k) {  // what is no number is fast
      counts.e[k] = turning <= limit[k] ? 0 : 1;
      counts.e[2 + k] = straining <= limit[k] ? 0 : 1;
    }
    return counts;
  }
};

// r = M (w - v) - h/2 (f + load + M gravity) from the sums of patches, and  w'r, w'M w, (w - v)'M (w - v), r'M^-1 r.
template <int Lanes>
struct EmResidual {
  GatherForces<Lanes> gather;
  double h;
  Outside outside;
  const double *mass, *v, *w;
  double* r;

  PHIFLEX_HD Vec3<double> part(int i, int lane) const { return gather.part(i, lane); }
  PHIFLEX_HD Sums<4> finish(int i, const Vec3<double>& f) const {
    const double m = load(mass + i);
    const Vec3<double> wi = load3(w, i), change = wi - load3(v, i);
    const Vec3<double> ri =
        m * (change - (0.5 * h) * outside.gravity) - (0.5 * h) * outside.force(f, i, m, wi);
    store3(r, i, ri);
    return {{dot(wi, ri), m * dot(wi, wi), m * dot(change, change), dot(ri, ri) / m}};
  }
};

}  // namespace phiflex::device
