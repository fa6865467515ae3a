#include "phiflex/contact/contact_candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "phiflex/base/parallel.h"
#include "tests/contact/pile.h"
#include "tests/effort.h"

namespace phiflex {
namespace {

double candidate_distance(const ContactStencil& stencil, const Vector& x) {
  StencilPoints X = StencilPoints::Zero();
  for (int a = 0; a < vertex_count(stencil.kind); ++a)
    X.col(a) = x.segment<3>(3 * Index(stencil.vertices[std::size_t(a)]));
  const Eigen::Matrix3d E = stencil_edges(stencil.kind, X);
  return (E * nearest_feet<3>(stencil.kind, E).z).norm();
}

using Key = std::pair<StencilKind, std::array<int, 4>>;

// Those that are within reach somewhere on the way, from the candidates.
std::set<Key> within_reach(const ContactCandidates& candidates, const Vector& x, const Vector& dx,
                           int samples) {
  std::set<Key> keys;
  for (const ContactStencil& stencil : candidates.stencils())
    for (int i = 0; i <= samples; ++i)
      if (candidate_distance(stencil, x + (double(i) / samples) * dx) < stencil.reach) {
        keys.insert({stencil.kind, stencil.vertices});
        break;
      }
  return keys;
}

// The same by looking at all pairs of different parts and, where asked for, of one part. All parts have one reach.
std::set<Key> all_within_reach(const ContactSurface& s, const PartPairs& pairs, const Vector& x,
                               const Vector& dx, int samples) {
  std::set<Key> keys;
  const auto look = [&](StencilKind kind, const std::array<int, 4>& vertices, int part, int other) {
    if (!pairs.may_touch(part, other)) return;
    const int side = first_side(kind), count = vertex_count(kind);
    for (int a = 0; a < side; ++a)
      if (std::find(vertices.begin() + side, vertices.begin() + count, vertices[std::size_t(a)]) !=
          vertices.begin() + count)
        return;
    const ContactStencil stencil{.kind = kind, .vertices = vertices};
    for (int i = 0; i <= samples; ++i)
      if (candidate_distance(stencil, x + (double(i) / samples) * dx) < s.part_reach.front()) {
        keys.insert({kind, vertices});
        return;
      }
  };
  for (const SurfacePoint& p : s.points) {
    for (const SurfaceTriangle& t : s.triangles)
      look(StencilKind::point_triangle, {p.vertex, t.vertices[0], t.vertices[1], t.vertices[2]}, p.part,
           t.part);
    for (const SurfaceEdge& e : s.edges)
      if (e.sign != 0)
        look(StencilKind::point_edge, {p.vertex, e.vertices[0], e.vertices[1], -1}, p.part, e.part);
    for (const SurfacePoint& q : s.points)
      if (q.sign != 0) look(StencilKind::point_point, {p.vertex, q.vertex, -1, -1}, p.part, q.part);
  }
  for (std::size_t i = 0; i < s.edges.size(); ++i)
    for (std::size_t j = i + 1; j < s.edges.size(); ++j) {
      const auto &a = s.edges[i].vertices, &b = s.edges[j].vertices;
      look(StencilKind::edge_edge, {a[0], a[1], b[0], b[1]}, s.edges[i].part, s.edges[j].part);
    }
  return keys;
}

Vector random_motion(int vertices, double size, StencilSource& source) {
  Vector dx(3 * vertices);
  for (Index i = 0; i < dx.size(); ++i) dx[i] = size * source.uniform(-1, 1);
  return dx;
}

TEST(ContactCandidates, HoldAllThatComesWithinReachOnTheWay) {
  StencilSource source(1);
  for (int k = 0; k < samples(6); ++k) {
    const Pile pile(4, 2, 0.8, source);
    ContactCandidates candidates = pile.candidates();
    const Vector dx = random_motion(pile.vertices(), k % 2 ? 0.2 : 0.01, source);
    EXPECT_TRUE(candidates.cover(pile.x, dx));
    const auto expected = all_within_reach(*pile.surface, PartPairs(4, true, false), pile.x, dx, 10);
    EXPECT_EQ(within_reach(candidates, pile.x, dx, 10), expected);
    EXPECT_GE(expected.size(), 1u);
  }
}

TEST(ContactCandidates, AreKeptWhileNothingLeavesItsRadius) {
  StencilSource source(2);
  const Pile pile(4, 2, 1.5, source);
  ContactCandidates candidates = pile.candidates(0.02);
  const Vector still = Vector::Zero(pile.rest.size());
  EXPECT_TRUE(candidates.cover(pile.x, still));
  int anew = 0;
  Vector x = pile.x;
  for (int step = 0; step < samples(30); ++step) {
    const Vector dx = random_motion(pile.vertices(), 0.002, source);
    anew += candidates.cover(x, dx);
    const auto expected = all_within_reach(*pile.surface, PartPairs(4, true, false), x, dx, 1);
    ASSERT_EQ(within_reach(candidates, x, dx, 1), expected) << step;
    x += dx;
  }
  EXPECT_LE(anew, 5);
}

// A straight flight is covered for as far again as was asked for.
TEST(ContactCandidates, AreKeptForASecondStepOfStraightFlight) {
  StencilSource source(3);
  const Pile pile(3, 2, 3, source);
  ContactCandidates candidates = pile.candidates();
  const Vector dx = Vector::Constant(pile.rest.size(), 0.1);
  EXPECT_TRUE(candidates.cover(pile.x, dx));
  EXPECT_FALSE(candidates.cover(pile.x + dx, dx));
  EXPECT_TRUE(candidates.cover(pile.x + 2 * dx, dx));
}

TEST(ContactCandidates, FastBodyHasNoMoreCandidatesWithinItself) {
  StencilSource source(4);
  const Pile pile(1, 6, 0, source);
  ContactCandidates slow = pile.candidates(0.02, true), fast = pile.candidates(0.02, true);
  slow.cover(pile.x, Vector::Zero(pile.rest.size()));
  fast.cover(pile.x, Vector::Constant(pile.rest.size(), 3));
  EXPECT_EQ(slow.stencils().size(), fast.stencils().size());
}

TEST(ContactCandidates, WithinOneBodyLeaveOutNeighboursAndFindTheRest) {
  // A sheet folded over: the far half comes to lie 0.01 above the near half.
  Example cloth = sheet(8, 2);
  const auto surface = std::make_shared<ContactSurface>(make_contact_surface({cloth.part}, cloth.rest));
  ContactCandidates candidates(surface, PartPairs(1, false, true), cloth.rest,
                               std::vector<char>(std::size_t(cloth.rest.size() / 3), 1), 0.01);
  Vector x = cloth.rest;
  for (Index v = 0; v < x.size() / 3; ++v)
    if (x[3 * v] > 0.45) {
      x[3 * v] = 0.83 - x[3 * v];
      x[3 * v + 2] = 0.01;
    }
  const Vector still = Vector::Zero(x.size());
  candidates.cover(x, still);
  const auto found = within_reach(candidates, x, still, 1);
  EXPECT_EQ(found, all_within_reach(*surface, PartPairs(1, false, true), x, still, 1));
  EXPECT_GE(found.size(), 50u);
  candidates.cover(cloth.rest, still);
  EXPECT_TRUE(within_reach(candidates, cloth.rest, still, 1).empty());
}

// A triangle that lies 0.005 above another one at rest, with a reach of 0.02.
TEST(ContactCandidates, RestShapeIsOutOfReachOfItself) {
  Example pair = empty_example(6);
  const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.1, 0.1, 0.005, 0.8, 0.1, 0.005, 0.1, 0.8, 0.005};
  pair.rest = Eigen::Map<const Vector>(x, 18);
  pair.part.triangles = {{0, 1, 2}, {3, 4, 5}};
  const auto surface = std::make_shared<ContactSurface>(make_contact_surface({pair.part}, pair.rest));
  ContactCandidates candidates(surface, PartPairs(1, false, true), pair.rest, std::vector<char>(6, 1), 0.01);
  const Vector still = Vector::Zero(18);
  candidates.cover(pair.rest, still);
  EXPECT_FALSE(candidates.stencils().empty());
  EXPECT_TRUE(within_reach(candidates, pair.rest, still, 1).empty());
  Vector nearer = pair.rest;
  for (const Index v : {3, 4, 5}) nearer[3 * v + 2] = 0.004;
  EXPECT_FALSE(within_reach(candidates, nearer, still, 1).empty());
  for (const ContactStencil& stencil : candidates.stencils()) {
    if (stencil.kind == StencilKind::edge_edge || stencil.vertices[0] < 3) continue;
    EXPECT_NEAR(stencil.reach, 0.005, 1e-12);
  }
}

TEST(ContactCandidates, WhatTouchesAtRestIsLeftOut) {
  Example pair = empty_example(6);  // two triangles whose edges lie on each other without shared vertices
  const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -1, 0};
  pair.rest = Eigen::Map<const Vector>(x, 18);
  pair.part.triangles = {{0, 1, 2}, {3, 4, 5}};
  const auto surface = std::make_shared<ContactSurface>(make_contact_surface({pair.part}, pair.rest));
  ContactCandidates candidates(surface, PartPairs(1, false, true), pair.rest, std::vector<char>(6, 1), 0.01);
  candidates.cover(pair.rest, Vector::Zero(18));
  EXPECT_TRUE(within_reach(candidates, pair.rest, Vector::Zero(18), 1).empty());
}

