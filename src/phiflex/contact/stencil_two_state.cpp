#include "phiflex/contact/stencil_two_state.h"

#include <algorithm>
#include <cmath>

#include "phiflex/contact/barrier.h"

namespace phiflex {
namespace {

constexpr double kLargestRatio = 2;  // of (6)
constexpr double kLeastPart = 0.25;  // of c in (6)

// |E z|^2 - D of (2), where `nearest` holds the feet of D.
double excess(const Eigen::Matrix3d& E, const Eigen::Vector3d& z, const StencilShape& nearest) {
  const Eigen::Vector3d d = E * (z - nearest.feet.z);
  return std::max(0.0, d.dot(2 * nearest.r + d));
}

// The root in [0, 1] of e0 + theta (e1 - e0 - c) + theta^2 c, for e0 and e1 of different signs.
double root_between(double e0, double e1, double c) {
  if (e0 < 0) {
    e0 = -e0;
    e1 = -e1;
    c = -c;
  }
  if (e0 == 0) return 0;
  const double fall = e0 - e1 + c;  // minus the linear coefficient
  const double square = std::sqrt(std::max(0.0, fall * fall - 4 * c * e0));
  const double theta = fall >= 0 ? 2 * e0 / (fall + square) : (square - fall) / (-2 * c);
  return std::clamp(theta, 0.0, 1.0);
}

// y of (3), and its z.
Feet exact_feet(StencilKind kind, const Eigen::Matrix3d& E, const Eigen::Matrix3d& E_end,
                const StencilShape& start, const StencilShape& end) {
  if (kind == StencilKind::point_point) return start.feet;
  Eigen::Matrix<double, 6, 3> both;
  both << E, E_end;
  Feet feet = nearest_feet<6>(kind, both);
  const double e_mean = excess(E_end, feet.z, end) - excess(E, feet.z, start);
  if (e_mean == 0) return feet;
  const bool to_end = e_mean > 0;
  const Feet& other = to_end ? end.feet : start.feet;
  const double e_other = to_end ? -excess(E, other.z, start) : excess(E_end, other.z, end);
  const Eigen::Vector3d dz = other.z - feet.z;
  const double theta = root_between(e_mean, e_other, (E_end * dz).squaredNorm() - (E * dz).squaredNorm());
  feet.z += theta * dz;
  feet.y += theta * (other.y - feet.y);
  return feet;  // (3)
}

// (4)
void add_mollifier_force(const StencilLaw& law, const Eigen::Matrix3d& E, const Eigen::Matrix3d& E_end,
                         const StencilShape& start, const StencilShape& end, StencilPoints& f) {
  const double g = law.weight * 0.5 * (barrier(start.x) + barrier(end.x)) *
                   mollifier_chord(start.cross, end.cross, law.parallel);
  const auto mean = [&](int i, int j) {
    return 0.5 * (E.col(i).dot(E.col(j)) + E_end.col(i).dot(E_end.col(j)));
  };
  const double aa = mean(1, 1), bb = mean(2, 2), ab = mean(1, 2);
  const Eigen::Vector3d a = 0.5 * (E.col(1) + E_end.col(1)), b = 0.5 * (E.col(2) + E_end.col(2));
  add_edge_forces(-2 * g * (bb * a - ab * b), -2 * g * (aa * b - ab * a), f);
}

}  // namespace

StencilStep stencil_step(StencilKind kind, const StencilLaw& law, const Eigen::Matrix3d& E,
                         const Eigen::Matrix3d& dE, const StencilShape& start, const StencilShape& end,
                         const RestDial& rest, double h) {
  StencilStep step;
  if (start.x >= 1 && end.x >= 1) return step;
  step.active = true;
  step.energy_change = stencil_energy(law, end) - stencil_energy(law, start);
  const Eigen::Matrix3d E_end = E + dE;
  const Feet feet = exact_feet(kind, E, E_end, start, end);
  step.feet = feet.y;
  step.arm = (E + 0.5 * dE) * feet.z;

  const double reach2 = law.reach * law.reach, factor = 0.5 * (start.factor + end.factor);
  const DialledChord chord =
      dialled_chord(rest, law.reach, std::sqrt(start.square), std::sqrt(end.square), h);  // (5)
  step.taken = factor * law.weight * chord.taken;
  step.stress = factor * law.weight * chord.value / reach2;
  step.force = -2 * step.stress * step.arm * step.feet.transpose();  // (1)
  step.pressure = 2 * std::abs(step.stress) * step.arm.norm();

  const double size = step.arm.norm() * step.feet.norm(), end_size = end.r.norm() * end.feet.y.norm();
  const double ratio = size * kLargestRatio > end_size ? end_size / size : kLargestRatio;
  const double c = 8 * factor * law.weight * chord.slope / (reach2 * reach2) * ratio;
  step.stiffness = c;
  if (c > 0) step.stiffness = std::max(kLeastPart * c, c + 2 * step.stress / step.arm.squaredNorm());  // (6)

  if (kind == StencilKind::edge_edge && law.parallel > 0 && std::min(start.cross, end.cross) < law.parallel)
    add_mollifier_force(law, E, E_end, start, end, step.force);
  return step;
}

}  // namespace phiflex
