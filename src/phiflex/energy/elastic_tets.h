// The elastic term of one law on one kind of element. With g_a the gradients of the tangent tetrahedron's
// corners, V the rest volume, w the weight of a point and P = dpsi/dF there (fem/tet_batches.h):
//
//   f_a  = -w V P g_a                                                                                     (1)
//   K_ab = w V block(g_a, g_b),     block(a, b) e_k = dP[e_k b'] a                                        (2)
//
// summed over the points and spread to the nodes. What depends on the law is asked of a PointLaw.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "phiflex/base/function_ref.h"
#include "phiflex/energy/elastic_term.h"
#include "phiflex/energy/point_law.h"

namespace phiflex {

template <class Element>
class ElasticTets : public ElasticTerm {
 public:
  using Batch = TetBatchOf<Element>;
  using Nodes = NodeVectors<Element::kNodes>;

  // set_law() must be called before anything else.
  ElasticTets(const Vector& rest, std::span<const typename Element::Nodes> tets,
              const ElasticElements& elements)
      : tets_(rest, tets), number_(elements.number), first_vertex_(elements.first_vertex) {}

  double energy(const Vector& x) const override;
  void element_densities(const Vector& x, std::span<double> densities) const override;
  void element_states(const Vector& x, std::span<ElementState> states) const override;
  void add_force(const Vector& x, Vector& f) const override;
  void add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const override;
  void add_turning(const Vector& from, const Vector& to, Vector& T) const override;
  void add_couplings(std::vector<Coupling>& couplings) const override;
  std::unique_ptr<StiffnessAssembler> make_assembler(const FreeVertices& free,
                                                     const SparsityPattern& pattern) const override;
  std::unique_ptr<TwoStateTerm> make_two_state(const FreeVertices& free,
                                               const SparsityPattern& pattern) const override;
  std::string diagnose(const Vector& x) const override;

  const TetBatchesOf<Element>& tets() const { return tets_; }

 protected:
  // moduli(parameters of an element, numbers): writes `count` numbers. Those of all elements, packed like the batches:
  // `count` for each batch, one batch after the other.
  std::vector<Lanes> packed(std::span<const double> parameters, std::size_t count,
                            FunctionRef<void(std::span<const double>, double*)> moduli) const;
  void set_law(std::unique_ptr<const PointLaw> law) { law_ = std::move(law); }
  const std::vector<Batch>& batches() const { return tets_.batches(); }

 private:
  class Assembler;

  // The mean of psi over an element's points.
  Lanes mean_psi(int i, const Vector& x) const;

  TetBatchesOf<Element> tets_;
  std::unique_ptr<const PointLaw> law_;
  std::vector<int> number_;
  int first_vertex_;
};

}  // namespace phiflex