TEST(ContactCandidates, PairsThatAreLeftOutOrHeldAreNotFound) {
  StencilSource source(5);
  const Pile pile(3, 2, 0.5, source);
  PartPairs pairs(3, true, false);
  pairs.set(0, 1, false);
  std::vector<char> movable = pile.movable();
  const int each = pile.vertices() / 3;
  std::fill(movable.begin() + each, movable.end(), char(0));  // parts 1 and 2 are obstacles
  ContactCandidates candidates(pile.surface, pairs, pile.rest, movable, 0.02);
  candidates.cover(pile.x, Vector::Zero(pile.rest.size()));
  EXPECT_FALSE(candidates.stencils().empty());
  for (const ContactStencil& stencil : candidates.stencils()) {
    const int a = stencil.vertices[0] / each,
              b = stencil.vertices[std::size_t(first_side(stencil.kind))] / each;
    EXPECT_EQ(std::min(a, b), 0);
    EXPECT_EQ(std::max(a, b), 2);
  }
}

TEST(ContactCandidates, AreTheSameBitsForAnyNumberOfThreads) {
  StencilSource source(6);
  const Pile pile(12, 4, 2.5, source);
  const Vector dx = random_motion(pile.vertices(), 0.05, source);
  const auto found = [&](int threads) {
    set_thread_count(threads);
    ContactCandidates candidates = pile.candidates(0.02, true);
    candidates.cover(pile.x, dx);
    const auto span = candidates.stencils();
    return std::vector<ContactStencil>(span.begin(), span.end());
  };
  const std::vector<ContactStencil> one = found(1), three = found(3);
  set_thread_count(1);
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_EQ(one[i].kind, three[i].kind);
    ASSERT_EQ(one[i].vertices, three[i].vertices);
    ASSERT_EQ(one[i].area, three[i].area);
    ASSERT_EQ(one[i].reach, three[i].reach);
    ASSERT_EQ(one[i].parallel, three[i].parallel);
  }
}

