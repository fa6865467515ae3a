#include "phiflex/mesh/tet_faces.h"

#include <algorithm>

namespace phiflex {
namespace {

// Corners of the faces of (0, 1, 2, 3), outward for positive volume.
constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

struct Face {
  std::array<int, 3> key;  // corners, ascending
  std::size_t id;          // 4 tetrahedron + face
};

}  // namespace

TetFaces find_tet_faces(const TetMesh& mesh) {
  std::vector<Face> faces;
  faces.reserve(4 * mesh.tets.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    for (std::size_t f = 0; f < 4; ++f) {
      const auto& tet = mesh.tets[t];
      Face face{{tet[kFaces[f][0]], tet[kFaces[f][1]], tet[kFaces[f][2]]}, 4 * t + f};
      std::sort(face.key.begin(), face.key.end());
      faces.push_back(face);
    }
  }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.key < b.key; });

  TetFaces out;
  std::vector<std::size_t> boundary_ids;
  for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
    while (end < faces.size() && faces[end].key == faces[begin].key) ++end;
    if (end - begin == 1) boundary_ids.push_back(faces[begin].id);
    out.crowded += end - begin >= 3;
  }
  std::sort(boundary_ids.begin(), boundary_ids.end());
  for (const std::size_t id : boundary_ids) {
    const auto& tet = mesh.tets[id / 4];
    const int* corners = kFaces[id % 4];
    out.boundary.push_back({tet[corners[0]], tet[corners[1]], tet[corners[2]]});
    out.owners.push_back(static_cast<int>(id / 4));
  }
  return out;
}

}  // namespace phiflex
