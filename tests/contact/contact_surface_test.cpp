#include "phiflex/contact/contact_surface.h"

#include <gtest/gtest.h>

#include <numeric>

#include "phiflex/base/errors.h"
#include "phiflex/contact/barrier.h"
#include "phiflex/contact/stencil.h"
#include "tests/contact/random_stencils.h"
#include "tests/contact/surface_examples.h"
#include "tests/effort.h"

namespace phiflex {
namespace {

using Problems = std::vector<std::string>;

// What is refused, as text.
Problems problems_of(const std::vector<SurfacePart>& parts, const Vector& rest) {
  Problems texts;
  try {
    make_contact_surface(parts, rest);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) texts.push_back(problem.place + ": " + problem.message);
  }
  return texts;
}

// The sum of (1) over the faces that contain each face.
void expect_every_face_counts_once(const ContactSurface& surface) {
  for (const SurfaceEdge& edge : surface.edges) {
    int sum = edge.sign;
    for (const SurfaceTriangle& t : surface.triangles)
      sum += std::includes(t.vertices.begin(), t.vertices.end(), edge.vertices.begin(), edge.vertices.end());
    EXPECT_EQ(sum, 1);
  }
  for (const SurfacePoint& p : surface.points) {
    int sum = p.sign;
    for (const SurfaceEdge& edge : surface.edges)
      if (edge.vertices[0] == p.vertex || edge.vertices[1] == p.vertex) sum += edge.sign;
    for (const SurfaceTriangle& t : surface.triangles)
      sum += std::find(t.vertices.begin(), t.vertices.end(), p.vertex) != t.vertices.end();
    EXPECT_EQ(sum, 1) << p.vertex;
  }
}

double squared(StencilKind kind, std::initializer_list<int> vertices, const Eigen::Vector3d& p,
               const Vector& x) {
  StencilPoints X = StencilPoints::Zero();
  X.col(0) = p;
  int a = 1;
  for (const int v : vertices) X.col(a++) = x.segment<3>(3 * Index(v));
  const Eigen::Matrix3d E = stencil_edges(kind, X);
  return (E * nearest_feet<3>(kind, E).z).squaredNorm();
}
// The signed sum of barriers of a point, and that of its distance to the surface.
std::pair<double, double> signed_sum(const ContactSurface& s, const Eigen::Vector3d& p, const Vector& x,
                                     double reach) {
  double sum = 0, nearest = 1e300;
  const auto add = [&](double sign, double square) {
    sum += sign * barrier(square / (reach * reach));
    nearest = std::min(nearest, square);
  };
  for (const SurfaceTriangle& t : s.triangles)
    add(1, squared(StencilKind::point_triangle, {t.vertices[0], t.vertices[1], t.vertices[2]}, p, x));
  for (const SurfaceEdge& e : s.edges)
    add(e.sign, squared(StencilKind::point_edge, {e.vertices[0], e.vertices[1]}, p, x));
  for (const SurfacePoint& q : s.points) add(q.sign, squared(StencilKind::point_point, {q.vertex}, p, x));
  return {sum, barrier(nearest / (reach * reach))};
}

TEST(ContactSurface, ClosedSurfaceHasSignsOneMinusOneOne) {
  const Example cube = cube_surface(2);
  const ContactSurface surface = make_contact_surface({cube.part}, cube.rest);
  EXPECT_EQ(surface.triangles.size(), 48u);
  EXPECT_EQ(surface.edges.size(), 72u);
  EXPECT_EQ(surface.points.size(), 26u);
  for (const SurfaceEdge& edge : surface.edges) EXPECT_EQ(edge.sign, -1);
  for (const SurfacePoint& p : surface.points) EXPECT_EQ(p.sign, 1);
  expect_every_face_counts_once(surface);
}

TEST(ContactSurface, BoundaryOfAClothHasSignZero) {
  const Example cloth = sheet(3, 4);
  const ContactSurface surface = make_contact_surface({cloth.part}, cloth.rest);
  int inner_points = 0, inner_edges = 0;
  for (const SurfacePoint& p : surface.points) inner_points += p.sign == 1;
  for (const SurfaceEdge& e : surface.edges) inner_edges += e.sign == -1;
  EXPECT_EQ(inner_points, 2 * 3);
  EXPECT_EQ(inner_edges, int(surface.edges.size()) - 2 * (3 + 4));
  expect_every_face_counts_once(surface);
}

TEST(ContactSurface, RopeHasSignsOfItsSegments) {
  Example rope = empty_example(5);
  for (int v = 0; v < 5; ++v) rope.rest[3 * v] = 0.1 * v;
  rope.part.edges = {{1, 0}, {1, 2}, {2, 3}, {3, 4}};
  const ContactSurface surface = make_contact_surface({rope.part}, rope.rest);
  for (const SurfaceEdge& e : surface.edges) EXPECT_EQ(e.sign, 1);
  for (const SurfacePoint& p : surface.points) EXPECT_EQ(p.sign, p.vertex == 0 || p.vertex == 4 ? 0 : -1);
  expect_every_face_counts_once(surface);
}

// Three triangles at one edge, a rope at a corner, a point alone.
TEST(ContactSurface, EveryFaceCountsOnceWhereSurfacesBranch) {
  Example odd = empty_example(8);
  const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0.2, 0, 0, 1, 0, 0, -1, 0, 0, -2, 5, 5, 5};
  odd.rest = Eigen::Map<const Vector>(x, 24);
  odd.part.triangles = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
  odd.part.edges = {{0, 5}, {5, 6}};
  odd.part.points = {7};
  const ContactSurface surface = make_contact_surface({odd.part}, odd.rest);
  expect_every_face_counts_once(surface);
  EXPECT_EQ(surface.edges.front().vertices, (std::array{0, 1}));
  EXPECT_EQ(surface.edges.front().sign, -2);
  EXPECT_EQ(surface.points.back().sign, 1);
  EXPECT_EQ(surface.points.back().area, odd.part.width * odd.part.width);
}