// The order of what is within reach does not depend on when the candidates were found.
TEST(ContactCandidates, ActiveStencilsKeepTheirOrderWhateverTheHistory) {
  StencilSource source(7);
  const Pile pile(5, 2, 1.2, source);
  ContactCandidates fresh = pile.candidates(), old = pile.candidates();
  const Vector still = Vector::Zero(pile.rest.size()), dx = random_motion(pile.vertices(), 0.01, source);
  old.cover(pile.x, 3 * dx);
  EXPECT_FALSE(old.cover(pile.x + dx, still));
  fresh.cover(pile.x + dx, still);
  EXPECT_NE(old.stencils().size(), fresh.stencils().size());
  const auto active = [&](const ContactCandidates& candidates) {
    std::vector<Key> keys;
    for (const ContactStencil& stencil : candidates.stencils())
      if (candidate_distance(stencil, pile.x + dx) < stencil.reach)
        keys.push_back({stencil.kind, stencil.vertices});
    return keys;
  };
  EXPECT_EQ(active(old), active(fresh));
  EXPECT_FALSE(active(old).empty());
}

// Cubes of 1 m, so many in a cubic metre: candidates grow as the surface does.
TEST(ContactCandidates, GrowLinearlyWithTheSurface) {
  StencilSource source(9);
  double per_cube[2];
  int cubes = 30;
  for (double& count : per_cube) {
    const Pile pile(cubes, 2, std::cbrt(1.2 * cubes) - 1, source);
    ContactCandidates candidates = pile.candidates();
    candidates.cover(pile.x, Vector::Zero(pile.rest.size()));
    count = double(candidates.stencils().size()) / cubes;
    cubes *= 8;
  }
  EXPECT_GE(per_cube[0], 50);
  EXPECT_LE(per_cube[1], 2 * per_cube[0]);
}

}  // namespace
}  // namespace phiflex
