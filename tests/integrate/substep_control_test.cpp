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
  control.accept(3, {.repeated_at_most = 4});
  EXPECT_EQ(control.choose(0.01, {1000, 1000}), 3);
}

// Steps until the number is another one; 0: none within 100.
int steps_until_change(SubstepControl& control, const ElementRates& rates) {
  const int n = control.choose(0.01, rates);
  for (int step = 1; step <= 100; ++step) {
    control.accept(n, {});
    if (control.choose(0.01, rates) != n) return step;
  }
  return 0;
}

TEST(SubstepControl, ComesDownOnlyWhenHalfIsMoreThanEnoughFor20Steps) {
  SubstepControl control(0);
  control.accept(control.choose(0.01, {0, 130}), {});
  EXPECT_EQ(steps_until_change(control, {0.45 * 180, 0}), 0);  // 1.8 would do with 2, but hardly
  EXPECT_EQ(control.choose(0.01, {0, 130}), 4);
  control.accept(4, {});
  EXPECT_EQ(steps_until_change(control, {0.45 * 130, 0}), 19);  // 1.3 < 0.7 * 2: in the 20th step
  EXPECT_EQ(control.choose(0.01, {0.45 * 130, 0}), 2);
}

TEST(SubstepControl, ComesDownAtOnceWithoutPatience) {
  SubstepControl control(0, 1);
  control.accept(control.choose(0.01, {0, 130}), {});
  EXPECT_EQ(control.choose(0.01, {0.45 * 180, 0}), 4);
  EXPECT_EQ(control.choose(0.01, {0.45 * 130, 0}), 2);
  EXPECT_EQ(control.choose(0.01, {0, 0}), 1);
}

TEST(SubstepControl, AStepThatAsksForAsManyBeginsTheCountAgain) {
  SubstepControl control(0);
  control.accept(control.choose(0.01, {0, 130}), {});
  for (int step = 0; step < 19; ++step) control.accept(control.choose(0.01, {}), {});
  control.accept(control.choose(0.01, {0, 130}), {});
  EXPECT_EQ(steps_until_change(control, {}), 19);
}

TEST(SubstepControl, DoublesFor20StepsAfterAHardOneAndLongerTheNextTime) {
  SubstepControl control(0);
  const auto steps_until_one = [&] {
    int steps = 0;
    for (int n = control.choose(0.01, {}); n > 1; n = control.choose(0.01, {}), ++steps)
      control.accept(n, {});
    return steps;
  };
  control.accept(1, {.repeated_at_most = 1});
  EXPECT_EQ(control.choose(0.01, {}), 1);
  control.accept(1, {.repeated_at_most = 2});
  EXPECT_EQ(control.choose(0.01, {}), 2);
  EXPECT_EQ(steps_until_one(), 20);
  control.accept(1, {});
  control.accept(1, {.repeated_at_most = 3});
  EXPECT_EQ(steps_until_one(), 40);
}

TEST(SubstepControl, AHardStepThatChangesTheNumberSaysNothing) {
  SubstepControl control(0);
  control.accept(control.choose(0.01, {0.45 * 150, 0}), {.repeated_at_most = 3});
  EXPECT_EQ(control.choose(0.01, {0.45 * 150, 0}), 2);
  control.accept(2, {.repeated_at_most = 3});
  EXPECT_EQ(control.choose(0.01, {0.45 * 150, 0}), 4);
}

TEST(SubstepControl, RaisesToFourTimesWhatTurnAndStrainAskForAtMost) {
  SubstepControl control(0);
  for (int step = 0; step < 10; ++step) control.accept(control.choose(0.01, {}), {.repeated_at_most = 3});
  EXPECT_EQ(control.choose(0.01, {}), 4);
}

TEST(SubstepControl, TheRaisedNumberIsAFloorNotAFactor) {
  SubstepControl control(0);
  control.accept(1, {.repeated_at_most = 2});
  EXPECT_EQ(control.choose(0.01, {0.45 * 150, 0}), 2);
}

