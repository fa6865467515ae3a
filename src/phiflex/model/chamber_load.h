// A pneumatic chamber: the pressure p(t) in a hollow of a body. Its wall is a closed surface of triangles (a, b, c)
// whose normals point out of the body, so into the hollow. The enclosed volume is
//
//   V(x) = -1/6 sum x_a.(x_b x x_c)                                                                        (1)
//
// and the gas pushes with the gradient of p V: on each corner of a triangle
//
//   f_a = p dV/dx_a = -p (x_b - x_a) x (x_c - x_a) / 6          of the deformed triangle                     (2)
//
// which is a follower pressure (surface_load.h, (1)); its work is p dV. A closed wall makes the change with the
// positions symmetric: with [y] z = y x z and o any place, a vertex of the wall here, each triangle gives
//
//   K_ab = -p/6 [x_c - o],   K_ba = K_ab'     for (a, b, c), (b, c, a), (c, a, b)                          (3)
//
// K has eigenvalues of both signs: the projected stiffness leaves it out. Hibbitt, Some follower forces and load
// stiffness (1979), derives load stiffness; Schweizerhof and Ramm, Displacement dependent pressure loads in nonlinear
// finite element analyses (1984), say when it is symmetric.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "phiflex/model/load.h"
#include "phiflex/model/modulation.h"

namespace phiflex {

// (1), m^3; x: of all vertices.
double hollow_volume(const std::vector<std::array<int, 3>>& wall, const Vector& x);

class ChamberLoad : public Load {
 public:
  // wall: vertices of the model; closed. pressure: Pa over that outside, positive inflates.
  ChamberLoad(std::string name, std::vector<std::array<int, 3>> wall, double pressure, ActiveTime active,
              Modulation strength)
      : name_(std::move(name)),
        wall_(std::move(wall)),
        pressure_(pressure),
        active_(active),
        strength_(std::move(strength)) {}

  void add_force(const Motion& at, Vector& f) const override;
  void add_force_rate(const Motion& at, Vector& g) const override;
  void add_couplings(std::vector<Coupling>& couplings) const override;
  std::unique_ptr<LoadStiffness> make_stiffness(const FreeVertices& free,
                                                const SparsityPattern& pattern) const override;
  void add_stiffness_product(const Motion& at, const Vector& dx, Vector& y) const override;

  const std::string& name() const { return name_; }
  const std::vector<std::array<int, 3>>& wall() const { return wall_; }
  double pressure(double t) const { return active_.covers(t) ? pressure_ * strength_.at(t) : 0; }  // Pa
  double volume(const Vector& x) const { return hollow_volume(wall_, x); }                         // m^3

 private:
  void add(double pressure, const Vector& x, Vector& f) const;
  std::string name_;
  std::vector<std::array<int, 3>> wall_;
  double pressure_;
  ActiveTime active_;
  Modulation strength_;
};

}  // namespace phiflex
