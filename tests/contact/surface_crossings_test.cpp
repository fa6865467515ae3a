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

}  // namespace
}  // namespace phiflex
