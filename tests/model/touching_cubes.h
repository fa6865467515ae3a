// Two cubes of tetrahedra that meet, for the tests of integrators on contact and for bench_contact.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <memory>

#include "phiflex/energy/contact_term.h"
#include "phiflex/mesh/tet_mesh.h"
#include "phiflex/model/body_friction.h"
#include "tests/model/sample_models.h"

namespace phiflex::sample {

// Contact between all boxes of a description, as a shared term. distance: the reach over the mean edge.
inline std::shared_ptr<const ContactTerm> add_contact(ModelDescription& description,
                                                      const std::vector<Box>& boxes, ContactLaw law,
                                                      double distance = 0.1) {
  std::vector<SurfacePart> parts;
  int first = 0;
  for (const Box& box : boxes) {
    SurfacePart part;
    part.name = box.name;
    for (const auto& [a, b, c] : boundary_triangles(mesh_of(box)))
      part.triangles.push_back({a + first, b + first, c + first});
    part.reach = distance * mean_edge(part, description.rest);
    first += box.element == ElementOrder::linear ? int(mesh_of(box).vertices.size()) : 0;
    parts.push_back(std::move(part));
  }
  std::vector<char> movable(std::size_t(description.vertex_mass.size()), 1);
  const double slack = parts.front().reach;
  auto surface = std::make_shared<ContactSurface>(make_contact_surface(parts, description.rest));
  auto term = std::make_shared<const ContactTerm>(
      ContactCandidates(surface, PartPairs(int(parts.size()), true, false), description.rest, movable, slack),
      law);
  description.shared_terms.push_back(term);
  if (term->rubs()) description.loads.push_back(std::make_shared<BodyFriction>(term));
  return term;
}

struct TouchingCubes {
  int cells = 2;
  double young = 1e5, density = 1000;
  double speed = 1;    // of each, towards the other, m/s
  double tilt = 5;     // of the second, degrees
  double aside = 0;    // of the second, m
  double gap = 0.004;  // between them, m
  ContactLaw law = {.modulus = 3e3, .rest = {.gamma = 0}, .friction = {}};
  bool held = false;  // the far sides
  static constexpr double kSide = 0.1;

  std::vector<Box> boxes() const {
    const std::array<double, 3> size = {kSide, kSide, kSide};
    const Eigen::Vector3d axis = Eigen::Vector3d(0.3, 0.5, 1).normalized();
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(tilt * std::numbers::pi / 180, axis).toRotationMatrix();
    Box first{.name = "first",
              .size = size,
              .cells = {cells, cells, cells},
              .law = "stable-neo-hookean",
              .young = young,
              .density = density};
    Box second = first;
    second.name = "second";
    second.turn = turn;
    // Its lowest x after the turn is at kSide + gap.
    double lowest = 1e300;
    for (int corner = 0; corner < 8; ++corner)
      lowest =
          std::min(lowest, (turn * (kSide * Eigen::Vector3d(corner & 1, (corner >> 1) & 1, corner >> 2)))[0]);
    second.origin = turn.transpose() * Eigen::Vector3d(kSide + gap - lowest, aside, 0);
    return {first, second};
  }
  ModelDescription description() const {
    const std::vector<Box> both = boxes();
    ModelDescription description = describe(both);
    if (held) {
      hold(description, [](const Eigen::Vector3d& x) { return x[0] < 1e-9; });
      hold(description, [&](const Eigen::Vector3d& x) {
        return (both[1].turn.transpose() * x - both[1].origin)[0] > kSide - 1e-9;
      });
    }
    add_contact(description, both, law);
    return description;
  }
  State start(const DeformableModel& model) const {
    Vector x = model.description().rest, v = Vector::Zero(x.size());
    const Index half = x.size() / 2;
    for (Index i = 0; i < x.size(); i += 3) v[i] = i < half ? speed : -speed;
    return model.state(0, x, v);
  }
};

// Mean velocity of the vertices of a half of the model, m/s.
inline Eigen::Vector3d mean_velocity(const DeformableModel& model, const State& at, int half) {
  Vector x, v;
  model.expand(at, x, v);
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  double mass = 0;
  const Index vertices = model.vertices() / 2;
  for (Index i = half * vertices; i < (half + 1) * vertices; ++i) {
    p += model.description().vertex_mass[i] * v.segment<3>(3 * i);
    mass += model.description().vertex_mass[i];
  }
  return p / mass;
}

// Whether an edge of one surface goes through a triangle of the other: by signs of volumes, no tolerance, and nothing
// that the contact room computes.
inline bool intersect(const DeformableModel& model, const std::vector<Box>& boxes, const State& at) {
  Vector x, v;
  model.expand(at, x, v);
  std::vector<std::vector<std::array<int, 3>>> surfaces;
  int first = 0;
  for (const Box& box : boxes) {
    const TetMesh mesh = mesh_of(box);
    surfaces.emplace_back();
    for (const auto& [a, b, c] : boundary_triangles(mesh))
      surfaces.back().push_back({a + first, b + first, c + first});
    first += int(mesh.vertices.size());
  }
  const auto at_vertex = [&](int i) { return Eigen::Vector3d(x.segment<3>(3 * Index(i))); };
  const auto volume = [&](int a, int b, int c, int d) {
    const Eigen::Vector3d o = at_vertex(a);
    return (at_vertex(b) - o).cross(at_vertex(c) - o).dot(at_vertex(d) - o);
  };
  const auto pierced = [&](int p, int q, const std::array<int, 3>& t) {
    if (volume(t[0], t[1], t[2], p) * volume(t[0], t[1], t[2], q) >= 0) return false;
    const double a = volume(p, q, t[0], t[1]), b = volume(p, q, t[1], t[2]), c = volume(p, q, t[2], t[0]);
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
  };
  for (std::size_t i = 0; i < surfaces.size(); ++i)
    for (std::size_t j = 0; j < surfaces.size(); ++j)
      if (i != j)
        for (const auto& s : surfaces[i])
          for (std::size_t k = 0; k < 3; ++k)
            for (const auto& t : surfaces[j])
              if (pierced(s[k], s[(k + 1) % 3], t)) return true;
  return false;
}

}  // namespace phiflex::sample
