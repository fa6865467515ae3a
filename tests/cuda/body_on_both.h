// A body of the host's engine and the same one on a device.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "phiflex/energy/gravity_term.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/model/nodal_load.h"
#include "phiflex/run/device_motion.h"
#include "tests/cuda/device_cases.h"

namespace phiflex::device {

// The same body on both sides, with a state that moves.
struct BodyOnBoth {
  ElasticBox box;
  DeviceTets tets;
  std::unique_ptr<DeformableModel> model;
  std::unique_ptr<DeviceBody> body;
  Vector x, v;

  using Loads = std::vector<std::shared_ptr<const NodalLoad>>;

  BodyOnBoth(const std::string& law, bool held, std::array<double, 3> gravity = {0, -9.81, 0},
             const std::function<Loads(const ElasticBox&)>& loads = {}, const BodyDamping& damping = {},
             const Path& path = {})
      : box(elastic_box(3, law)), tets(device_tets(box, law, held)) {
    tets.gravity = gravity;
    const int vertices = int(tets.masses.size());
    ModelDescription description;
    description.rest = box.rest;
    description.vertex_mass = Eigen::Map<const Vector>(tets.masses.data(), vertices);
    description.bodies = {
        {.name = "box",
         .first_vertex = 0,
         .vertex_count = vertices,
         .terms = {std::shared_ptr<const PotentialTerm>(make_elastic_term(law, box.rest, box.elements))},
         .damping = damping}};
    if (damping.alpha != 0) tets.alpha.assign(tets.masses.size(), damping.alpha);
    if (damping.beta != 0) tets.beta.assign(tets.tets.size(), damping.beta);
    tets.damps_current = damping.stiffness == DampedStiffness::current;
    description.shared_terms = {std::make_shared<GravityTerm>(tets.masses, gravity, box.rest)};
    for (const auto& load : loads ? loads(box) : Loads{}) {
      description.loads.push_back(load);
      tets.loads.push_back({.forces = std::vector<double>(3 * tets.masses.size(), 0.0),
                            .factor = [load](double t) { return load->factor(t); },
                            .rate = [load](double t) { return load->rate(t); }});
      for (std::size_t q = 0; q < 3 * load->vertices().size(); ++q)
        tets.loads.back().forces[3 * std::size_t(load->vertices()[q / 3]) + q % 3] = load->forces()[Index(q)];
    }
    VertexConstraint constraint{.vertices = {}, .path = path};
    for (int i = 0; i < vertices; ++i)
      if (tets.held[std::size_t(i)]) constraint.vertices.push_back(i);
    if (held) description.constraints = {constraint};
    model = std::make_unique<DeformableModel>(description);
    if (path.moves()) tets.motion = motion_of(*model);
    body = make_serial_body(tets);
    x = box.rest + without_held(tets, 0.02 * wiggle(box.rest.size(), 0.6));
    v = without_held(tets, 0.5 * wiggle(box.rest.size(), 1.1));
    set();
  }
  void set() { body->set_state(as_span(x), as_span(v)); }
  // Without the numbers of held vertices, whose displacements are 0.
  Vector of_free(const Vector& all) const {
    Vector free(model->dofs());
    Index next = 0;
    for (std::size_t i = 0; i < tets.held.size(); ++i)
      if (!tets.held[i]) {
        free.segment<3>(next) = all.segment<3>(3 * Index(i));
        next += 3;
      }
    return free;
  }
  State host_state() const { return {0, of_free(x - box.rest), of_free(v)}; }
  void read() { body->state(as_span(x), as_span(v)); }
};

// Saint Venant-Kirchhoff gives way under strong compression: its stiffness is indefinite.
struct Compressed : BodyOnBoth {
  Compressed() : BodyOnBoth("stvk", false, {0, 0, 0}) {
    x = 0.4 * box.rest;
    v.setZero();
    set();
  }
};

}  // namespace phiflex::device
