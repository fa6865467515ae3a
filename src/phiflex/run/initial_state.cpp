#include "phiflex/run/initial_state.h"

#include <cmath>
#include <numbers>

#include "phiflex/mesh/bounds.h"

namespace phiflex {
namespace {

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

void stretch(const StretchSpec& spec, const Bounds& rest, Point3& x) {
  const int i = static_cast<int>(spec.axis);
  x[i] = rest.low[i] + spec.factor * (x[i] - rest.low[i]);  // (1)
}

void twist(const TwistSpec& spec, const Bounds& rest, double s, Point3& x) {
  const int i = static_cast<int>(spec.axis), j = (i + 1) % 3, k = (i + 2) % 3;
  const double angle = s * radians(spec.angle);  // (2)
  const double a = x[j] - rest.centre(j), b = x[k] - rest.centre(k);
  x[j] = rest.centre(j) + std::cos(angle) * a - std::sin(angle) * b;
  x[k] = rest.centre(k) + std::sin(angle) * a + std::cos(angle) * b;
}

void bend(const BendSpec& spec, const Bounds& rest, Point3& x) {
  const int i = static_cast<int>(spec.axis), j = static_cast<int>(spec.toward);
  const double length = rest.length(i);
  const double whole = radians(spec.angle);
  if (whole == 0 || length == 0) return;
  const double radius = length / whole;
  const double angle = (x[i] - rest.low[i]) / radius;  // (3): tangent angle at this cross-section
  const double off = x[j] - rest.centre(j);
  x[i] = rest.low[i] + (radius - off) * std::sin(angle);
  x[j] = rest.centre(j) + radius - (radius - off) * std::cos(angle);
}

}  // namespace

InitialMotion initial_motion(const InitialSpec& spec, const Body& body, const std::vector<double>& masses) {
  const std::vector<Point3>& rest = body.rest();
  const Bounds bounds = bounds_of(rest);
  InitialMotion motion{std::vector<Point3>(rest.size()), std::vector<Point3>(rest.size())};

  std::vector<Point3> now = rest;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    if (spec.stretch) stretch(*spec.stretch, bounds, now[v]);
    if (spec.twist) {
      const int i = static_cast<int>(spec.twist->axis);
      const double length = bounds.length(i);
      twist(*spec.twist, bounds, length > 0 ? (rest[v][i] - bounds.low[i]) / length : 0, now[v]);
    }
    if (spec.bend) bend(*spec.bend, bounds, now[v]);
    for (int i = 0; i < 3; ++i) motion.displacement[v][i] = now[v][i] - rest[v][i];
  }

  Point3 centre_of_mass{};
  double mass = 0;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    mass += masses[v];
    for (int i = 0; i < 3; ++i) centre_of_mass[i] += masses[v] * now[v][i];
  }
  for (int i = 0; i < 3; ++i) centre_of_mass[i] /= mass;
  const Triple& w = spec.angular_velocity;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const double r[3] = {now[v][0] - centre_of_mass[0], now[v][1] - centre_of_mass[1],
                         now[v][2] - centre_of_mass[2]};
    motion.velocity[v] = {spec.velocity[0] + w[1] * r[2] - w[2] * r[1],
                          spec.velocity[1] + w[2] * r[0] - w[0] * r[2],
                          spec.velocity[2] + w[0] * r[1] - w[1] * r[0]};
  }
  return motion;
}

}  // namespace phiflex
