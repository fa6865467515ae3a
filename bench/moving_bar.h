// The matrices and vectors that bench_matfun measures on: a neo-Hookean bar 0.1 s after its release.
//
// The bar (0.4 x 0.1 x 0.1 m, density 1000 kg/m^3, nu = 0.45) is clamped at its end x = 0; gravity is switched
// on at t = 0. Stretched by 50 %, it is clamped at both ends, in the homogeneous state of uniaxial tension:
// the lateral stretch a balances
//
//   mu (a^2 - 1) + lambda ln(s a^2) = 0,   s the axial stretch.                                           (1)
//
// It swings for 0.1 s by `midpoint`, which damps no frequency, or by `si`, which damps what a step does not resolve and
// leaves smooth data; then stand K, f and v.
#pragma once

#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>

#include "phiflex/energy/elastic_term.h"
#include "phiflex/energy/gravity_term.h"
#include "phiflex/fem/mass.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/linalg/pencil.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/model/deformable_model.h"

namespace phiflex::bench {

struct NeoHookean {
  double young = 1e6, poisson = 0.45, density = 1000;  // Pa, 1, kg/m^3
  double mu() const { return young / (2 * (1 + poisson)); }
  double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }
  double lateral_stretch(double axial) const {  // (1), by bisection
    double low = 0.1, high = 10;
    for (int i = 0; i < 200; ++i) {
      const double a = (low + high) / 2;
      (mu() * (a * a - 1) + lambda() * std::log(axial * a * a) > 0 ? high : low) = a;
    }
    return low;
  }
};

enum class Clamp { first_end, both_ends };

// A body of one material, at rest; nothing holds it and nothing acts on it.
inline ModelDescription describe_body(const TetMesh& mesh, const NeoHookean& material) {
  ModelDescription description;
  const Index vertices = Index(mesh.vertices.size());
  description.rest.resize(3 * vertices);
  for (Index v = 0; v < vertices; ++v)
    for (int axis = 0; axis < 3; ++axis) description.rest[3 * v + axis] = mesh.vertices[v][axis];
  ElasticElements elements;
  elements.tets = mesh.tets;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e)
    elements.parameters.insert(elements.parameters.end(), {material.young, material.poisson});
  std::vector<double> tet_masses = tet_volumes(description.rest, mesh.tets), masses(vertices, 0.0);
  for (double& m : tet_masses) m *= material.density;
  add_lumped_masses(mesh.tets, tet_masses, masses);
  description.vertex_mass = Eigen::Map<const Vector>(masses.data(), vertices);
  ModelBody body{"bar", 0, static_cast<int>(vertices), {}, {}};
  body.terms.push_back(make_elastic_term("neo-hookean", description.rest, elements));
  description.bodies.push_back(std::move(body));
  return description;
}

// The vertices of the end x = 0, or of both ends, stay where they start.
inline void clamp_ends(ModelDescription& description, Clamp clamp) {
  const Index vertices = description.vertex_mass.size();
  const auto along = [&](Index v) { return description.rest[3 * v]; };
  double end = 0;
  for (Index v = 0; v < vertices; ++v) end = std::max(end, along(v));
  VertexConstraint hold;
  for (Index v = 0; v < vertices; ++v)
    if (along(v) < 1e-9 * end || (clamp == Clamp::both_ends && along(v) > (1 - 1e-9) * end))
      hold.vertices.push_back(int(v));
  description.constraints.push_back(std::move(hold));
}

// A body of one material along x, stretched homogeneously, its ends (or one) clamped, gravity along -y.
inline std::unique_ptr<DeformableModel> make_stretched_body(const TetMesh& mesh, const NeoHookean& material,
                                                            double stretch, Clamp clamp) {
  ModelDescription description = describe_body(mesh, material);
  const double lateral = material.lateral_stretch(stretch);
  description.start = description.rest;
  for (Index i = 0; i < description.start.size(); ++i) description.start[i] *= i % 3 == 0 ? stretch : lateral;
  const std::vector<double> masses(description.vertex_mass.begin(), description.vertex_mass.end());
  description.shared_terms.push_back(
      std::make_shared<GravityTerm>(masses, std::array{0.0, -9.81, 0.0}, description.rest));
  clamp_ends(description, clamp);
  return std::make_unique<DeformableModel>(std::move(description));
}

// A model at a moment of its motion, linearized there.
struct Moment {
  std::unique_ptr<DeformableModel> model;
  std::unique_ptr<AssembledTangent> tangent;
  std::unique_ptr<AssembledPencil> pencil;
  State state;
  Vector force, acceleration;
  int tetrahedra = 0;

  Index dofs() const { return model->dofs(); }
  const SparseMatrix& K() const { return tangent->K(); }
  const MassMatrix& mass() const { return model->mass(); }
};

inline void linearize(Moment& moment) {
  moment.model->force(moment.state, moment.force);
  moment.model->mass().solve(moment.force, moment.acceleration);
  moment.tangent = moment.model->assembled_tangent(Definiteness::exact);
  moment.tangent->update(moment.state);
  moment.pencil = std::make_unique<AssembledPencil>(moment.tangent->K(), moment.model->mass());
}

enum class BarState { rest, stretched };
enum class Swing { undamped, damped };  // midpoint, si

// cells: along the bar and across it.
inline Moment make_moving_bar(int along, int across, double young, BarState bar_state,
                              Swing motion = Swing::undamped) {
  constexpr double kRelease = 0.1;  // s
  constexpr int kSteps = 100;       // with fewer, unresolved frequencies get more than their share
  const TetMesh mesh = generate_box({.size = {0.4, 0.1, 0.1}, .cells = {along, across, across}});
  const bool stretched = bar_state == BarState::stretched;
  Moment moment;
  moment.tetrahedra = static_cast<int>(mesh.tets.size());
  moment.model = make_stretched_body(mesh, {.young = young}, stretched ? 1.5 : 1.0,
                                     stretched ? Clamp::both_ends : Clamp::first_end);
  const ModelDescription& description = moment.model->description();
  moment.state = moment.model->state(0, description.start, Vector::Zero(description.start.size()));
  IntegratorOptions options;
  options.set("newton_tolerance", 1e-5);
  const auto integrator =
      make_integrator(motion == Swing::undamped ? "midpoint" : "si", *moment.model, options);
  State next;
  for (int step = 0; step < kSteps; ++step) {
    if (integrator->step(moment.state, kRelease / kSteps, next).status != StepStatus::ok)
      throw std::runtime_error("bench_matfun: the bar's motion failed");
    std::swap(moment.state, next);
  }
  linearize(moment);
  return moment;
}

// sqrt of the largest eigenvalue of M^-1 K, from below by the power method, to about a percent.
inline double largest_frequency(const Moment& moment) {
  Vector x = Vector::Random(moment.dofs()), y, z;
  double lambda = 0;
  for (int i = 0; i < 200; ++i) {
    moment.K().apply(x, y);
    lambda = x.dot(y) / moment.mass().dot(x, x);
    moment.mass().solve(y, z);
    x = z / z.norm();
  }
  return std::sqrt(lambda);
}

}  // namespace phiflex::bench
