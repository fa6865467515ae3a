#include "phiflex/energy/elastic_tets.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <sstream>

#include "phiflex/energy/elastic_two_state.h"

namespace phiflex {

template <class Element>
std::vector<Lanes> ElasticTets<Element>::packed(
    std::span<const double> parameters, std::size_t count,
    FunctionRef<void(std::span<const double>, double*)> moduli) const {
  const auto elements = static_cast<std::size_t>(tets_.count());
  const std::size_t of_element = parameters.size() / std::max<std::size_t>(1, elements);
  std::vector<double> numbers(count * elements), column(elements);
  for (std::size_t e = 0; e < elements; ++e)
    moduli(parameters.subspan(of_element * e, of_element), numbers.data() + count * e);
  std::vector<Lanes> packed(count * batches().size());
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t e = 0; e < elements; ++e) column[e] = numbers[count * e + k];
    const std::vector<Lanes> of_batches = tets_.pack(column);
    for (std::size_t i = 0; i < of_batches.size(); ++i) packed[count * i + k] = of_batches[i];
  }
  return packed;
}

template <class Element>
Lanes ElasticTets<Element>::mean_psi(int i, const Vector& x) const {
  const Nodes nodes = gather(batches()[i], x.data());
  Lanes psi = law_->psi(law_->place(i, 0), deformation_gradient(batches()[i], nodes, 0));
  for (int q = 1; q < Element::kPoints; ++q)
    psi += law_->psi(law_->place(i, q), deformation_gradient(batches()[i], nodes, q));
  return Lanes(Element::kWeight) * psi;
}

template <class Element>
double ElasticTets<Element>::energy(const Vector& x) const {
  const double total = tets_.schedule().sum([&](int first, int last) PHIFLEX_KERNEL {
    Lanes sum(0.0);
    for (int i = first; i < last; ++i) {
      // Lanes that fill up have no volume, but psi may be infinite there.
      const Batch& batch = batches()[i];
      sum += select(batch.volume > 0.0, batch.volume * mean_psi(i, x), Lanes(0.0));
    }
    double lanes = 0;
    for (int lane = 0; lane < kLanes; ++lane) lanes += sum[lane];
    return lanes;
  });
  return std::isnan(total) ? std::numeric_limits<double>::infinity() : total;
}

template <class Element>
void ElasticTets<Element>::element_densities(const Vector& x, std::span<double> densities) const {
  parallel_for(static_cast<std::ptrdiff_t>(batches().size()), [&](std::ptrdiff_t i) {
    const Lanes psi = mean_psi(int(i), x);
    for (int lane = 0; lane < tets_.lanes_used(int(i)); ++lane)
      densities[tets_.element(int(i), lane)] = psi[lane];
  });
}

template <class Element>
void ElasticTets<Element>::element_states(const Vector& x, std::span<ElementState> states) const {
  parallel_for(static_cast<std::ptrdiff_t>(batches().size()), [&](std::ptrdiff_t i) {
    const Batch& batch = batches()[i];
    const Nodes nodes = gather(batch, x.data());
    Lanes J(0.0);
    Sym3<Lanes> C = Sym3<Lanes>::zero(), PFt = C;
    for (int q = 0; q < Element::kPoints; ++q) {  // element_state.h, (1) to (3)
      const Mat3<Lanes> F = deformation_gradient(batch, nodes, q);
      J += determinant(F);
      C += gram(F);
      PFt += symmetric_part(law_->P(law_->place(int(i), q), F) * transpose(F));
    }
    const Lanes weight(Element::kWeight);
    for (int lane = 0; lane < tets_.lanes_used(int(i)); ++lane) {
      ElementState& state = states[tets_.element(int(i), lane)];
      state.volume = batch.volume[lane];
      state.J = (weight * J)[lane];
      for (int k = 0; k < 6; ++k) {
        state.C.e[k] = (weight * C.e[k])[lane];
        state.stress.e[k] = PFt.e[k][lane] / J[lane];
      }
    }
  });
}

template <class Element>
void ElasticTets<Element>::add_force(const Vector& x, Vector& f) const {
  tets_.schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
    for (int i = first; i < last; ++i) {
      const Batch& batch = batches()[i];
      const Nodes at_nodes = gather(batch, x.data());
      Nodes forces;
      for (int q = 0; q < Element::kPoints; ++q) {
        const Mat3<Lanes> F = deformation_gradient(batch, at_nodes, q);
        spread_stress(batch, law_->P(law_->place(i, q), F), -1.0, q, forces);  // (1)
      }
      scatter(batch, forces, f.data());
    }
  });
}

