#include "phiflex/base/parallel.h"

#include <gtest/gtest.h>

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

TEST_P(ParallelFor, KnowsItsNumberOfThreads) {
  EXPECT_EQ(thread_count(), GetParam());
}

TEST(ThreadCount, BelowOneIsRefused) {
  EXPECT_THROW(set_thread_count(0), std::invalid_argument);
  EXPECT_THROW(set_thread_count(-3), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex
