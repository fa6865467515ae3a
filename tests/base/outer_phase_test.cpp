#include "phiflex/base/outer_phase.h"

#include <gtest/gtest.h>

#include <thread>

namespace phiflex {
namespace {

TEST(OuterPhase, KeepsWhatIsTimedWithinIt) {
  Work work;
  work.solve_seconds = 1;
  work.modes_seconds = 2;
  const auto start = std::chrono::steady_clock::now();
  {
    const OuterPhase modes(work, &Work::modes_seconds);
    {
      const PhaseTimer solve(work.solve_seconds);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    const OuterPhase again(work, &Work::modes_seconds);
    ++work.solves;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(work.solve_seconds, 1);
  EXPECT_EQ(work.solves, 1);
  EXPECT_GE(work.modes_seconds, 2.01);
  EXPECT_LE(work.modes_seconds, 2 + elapsed);
}

}  // namespace
}  // namespace phiflex
