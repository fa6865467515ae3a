#include <gtest/gtest.h>

#include "phiflex/contact/contact_forces.h"
#include "tests/allocation_counter.h"
#include "tests/contact/pile.h"

namespace phiflex {
namespace {

TEST(ContactCandidates, AreFoundWithoutAllocationOnceWarm) {
  PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
  StencilSource source(8);
  const Pile pile(4, 3, 1.5, source);
  ContactCandidates candidates = pile.candidates();
  const Vector still = Vector::Zero(pile.rest.size()),
               elsewhere = pile.x + Vector::Constant(pile.rest.size(), 5);
  bool anew = false;
  const auto there_and_back = [&] {
    anew = candidates.cover(elsewhere, still) && candidates.cover(pile.x, still);
  };
  there_and_back();
  EXPECT_EQ(testing::allocations_of(there_and_back), 0);
  EXPECT_TRUE(anew);
}

TEST(ContactForces, StepsDoNotAllocateOnceWarm) {
  PHIFLEX_SKIP_WITHOUT_ALLOCATION_COUNTS();
  StencilSource source(6);
  CubeOnCube cubes(3);
  cubes.place_at_random(0.02, 0.01, source);
  const Vector x = cubes.x, dx = Vector::Constant(x.size(), 1e-3);
  ContactForces contact(
      cubes.candidates(),
      {.modulus = 1e4, .rest = {.gamma = 0.1}, .friction = {.coefficient = 0.4, .slip_speed = 1e-3}});
  StencilBlocks blocks;
  Vector f = Vector::Zero(x.size());
  const auto use = [&] {
    contact.begin(x, 0.01);
    contact.step(dx);
    contact.add_step_force(f);
    blocks.clear();
    contact.add_step_blocks(blocks);
    contact.free_way(x, dx);
    contact.look(x);
    contact.add_force(f);
  };
  use();
  use();
  EXPECT_GT(blocks.size(), 0u);
  EXPECT_EQ(testing::allocations_of(use), 0);
}

}  // namespace
}  // namespace phiflex
