// An elastic term (elastic_tets.h) of one law.
#pragma once

#include <bit>
#include <memory>
#include <utility>

#include "phiflex/energy/elastic_tets.h"
#include "phiflex/energy/point_law_of.h"

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

}  // namespace elastic_detail

template <class Law, class Element>
class ElasticTermOf final : public ElasticTets<Element> {
 public:
  using At = typename Law::template At<Lanes>;
  using typename ElasticTets<Element>::Batch;
  using typename ElasticTets<Element>::Nodes;
  static constexpr int kPlaces = modulus_places<Law, Element>;

  ElasticTermOf(const Vector& rest, std::span<const typename Element::Nodes> tets,
                const ElasticElements& elements)
      : ElasticTets<Element>(rest, tets, elements), curves_(elements.curves) {
    const std::vector<Lanes> numbers = this->packed(
        elements.parameters, modulus_count<Law>, [](std::span<const double> parameters, double* moduli) {
          const auto of_element = modulus_array<Law, double>(elastic_detail::moduli<Law>(parameters));
          std::copy(of_element.begin(), of_element.end(), moduli);
        });
    auto law = std::make_unique<PointLawOf<Law>>(numbers, kPlaces, curves_.get());
    law_ = law.get();
    this->set_law(std::move(law));
  }

  // Explicit steps and conjugate gradients spend their time in these two: of linear tetrahedra they have the law
  // inlined.
  void add_force(const Vector& x, Vector& f) const override {
    if constexpr (Element::kPoints > 1) return ElasticTets<Element>::add_force(x, f);
    this->tets().schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
      for (int i = first; i < last; ++i) {
        const Batch& batch = this->batches()[i];
        const Nodes at_nodes = gather(batch, x.data());
        Nodes forces;
        const At at(law_->parameters(std::size_t(i)), deformation_gradient(batch, at_nodes, 0));
        spread_stress(batch, at.P(), -1.0, 0, forces);  // elastic_tets.h, (1)
        scatter(batch, forces, f.data());
      }
    });
  }
  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override {
    if constexpr (Element::kPoints > 1) return ElasticTets<Element>::add_stiffness_product(x, dx, y);
    this->tets().schedule().for_each_chunk([&](int first, int last) PHIFLEX_KERNEL {
      for (int i = first; i < last; ++i) {
        const Batch& batch = this->batches()[i];
        const Nodes at_nodes = gather(batch, x.data()), change = gather(batch, dx.data());
        Nodes product;
        const At at(law_->parameters(std::size_t(i)), deformation_gradient(batch, at_nodes, 0));
        spread_stress(batch, at.dP(deformation_gradient(batch, change, 0)), 1.0, 0, product);
        scatter(batch, product, y.data());
      }
    });
  }

  // Of a law whose moduli differ from point to point; between steps only.
  void set_moduli(int batch, int point, const typename Law::template Moduli<Lanes>& moduli) {
    static_assert(kPlaces == Element::kPoints);
    law_->set_moduli(law_->place(batch, point), moduli);
  }

 private:
  std::shared_ptr<const SplineCurves> curves_;
  PointLawOf<Law>* law_;  // the base class owns it
};

}  // namespace phiflex
