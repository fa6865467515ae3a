// A plane body of triangles (energy/triangle_term.h), free on all sides, as a system by itself. Its state is
// the displacement from rest of every node, two numbers each: of every vertex when continuous, of corner a of
// triangle t at 3 t + a when not.
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "phiflex/energy/triangle_term.h"
#include "phiflex/model/deformable_model.h"

namespace phiflex {

struct TriangleMesh {
  std::vector<Eigen::Vector2d> vertices;      // m
  std::vector<std::array<int, 3>> triangles;  // counterclockwise
};
// The square [0, side]^2 of cells x cells squares, each cut along its rising diagonal.
TriangleMesh generate_square(double side, int cells);

struct TriangleBody {
  TriangleMesh mesh;
  std::string law = "neo-hookean";  // has_plane_law
  std::vector<double> parameters =
      {};              // of the law (material/catalogue.h): Young's modulus (Pa), Poisson's ratio
  double density = 0;  // kg/m^3
  Continuity continuity = Continuity::continuous;
  double penalty = 0;  // eta, N/m^3
};

class TriangleSystem final : public DeformableModel {
 public:
  explicit TriangleSystem(TriangleBody body);

  const TriangleBody& body() const { return body_; }
  int node(int triangle, int corner) const;
  double largest_gap(const Vector& q) const;  // m

 private:
  TriangleBody body_;
};

}  // namespace phiflex
