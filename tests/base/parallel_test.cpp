#include "phiflex/base/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <vector>

namespace phiflex {
namespace {

class ParallelFor : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_thread_count(GetParam()); }
  void TearDown() override { set_thread_count(1); }
};
INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, ::testing::Values(1, 2, 3, 8));

TEST_P(ParallelFor, VisitsEachIndexOnce) {
  for (const std::ptrdiff_t count : {0, 1, 2, 7, 10000}) {
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
    parallel_for(count, [&](std::ptrdiff_t i) { ++visits[static_cast<std::size_t>(i)]; });
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](const auto& n) { return n == 1; }));
  }
}

TEST_P(ParallelFor, RethrowsWhatABodyThrowsAndWorksAfterwards) {
  const auto failing = [](std::ptrdiff_t i) {
    if (i == 37) throw std::runtime_error("body 37");
  };
  for (int repeat = 0; repeat < 20; ++repeat) EXPECT_THROW(parallel_for(100, failing), std::runtime_error);
  std::atomic<int> sum = 0;
  parallel_for(100, [&](std::ptrdiff_t) { ++sum; });
  EXPECT_EQ(sum, 100);
}

TEST_P(ParallelFor, RunsALoopInsideALoop) {
  std::vector<int> table(30 * 40, 0);
  parallel_for(30, [&](std::ptrdiff_t i) {
    parallel_for(40, [&](std::ptrdiff_t j) { table[static_cast<std::size_t>(40 * i + j)] += 1; });
  });
  EXPECT_EQ(std::count(table.begin(), table.end(), 1), 30 * 40);
}

TEST_P(ParallelFor, GivesTheBitsOfOneThreadWhenEachTaskWritesItsOwn) {
  const auto fill = [](std::vector<double>& values) {
    parallel_for(static_cast<std::ptrdiff_t>(values.size()), [&](std::ptrdiff_t i) {
      values[static_cast<std::size_t>(i)] = std::sin(0.1 * static_cast<double>(i)) / 3;
    });
  };
  std::vector<double> many(5000), one(5000);
  fill(many);
  set_thread_count(1);
  fill(one);
  EXPECT_EQ(many, one);
}

TEST_P(ParallelFor, ServesLoopsStartedByDifferentThreads) {
  std::atomic<long> sum = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 50; ++repeat) parallel_for(20, [&](std::ptrdiff_t i) { sum += i; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4 * 50 * 190);
}

TEST_P(ParallelFor, StaysOnThisThreadWhereThatIsAsked) {
  const auto threads_of_a_loop = [] {
    std::atomic<int> others = 0;
    const std::thread::id here = std::this_thread::get_id();
    parallel_for(1000, [&](std::ptrdiff_t) { others += std::this_thread::get_id() != here; });
    return others.load();
  };
  {
    const LoopsOnThisThread alone;
    EXPECT_EQ(threads_of_a_loop(), 0);
    { const LoopsOnThisThread again; }
    EXPECT_EQ(threads_of_a_loop(), 0);
  }
  // Afterwards loops are shared again: with several threads, some of many loops have work for another one.
  int shared = 0;
  for (int repeat = 0; repeat < 1000 && shared == 0; ++repeat) shared += threads_of_a_loop();
  EXPECT_EQ(shared > 0, GetParam() > 1);
}

TEST_P(ParallelFor, KnowsItsNumberOfThreads) {
  EXPECT_EQ(thread_count(), GetParam());
}

TEST_P(ParallelFor, WorksInAForkedChildWhichHasOneThread) {
  parallel_for(100, [](std::ptrdiff_t) {});
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {  // no assertions here: the parent judges by the exit code
    std::atomic<int> sum = 0;
    const bool one = thread_count() == 1;
    parallel_for(100, [&](std::ptrdiff_t) { ++sum; });
    set_thread_count(2);
    parallel_for(100, [&](std::ptrdiff_t) { ++sum; });
    _exit(one && sum == 200 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(thread_count(), GetParam());
}

TEST(ThreadCount, BelowOneIsRefused) {
  EXPECT_THROW(set_thread_count(0), std::invalid_argument);
  EXPECT_THROW(set_thread_count(-3), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex
