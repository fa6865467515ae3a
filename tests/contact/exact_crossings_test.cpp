#include "tests/contact/exact_crossings.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phiflex::testing {
namespace {

TEST(ExactCrossings, SignsAreRightWhereRoundingDecidesNothing) {
  Vector x(15);
  x << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 1, 0.25, 0.25, -1;
  EXPECT_EQ(exact_side(x, 0, 1, 2, 3), 1);
  EXPECT_EQ(exact_side(x, 0, 1, 2, 4), -1);
  EXPECT_TRUE(crosses_exactly(x, {3, 4}, {0, 1, 2}));
  EXPECT_FALSE(crosses_exactly(x, {1, 4}, {0, 1, 2})) << "they share a vertex";
  x[12] = x[9] = 0.9;
  x[13] = x[10] = 0.9;
  EXPECT_FALSE(crosses_exactly(x, {3, 4}, {0, 1, 2})) << "beside it";
}

TEST(ExactCrossings, OneUnitInTheLastPlaceDecides) {
  Vector flat(12);  // exactly in the plane, far from the origin
  flat << 1e6, 1e6, 3, 1e6 + 1, 1e6, 3, 1e6, 1e6 + 1, 3, 1e6 + 0.3, 1e6 + 0.4, 3;
  EXPECT_EQ(exact_side(flat, 0, 1, 2, 3), 0);
  flat[11] = std::nextafter(3., 4.);
  EXPECT_EQ(exact_side(flat, 0, 1, 2, 3), 1);
  flat[11] = std::nextafter(3., 2.);
  EXPECT_EQ(exact_side(flat, 0, 1, 2, 3), -1);
  // A plane that is not along the axes.
  Vector exact(12);
  exact << 0, 0, 0, 0.1, 0.3, 0.7, 0.7, 0.1, 0.3, 4 * 0.1, 4 * 0.3,
      4 * 0.7;  // along the first edge: coplanar
  EXPECT_EQ(exact_side(exact, 0, 1, 2, 3), 0);
  exact[11] = std::nextafter(exact[11], 10.);
  const int up = exact_side(exact, 0, 1, 2, 3);
  exact[11] = std::nextafter(std::nextafter(exact[11], 0.), 0.);
  EXPECT_EQ(exact_side(exact, 0, 1, 2, 3), -up);
  EXPECT_NE(up, 0);
}

}  // namespace
}  // namespace phiflex::testing
