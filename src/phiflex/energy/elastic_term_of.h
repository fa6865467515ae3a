// The elastic term of one law on one kind of element. With g_a the gradients of the tangent tetrahedron's
// corners, V the rest volume, w the weight of a point and P = dpsi/dF there (fem/tet_batches.h):
//
//   f_a  = -w V P g_a                                                                                     (1)
//   K_ab = w V block(g_a, g_b),     block(a, b) e_k = dP[e_k b'] a                                        (2)
//
// summed over the points and spread to the nodes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <sstream>
#include <utility>

#include "phiflex/energy/elastic_term.h"
#include "phiflex/energy/elastic_two_state.h"
#include "phiflex/fem/tet_stiffness.h"
#include "phiflex/material/strain_stress.h"

namespace phiflex {
namespace elastic_detail {

// Fills a law's parameters from the list that elements hold.
struct NumberReader {
  const double* next;
  void operator()(const ParameterInfo&, double& number) { number = *next++; }
  void operator()(const ParameterInfo&, Vec3<double>& direction) {
    for (double& x : direction.e) x = *next++;
  }
  void operator()(const ParameterInfo&, CurveParameter&) {}
};
template <class Law>
typename Law::template Moduli<double> moduli(std::span<const double> numbers) {
  typename Law::template Parameters<double> parameters{};
  NumberReader reader{numbers.data()};
  Law::fields(reader, parameters);
  return Law::moduli(parameters);
}

// Derivative: Law::At or Law::Projected.
template <class Element, class Derivative>
TetStiffness tangent_stiffness(const TetBatchOf<Element>& batch, const Derivative& derivative) {
  TetStiffness K;
  for (int b = 1; b < 4; ++b) {
    const Vec3<Lanes> Vg = (Lanes(Element::kWeight) * batch.volume) * batch.g[b - 1];
    for (int a = 1; a <= b; ++a) K.at[a][b] = derivative.block(batch.g[a - 1], Vg);  // (2)
  }
  complete(K);
  return K;
}

inline int count_lanes(MaskOf<Lanes> mask, int lanes) {
  int count = 0;
  for (int lane = 0; lane < lanes; ++lane) count += mask[lane] != 0;
  return count;
}

}  // namespace elastic_detail

template <class Law, class Element>
class ElasticTermOf final : public ElasticTerm {
 public:
  using At = typename Law::template At<Lanes>;
  using Projected = typename Law::template Projected<Lanes>;
  using Batch = TetBatchOf<Element>;
  using Nodes = NodeVectors<Element::kNodes>;

  ElasticTermOf(const Vector& rest, std::span<const typename Element::Nodes> tets,
                const ElasticElements& elements)
      : tets_(rest, tets),
        curves_(elements.curves),
        number_(elements.number),
        first_vertex_(elements.first_vertex) {
    const std::size_t count = elements.parameters.size() / std::max<std::size_t>(1, tets.size());
    std::vector<ModulusArray<Law, double>> of_elements;
    for (std::size_t e = 0; e < tets.size(); ++e)
      of_elements.push_back(modulus_array<Law, double>(
          elastic_detail::moduli<Law>(std::span(elements.parameters).subspan(count * e, count))));
    std::vector<ModulusArray<Law, Lanes>> packed(batches().size());
    std::vector<double> column(tets.size());
    for (std::size_t k = 0; k < modulus_count<Law>; ++k) {
      for (std::size_t e = 0; e < tets.size(); ++e) column[e] = of_elements[e][k];
      const std::vector<Lanes> of_batches = tets_.pack(column);
      for (std::size_t i = 0; i < packed.size(); ++i) packed[i][k] = of_batches[i];
    }
    for (const auto& numbers : packed) moduli_.push_back(moduli_of<Law, Lanes>(numbers));
  }

  double energy(const Vector& x) const override {
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

  void element_densities(const Vector& x, std::span<double> densities) const override {
    parallel_for(static_cast<std::ptrdiff_t>(batches().size()), [&](std::ptrdiff_t i) {
      const Lanes psi = mean_psi(int(i), x);
      for (int lane = 0; lane < tets_.lanes_used(int(i)); ++lane)
        densities[tets_.element(int(i), lane)] = psi[lane];
    });
  }

  void element_states(const Vector& x, std::span<ElementState> states) const override {
    parallel_for(static_cast<std::ptrdiff_t>(batches().size()), [&](std::ptrdiff_t i) {
      const Batch& batch = batches()[i];
      const Nodes nodes = gather(batch, x.data());
      Lanes J(0.0);
      Sym3<Lanes> C = Sym3<Lanes>::zero(), PFt = C;
      for (int q = 0; q < Element::kPoints; ++q) {  // element_state.h, (1) to (3)
        const Mat3<Lanes> F = deformation_gradient(batch, nodes, q);
        J += determinant(F);
        C += gram(F);
        PFt += symmetric_part(At(parameters(int(i)), F).P() * transpose(F));
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

  void add_force(const Vector& x, Vector& f) const override {
    tets_.schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
      for (int i = first; i < last; ++i) {
        const Batch& batch = batches()[i];
        const Nodes at_nodes = gather(batch, x.data());
        Nodes forces;
        for (int q = 0; q < Element::kPoints; ++q) {
          const At at(parameters(i), deformation_gradient(batch, at_nodes, q));
          spread_stress(batch, at.P(), -1.0, q, forces);  // (1)
        }
        scatter(batch, forces, f.data());
      }
    });
  }

  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override {
    tets_.schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
      for (int i = first; i < last; ++i) {
        const Batch& batch = batches()[i];
        const Nodes at_nodes = gather(batch, x.data()), change = gather(batch, dx.data());
        Nodes product;
        for (int q = 0; q < Element::kPoints; ++q) {
          const At at(parameters(i), deformation_gradient(batch, at_nodes, q));
          spread_stress(batch, at.dP(deformation_gradient(batch, change, q)), 1.0, q, product);
        }
        scatter(batch, product, y.data());
      }
    });
  }

  // T_v += w V F F_from^-1
  void add_turning(const Vector& from, const Vector& to, Vector& T) const override {
    tets_.schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
      for (int i = first; i < last; ++i) {
        const Batch& batch = batches()[i];
        for (int q = 0; q < Element::kPoints; ++q) {
          const Mat3<Lanes> change = (Lanes(Element::kWeight) * batch.volume) *
                                     (deformation_gradient(batch, to.data(), q) *
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

  void add_couplings(std::vector<Coupling>& couplings) const override {
    for (int i = 0; i < static_cast<int>(batches().size()); ++i) {
      const auto& vertex = batches()[i].vertex;
      for (int lane = 0; lane < tets_.lanes_used(i); ++lane)
        for (int a = 0; a < Element::kNodes; ++a)
          for (int b = a + 1; b < Element::kNodes; ++b)
            couplings.push_back({vertex[a][lane], vertex[b][lane]});
    }
  }

  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override {
    return std::make_unique<Assembler>(*this, free, pattern);
  }

  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                               const SparsityPattern& pattern) const override {
    return std::make_unique<two_state_detail::ElasticTwoState<Law, Element>>(tets_, moduli_, curves_.get(),
                                                                             free, pattern);
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
          const Batch& batch = term_.batches()[i];
          const Nodes nodes = gather(batch, x.data());
          MaskOf<Lanes> changed_lanes = Lanes(1.0) < Lanes(0.0);
          const auto element = element_stiffness(Element{}, [&](int q) {
            const Derivative derivative(term_.parameters(i), deformation_gradient(batch, nodes, q));
            if constexpr (std::is_same_v<Derivative, Projected>) changed_lanes |= derivative.changed();
            return elastic_detail::tangent_stiffness(batch, derivative);
          });
          add_tet_stiffness(places_[i], element, discarded, K.values());
          changed_here += elastic_detail::count_lanes(changed_lanes, term_.tets_.lanes_used(i));
        }
        changed.fetch_add(changed_here, std::memory_order_relaxed);
      });
      return changed;
    }

    const ElasticTermOf& term_;
    std::vector<TetBlockPlaces<Element>> places_;
  };

  const std::vector<Batch>& batches() const { return tets_.batches(); }
  LawModuli<Law, Lanes> parameters(int batch) const {
    return with_curves<Law, Lanes>(moduli_[batch], curves_.get());
  }
  // The mean of psi over an element's points.
  Lanes mean_psi(int i, const Vector& x) const {
    const Nodes nodes = gather(batches()[i], x.data());
    Lanes psi = At(parameters(i), deformation_gradient(batches()[i], nodes, 0)).psi();
    for (int q = 1; q < Element::kPoints; ++q)
      psi += At(parameters(i), deformation_gradient(batches()[i], nodes, q)).psi();
    return Lanes(Element::kWeight) * psi;
  }

  TetBatchesOf<Element> tets_;
  std::vector<typename Law::template Moduli<Lanes>> moduli_;  // of each batch
  std::shared_ptr<const SplineCurves> curves_;
  std::vector<int> number_;
  int first_vertex_;
};

template <class Law, class Element>
std::string ElasticTermOf<Law, Element>::diagnose(const Vector& x) const {
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

}  // namespace phiflex
