#include "phiflex/mesh/box_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "phiflex/mesh/vec3.h"

namespace phiflex {
namespace {

std::vector<Bounds> random_boxes(int count, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0, 1), extent(0, size);
  std::vector<Bounds> boxes;
  for (int i = 0; i < count; ++i) {
    const Point3 low{place(random), place(random), place(random)};
    boxes.push_back({low, {low[0] + extent(random), low[1] + extent(random), low[2] + extent(random)}});
  }
  return boxes;
}

std::vector<std::pair<int, int>> brute_force_pairs(const std::vector<Bounds>& boxes) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j)
      if (overlap(boxes[i], boxes[j])) pairs.push_back({i, j});
  return pairs;
}

TEST(BoxTree, FindsTheSamePairsAsBruteForce) {
  BoxTree tree;
  std::vector<std::pair<int, int>> pairs;
  for (const int count : {0, 1, 2, 5, 64, 700})
    for (const double size : {0.0, 0.02, 0.3}) {
      const std::vector<Bounds> boxes = random_boxes(count, size, static_cast<unsigned>(count));
      tree.build(boxes);
      tree.overlapping_pairs(pairs);
      EXPECT_EQ(pairs, brute_force_pairs(boxes)) << count << " boxes of up to " << size;
    }
}

TEST(BoxTree, FindsAllPairsOfBoxesAtOnePlace) {
  const std::vector<Bounds> boxes(50, Bounds{{1, 1, 1}, {1, 1, 1}});
  BoxTree tree;
  tree.build(boxes);
  std::vector<std::pair<int, int>> pairs;
  tree.overlapping_pairs(pairs);
  EXPECT_EQ(pairs, brute_force_pairs(boxes));
  EXPECT_EQ(pairs.size(), 50u * 49 / 2);
}

TEST(BoxTree, FindsWhatOverlapsABoxAndNothingElse) {
  const std::vector<Bounds> boxes = random_boxes(700, 0.1, 5), questions = random_boxes(60, 0.3, 6);
  BoxTree tree;
  tree.build(boxes);
  for (const Bounds& question : questions) {
    std::vector<int> found{-1}, expected{-1};  // what is there stays
    tree.add_overlapping(question, found);
    std::sort(found.begin(), found.end());
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
      if (overlap(boxes[i], question)) expected.push_back(i);
    EXPECT_EQ(found, expected);
  }
  std::vector<int> none;
  BoxTree().add_overlapping(questions.front(), none);
  EXPECT_TRUE(none.empty());
}

TEST(BoxTree, FindsTheNearestAndOfSeveralTheFirst) {
  std::vector<Bounds> points = random_boxes(300, 0, 7);
  points.push_back(points[40]);  // twice
  BoxTree tree;
  tree.build(points);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-0.5, 1.5);
  for (int k = 0; k < 100; ++k) {
    const Point3 x = k == 0 ? points[40].low : Point3{place(random), place(random), place(random)};
    const auto measure = [&](int i) {
      const Point3 r = x - points[i].low;
      return dot(r, r);
    };
    int best = 0;
    for (int i = 1; i < static_cast<int>(points.size()); ++i)
      if (measure(i) < measure(best)) best = i;
    EXPECT_EQ(tree.nearest(x, measure), best);
  }
}

TEST(BoxTree, RemovesWhatIsTakenAndNothingElse) {
  const std::vector<Bounds> boxes = random_boxes(700, 0.1, 3), regions = random_boxes(40, 0.5, 4);
  BoxTree tree;
  tree.build(boxes);
  std::vector<char> there(boxes.size(), 1);
  for (const Bounds& region : regions) {
    std::vector<int> met, expected;
    const auto take = [&](int i) { return overlap(boxes[i], region) && i % 3 == 0; };
    tree.remove_where([&](const Bounds& box) { return overlap(box, region); },
                      [&](int i) {
                        if (overlap(boxes[i], region)) met.push_back(i);
                        return take(i);
                      });
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
      if (there[i] && overlap(boxes[i], region)) expected.push_back(i);
      if (take(i)) there[i] = 0;
    }
    std::sort(met.begin(), met.end());
    EXPECT_EQ(met, expected);
  }
  std::vector<std::pair<int, int>> pairs, expected_pairs;
  tree.overlapping_pairs(pairs);
  for (const auto& pair : brute_force_pairs(boxes))
    if (there[pair.first] && there[pair.second]) expected_pairs.push_back(pair);
  EXPECT_EQ(pairs, expected_pairs);
}

}  // namespace
}  // namespace phiflex
