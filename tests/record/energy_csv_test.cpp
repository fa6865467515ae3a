#include "phiflex/record/energy_csv.h"

#include <gtest/gtest.h>

#include <numeric>

namespace phiflex {
namespace {

TEST(EnergyColumns, ARowOfNumbersBecomesTheSameNumbersAgain) {
  EnergyColumns numbers;
  std::iota(numbers.begin(), numbers.end(), 3.0);
  const EnergyRow row = row_of(numbers, 0.5);
  EXPECT_EQ(columns_of(row), numbers);
  EXPECT_EQ(row.step, 3);
  EXPECT_EQ(row.friction, 14);
  EXPECT_EQ(row.angular_momentum[2], 21);
  EXPECT_EQ(row.available, 0.5);
}

}  // namespace
}  // namespace phiflex