TEST(ContactSurface, SignedSumOfAConvexSurfaceIsTheBarrierOfItsDistance) {
  const Example cube = cube_surface(3);
  const ContactSurface surface = make_contact_surface({cube.part}, cube.rest);
  StencilSource source(1);
  int near = 0;
  for (int k = 0; k < 1000; ++k) {
    Eigen::Vector3d p(source.uniform(-0.1, 1.1), source.uniform(-0.1, 1.1), source.uniform(-0.1, 1.1));
    p[k % 3] = k % 2 ? source.uniform(-0.1, -0.001) : source.uniform(1.001, 1.1);
    const auto [sum, expected] = signed_sum(surface, p, cube.rest, 0.1);
    near += expected > 0;
    ASSERT_NEAR(sum, expected, 1e-9 * expected) << p.transpose();
  }
  EXPECT_GE(near, samples(500));
}

TEST(ContactSurface, SignedSumInAConcaveCornerLiesBetweenOneWallAndBoth) {
  // Two sheets that meet at a right angle, in one surface.
  Example corner = empty_example(6);
  const double x[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1};
  corner.rest = Eigen::Map<const Vector>(x, 18);
  corner.part.triangles = {{0, 1, 2}, {1, 2, 3}, {0, 1, 4}, {1, 4, 5}};
  const ContactSurface surface = make_contact_surface({corner.part}, corner.rest);
  StencilSource source(2);
  const double reach = 0.1;
  for (int k = 0; k < 1000; ++k) {
    const Eigen::Vector3d p(source.uniform(0.005, 0.1), source.uniform(0.005, 0.1), source.uniform(0.2, 0.8));
    const auto [sum, nearest] = signed_sum(surface, p, corner.rest, reach);
    const double walls = barrier(p[0] * p[0] / (reach * reach)) + barrier(p[1] * p[1] / (reach * reach));
    ASSERT_GE(sum, nearest * (1 - 1e-12));
    ASSERT_LE(sum, walls * (1 + 1e-12));
  }
}

TEST(ContactSurface, AreasOfPointsAndEdgesSumToThatOfTheSurface) {
  for (const Example& example : {cube_surface(3), sheet(4, 7)}) {
    const ContactSurface surface = make_contact_surface({example.part}, example.rest);
    double points = 0, edges = 0, area = 0;
    for (const SurfacePoint& p : surface.points) points += p.area;
    for (const SurfaceEdge& e : surface.edges) edges += e.area;
    for (const auto& [a, b, c] : example.part.triangles) {
      const Eigen::Vector3d u = example.rest.segment<3>(3 * b) - example.rest.segment<3>(3 * a);
      const Eigen::Vector3d v = example.rest.segment<3>(3 * c) - example.rest.segment<3>(3 * a);
      area += 0.5 * u.cross(v).norm();
    }
    EXPECT_NEAR(points, area, 1e-12 * area);
    EXPECT_NEAR(edges, area, 1e-12 * area);
  }
}

TEST(ContactSurface, EdgesAndPointsKnowATriangleAroundThem) {
  const Example cube = cube_surface(2);
  const ContactSurface surface = make_contact_surface({cube.part}, cube.rest);
  for (const SurfaceEdge& edge : surface.edges) {
    const auto& v = surface.triangles[std::size_t(edge.triangle)].vertices;
    EXPECT_TRUE(std::includes(v.begin(), v.end(), edge.vertices.begin(), edge.vertices.end()));
  }
  for (const SurfacePoint& p : surface.points) {
    const auto& v = surface.triangles[std::size_t(p.triangle)].vertices;
    EXPECT_TRUE(std::find(v.begin(), v.end(), p.vertex) != v.end());
  }
}

TEST(ContactSurface, RefusesWhatIsDegenerateWithNameAndVertices) {
  Example bad = sheet(2, 2);
  bad.part.name = "cloth";
  SurfacePart part = bad.part;
  part.triangles.push_back({0, 0, 1});
  EXPECT_EQ(problems_of({part}, bad.rest), (Problems{"cloth: triangle (0, 0, 1) has a vertex twice"}));
  part = bad.part;
  part.triangles.push_back({0, 1, 2});  // three vertices of one row
  EXPECT_EQ(problems_of({part}, bad.rest),
            (Problems{"cloth: triangle (0, 1, 2) at (0, 0, 0) m has no area"}));
  Vector folded = bad.rest;
  folded.segment<3>(3 * 8) = folded.segment<3>(3 * 7);
  EXPECT_NE(problems_of({bad.part}, folded).front().find("vertices 7 and 8 lie at one place"),
            std::string::npos);
  part = bad.part;
  part.triangles.push_back(part.triangles.front());
  EXPECT_EQ(problems_of({part}, bad.rest).size(), 1u);
  part = bad.part;
  part.reach = 0;
  EXPECT_EQ(problems_of({part}, bad.rest),
            (Problems{"cloth: the reach of contact is 0 m; expected more than 0"}));
  part.reach = 0.5;
  EXPECT_EQ(problems_of({part}, bad.rest).size(), 1u);
  part = bad.part;
  part.edges = {{0, 8}, {8, 0}};
  part.width = 0;
  EXPECT_EQ(problems_of({part}, bad.rest).size(), 2u);  // no width, and an edge that is given twice
  EXPECT_EQ(problems_of({bad.part, bad.part}, bad.rest).size(), 9u);  // every vertex belongs to two surfaces
}

}  // namespace
}  // namespace phiflex
