#include "phiflex/mesh/refine.h"

#include <utility>

#include "phiflex/mesh/mid_edges.h"

namespace phiflex {
namespace {

// By the nodes of a quadratic tetrahedron (mid_edges.h): 4 to 9 lie in the middle of 01, 12, 02, 03, 13, 23.
constexpr std::array<std::array<int, 4>, 8> kChildren = {{{0, 4, 6, 7},
                                                          {4, 1, 5, 8},
                                                          {6, 5, 2, 9},
                                                          {7, 8, 9, 3},
                                                          {4, 6, 7, 8},
                                                          {4, 5, 6, 8},
                                                          {6, 7, 8, 9},
                                                          {6, 8, 5, 9}}};

template <class Value>
void repeat_for_children(std::vector<Value>& values) {
  std::vector<Value> repeated;
  repeated.reserve(kChildren.size() * values.size());
  for (const Value& value : values) repeated.insert(repeated.end(), kChildren.size(), value);
  values = std::move(repeated);
}

}  // namespace

TetMesh refined(TetMesh mesh) {
  const std::vector<QuadraticTet> parents = add_mid_edge_nodes(mesh);
  mesh.tets.clear();
  mesh.tets.reserve(kChildren.size() * parents.size());
  for (const QuadraticTet& parent : parents)
    for (const auto& [a, b, c, d] : kChildren)
      mesh.tets.push_back({parent[a], parent[b], parent[c], parent[d]});
  repeat_for_children(mesh.tags);
  for (auto& [name, field] : mesh.element_fields) repeat_for_children(field);
  return mesh;
}

}  // namespace phiflex
