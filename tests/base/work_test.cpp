#include "phiflex/base/work.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace phiflex {
namespace {

TEST(Work, AddsEveryCountAndEveryPhase) {
  Work a, b;
  long n = 0;
  for (const WorkCount& count : work_counts) a.*count.member = ++n, b.*count.member = 100 * n;
  for (const WorkPhase& phase : work_phases) a.*phase.seconds = 0.5, b.*phase.seconds = 0.25;
  a += b;
  n = 0;
  for (const WorkCount& count : work_counts) EXPECT_EQ(a.*count.member, 101 * ++n) << count.name;
  for (const WorkPhase& phase : work_phases) EXPECT_EQ(a.*phase.seconds, 0.75) << phase.name;
}

TEST(Work, ListsEveryCountAndPhaseOnce) {
  EXPECT_EQ(std::size(work_counts) * sizeof(long) + std::size(work_phases) * sizeof(double), sizeof(Work));
  std::set<std::string> names;
  for (const WorkCount& count : work_counts) EXPECT_TRUE(names.insert(count.name).second);
  for (const WorkPhase& phase : work_phases) EXPECT_TRUE(names.insert(phase.name).second);
}

TEST(PhaseTimer, AddsItsLifeToThePhase) {
  double seconds = 1;
  { const PhaseTimer timer(seconds); }
  EXPECT_GE(seconds, 1);
  EXPECT_LT(seconds, 61);
}

}  // namespace
}  // namespace phiflex
