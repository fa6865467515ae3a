// The energy-momentum force of tetrahedra of one material law, at each of an element's points with its share
// of the rest volume V. With F+ = F + dF, Fbar = F + dF/2 and the
// strain E = (C - 1)/2, C = F'F,
//
//   f_a = -V Fbar S g_a,   dE = sym(Fbar'dF) = (C+ - C)/2                                                 (1)
//   S = 1/2 [S(C + 2 g1 dE) + S(C + 2 g2 dE)],   g = 1/2 -+ 1/(2 sqrt 3),   S(C) = 2 dpsi/dC              (2)
//   S += dE [psi+ - psi - S:dE]/(dE:dE)   where 4 dE:dE > 1e-6 c^2                                        (3)
//   S += damping (two_state_term.h, (2))
//
// so that S:dE = psi+ - psi; S is symmetric, and f makes no torque about the midpoint. c = min(1, 9 det C/(tr
// C)^2) bounds the least eigenvalue of C from below, up to a factor 4/9: below the limit of (3) no eigenvalue
// changes by more than some 2e-3 of itself, and the error of (2), the fifth derivative of psi along the step
// by 4320, is less than roundings; above it the quotient magnifies the rounding of psi by 1e3 at most. Simo
// and Tarnow, The discrete energy-momentum method (1992); Gonzalez, Time integration and discrete Hamiltonian
// systems (1996).
//
// Where the law is not a function of C (a linear material; an element that is inverted at one end of the
// step), the stress is averaged along the chord by three Gauss points and corrected in the same way,
//
//   f_a = -V P g_a,   P = sum_i w_i P(F + g_i dF),   P += dF [psi+ - psi - P:dF]/(dF:dF)                  (4)
//
// which keeps the energy, and linear but not angular momentum. A linear material's damping acts on its own
// strain, dE = sym(dF), with F replaced by 1.
//
// The tangent, the change of the quotient in (3) and (4) left out (it is of the order of the rule's error):
//
//   K_ab = V [(g_a.S g_b) 1 + sym. part of B_a(Fbar)' A B_b(F+)],   B_a(F) y = sym(F'y g_a')              (5)
//   A = sum_i 2 g_i dS/dC(C + 2 g_i dE) + 2 (chi + eta/h) C0
//
// Projected: positive parts of S and A, and Fbar on both sides.
#pragma once

#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "phiflex/energy/strain_tangent.h"
#include "phiflex/energy/two_state_term.h"
#include "phiflex/fem/tet_batches.h"
#include "phiflex/fem/tet_stiffness.h"
#include "phiflex/material/spline.h"
#include "phiflex/material/strain_stress.h"

namespace phiflex {
namespace two_state_detail {

struct GaussPoint {
  double weight, g;
};
constexpr double kRootThird = 0.5773502691896258, kRootThreeFifths = 0.7745966692414834;
constexpr GaussPoint kStrainRule[] = {{0.5, 0.5 - kRootThird / 2}, {0.5, 0.5 + kRootThird / 2}};  // (2)
constexpr GaussPoint kChordRule[] = {
    {5.0 / 18, 0.5 - kRootThreeFifths / 2}, {8.0 / 18, 0.5}, {5.0 / 18, 0.5 + kRootThreeFifths / 2}};  // (4)
// Of C, squared; (3). A law that is not smooth errs by the square of dE where its second derivative jumps, and is
// corrected down to where that is rounding.
template <class Law>
constexpr double kLeastChange = law_properties<Law>.smooth ? 1e-6 : 1e-12;
constexpr int kStrains = 6 * kLanes;  // numbers of dE in a batch

inline const Lanes kInfinity(std::numeric_limits<double>::infinity());
inline const Lanes kNaN(std::numeric_limits<double>::quiet_NaN());

template <class Matrix>
Matrix select_each(MaskOf<Lanes> mask, const Matrix& yes, const Matrix& no) {
  Matrix m;
  for (std::size_t k = 0; k < std::size(m.e); ++k) m.e[k] = select(mask, yes.e[k], no.e[k]);
  return m;
}

inline Sym3<Lanes> load(const double* strains) {
  Sym3<Lanes> E;
  std::memcpy(&E, strains, sizeof E);
  return E;
}

template <class Law, class Element>
class ElasticTwoState final : public TwoStateTerm {
 public:
  using At = typename Law::template At<Lanes>;
  using Projected = typename Law::template Projected<Lanes>;
  using Strain = StrainLaw<Law, Lanes>;

