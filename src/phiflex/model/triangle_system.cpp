#include "phiflex/model/triangle_system.h"

#include "phiflex/mesh/plane_generators.h"

namespace phiflex {
namespace {

int node_of(const TriangleBody& body, int triangle, int corner) {
  return body.continuity == Continuity::continuous ? body.mesh.triangles[triangle][corner]
                                                   : 3 * triangle + corner;
}

ModelDescription described(const TriangleBody& body) {
  const int count = static_cast<int>(body.mesh.triangles.size());
  const int nodes =
      body.continuity == Continuity::continuous ? static_cast<int>(body.mesh.vertices.size()) : 3 * count;
  ModelDescription description;
  description.dimension = 2;
  description.rest.setZero(3 * Index(nodes));
  description.vertex_mass.setZero(nodes);
  TriangleElements elements{{}, body.mesh.triangles, {}, body.continuity, body.penalty};
  for (int t = 0; t < count; ++t) {
    elements.nodes.push_back({node_of(body, t, 0), node_of(body, t, 1), node_of(body, t, 2)});
    elements.materials.push_back({body.law, body.parameters});
    for (int a = 0; a < 3; ++a)
      description.rest.segment<2>(3 * Index(elements.nodes[t][a])) =
          body.mesh.vertices[body.mesh.triangles[t][a]];
  }
  const auto term = std::make_shared<TriangleTerm>(description.rest, elements);
  for (int t = 0; t < count; ++t)
    for (const int v : elements.nodes[t]) description.vertex_mass[v] += body.density * term->area(t) / 3;
  description.bodies = {{"triangles", 0, nodes, {term}, {}}};
  return description;
}

}  // namespace

TriangleMesh generate_square(double side, int cells) {
  SurfaceMesh flat = generate_rectangle({{side, side}, {cells, cells}});
  TriangleMesh mesh;
  for (const Point3& x : flat.vertices) mesh.vertices.emplace_back(x[0], x[1]);
  mesh.triangles = std::move(flat.triangles);
  return mesh;
}

TriangleSystem::TriangleSystem(TriangleBody body)
    : DeformableModel(described(body)), body_(std::move(body)) {}

int TriangleSystem::node(int triangle, int corner) const {
  return node_of(body_, triangle, corner);
}

double TriangleSystem::largest_gap(const Vector& q) const {
  Vector x, v;
  expand({0, q, Vector::Zero(q.size())}, x, v);
  return static_cast<const TriangleTerm&>(*terms().front()).largest_gap(x);
}

}  // namespace phiflex