template <class Element>
void ElasticTets<Element>::add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const {
  tets_.schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
    for (int i = first; i < last; ++i) {
      const Batch& batch = batches()[i];
      const Nodes at_nodes = gather(batch, x.data()), change = gather(batch, dx.data());
      Nodes product;
      for (int q = 0; q < Element::kPoints; ++q) {
        const Mat3<Lanes> F = deformation_gradient(batch, at_nodes, q),
                          dF = deformation_gradient(batch, change, q);
        spread_stress(batch, law_->dP(law_->place(i, q), F, dF), 1.0, q, product);
      }
      scatter(batch, product, y.data());
    }
  });
}

// T_v += w V F F_from^-1
template <class Element>
void ElasticTets<Element>::add_turning(const Vector& from, const Vector& to, Vector& T) const {
  tets_.schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
    for (int i = first; i < last; ++i) {
      const Batch& batch = batches()[i];
      for (int q = 0; q < Element::kPoints; ++q) {
        const Mat3<Lanes> change =
            (Lanes(Element::kWeight) * batch.volume) * (deformation_gradient(batch, to.data(), q) *
                                                        inverse(deformation_gradient(batch, from.data(), q)));
        for (int a = 0; a < Element::kNodes; ++a)
          for (int lane = 0; lane < kLanes; ++lane) {
            double* at = T.data() + 9 * Index(batch.vertex[a][lane]);
            for (int k = 0; k < 9; ++k) at[k] += change.e[k][lane];
          }
      }
    }
  });
}

template <class Element>
void ElasticTets<Element>::add_couplings(std::vector<Coupling>& couplings) const {
  for (int i = 0; i < static_cast<int>(batches().size()); ++i) {
    const auto& vertex = batches()[i].vertex;
    for (int lane = 0; lane < tets_.lanes_used(i); ++lane)
      for (int a = 0; a < Element::kNodes; ++a)
        for (int b = a + 1; b < Element::kNodes; ++b) couplings.push_back({vertex[a][lane], vertex[b][lane]});
  }
}

template <class Element>
class ElasticTets<Element>::Assembler final : public StiffnessAssembler {
 public:
  Assembler(const ElasticTets& term, const FreeVertices& free, const SparsityPattern& pattern)
      : term_(term), places_(make_block_places(term.tets_, free.row_of_vertex, pattern)) {}

  Index add_stiffness(const Vector& x, Definiteness definiteness, SparseMatrix& K) const override {
    std::atomic<Index> changed = 0;  // whole numbers: their sum does not depend on the order
    const PointLaw& law = *term_.law_;
    term_.tets_.schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
      double discarded[9] = {};
      int changed_here = 0;
      for (int i = first; i < last; ++i) {
        if (i + kAhead < last) prefetch_blocks(places_[i + kAhead], K.values());
        const Batch& batch = term_.batches()[i];
        const Nodes nodes = gather(batch, x.data());
        MaskOf<Lanes> changed_lanes = Lanes(1.0) < Lanes(0.0);
        const auto element = element_stiffness(Element{}, [&](int q) {
          TetStiffness tangent;
          changed_lanes |=
              law.stiffness(law.place(i, q), batch, Lanes(Element::kWeight) * batch.volume,
                            deformation_gradient(batch, nodes, q), definiteness, tangent);  // (2)
          complete(tangent);
          return tangent;
        });
        add_tet_stiffness(places_[i], element, discarded, K.values());
        for (int lane = 0; lane < term_.tets_.lanes_used(i); ++lane) changed_here += changed_lanes[lane] != 0;
      }
      changed.fetch_add(changed_here, std::memory_order_relaxed);
    });
    return changed;
  }

 private:
  static constexpr int kAhead = 2;  // batches between the request for memory and its use

  const ElasticTets& term_;
  std::vector<TetBlockPlaces<Element>> places_;
};

template <class Element>
std::unique_ptr<StiffnessAssembler> ElasticTets<Element>::make_assembler(
    const FreeVertices& free, const SparsityPattern& pattern) const {
  return std::make_unique<Assembler>(*this, free, pattern);
}

template <class Element>
std::unique_ptr<TwoStateTerm> ElasticTets<Element>::make_two_state(const FreeVertices& free,
                                                                   const SparsityPattern& pattern) const {
  return make_elastic_two_state(tets_, *law_, free, pattern);
}

template <class Element>
std::string ElasticTets<Element>::diagnose(const Vector& x) const {
  struct Culprit {
    int number;
    double J;
    int vertex[4];
  };
  std::vector<Culprit> culprits;
  for (int i = 0; i < static_cast<int>(batches().size()); ++i) {
    // The point of least volume tells; J of a NaN is what it is.
    Lanes J = determinant(deformation_gradient(batches()[i], x.data(), 0));
    for (int q = 1; q < Element::kPoints; ++q)
      J = min(J, determinant(deformation_gradient(batches()[i], x.data(), q)));
    const Lanes psi = mean_psi(i, x);
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

template class ElasticTets<Tet4>;
template class ElasticTets<Tet10>;

}  // namespace phiflex