// Of steps without contacts, in units of a factorization: what their iterations took, and repeated factorizations.
SubstepEffort effort(double iterations, double repeated) {
  return {.repeated_at_most = repeated > 0 ? 1 : 0,
          .iterations = iterations,
          .repeated = repeated,
          .factorization = 1};
}

// Steps in which the solver repeats a factorization in every one of n = 1, until n is doubled.
void repeat_until_doubled(SubstepControl& control, double iterations) {
  for (int step = 0; step < 100 && control.choose(0.01, {}) == 1; ++step)
    control.accept(1, effort(iterations, 1));
}

TEST(SubstepControl, DoublesWhenRepeatedFactorizationsCostMoreThanMoreIterationsWould) {
  SubstepControl dear(0), cheap(0);
  for (int step = 0; step < 3; ++step) {
    EXPECT_EQ(dear.choose(0.01, {}), 1);
    dear.accept(1, effort(1, 1));  // twice as many substeps take 0.625 more
  }
  EXPECT_EQ(dear.choose(0.01, {}), 2);
  for (int step = 0; step < 100; ++step) cheap.accept(cheap.choose(0.01, {}), effort(1.7, 1));
  EXPECT_EQ(cheap.choose(0.01, {}), 1);
}

TEST(SubstepControl, KeepsTwiceAsManyFourTimesAsLongWhereTheyAreLessWork) {
  SubstepControl control(0);
  repeat_until_doubled(control, 1);
  int steps = 0;
  for (; steps < 1000 && control.choose(0.01, {}) == 2; ++steps) control.accept(2, effort(1.6, 0));
  EXPECT_EQ(steps, 9 + 4 * 11);  // judged in the eighth step after the first, when 11 of 20 are left
}

TEST(SubstepControl, GoesBackAndRestsWhereTwiceAsManyAreMoreWork) {
  SubstepControl control(0);
  repeat_until_doubled(control, 1);
  int steps = 0;
  for (; steps < 1000 && control.choose(0.01, {}) == 2; ++steps) control.accept(2, effort(3.2, 0));
  EXPECT_EQ(steps, 9);
  for (steps = 0; steps < 1000 && control.choose(0.01, {}) == 1; ++steps) control.accept(1, effort(1, 1));
  EXPECT_EQ(steps, 40);  // as long as the next time that it is doubled
}

TEST(SubstepControl, WorkDecidesWhereItWasSaved) {
  SubstepControl control(0), other(0);
  repeat_until_doubled(control, 1);
  for (int step = 0; step < 4; ++step) control.accept(2, effort(3.2, 0));
  ArchiveWriter out;
  control.save(out);
  ArchiveReader in(out.bytes());
  other.load(in);
  int steps = 0;
  for (; steps < 1000 && other.choose(0.01, {}) == 2; ++steps) other.accept(2, effort(3.2, 0));
  EXPECT_EQ(steps, 5);
}

TEST(SubstepControl, GoesOnCountingWhereItWasSaved) {
  SubstepControl control(0), other(0);
  control.accept(control.choose(0.01, {0, 130}), {});
  for (int step = 0; step < 10; ++step) control.accept(control.choose(0.01, {}), {});
  ArchiveWriter out;
  control.save(out);
  ArchiveReader in(out.bytes());
  other.load(in);
  EXPECT_EQ(steps_until_change(other, {}), 9);
}

TEST(SubstepControl, GoesOnWhereItWasSaved) {
  SubstepControl control(0), other(0);
  for (int step = 0; step < 2; ++step)
    control.accept(control.choose(0.01, {0.45 * 150, 0}), {.repeated_at_most = 2});
  ArchiveWriter out;
  control.save(out);
  ArchiveReader in(out.bytes());
  other.load(in);
  EXPECT_EQ(other.choose(0.01, {0.45 * 150, 0}), control.choose(0.01, {0.45 * 150, 0}));
  EXPECT_EQ(other.choose(0.01, {0.45 * 150, 0}), 4);
}

}  // namespace
}  // namespace phiflex::testing
