// With g_a the gradients of the shape functions, V the rest volume, P = dpsi/dF (fem/tet_batches.h):
//
//   f_a  = -V P g_a                                                                                       (1)
//   K_ab = V block(g_a, g_b),     block(a, b) e_k = dP[e_k b'] a                                          (2)
#include "phiflex/energy/elastic_term.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "phiflex/energy/elastic_two_state.h"
#include "phiflex/fem/tet_stiffness.h"
#include "phiflex/material/catalogue.h"

namespace phiflex {
namespace {

// Derivative: Law::At or Law::Projected.
template <class Derivative>
TetStiffness element_stiffness(const TetBatch& batch, const Derivative& derivative) {
  TetStiffness K;
  for (int b = 1; b < 4; ++b) {
    const Vec3<Lanes> Vg = batch.volume * batch.g[b - 1];
    for (int a = 1; a <= b; ++a) K.at[a][b] = derivative.block(batch.g[a - 1], Vg);  // (2)
  }
  complete(K);
  return K;
}

int count_lanes(MaskOf<Lanes> mask, int lanes) {
  int count = 0;
  for (int lane = 0; lane < lanes; ++lane) count += mask[lane] != 0;
  return count;
}

template <class Law>
class ElasticTermOf final : public ElasticTerm {
 public:
  using At = typename Law::template At<Lanes>;
  using Projected = typename Law::template Projected<Lanes>;

  ElasticTermOf(const Vector& rest, const ElasticElements& elements)
      : tets_(rest, elements.tets), number_(elements.number), first_vertex_(elements.first_vertex) {
    std::vector<double> mu, lambda;
    for (std::size_t e = 0; e < elements.tets.size(); ++e) {
      const Lame<double> lame = Law::parameters(elements.young[e], elements.poisson[e]);
      mu.push_back(lame.mu);
      lambda.push_back(lame.lambda);
    }
    const std::vector<Lanes> mus = tets_.pack(mu), lambdas = tets_.pack(lambda);
    for (std::size_t i = 0; i < mus.size(); ++i) lame_.push_back({mus[i], lambdas[i]});
  }

  double energy(const Vector& x) const override {
    const double total = tets_.schedule().sum([&](int first, int last) PHIFLEX_KERNEL {
      Lanes sum(0.0);
      for (int i = first; i < last; ++i) {
        const TetBatch& batch = batches()[i];
        const Lanes psi = At(lame_[i], deformation_gradient(batch, x.data())).psi();
        // Lanes that fill up have no volume, but psi may be infinite there.
        sum += select(batch.volume > 0.0, batch.volume * psi, Lanes(0.0));
      }
      double lanes = 0;
      for (int lane = 0; lane < kLanes; ++lane) lanes += sum[lane];
      return lanes;
    });
    return std::isnan(total) ? std::numeric_limits<double>::infinity() : total;
  }

  void element_densities(const Vector& x, std::span<double> densities) const override {
    parallel_for(static_cast<std::ptrdiff_t>(batches().size()), [&](std::ptrdiff_t i) {
      const Lanes psi = At(lame_[i], deformation_gradient(batches()[i], x.data())).psi();
      for (int lane = 0; lane < tets_.lanes_used(int(i)); ++lane)
        densities[tets_.element(int(i), lane)] = psi[lane];
    });
  }

