#include "phiflex/live/hand.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "phiflex/mesh/bounds.h"

namespace phiflex {
namespace {

// What (1) and (2) ask of a body's materials; zeros for springs and plane bodies.
struct Stuff {
  double young = 0, density = 0;  // the smallest, Pa, and the largest, kg/m^3
};

Stuff stuff_of(const Body& body) {
  const BodyMaterials* materials = body.materials();
  if (!materials || materials->elements.empty() || body.plane()) return {};
  double young = std::numeric_limits<double>::infinity(), density = 0;
  for (const ElementMaterial& material : materials->elements) {
    young = std::min(young, young_at_rest(material, materials->curves));
    density = std::max(density, material.density);
  }
  if (!(density > 0) || !(young > 0) || !std::isfinite(young)) return {};
  return {young, density};
}

// w_1 of (2), 1/s.
double bending_frequency(const Stuff& stuff, double longest, double shortest) {
  if (stuff.young == 0 || !(longest > 0)) return 0;
  return std::sqrt(stuff.young / stuff.density) * shortest / (longest * longest);
}

}  // namespace

void follow(const Eigen::Vector3d& to, double h, double reach, Eigen::Vector3d& p,
            Eigen::Vector3d& velocity) {
  constexpr double tau = 1 / (2 * std::numbers::pi * 4), arrived = 1e-4;
  const double left = std::exp(-h / tau);
  const Eigen::Vector3d away = p - to, slope = velocity + away / tau;
  p = to + left * (away + h * slope);  // (3)
  velocity = left * (velocity - h / tau * slope);
  if ((p - to).norm() > arrived * reach || tau * velocity.norm() > arrived * reach) return;
  p = to;
  velocity.setZero();
}

int body_of(const Assembly& world, int vertex) {
  int number = 0;
  for (std::size_t b = 0; b < world.bodies().size(); ++b)
    if (vertex >= world.bodies()[b].first_vertex) number = static_cast<int>(b);
  return number;
}

HandPatch patch_around(const Assembly& world, const SurfacePick& pick) {
  const Body& body = world.bodies()[std::size_t(body_of(world, pick.vertices[0]))];
  const Eigen::Vector3d point = pick.at(world.rest());
  const Bounds bounds = bounds_of(body.rest());
  HandPatch patch;
  const std::array<double, 3> sides{bounds.length(0), bounds.length(1), bounds.length(2)};
  const auto [shortest, longest] = std::minmax_element(sides.begin(), sides.end());
  patch.reach = *longest;
  const ModelDescription description = world.description(world.start_time());
  std::vector<double> distance(std::size_t(body.vertex_count()));
  double nearest = std::numeric_limits<double>::infinity(), mass = 0;
  for (int v = 0; v < body.vertex_count(); ++v) {
    const Index at = Index(body.first_vertex) + v;
    distance[std::size_t(v)] = (world.rest().segment<3>(3 * at) - point).norm();
    if (description.vertex_mass[at] == 0) distance[std::size_t(v)] = std::numeric_limits<double>::infinity();
    nearest = std::min(nearest, distance[std::size_t(v)]);
    mass += description.vertex_mass[at];
  }
  const Stuff stuff = stuff_of(body);
  const double slow = 2 * std::numbers::pi * 2, bending = bending_frequency(stuff, *longest, *shortest);
  patch.strength = mass * (slow * slow + bending * bending);  // (2)
  double radius = std::max(0.08 * patch.reach, 1.5 * nearest);
  if (stuff.young > 0) {
    const double borne = std::sqrt(4 * patch.strength * patch.reach / (std::numbers::pi * stuff.young));
    radius = std::max(radius, std::min(borne, patch.reach / 4));  // (1)
  }
  double sum = 0;
  for (int v = 0; v < body.vertex_count(); ++v) {
    const double r = distance[std::size_t(v)] / radius;
    if (!(r < 1)) continue;
    patch.vertices.push_back(body.first_vertex + v);
    patch.weights.push_back((1 - r * r) * (1 - r * r));  // (1)
    sum += patch.weights.back();
  }
  for (double& weight : patch.weights) weight /= sum;
  return patch;
}

}  // namespace phiflex
