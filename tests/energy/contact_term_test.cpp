#include "phiflex/energy/contact_term.h"

#include <gtest/gtest.h>

#include <thread>

#include "phiflex/energy/two_state_term.h"
#include "tests/contact/pile.h"

namespace phiflex {
namespace {

// A small cube just above a large one; the first vertices of the large one are held.
struct TouchingCubes {
  CubeOnCube cubes{2};
  Vector x, dx;
  FreeVertices free;
  SparsityPattern pattern;
  explicit TouchingCubes(unsigned seed)
      : free(free_vertices(cubes.rest)), pattern(3, int(free.vertex_of_row.size()), {}) {
    StencilSource source(seed);
    cubes.place_at_random(0.02, 0.008, source);
    x = cubes.x;
    cubes.place_at_random(0.02, 0.012, source);
    dx = 0.1 * (cubes.x - x);
    dx.head(dx.size() / 2).setConstant(1e-3);
  }
  static FreeVertices free_vertices(const Vector& rest) {
    FreeVertices free;
    for (int v = 0; v < int(rest.size() / 3); ++v) {
      free.row_of_vertex.push_back(v < 5 ? -1 : int(free.vertex_of_row.size()));
      if (v >= 5) free.vertex_of_row.push_back(v);
    }
    return free;
  }
  ContactTerm term(double gamma = 0, double friction = 0) const {
    return {cubes.candidates(),
            {.modulus = 1e4,
             .rest = {.gamma = gamma},
             .friction = {.coefficient = friction, .slip_speed = 1e-3}}};
  }
};

TEST(ContactTerm, ForceIsMinusTheDerivativeOfItsEnergy) {
  const TouchingCubes c(1);
  const ContactTerm term = c.term();
  Vector f = Vector::Zero(c.x.size());
  term.add_force(c.x, f);
  ASSERT_GT(f.norm(), 0);
  const double eps = 1e-6,
               change = (term.energy(c.x + eps * c.dx) - term.energy(c.x - eps * c.dx)) / (2 * eps);
  EXPECT_NEAR(f.dot(c.dx), -change, 1e-6 * f.norm() * c.dx.norm());
  Vector y = Vector::Zero(c.x.size()), up = y, down = y;
  term.add_stiffness_product(c.x, c.dx, y);
  term.add_force(c.x + eps * c.dx, up);
  term.add_force(c.x - eps * c.dx, down);
  EXPECT_LE((y + (up - down) / (2 * eps)).norm(), 1e-5 * y.norm());
}

TEST(ContactTerm, StiffnessStandsBesideThePatternInFreeRows) {
  const TouchingCubes c(2);
  const ContactTerm term = c.term();
  std::vector<Coupling> couplings;
  term.add_couplings(couplings);
  EXPECT_TRUE(couplings.empty());
  StencilBlocks blocks;
  term.add_blocks(c.x, c.free, blocks);
  ASSERT_GT(blocks.size(), 0u);
  for (const StencilBlocks::Term& block : blocks.terms())
    for (const int row : block.rows) EXPECT_LT(row, int(c.free.vertex_of_row.size()));
  // Over the free rows they are what they are over all vertices.
  FreeVertices all;
  for (int v = 0; v < int(c.x.size() / 3); ++v) all.row_of_vertex.push_back(v);
  StencilBlocks whole;
  term.add_blocks(c.x, all, whole);
  Vector way = c.dx, expected = Vector::Zero(c.x.size()),
         product = Vector::Zero(3 * Index(c.free.vertex_of_row.size()));
  way.head<15>().setZero();
  whole.add_product(1, way, expected);
  blocks.add_product(1, way.tail(product.size()), product);
  EXPECT_LE((product - expected.tail(product.size())).norm(), 1e-14 * expected.norm());
}

TEST(ContactTerm, StepTakesWhatItBooks) {
  const TouchingCubes c(3);
  const ContactTerm term = c.term(0.3, 0.4);
  const auto step = term.make_two_state(c.free, c.pattern);
  step->begin(c.x, {.h = 0.01});
  Vector f = Vector::Zero(c.x.size());
  step->add_force(c.dx, f);
  const double change = term.energy(c.x + c.dx) - term.energy(c.x);
  const double dissipated = step->dissipated(c.dx), friction = step->friction(c.dx);
  EXPECT_GT(dissipated, 0);
  EXPECT_GT(friction, 0);
  EXPECT_NEAR(f.dot(c.dx), -change - dissipated - friction, 1e-10 * f.cwiseAbs().dot(c.dx.cwiseAbs()));
  EXPECT_TRUE(step->turns_bodies());
  StencilBlocks blocks;
  step->add_blocks(blocks);
  EXPECT_GT(blocks.size(), 0u);
  step->begin(c.x, {.h = 0.01});  // the same dx in another step
  Vector again = Vector::Zero(c.x.size());
  step->add_force(c.dx, again);
  EXPECT_EQ(again, f);
}

TEST(ContactTerm, WhatIsNotFiniteHasNoFiniteEnergyForceOrWay) {
  const TouchingCubes c(4);
  const ContactTerm term = c.term();
  Vector bad = c.x, f = Vector::Zero(c.x.size());
  bad[7] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(term.energy(bad), std::numeric_limits<double>::infinity());
  term.add_force(bad, f);
  EXPECT_FALSE(f.allFinite());
  EXPECT_EQ(term.free_way(c.x, bad), 0);
  const auto step = term.make_two_state(c.free, c.pattern);
  step->begin(c.x, {.h = 0.01});
  f.setZero();
  step->add_force(bad, f);
  EXPECT_FALSE(f.allFinite());
}

TEST(ContactTerm, SaysWhatTouches) {
  TouchingCubes c(5);
  const ContactTerm term = c.term();
  EXPECT_EQ(term.diagnose(c.x), "");
  const Index upper = c.x.size() / 2;
  c.x.segment<3>(upper) = c.x.head<3>();  // a vertex on a vertex
  EXPECT_EQ(term.energy(c.x), std::numeric_limits<double>::infinity());
  EXPECT_NE(term.diagnose(c.x).find("surfaces touch: ("), std::string::npos);
}

TEST(ContactTerm, IsSharedBetweenThreads) {
  const TouchingCubes c(6);
  const ContactTerm term = c.term();
  const double expected[] = {term.energy(c.x), term.energy(c.x + c.dx)};
  double found[2][20];
  std::thread threads[2];
  for (int t = 0; t < 2; ++t)
    threads[t] = std::thread([&, t] {
      for (double& energy : found[t]) energy = term.energy(t == 0 ? c.x : Vector(c.x + c.dx));
    });
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < 2; ++t)
    for (const double energy : found[t]) EXPECT_EQ(energy, expected[t]);
}

}  // namespace
}  // namespace phiflex