  void add_force(const Vector& x, Vector& f) const override {
    tets_.schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
      for (int i = first; i < last; ++i) {
        const TetBatch& batch = batches()[i];
        const At at(lame_[i], deformation_gradient(batch, x.data()));
        add_nodal_forces(batch, at.P(), -1.0, f.data());  // (1)
      }
    });
  }

  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override {
    tets_.schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
      for (int i = first; i < last; ++i) {
        const TetBatch& batch = batches()[i];
        const At at(lame_[i], deformation_gradient(batch, x.data()));
        add_nodal_forces(batch, at.dP(deformation_gradient(batch, dx.data())), 1.0, y.data());
      }
    });
  }

  // T_v += V F F_from^-1
  void add_turning(const Vector& from, const Vector& to, Vector& T) const override {
    tets_.schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
      for (int i = first; i < last; ++i) {
        const TetBatch& batch = batches()[i];
        const Mat3<Lanes> change = batch.volume * (deformation_gradient(batch, to.data()) *
                                                   inverse(deformation_gradient(batch, from.data())));
        for (int a = 0; a < 4; ++a)
          for (int lane = 0; lane < kLanes; ++lane) {
            double* at = T.data() + 9 * Index(batch.vertex[a][lane]);
            for (int k = 0; k < 9; ++k) at[k] += change.e[k][lane];
          }
      }
    });
  }

  void add_couplings(std::vector<Coupling>& couplings) const override {
    for (int i = 0; i < static_cast<int>(batches().size()); ++i) {
      const auto& vertex = batches()[i].vertex;
      for (int lane = 0; lane < tets_.lanes_used(i); ++lane)
        for (int a = 0; a < 4; ++a)
          for (int b = a + 1; b < 4; ++b) couplings.push_back({vertex[a][lane], vertex[b][lane]});
    }
  }

  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override {
    return std::make_unique<Assembler>(*this, free, pattern);
  }

  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                               const SparsityPattern& pattern) const override {
    return make_elastic_two_state(std::string(Law::name), tets_, lame_, free, pattern);
  }

  std::string diagnose(const Vector& x) const override;

 private:
  class Assembler final : public StiffnessAssembler {
   public:
    Assembler(const ElasticTermOf& term, const FreeVertices& free, const SparsityPattern& pattern)
        : term_(term), places_(make_block_places(term.tets_, free.row_of_vertex, pattern)) {}

    Index add_stiffness(const Vector& x, Definiteness definiteness, SparseMatrix& K) const override {
      if (definiteness == Definiteness::exact) return add<At>(x, K);
      return add<Projected>(x, K);
    }

   private:
    static constexpr int kAhead = 2;  // batches between the request for memory and its use

    template <class Derivative>
    Index add(const Vector& x, SparseMatrix& K) const {
      std::atomic<Index> changed = 0;  // whole numbers: their sum does not depend on the order
      term_.tets_.schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
        double discarded[9] = {};
        int changed_here = 0;
        for (int i = first; i < last; ++i) {
          if (i + kAhead < last) prefetch_blocks(places_[i + kAhead], K.values());
          const TetBatch& batch = term_.batches()[i];
          const Derivative derivative(term_.lame_[i], deformation_gradient(batch, x.data()));
          add_tet_stiffness(places_[i], element_stiffness(batch, derivative), discarded, K.values());
          if constexpr (std::is_same_v<Derivative, Projected>)
            changed_here += count_lanes(derivative.changed(), term_.tets_.lanes_used(i));
        }
        changed.fetch_add(changed_here, std::memory_order_relaxed);
      });
      return changed;
    }

    const ElasticTermOf& term_;
    std::vector<TetBlockPlaces> places_;
  };

  const std::vector<TetBatch>& batches() const { return tets_.batches(); }

  TetBatches tets_;
  std::vector<Lame<Lanes>> lame_;  // of each batch
  std::vector<int> number_;
  int first_vertex_;
};

template <class Law>
std::string ElasticTermOf<Law>::diagnose(const Vector& x) const {
  struct Culprit {
    int number;
    double J;
    int vertex[4];
  };
  std::vector<Culprit> culprits;
  for (int i = 0; i < static_cast<int>(batches().size()); ++i) {
    const Mat3<Lanes> F = deformation_gradient(batches()[i], x.data());
    const Lanes J = determinant(F), psi = At(lame_[i], F).psi();
    for (int lane = 0; lane < tets_.lanes_used(i); ++lane) {
      if (std::isfinite(psi[lane])) continue;
      const int e = tets_.element(i, lane);
      Culprit culprit{number_.empty() ? e : number_[e], J[lane], {}};
      for (int a = 0; a < 4; ++a) culprit.vertex[a] = batches()[i].vertex[a][lane] - first_vertex_;
      culprits.push_back(culprit);
    }
  }
  if (culprits.empty()) return {};

  std::sort(culprits.begin(), culprits.end(),
            [](const Culprit& a, const Culprit& b) { return a.number < b.number; });
  constexpr std::size_t kShown = 3;
  std::ostringstream text;
  for (std::size_t i = 0; i < std::min(kShown, culprits.size()); ++i) {
    const Culprit& c = culprits[i];
    text << (i > 0 ? "; " : "") << "tetrahedron " << c.number << " (vertices " << c.vertex[0] << ", "
         << c.vertex[1] << ", " << c.vertex[2] << ", " << c.vertex[3] << ") is "
         << (std::isfinite(c.J) ? (c.J > 0 ? "strained beyond numbers" : "inverted") : "not finite")
         << ": J = " << c.J;
  }
  if (culprits.size() > kShown) text << "; and " << culprits.size() - kShown << " more";
  return text.str();
}

}  // namespace

std::unique_ptr<ElasticTerm> make_elastic_term(const std::string& material, const Vector& rest,
                                               const ElasticElements& elements) {
  const std::size_t count = elements.tets.size();
  if (elements.young.size() != count || elements.poisson.size() != count ||
      (!elements.number.empty() && elements.number.size() != count))
    throw std::invalid_argument("make_elastic_term: sizes do not fit");
  return with_material(material, [&]<class Law>(LawTag<Law>) -> std::unique_ptr<ElasticTerm> {
    return std::make_unique<ElasticTermOf<Law>>(rest, elements);
  });
}

}  // namespace phiflex
