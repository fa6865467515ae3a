#include "phiflex/contact/surface_crossings.h"

#include <gtest/gtest.h>

#include "phiflex/mesh/generators.h"

namespace phiflex {
namespace {

// Two boxes of 1 m, the second shifted.
struct TwoBoxes {
  std::vector<SurfacePart> parts = std::vector<SurfacePart>(2);
  Vector x;
  explicit TwoBoxes(const Eigen::Vector3d& shift) {
    const TetMesh mesh = generate_box({.size = {1, 1, 1}, .cells = {2, 2, 2}});
    const SurfaceMesh surface = extract_surface(mesh);
    const int count = static_cast<int>(surface.vertices.size());
    x.resize(6 * count);
    parts[0].name = "a";
    parts[1].name = "b";
    parts[0].reach = parts[1].reach = 0.01;
    for (int part = 0; part < 2; ++part) {
      for (int v = 0; v < count; ++v)
        for (int i = 0; i < 3; ++i)
          x[3 * (part * count + v) + i] = surface.vertices[std::size_t(v)][std::size_t(i)] + part * shift[i];
      for (const auto& [a, b, c] : surface.triangles)
        parts[std::size_t(part)].triangles.push_back({part * count + a, part * count + b, part * count + c});
    }
  }
  std::size_t crossings() const {
    const ContactSurface surface = make_contact_surface(parts, x);
    return find_crossings(surface, PartPairs(2, true, true), x, 1000).size();
  }
};

TEST(SurfaceCrossings, AreThereForBoxesThatIntersectAndNotForThoseApart) {
  EXPECT_EQ(TwoBoxes({1.5, 0, 0}).crossings(), 0u);
  EXPECT_EQ(TwoBoxes({1 + 1e-9, 0.3, 0.2}).crossings(), 0u);
  EXPECT_GT(TwoBoxes({1 - 1e-6, 0.3, 0.2}).crossings(), 0u);
  EXPECT_GT(TwoBoxes({0.9, 0.1, 0.2}).crossings(), 0u);
}

TEST(SurfaceCrossings, AreNotThereForSurfacesThatTouch) {
  EXPECT_EQ(TwoBoxes({1, 0, 0}).crossings(), 0u) << "face on face, vertex on vertex";
  EXPECT_EQ(TwoBoxes({1, 0.3, 0.1}).crossings(), 0u);
  EXPECT_EQ(TwoBoxes({1, 1, 0}).crossings(), 0u) << "edge on edge";
}

TEST(SurfaceCrossings, OfPartsThatMayNotTouchDoNotCount) {
  const TwoBoxes boxes({0.9, 0.1, 0.2});
  const ContactSurface surface = make_contact_surface(boxes.parts, boxes.x);
  EXPECT_TRUE(find_crossings(surface, PartPairs(2, false, true), boxes.x, 1000).empty());
  EXPECT_EQ(find_crossings(surface, PartPairs(2, true, true), boxes.x, 3).size(), 3u);
}

// A solid of n^3 cells with its lowest corner at `low`; hollow: without the cell in the middle of 3^3.
TetMesh enclosing_box(double side, int n, const Eigen::Vector3d& low, bool hollow = false) {
  TetMesh mesh = generate_box({.size = {side, side, side}, .cells = {n, n, n}});
  for (Point3& p : mesh.vertices)
    for (std::size_t i = 0; i < 3; ++i) p[i] += low[Index(i)];
  if (hollow)
    std::erase_if(mesh.tets, [&](const std::array<int, 4>& tet) {
      for (std::size_t i = 0; i < 3; ++i) {
        double middle = -low[Index(i)];
        for (const int v : tet) middle += mesh.vertices[std::size_t(v)][i] / 4;
        if (middle < side / 3 || middle > 2 * side / 3) return false;
      }
      return true;
    });
  return mesh;
}

std::vector<EnclosedPiece> enclosed_pieces(const std::vector<TetMesh>& meshes, bool between = true) {
  std::vector<SurfacePart> parts;
  std::vector<std::vector<std::array<int, 4>>> tets;
  std::vector<double> x;
  for (const TetMesh& mesh : meshes) {
    const int first = int(x.size() / 3);
    for (const Point3& p : mesh.vertices) x.insert(x.end(), p.begin(), p.end());
    SurfacePart& part = parts.emplace_back();
    part.name = "box";
    part.reach = 0.01;
    for (const auto& [a, b, c] : boundary_triangles(mesh))
      part.triangles.push_back({a + first, b + first, c + first});
    tets.emplace_back();
    for (const auto& [a, b, c, d] : mesh.tets)
      tets.back().push_back({a + first, b + first, c + first, d + first});
  }
  const Vector places = Eigen::Map<const Vector>(x.data(), Index(x.size()));
  return find_enclosed(make_contact_surface(parts, places), PartPairs(int(parts.size()), between, true), tets,
                       places);
}

TEST(EnclosedPieces, AreThoseOfABodyInsideAnotherAndOfBodiesThatOverlapOnOneGrid) {
  const TetMesh large = enclosing_box(1, 3, {0, 0, 0}), small = enclosing_box(0.1, 1, {0.4, 0.4, 0.4});
  const std::vector<EnclosedPiece> one = enclosed_pieces({large, small});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].part, 1);
  EXPECT_EQ(one[0].inside, 0);
  EXPECT_EQ(one[0].vertices, std::vector<int>{int(large.vertices.size())}) << "its first vertex";
  EXPECT_TRUE(enclosed_pieces({large, small}, false).empty()) << "they may not touch";
  EXPECT_EQ(enclosed_pieces({enclosing_box(1, 2, {0, 0, 0}), enclosing_box(1, 2, {0.5, 0, 0})}).size(), 2u);
  // All vertices of the one lie on the surface of the other: the middles of triangles do not.
  const auto halves = enclosed_pieces({enclosing_box(1, 1, {0, 0, 0}), enclosing_box(1, 1, {0.5, 0, 0})});
  ASSERT_EQ(halves.size(), 2u);
  EXPECT_EQ(halves[0].vertices.size(), 3u);
}

TEST(EnclosedPieces, AreNotThoseThatTouchNorThoseInAHollow) {
  const TetMesh box = enclosing_box(1, 2, {0, 0, 0});
  for (const Eigen::Vector3d& shift : {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(1, 0.3, 0.1),
                                       Eigen::Vector3d(1, 1, 0), Eigen::Vector3d(1, 1, 1)})
    EXPECT_TRUE(enclosed_pieces({box, enclosing_box(1, 2, shift)}).empty()) << shift.transpose();
  const TetMesh hollow = enclosing_box(1, 3, {0, 0, 0}, true),
                small = enclosing_box(0.1, 1, {0.45, 0.45, 0.45});
  EXPECT_TRUE(enclosed_pieces({hollow, small}).empty());
}

}  // namespace
}  // namespace phiflex
