#include "phiflex/linalg/identified_modes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phiflex {
namespace {

// Oscillators side by side: lambda_i = k_i / m, shapes that do not change.
class IdentifiedOscillators : public ::testing::Test {
 protected:
  static constexpr int n = 12;
  IdentifiedOscillators()
      : K_(std::make_shared<SparsityPattern>(1, n, std::vector<Coupling>{})),
        mass_(Vector::Constant(n, 2.0)) {}

  const AssembledPencil& with_first(double k0, double k1) {
    for (int i = 0; i < n; ++i) *K_.block(i) = 2.0 * (10 + i);
    *K_.block(0) = 2 * k0;
    *K_.block(1) = 2 * k1;
    return pencil_;
  }
  SparseMatrix K_;
  MassMatrix mass_;
  AssembledPencil pencil_{K_, mass_};
  Work work_;
};

TEST_F(IdentifiedOscillators, KeepTheirIdentitiesWhenTheirEigenvaluesCross) {
  IdentifiedModes modes(2);
  ASSERT_EQ(modes.update(with_first(1, 2), work_), ModesStatus::ok);
  EXPECT_NEAR(modes.lambda()[0], 1, 1e-8);
  for (const double k0 :
       {1.5, 1.9, 2.3, 4.0, 13.5}) {  // the last is past two modes that were not followed, too
    ASSERT_EQ(modes.update(with_first(k0, 2), work_), ModesStatus::ok);
    EXPECT_NEAR(modes.lambda()[0], k0, 1e-7);
    EXPECT_NEAR(modes.lambda()[1], 2, 1e-7);
    EXPECT_GT(modes.overlap().minCoeff(), 1 - 1e-6);
  }
  modes.forget();
  ASSERT_EQ(modes.update(with_first(4, 2), work_), ModesStatus::ok);
  EXPECT_NEAR(modes.lambda()[0], 2, 1e-8);
}

TEST_F(IdentifiedOscillators, GoOnFromWhereTheyWereSaved) {
  IdentifiedModes modes(2), resumed(2);
  ASSERT_EQ(modes.update(with_first(1, 2), work_), ModesStatus::ok);
  ArchiveWriter out;
  modes.save(out);
  ArchiveReader in(out.bytes());
  resumed.load(in);
  ASSERT_EQ(resumed.update(with_first(3, 2), work_), ModesStatus::ok);
  EXPECT_NEAR(resumed.lambda()[0], 3, 1e-8);
}

}  // namespace
}  // namespace phiflex