  static constexpr bool kOfC = Law::function_of_C != FunctionOfC::nowhere;
  // Some elements, or all, are averaged along the chord.
  static constexpr bool kChords = Law::function_of_C != FunctionOfC::everywhere && !Law::needs_positive_J;

  using Batch = TetBatchOf<Element>;
  using Nodes = NodeVectors<Element::kNodes>;

  using Moduli = typename Law::template Moduli<Lanes>;

  // moduli: of each batch. curves: of laws that have them, or null. tets, moduli and curves must outlive it.
  ElasticTwoState(const TetBatchesOf<Element>& tets, const std::vector<Moduli>& moduli,
                  const SplineCurves* curves, const FreeVertices& free, const SparsityPattern& pattern)
      : tets_(tets),
        moduli_(moduli),
        curves_(curves),
        places_(make_block_places(tets, free.row_of_vertex, pattern)) {
    for (const Moduli& p : moduli) {
      Lame<Lanes> rest;
      for (int lane = 0; lane < kLanes; ++lane) {
        ModulusArray<Law, double> numbers;
        for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = modulus_array<Law, Lanes>(p)[k][lane];
        const Lame<double> of_lane =
            Law::at_rest(with_curves<Law, double>(moduli_of<Law, double>(numbers), curves));
        rest.mu.set(lane, of_lane.mu);
        rest.lambda.set(lane, of_lane.lambda);
      }
      rest_.push_back(rest);
    }
    start_.resize(tets.batches().size() * kPoints);
  }

  void begin(const Vector& x, const StepDamping& damping) override {
    damping_ = damping;
    for_each_point([&](int i, int q) PHIFLEX_KERNEL {
      Start& start = start_[place(i, q)];
      start.F = deformation_gradient(batches()[i], x.data(), q);
      start.psi = density(i, start.F);
      const Lanes size = trace(gram(start.F)), J = determinant(start.F);
      const Lanes c = min(Lanes(1.0), Lanes(9.0) * J * J / (size * size));
      start.least = Lanes(0.25 * kLeastChange<Law>) * c * c;
    });
  }

  void add_force(const Vector& dx, Vector& f) override {
    std::atomic<bool> chords = false;
    tets_.schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
      bool chords_here = false;
      for (int i = first; i < last; ++i) {
        const Batch& batch = batches()[i];
        const Nodes nodes = gather(batch, dx.data());
        Nodes forces;
        for (int q = 0; q < kPoints; ++q) {
          const Change change(start_[place(i, q)].F, deformation_gradient(batch, nodes, q));
          Mat3<Lanes> P = Mat3<Lanes>::zero();
          if constexpr (kOfC) P = change.F_bar * full(stress(i, q, change) + damping_stress(i, q, change.dE));
          if constexpr (kChords) {
            const MaskOf<Lanes> chord = needs_chord(i, q, change);
            if (any(chord)) {
              const Mat3<Lanes> averaged =
                  chord_stress(i, q, change) + change.frame() * full(damping_stress(i, q, change.dE));
              P = select_each(chord, averaged, P);
              chords_here = true;
            }
          }
          spread_stress(batch, P, -1.0, q, forces);  // (1)
        }
        scatter(batch, forces, f.data());
      }
      if (chords_here) chords.store(true, std::memory_order_relaxed);
    });
    chords_ = chords;
  }

  void add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K) override {
    if (definiteness == Definiteness::exact)
      add_tangent<At>(dx, K);
    else
      add_tangent<Projected>(dx, K);
  }

  bool turns_bodies() const override { return chords_; }

  double dissipated(const Vector& dx) override {
    return damping_.eta == 0 ? 0 : damping_.eta / damping_.h * sum([&](int i, int q) {
                                     const Sym3<Lanes> dE = strain_change(i, q, dx);
                                     return contract(dE, rest_stress(rest_[i], dE));
                                   });
  }

  Index memory_size() const override { return kStrains * Index(start_.size()); }
  void strain_change(const Vector& dx, double* memory) override {
    for_each_point([&](int i, int q) PHIFLEX_KERNEL {
      const Sym3<Lanes> dE = strain_change(i, q, dx);
      std::memcpy(memory + kStrains * Index(place(i, q)), &dE, sizeof dE);
    });
  }
  double dial_energy(double chi, const double* memory) override {
    return 0.5 * chi * sum([&](int i, int q) {
             const Sym3<Lanes> dE = load(memory + kStrains * Index(place(i, q)));
             return contract(dE, rest_stress(rest_[i], dE));
           });
  }

  // At every point, of the velocity gradient L = F' F^-1: the angular velocity and the size of the rate of
  // deformation.
  Index elements() const override { return Index(kPoints) * tets_.count(); }
  void rates(const Vector& x, const Vector& v, std::span<double> spin, std::span<double> strain) override {
    for_each_point([&](int i, int q) PHIFLEX_KERNEL {
      const Mat3<Lanes> L = deformation_gradient(batches()[i], v.data(), q) *
                            inverse(deformation_gradient(batches()[i], x.data(), q));
      const Vec3<Lanes> twice = {L(2, 1) - L(1, 2), L(0, 2) - L(2, 0), L(1, 0) - L(0, 1)};
      const Sym3<Lanes> D = symmetric_part(L);
      const Lanes turning = Lanes(0.5) * norm(twice), straining = sqrt(contract(D, D));
      const Lanes finite_turning = select(turning < kInfinity, turning, kInfinity);
      const Lanes finite_straining = select(straining < kInfinity, straining, kInfinity);
      for (int lane = 0; lane < tets_.lanes_used(i); ++lane) {
        const auto at = std::size_t(q) * std::size_t(tets_.count()) + std::size_t(kLanes * i + lane);
        spin[at] = finite_turning[lane];
        strain[at] = finite_straining[lane];
      }
    });
  }

 private:
  struct Start {
    Mat3<Lanes> F;
    Lanes psi;
    Lanes least;  // dE:dE above which (3) acts
  };

  // What the step does to an element.
  struct Change {
    Mat3<Lanes> dF, F_plus, F_bar;
    Sym3<Lanes> dE;

    Change(const Mat3<Lanes>& F, const Mat3<Lanes>& change)
        : dF(change),
          F_plus(F + change),
          F_bar(F + Lanes(0.5) * change),
          dE(symmetric_part(kOfC ? transpose(F_bar) * change : change)) {}
    // What carries a stress S to the first Piola-Kirchhoff stress.
    Mat3<Lanes> frame() const { return kOfC ? F_bar : Mat3<Lanes>::identity(); }
  };

  static constexpr int kAhead = 2;  // batches between the request for memory and its use

  static constexpr int kPoints = Element::kPoints;

  const std::vector<Batch>& batches() const { return tets_.batches(); }
  static int place(int batch, int point) { return batch * kPoints + point; }
  LawModuli<Law, Lanes> parameters(int batch) const {
    return with_curves<Law, Lanes>(moduli_[batch], curves_);
  }
  Sym3<Lanes> strain_change(int i, int q, const Vector& dx) const {
    return Change(start_[place(i, q)].F, deformation_gradient(batches()[i], dx.data(), q)).dE;
  }

  template <class Body>
  void for_each_point(const Body& body) const {
    tets_.schedule().for_each_chunk([&](int first, int last) {
      for (int i = first; i < last; ++i)
        for (int q = 0; q < kPoints; ++q) body(i, q);
    });
  }
  // The sum over all points of w V density(batch, point).
  template <class Density>
  double sum(const Density& density) const {
    return tets_.schedule().sum([&](int first, int last) PHIFLEX_KERNEL {
      Lanes total(0.0);
      for (int i = first; i < last; ++i)
        for (int q = 0; q < kPoints; ++q)
          total += (Lanes(Element::kWeight) * batches()[i].volume) * density(i, q);
      double lanes = 0;
      for (int lane = 0; lane < kLanes; ++lane) lanes += total[lane];
      return lanes;
    });
  }

  // psi(F), from C where that is the shorter way.
  Lanes density(int i, const Mat3<Lanes>& F) const {
    if constexpr (!kOfC || !kChords) return At(parameters(i), F).psi();
    const Lanes psi = Strain(parameters(i), gram(F)).psi();
    const MaskOf<Lanes> upright = determinant(F) > Lanes(0.0);
    return any(!upright) ? select(upright, psi, At(parameters(i), F).psi()) : psi;
  }

  MaskOf<Lanes> needs_chord(int i, int q, const Change& change) const {
    if constexpr (!kOfC) return Lanes(0.0) < Lanes(1.0);
    return !((determinant(start_[place(i, q)].F) > Lanes(0.0)) & (determinant(change.F_plus) > Lanes(0.0)));
  }

  // (2) and (3).
  Sym3<Lanes> stress(int i, int q, const Change& change) const {
    const Start& start = start_[place(i, q)];
    const Sym3<Lanes> C = gram(start.F);
    Sym3<Lanes> S = Sym3<Lanes>::zero();
    for (const GaussPoint& point : kStrainRule)
      S += Lanes(point.weight) * Strain(parameters(i), C + Lanes(2 * point.g) * change.dE).S();
    const Lanes size = contract(change.dE, change.dE);
    if (any(size > start.least)) {
      const Lanes excess = (density(i, change.F_plus) - start.psi - contract(S, change.dE)) / size;
      S += select(size > start.least, excess, Lanes(0.0)) * change.dE;
    }
    if constexpr (!Law::needs_positive_J) return S;
    // C does not tell an inverted element from its mirror image.
    const MaskOf<Lanes> upright = determinant(change.F_plus) > Lanes(0.0);
    return select_each(upright, S, Sym3<Lanes>::scaled_identity(kNaN));
  }

  Sym3<Lanes> damping_stress(int i, int q, const Sym3<Lanes>& dE) const {
    Sym3<Lanes> change = Lanes(damping_.chi + damping_.eta / damping_.h) * dE;
    if (damping_.memory && damping_.chi != 0)
      change += Lanes(-damping_.chi * damping_.ratio) * load(damping_.memory + kStrains * Index(place(i, q)));
    return rest_stress(rest_[i], change);
  }

  // (4).
  Mat3<Lanes> chord_stress(int i, int q, const Change& change) const {
    const Start& start = start_[place(i, q)];
    Mat3<Lanes> P = Mat3<Lanes>::zero();
    for (const GaussPoint& point : kChordRule)
      P += Lanes(point.weight) * At(parameters(i), start.F + Lanes(point.g) * change.dF).P();
    const Lanes size = contract(change.dF, change.dF);
    const Lanes excess = (density(i, change.F_plus) - start.psi - contract(P, change.dF)) / size;
    return P + select(size > Lanes(kLeastChange<Law>), excess, Lanes(0.0)) * change.dF;
  }

  // (5). Derivative: Law::At or Law::Projected.
  template <class Derivative>
  void add_tangent(const Vector& dx, SparseMatrix& K) const {
    tets_.schedule().for_each_chunk([&](int first, int last) {
      double discarded[9] = {};
      for (int i = first; i < last; ++i) {
        if (i + kAhead < last) prefetch_blocks(places_[i + kAhead], K.values());
        const auto element = element_stiffness(Element{}, [&](int q) {
          TetStiffness tangent = point_tangent<Derivative>(i, q, dx);
          complete(tangent);
          return tangent;
        });
        add_tet_stiffness(places_[i], element, discarded, K.values());
      }
    });
  }

  template <class Derivative>
  PHIFLEX_KERNEL TetStiffness point_tangent(int i, int q, const Vector& dx) const {
    constexpr bool kProjected = std::is_same_v<Derivative, Projected>;
    const Batch& batch = batches()[i];
    const Start& start = start_[place(i, q)];
    const Change change(start.F, deformation_gradient(batch, dx.data(), q));
    const MaskOf<Lanes> chord = kChords ? needs_chord(i, q, change) : Lanes(1.0) < Lanes(0.0);

    Sym3<Lanes> S = Sym3<Lanes>::zero();
    StrainTangent A = StrainTangent::zero();
    if constexpr (kOfC) {
      const Sym3<Lanes> C = gram(start.F);
      S = select_each(chord, S, stress(i, q, change)) + damping_stress(i, q, change.dE);
      for (const GaussPoint& point : kStrainRule) {
        const Strain strain(parameters(i), C + Lanes(2 * point.g) * change.dE);
        for (int k = 0; k < 6; ++k)
          A.column[k] += Lanes(4 * point.weight * point.g) * strain.dS(Sym3<Lanes>::unit(k));
      }
      for (Sym3<Lanes>& column : A.column) column = select_each(chord, Sym3<Lanes>::zero(), column);
    }
    const double viscous = 2 * (damping_.chi + damping_.eta / damping_.h);
    for (int k = 0; k < 6; ++k) A.column[k] += rest_stress(rest_[i], Lanes(viscous) * Sym3<Lanes>::unit(k));
    if constexpr (kProjected) {
      S = positive_part(S);
      A = positive_part(A);
    }

    TetStiffness K =
        strain_blocks(batch, S, A, change.frame(), kProjected || !kOfC ? change.frame() : change.F_plus);
    if (kChords && any(chord)) {
      for (const GaussPoint& point : kChordRule) {
        const Derivative derivative(parameters(i), start.F + Lanes(point.g) * change.dF);
        const Lanes factor =
            select(chord, Lanes(2 * point.weight * point.g * Element::kWeight) * batch.volume, Lanes(0.0));
        for (int b = 1; b < 4; ++b)
          for (int a = 1; a <= b; ++a) {
            const Mat3<Lanes> block = derivative.block(batch.g[a - 1], batch.g[b - 1]);
            K.at[a][b] += select_each(chord, factor * block, Mat3<Lanes>::zero());
          }
      }
    }
    return K;
  }

  // The blocks of vertices 1 to 3 of (5), symmetrized.
  static TetStiffness strain_blocks(const Batch& batch, const Sym3<Lanes>& S, const StrainTangent& A,
                                    const Mat3<Lanes>& left, const Mat3<Lanes>& right) {
    Mat3<Lanes> one_sided[3][3];
    for (int b = 0; b < 3; ++b)
      for (int k = 0; k < 3; ++k) {
        // B_b e_k = sym(F'e_k g_b'), and F'e_k is row k of F.
        const Vec3<Lanes> row = {right(k, 0), right(k, 1), right(k, 2)};
        const Mat3<Lanes> P = left * full(A.apply(symmetric_part(outer(row, batch.g[b]))));
        for (int a = 0; a < 3; ++a) {
          const Vec3<Lanes> force = P * batch.g[a];
          for (int j = 0; j < 3; ++j) one_sided[a][b](j, k) = force[j];
        }
      }
    const Lanes volume = Lanes(Element::kWeight) * batch.volume;
    TetStiffness K;
    for (int b = 0; b < 3; ++b) {
      const Vec3<Lanes> Sg = S * batch.g[b];
      for (int a = 0; a <= b; ++a) {
        const Mat3<Lanes> both = Lanes(0.5) * (one_sided[a][b] + transpose(one_sided[b][a]));
        K.at[a + 1][b + 1] = volume * (both + Mat3<Lanes>::scaled_identity(dot(batch.g[a], Sg)));
      }
    }
    return K;
  }

  const TetBatchesOf<Element>& tets_;
  const std::vector<Moduli>& moduli_;
  const SplineCurves* curves_;
  std::vector<Lame<Lanes>> rest_;  // of the linear elasticity the law is near rest
  std::vector<TetBlockPlaces<Element>> places_;
  std::vector<Start> start_;  // of each point
  StepDamping damping_;
  bool chords_ = !kOfC;  // the latest force was averaged along a chord somewhere
};

}  // namespace two_state_detail
}  // namespace phiflex
