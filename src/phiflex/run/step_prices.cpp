#include "phiflex/run/step_prices.h"

#include <algorithm>
#include <cmath>

#include "phiflex/energy/potential_term.h"
#include "phiflex/material/catalogue.h"

namespace phiflex {
namespace {

// Of one element or vertex: a force, an iterate of an energy-momentum step, an assembly with its norm, and what every
// step takes beside (energies, ledger). kCall: of every call, whatever its size.
struct Rates {
  double force, two_state, assembly, step;
};
constexpr Rates kTetrahedron{36, 85, 120, 150}, kQuadratic{200, 450, 1500, 700}, kTriangle{80, 500, 300, 200},
    kSpring{22, 60, 110, 60}, kVertex{10, 40, 20, 40}, kCall{300, 4000, 1000, 5000};
// Laws that decompose F take this much more, and so do forces with damping by stiffness.
constexpr Rates kDecomposed{3, 1.5, 2, 1.5};
// The branches of a viscoelastic element, together, over the law beside them.
constexpr Rates kBranches{1, 1, 1.5, 2};
constexpr double kDamped = 1.9;
constexpr double kSlackIterations = 20, kKeptFor = 30;  // of (3)

void add(double count, const Rates& rates, StepPrices& prices) {
  prices.force += count * rates.force;
  prices.two_state += count * rates.two_state;
  prices.assembly += count * rates.assembly;
  prices.step += count * rates.step;
}

Rates times(const Rates& a, const Rates& b) {
  return {a.force * b.force, a.two_state * b.two_state, a.assembly * b.assembly, a.step * b.step};
}

void add(const SolidBody& solid, StepPrices& prices) {
  const Rates& plain = solid.quadratic.empty() ? kTetrahedron : kQuadratic;
  double decomposed = 0;
  for (const ElementMaterial& material : solid.materials.elements)
    decomposed += material_info(material.law).properties.singular_vectors ? 1 : 0;
  add(double(solid.mesh.tets.size()) - decomposed, plain, prices);
  add(decomposed, times(plain, kDecomposed), prices);
  const auto is_viscous = [](const ElementMaterial& material) { return !material.prony.empty(); };
  add(double(std::count_if(solid.materials.elements.begin(), solid.materials.elements.end(), is_viscous)),
      times(plain, kBranches), prices);
}

}  // namespace

void StepPrices::know(const KeptInverse& inverse) {
  build = inverse.build_work();
  application = inverse.application_work();
}

double StepPrices::explicit_step(double substeps) const {
  return substeps * forces * force + assembly + step;  // (2)
}

double StepPrices::energy_momentum_step() const {
  return iterations * (two_state + application) + (assembly + build) / kKeptFor + step;  // (3)
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
  if (model.damping().has_beta()) work.prices.force *= kDamped;
  work.prices.forces = model.force_depends_on_velocity() ? 2 : 1;
  work.ledger_of_ends = model.damping().has_beta() || !model.description().loads.empty();
  if (world.tetrahedra() == 0 && world.triangles() == 0 && !work.ledger_of_ends)
    work.prices.iterations = kSlackIterations;

  bool obstacles = !model.description().carried.empty();
  for (const TermPointer& term : model.terms())
    obstacles = obstacles || term->account() == PotentialTerm::Account::contact;
  work.touches = obstacles || model.has_contacts() || !world.make_filters(model).empty();
  return work;
}

}  // namespace phiflex
