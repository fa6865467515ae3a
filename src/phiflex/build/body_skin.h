// What a body shows to obstacles and to other bodies, and what the defaults of contact are made from.
//
//   dhat  = 0.1 of the mean edge of the surface                                                             (1)
//   kappa = max(0.03 Y, 10 g m/A)                                                                           (2)
//   k_v   = Y A_v/l                                                                                         (3)
//
// Y: the smallest Young's modulus of the body, of springs the mean of k/l, l their length; g: the acceleration of
// gravity; m/A: the surface vertices' mass over their area. (2) is the modulus of a barrier: a layer of thickness dhat
// that is softer than the body, and carries ten times the weight of the surface vertices at a third of its thickness.
// (3) is the stiffness of a penalty: of a vertex that the obstacle meets with the area A_v, as stiff as the elements
// behind it.
#pragma once

#include <vector>

#include "phiflex/build/body.h"
#include "phiflex/contact/contact_surface.h"

namespace phiflex {

struct BodySkin {
  SurfacePart part;           // by the model's vertices; its reach is that of (1)
  std::vector<int> vertices;  // of the surface, by the model's numbers, ascending
  std::vector<double> areas;  // of each, m^2
  double edge = 0;            // mean, m
  double young = 0;           // Y, Pa
  double area_density = 0;    // m/A, kg/m^2

  double reach() const { return 0.1 * edge; }     // (1), m
  double barrier_modulus(double gravity) const;   // (2), Pa; gravity in m/s^2
  double penalty_stiffness(std::size_t i) const;  // (3), N/m
};

// rest and mass: of all vertices of the model.
BodySkin skin_of(const Body& body, const Vector& rest, const Vector& mass);

}  // namespace phiflex
