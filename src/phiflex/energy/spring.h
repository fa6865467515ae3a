// The elements of spring networks: what their arms are. An element has the nodes x_i and the arms
//
//   s_j = sum_i w_ji x_i,    sum_i w_ji = 0,    l_j = |s_j|                                                (1)
//
// and its extension is e = sum_j sigma_j l_j - rest_length, from which a law (spring_laws.h) makes an energy.
// Lengths know neither translations nor rotations: whatever the law, there is no resultant and no torque.
#pragma once

#include <array>

#include "phiflex/base/mat3.h"
#include "phiflex/linalg/vector.h"

namespace phiflex {

// Between two vertices: e = |x_a - x_b| - rest_length.
struct Spring {
  static constexpr int kNodes = 2, kArms = 1;
  static constexpr double kWeights[kArms][kNodes] = {{1, -1}};
  static constexpr double kSigns[kArms] = {1};

  int a, b;            // vertices of the model
  double k;            // [N/m]
  double rest_length;  // [m]
  std::array<int, kNodes> nodes() const { return {a, b}; }
};

// From a vertex of a tetrahedron to the centre of the opposite face, which is no particle of its own: the
// three corners of the face carry a third of the force each.
struct CentreSpring {
  static constexpr int kNodes = 4, kArms = 1;
  static constexpr double kWeights[kArms][kNodes] = {{1, -1.0 / 3, -1.0 / 3, -1.0 / 3}};
  static constexpr double kSigns[kArms] = {1};

  int vertex;
  std::array<int, 3> face;
  double k;            // [N/m]
  double rest_length;  // [m]
  std::array<int, kNodes> nodes() const { return {vertex, face[0], face[1], face[2]}; }
};

// The two diagonals a-b and c-d of a face, coupled: e = |x_a - x_b| - |x_c - x_d| - rest_length. It resists the
// shear of the face and nothing else: a stretch of the face, or its bending, changes both diagonals alike.
struct ScissorSpring {
  static constexpr int kNodes = 4, kArms = 2;
  static constexpr double kWeights[kArms][kNodes] = {{1, -1, 0, 0}, {0, 0, 1, -1}};
  static constexpr double kSigns[kArms] = {1, -1};

  int a, b, c, d;
  double k;            // [N/m]
  double rest_length;  // difference of the diagonals at rest [m]
  std::array<int, kNodes> nodes() const { return {a, b, c, d}; }
};

template <class Element>
using ArmVectors = std::array<Vec3<double>, Element::kArms>;

// The arms (1) in a vector over all vertices.
template <class Element>
ArmVectors<Element> arms(const Vector& x, const Element& element) {
  const auto nodes = element.nodes();
  ArmVectors<Element> s{};
  for (int i = 0; i < Element::kNodes; ++i) {
    const double* at = x.data() + 3 * Index(nodes[i]);
    for (int j = 0; j < Element::kArms; ++j)
      for (int k = 0; k < 3; ++k) s[j][k] += Element::kWeights[j][i] * at[k];
  }
  return s;
}

// y_i += sum_j w_ji values_j: what acts on the arms acts on the nodes.
template <class Element>
void add_to_nodes(const Element& element, const ArmVectors<Element>& values, Vector& y) {
  const auto nodes = element.nodes();
  for (int i = 0; i < Element::kNodes; ++i) {
    double* at = y.data() + 3 * Index(nodes[i]);
    for (int j = 0; j < Element::kArms; ++j)
      for (int k = 0; k < 3; ++k) at[k] += Element::kWeights[j][i] * values[j][k];
  }
}

}  // namespace phiflex
