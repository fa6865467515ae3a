#include "phiflex/integrate/substep_control.h"

#include <gtest/gtest.h>

namespace phiflex::testing {
namespace {

TEST(SubstepControl, TakesThePowerOfTwoThatTurnAndStrainAskFor) {
  SubstepControl control(0);
  EXPECT_EQ(control.choose(0.01, {0, 0}), 1);
  EXPECT_EQ(control.choose(0.01, {44, 0}), 1);  // 0.44 of 0.45
  EXPECT_EQ(control.choose(0.01, {46, 0}), 2);
  EXPECT_EQ(control.choose(0.01, {0, 130}), 4);  // 1.3 = 3.25 times 0.4
  EXPECT_EQ(control.choose(0.01, {1e9, 0}), 64);
}

TEST(SubstepControl, AFixedNumberStaysFixed) {
  SubstepControl control(3);
  control.accept(3, 4);
  EXPECT_EQ(control.choose(0.01, {1000, 1000}), 3);
}

// Steps until the number is another one; 0: none within 100.
int steps_until_change(SubstepControl& control, const ElementRates& rates) {
  const int n = control.choose(0.01, rates);
  for (int step = 1; step <= 100; ++step) {
    control.accept(n, 0);
    if (control.choose(0.01, rates) != n) return step;
  }
  return 0;
}

TEST(SubstepControl, ComesDownOnlyWhenHalfIsMoreThanEnoughFor20Steps) {
  SubstepControl control(0);
  control.accept(control.choose(0.01, {0, 130}), 0);
  EXPECT_EQ(steps_until_change(control, {0.45 * 180, 0}), 0);  // 1.8 would do with 2, but hardly
  EXPECT_EQ(control.choose(0.01, {0, 130}), 4);
  control.accept(4, 0);
  EXPECT_EQ(steps_until_change(control, {0.45 * 130, 0}), 19);  // 1.3 < 0.7 * 2: in the 20th step
  EXPECT_EQ(control.choose(0.01, {0.45 * 130, 0}), 2);
}

TEST(SubstepControl, ComesDownAtOnceWithoutPatience) {
  SubstepControl control(0, 1);
  control.accept(control.choose(0.01, {0, 130}), 0);
  EXPECT_EQ(control.choose(0.01, {0.45 * 180, 0}), 4);
  EXPECT_EQ(control.choose(0.01, {0.45 * 130, 0}), 2);
  EXPECT_EQ(control.choose(0.01, {0, 0}), 1);
}

TEST(SubstepControl, AStepThatAsksForAsManyBeginsTheCountAgain) {
  SubstepControl control(0);
  control.accept(control.choose(0.01, {0, 130}), 0);
  for (int step = 0; step < 19; ++step) control.accept(control.choose(0.01, {}), 0);
  control.accept(control.choose(0.01, {0, 130}), 0);
  EXPECT_EQ(steps_until_change(control, {}), 19);
}

TEST(SubstepControl, DoublesFor20StepsAfterAHardOneAndLongerTheNextTime) {
  SubstepControl control(0);
  const auto steps_until_one = [&] {
    int steps = 0;
    for (int n = control.choose(0.01, {}); n > 1; n = control.choose(0.01, {}), ++steps) control.accept(n, 0);
    return steps;
  };
  control.accept(1, 1);
  EXPECT_EQ(control.choose(0.01, {}), 1);
  control.accept(1, 2);
  EXPECT_EQ(control.choose(0.01, {}), 2);
  EXPECT_EQ(steps_until_one(), 20);
  control.accept(1, 0);
  control.accept(1, 3);
  EXPECT_EQ(steps_until_one(), 40);
}

TEST(SubstepControl, AHardStepThatChangesTheNumberSaysNothing) {
  SubstepControl control(0);
  control.accept(control.choose(0.01, {0.45 * 150, 0}), 3);
  EXPECT_EQ(control.choose(0.01, {0.45 * 150, 0}), 2);
  control.accept(2, 3);
  EXPECT_EQ(control.choose(0.01, {0.45 * 150, 0}), 4);
}

TEST(SubstepControl, RaisesToFourTimesWhatTurnAndStrainAskForAtMost) {
  SubstepControl control(0);
  for (int step = 0; step < 10; ++step) control.accept(control.choose(0.01, {}), 3);
  EXPECT_EQ(control.choose(0.01, {}), 4);
}

TEST(SubstepControl, TheRaisedNumberIsAFloorNotAFactor) {
  SubstepControl control(0);
  control.accept(1, 2);
  EXPECT_EQ(control.choose(0.01, {0.45 * 150, 0}), 2);
}

TEST(SubstepControl, GoesOnCountingWhereItWasSaved) {
  SubstepControl control(0), other(0);
  control.accept(control.choose(0.01, {0, 130}), 0);
  for (int step = 0; step < 10; ++step) control.accept(control.choose(0.01, {}), 0);
  ArchiveWriter out;
  control.save(out);
  ArchiveReader in(out.bytes());
  other.load(in);
  EXPECT_EQ(steps_until_change(other, {}), 9);
}

TEST(SubstepControl, GoesOnWhereItWasSaved) {
  SubstepControl control(0), other(0);
  for (int step = 0; step < 2; ++step) control.accept(control.choose(0.01, {0.45 * 150, 0}), 2);
  ArchiveWriter out;
  control.save(out);
  ArchiveReader in(out.bytes());
  other.load(in);
  EXPECT_EQ(other.choose(0.01, {0.45 * 150, 0}), control.choose(0.01, {0.45 * 150, 0}));
  EXPECT_EQ(other.choose(0.01, {0.45 * 150, 0}), 4);
}

}  // namespace
}  // namespace phiflex::testing
