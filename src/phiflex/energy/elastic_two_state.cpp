#include "phiflex/energy/elastic_two_state.h"

#include <atomic>
#include <cstring>
#include <limits>
#include <vector>

#include "phiflex/material/strain_stress.h"

namespace phiflex {
namespace {

constexpr int kStrains = 6 * kLanes;  // numbers of dE in a batch

Sym3<Lanes> load_strain(const double* strains) {
  Sym3<Lanes> E;
  std::memcpy(&E, strains, sizeof E);
  return E;
}

// The blocks of vertices 1 to 3 of (5), symmetrized. volume: w V.
PHIFLEX_KERNEL TetStiffness strain_blocks(const TetGeometry& tet, Lanes volume, const Sym3<Lanes>& S,
                                          const StrainTangent& A, const Mat3<Lanes>& left,
                                          const Mat3<Lanes>& right) {
  Mat3<Lanes> one_sided[3][3];
  for (int b = 0; b < 3; ++b)
    for (int k = 0; k < 3; ++k) {
      // B_b e_k = sym(F'e_k g_b'), and F'e_k is row k of F.
      const Vec3<Lanes> row = {right(k, 0), right(k, 1), right(k, 2)};
      const Mat3<Lanes> P = left * full(A.apply(symmetric_part(outer(row, tet.g[b]))));
      for (int a = 0; a < 3; ++a) {
        const Vec3<Lanes> force = P * tet.g[a];
        for (int j = 0; j < 3; ++j) one_sided[a][b](j, k) = force[j];
      }
    }
  TetStiffness K;
  for (int b = 0; b < 3; ++b) {
    const Vec3<Lanes> Sg = S * tet.g[b];
    for (int a = 0; a <= b; ++a) {
      const Mat3<Lanes> both = Lanes(0.5) * (one_sided[a][b] + transpose(one_sided[b][a]));
      K.at[a + 1][b + 1] = volume * (both + Mat3<Lanes>::scaled_identity(dot(tet.g[a], Sg)));
    }
  }
  return K;
}

template <class Element>
class ElasticTwoState final : public TwoStateTerm {
 public:
  using Batch = TetBatchOf<Element>;
  using Nodes = NodeVectors<Element::kNodes>;

  ElasticTwoState(const TetBatchesOf<Element>& tets, const PointLaw& law, const FreeVertices& free,
                  const SparsityPattern& pattern)
      : tets_(tets),
        law_(law),
        of_C_(law.traits().function_of_C),
        places_(make_block_places(tets, free.row_of_vertex, pattern)),
        start_(tets.batches().size() * kPoints),
        chords_(!of_C_) {
    for (int i = 0; i < static_cast<int>(tets.batches().size()); ++i)
      rest_.push_back(law.at_rest(law.place(i, 0)));
  }

  void begin(const Vector& x, const StepDamping& damping) override {
    damping_ = damping;
    for_each_point([&](int i, int q) PHIFLEX_KERNEL {
      start_[place(i, q)] = law_.start(law_.place(i, q), deformation_gradient(batches()[i], x.data(), q));
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
          const PointStart& start = start_[place(i, q)];
          const PointChange change(start.F, deformation_gradient(batch, nodes, q), of_C_);
          const Sym3<Lanes> damping = damping_stress(i, q, change.dE);
          Mat3<Lanes> P = Mat3<Lanes>::zero();
          if (of_C_) P = change.F_bar * full(law_.mean_stress(law_.place(i, q), start, change) + damping);
          const Lanes share = chord_share(start, change);
          if (any(share > Lanes(0.0))) {
            const Mat3<Lanes> averaged =
                law_.chord_stress(law_.place(i, q), start, change) + frame(change) * full(damping);
            P = mix(share, averaged, P);
            chords_here = true;
          }
          spread_stress(batch, P, -1.0, q, forces);  // (1)
        }
        scatter(batch, forces, f.data());
      }
      if (chords_here) chords.store(true, std::memory_order_relaxed);
    });
    chords_ = chords;
  }

  // (5)
  void add_tangent(const Vector& dx, Definiteness definiteness, SparseMatrix& K) override {
    tets_.schedule().for_each_chunk([&](int first, int last) {
      double discarded[9] = {};
      for (int i = first; i < last; ++i) {
        if (i + kAhead < last) prefetch_blocks(places_[i + kAhead], K.values());
        const auto element = element_stiffness(Element{}, [&](int q) {
          TetStiffness tangent = point_tangent(i, q, dx, definiteness);
          complete(tangent);
          return tangent;
        });
        add_tet_stiffness(places_[i], element, discarded, K.values());
      }
    });
  }

  bool turns_bodies() const override { return chords_; }
  bool is_inside_out() const override { return of_C_ && chords_; }

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
             const Sym3<Lanes> dE = load_strain(memory + kStrains * Index(place(i, q)));
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
      const Lanes infinity(std::numeric_limits<double>::infinity());
      const Lanes finite_turning = select(turning < infinity, turning, infinity);
      const Lanes finite_straining = select(straining < infinity, straining, infinity);
      for (int lane = 0; lane < tets_.lanes_used(i); ++lane) {
        const auto at = std::size_t(q) * std::size_t(tets_.count()) + std::size_t(kLanes * i + lane);
        spin[at] = finite_turning[lane];
        strain[at] = finite_straining[lane];
      }
    });
  }

 private:
  static constexpr int kAhead = 2;  // batches between the request for memory and its use
  static constexpr int kPoints = Element::kPoints;

  const std::vector<Batch>& batches() const { return tets_.batches(); }
  static int place(int batch, int point) { return batch * kPoints + point; }
  // What carries a stress S to the first Piola-Kirchhoff stress.
  Mat3<Lanes> frame(const PointChange& change) const {
    return of_C_ ? change.F_bar : Mat3<Lanes>::identity();
  }
  Sym3<Lanes> strain_change(int i, int q, const Vector& dx) const {
    return PointChange(start_[place(i, q)].F, deformation_gradient(batches()[i], dx.data(), q), of_C_).dE;
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

  // (5) of material/two_state.h
  Lanes chord_share(const PointStart& start, const PointChange& change) const {
    if (!law_.traits().chords) return Lanes(0.0);
    return of_C_ ? phiflex::chord_share(start.F, change.F_plus) : Lanes(1.0);
  }
  // share a + (1 - share) b, which need not be a number where it has no share.
  template <class T>
  static T mix(Lanes share, const T& a, const T& b) {
    const T sum = share * a + (Lanes(1.0) - share) * b;
    return point_detail::select_each(share > Lanes(0.0),
                                     point_detail::select_each(share < Lanes(1.0), sum, a), b);
  }

  Sym3<Lanes> damping_stress(int i, int q, const Sym3<Lanes>& dE) const {
    Sym3<Lanes> change = Lanes(damping_.chi + damping_.eta / damping_.h) * dE;
    if (damping_.memory && damping_.chi != 0)
      change += Lanes(-damping_.chi * damping_.ratio) *
                load_strain(damping_.memory + kStrains * Index(place(i, q)));
    return rest_stress(rest_[i], change);
  }

  PHIFLEX_KERNEL TetStiffness point_tangent(int i, int q, const Vector& dx, Definiteness definiteness) const {
    const bool projected = definiteness != Definiteness::exact;
    const Batch& batch = batches()[i];
    const PointStart& start = start_[place(i, q)];
    const PointChange change(start.F, deformation_gradient(batch, dx.data(), q), of_C_);
    const Lanes share = chord_share(start, change);
    const MaskOf<Lanes> chord = share > Lanes(0.0);

    Sym3<Lanes> S = Sym3<Lanes>::zero();
    StrainTangent A = StrainTangent::zero();
    if (of_C_) {
      S = mix(share, S, law_.mean_stress(law_.place(i, q), start, change, A)) +
          damping_stress(i, q, change.dE);
      for (Sym3<Lanes>& column : A.column) column = mix(share, Sym3<Lanes>::zero(), column);
    }
    const double viscous = 2 * (damping_.chi + damping_.eta / damping_.h);
    for (int k = 0; k < 6; ++k) A.column[k] += rest_stress(rest_[i], Lanes(viscous) * Sym3<Lanes>::unit(k));
    if (projected) {
      S = positive_part(S);
      A = positive_part(A);
    }

    const Lanes volume = Lanes(Element::kWeight) * batch.volume;
    TetStiffness K = strain_blocks(batch, volume, S, A, frame(change),
                                   projected || !of_C_ ? frame(change) : change.F_plus);
    if (any(chord))
      law_.add_chord_stiffness(law_.place(i, q), batch, share * volume, start, change, chord, definiteness,
                               K);
    return K;
  }

  const TetBatchesOf<Element>& tets_;
  const PointLaw& law_;
  bool of_C_;                      // the law is a function of C
  std::vector<Lame<Lanes>> rest_;  // of the linear elasticity the law is near rest
  std::vector<TetBlockPlaces<Element>> places_;
  std::vector<PointStart> start_;  // of each point
  StepDamping damping_;
  bool chords_;  // the latest force was averaged along a chord somewhere, if only in part
};

}  // namespace

template <class Element>
std::unique_ptr<TwoStateTerm> make_elastic_two_state(const TetBatchesOf<Element>& tets, const PointLaw& law,
                                                     const FreeVertices& free,
                                                     const SparsityPattern& pattern) {
  return std::make_unique<ElasticTwoState<Element>>(tets, law, free, pattern);
}

template std::unique_ptr<TwoStateTerm> make_elastic_two_state(const TetBatchesOf<Tet4>&, const PointLaw&,
                                                              const FreeVertices&, const SparsityPattern&);
template std::unique_ptr<TwoStateTerm> make_elastic_two_state(const TetBatchesOf<Tet10>&, const PointLaw&,
                                                              const FreeVertices&, const SparsityPattern&);

}  // namespace phiflex
