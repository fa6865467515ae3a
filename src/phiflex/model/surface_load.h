// Pressure on triangles and torque on vertices, which follow the bodies as they deform.
//
// Pressure p on a triangle of area A with the outward normal n: a third of the force on each corner,
//
//   f_i = -p m(t) A n / 3 = -p m(t) (x_b - x_a) x (x_c - x_a) / 6        of the deformed triangle            (1)
//
// A torque T on vertices with the centroid c, r_i = x_i - c: forces without resultant,
//
//   f_i = m(t) w x r_i,     w = I^-1 T,   I = sum_i (|r_i|^2 1 - r_i r_i'),   so that sum_i r_i x f_i = T    (2)
//
// How both change with the positions is not symmetric and is left out of the tangent.
#pragma once

#include <array>
#include <vector>

#include "phiflex/model/load.h"
#include "phiflex/model/modulation.h"

namespace phiflex {

// Area times normal of a triangle, m^2; x: of all vertices.
Eigen::Vector3d area_vector(const std::array<int, 3>& triangle, const Vector& x);

class PressureLoad : public Load {
 public:
  // triangles: vertices of the model, outward. pressure: Pa, positive presses on the body.
  PressureLoad(std::vector<std::array<int, 3>> triangles, double pressure, ActiveTime active,
               Modulation strength)
      : triangles_(std::move(triangles)),
        pressure_(pressure),
        active_(active),
        strength_(std::move(strength)) {}

  void add_force(const Motion& at, Vector& f) const override;
  void add_force_rate(const Motion& at, Vector& g) const override;

 private:
  void add(double pressure, const Vector& x, Vector& f) const;
  std::vector<std::array<int, 3>> triangles_;
  double pressure_;
  ActiveTime active_;
  Modulation strength_;
};

class TorqueLoad : public Load {
 public:
  // vertices of the model, at least three that are not in a line. torque: N m.
  TorqueLoad(std::vector<int> vertices, const Eigen::Vector3d& torque, ActiveTime active, Modulation strength)
      : vertices_(std::move(vertices)), torque_(torque), active_(active), strength_(std::move(strength)) {}

  void add_force(const Motion& at, Vector& f) const override;
  void add_force_rate(const Motion& at, Vector& g) const override;

 private:
  void add(double factor, const Vector& x, Vector& f) const;
  std::vector<int> vertices_;
  Eigen::Vector3d torque_;
  ActiveTime active_;
  Modulation strength_;
};

}  // namespace phiflex
