#include "phiflex/fem/element_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

namespace phiflex {
namespace {

// A ring of springs, a star around vertex 0, and a triangle strip: vertices and arity.
struct Case {
  std::vector<int> vertices;
  int arity;
};

std::vector<Case> cases() {
  Case ring{{}, 2}, star{{}, 2}, strip{{}, 3};
  for (int e = 0; e < 1000; ++e) {
    ring.vertices.insert(ring.vertices.end(), {e, (e + 1) % 1000});
    star.vertices.insert(star.vertices.end(), {0, e + 1});
    strip.vertices.insert(strip.vertices.end(), {e, e + 1, e + 2});
  }
  return {ring, star, strip, {{}, 4}};
}

TEST(ElementSchedule, EveryElementLiesInOneChunk) {
  for (const Case& c : cases()) {
    const ElementSchedule schedule(c.vertices, c.arity, 32);
    std::vector<int> seen(c.vertices.size() / c.arity, 0);
    for (const auto& chunk : schedule.chunks())
      for (int e = chunk.first; e < chunk.last; ++e) ++seen[e];
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
  }
}

TEST(ElementSchedule, ChunksOfOneColourShareNoVertex) {
  for (const Case& c : cases()) {
    const ElementSchedule schedule(c.vertices, c.arity, 32);
    for (int color = 0; color < schedule.colors(); ++color) {
      std::set<int> of_the_color;
      for (const auto& chunk : schedule.chunks(color)) {
        const std::set<int> of_the_chunk(c.vertices.begin() + c.arity * chunk.first,
                                         c.vertices.begin() + c.arity * chunk.last);
        for (int v : of_the_chunk) EXPECT_TRUE(of_the_color.insert(v).second) << "vertex " << v;
      }
    }
  }
}

TEST(ElementSchedule, ARingNeedsAtMostThreeColours) {
  const Case ring = cases()[0];
  EXPECT_LE(ElementSchedule(ring.vertices, ring.arity, 32).colors(), 3);
}

TEST(ElementSchedule, SumsAreTheSameBitsForAnyNumberOfThreads) {
  const Case strip = cases()[2];
  const ElementSchedule schedule(strip.vertices, strip.arity, 16);
  const auto part = [](int first, int last) {
    double sum = 0;
    for (int e = first; e < last; ++e) sum += std::sin(double(e) * e);
    return sum;
  };
  const auto scattered = [&] {
    std::vector<double> at_vertex(1002, 0.0);
    schedule.for_each_chunk([&](int first, int last) {
      for (int e = first; e < last; ++e)
        for (int a = 0; a < 3; ++a) at_vertex[e + a] += std::sin(double(e) * e + a);
    });
    return at_vertex;
  };
  set_thread_count(1);
  const double sum = schedule.sum(part);
  const std::vector<double> at_vertex = scattered();
  for (int threads : {2, 3, 4, 8}) {
    set_thread_count(threads);
    EXPECT_EQ(schedule.sum(part), sum) << threads << " threads";
    EXPECT_EQ(scattered(), at_vertex) << threads << " threads";
  }
  set_thread_count(1);
}

TEST(ElementSchedule, SizesThatDoNotFitAndNegativeVerticesAreMisuse) {
  const std::vector<int> five = {0, 1, 2, 3, 4};
  EXPECT_THROW(ElementSchedule(five, 2, 8), std::invalid_argument);
  EXPECT_THROW(ElementSchedule(five, 1, 0), std::invalid_argument);
  EXPECT_THROW(ElementSchedule(std::vector<int>{0, -1}, 2, 8), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex
