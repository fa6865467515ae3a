#include "phiflex/run/step_prices.h"

#include <algorithm>
#include <cmath>

#include "phiflex/energy/floor_term.h"
#include "phiflex/energy/obstacle_term.h"

namespace phiflex {
namespace {

// Of one element or vertex: a force, an iterate of an energy-momentum step, an assembly with its norm, and what every step
// takes beside (energies, ledger). kCall: of every call, whatever its size.
struct Rates {
  double force, two_state, assembly, step;
};
constexpr Rates kTetrahedron{36, 85, 120, 150}, kQuadratic{200, 450, 1500, 700}, kTriangle{80, 500, 300, 200},
    kSpring{22, 60, 110, 60}, kVertex{10, 40, 20, 40}, kCall{300, 4000, 1000, 5000};
// Laws that decompose F take this much more, and so do forces with damping by stiffness.
constexpr Rates kDecomposed{3, 1.5, 2, 1.5};
constexpr double kDamped = 1.9;
constexpr double kIterations = 4, kKeptFor = 30;  // of (3)

void add(double count, const Rates& rates, StepPrices& prices) {
  prices.force += count * rates.force;
  prices.two_state += count * rates.two_state;
  prices.assembly += count * rates.assembly;
  prices.step += count * rates.step;
}

Rates times(const Rates& a, const Rates& b) {
  return {a.force * b.force, a.two_state * b.two_state, a.assembly * b.assembly, a.step * b.step};
}

bool decomposes(const std::string& law) {
  return law == "corotated" || law == "arap" || law == "spline";
}

void add(const SolidBody& solid, StepPrices& prices) {
  const Rates& plain = solid.quadratic.empty() ? kTetrahedron : kQuadratic;
  double decomposed = 0;
  for (const ElementMaterial& material : solid.materials.elements)
    decomposed += decomposes(material.law) ? 1 : 0;
  add(double(solid.mesh.tets.size()) - decomposed, plain, prices);
  add(decomposed, times(plain, kDecomposed), prices);
}

// A bound on k/m over the free vertices that meet the penalty.
struct PenaltyBound {
  const DeformableModel& model;
  double largest = 0;

  void add(int vertex, double stiffness) {
    const double mass = model.description().vertex_mass[vertex];
    if (mass > 0 && model.constraints().free().row_of_vertex[std::size_t(vertex)] >= 0)
      largest = std::max(largest, stiffness / mass);
  }
  void add(const ObstacleTerm& term) {
    if (term.law().kind != ObstacleLaw::Kind::penalty) return;
    for (std::size_t i = 0; i < term.vertices().size(); ++i) add(term.vertices()[i], term.weight(i));
  }
};

}  // namespace

void StepPrices::know(const KeptInverse& inverse) {
  build = inverse.build_work();
  application = inverse.application_work();
}

double StepPrices::explicit_step(double substeps) const {
  return substeps * forces * force + assembly + step;  // (2)
}

double StepPrices::energy_momentum_step() const {
  return kIterations * (two_state + application) + (assembly + build) / kKeptFor + step;  // (3)
}

double StepPrices::counted(const Work& work, bool explicit_steps) const {
  return double(work.force_evaluations) * (explicit_steps ? force : two_state) +
         double(work.assemblies) * assembly + double(work.factorizations) * build +
         double(work.solves) * application + step;  // (4)
}

SceneWork scene_work(const SceneModel& world, const DeformableModel& model) {
  SceneWork work;
  add(double(world.springs()), kSpring, work.prices);
  add(double(world.triangles()), kTriangle, work.prices);
  add(double(world.vertices()), kVertex, work.prices);
  for (const Body& body : world.bodies())
    if (const SolidBody* solid = body.solid()) add(*solid, work.prices);
  add(1, kCall, work.prices);
  if (!model.damping().none()) work.prices.force *= kDamped;
  work.prices.forces = model.force_depends_on_velocity() ? 2 : 1;

  PenaltyBound bound{model};
  bool obstacles = !model.description().carried.empty();
  for (const TermPointer& term : model.terms()) {
    obstacles = obstacles || term->account() == PotentialTerm::Account::contact;
    if (const auto* obstacle = dynamic_cast<const ObstacleTerm*>(term.get())) bound.add(*obstacle);
    if (const auto* floor = dynamic_cast<const FloorTerm*>(term.get()))
      for (int vertex = 0; vertex < world.vertices(); ++vertex) bound.add(vertex, floor->stiffness());
  }
  for (const auto& carried : model.description().carried) bound.add(carried->term());
  work.penalty = bound.largest;
  work.touches = obstacles || model.has_contacts() || !world.make_filters(model).empty();
  return work;
}

double substeps_with_penalty(double h, double stable_step, double penalty) {
  if (!(stable_step > 0)) return std::numeric_limits<double>::infinity();
  constexpr double longest = 0.9 * 2;  // h w of stable_step.h
  const double rate = std::hypot(longest / stable_step, std::sqrt(penalty));
  return std::max(1., std::ceil(h * rate / longest));
}

}  // namespace phiflex
