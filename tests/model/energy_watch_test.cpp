// What of a run's energy is explained, and what is not.
#include "phiflex/model/energy_watch.h"

#include <gtest/gtest.h>

#include "tests/model/sample_models.h"

namespace phiflex {
namespace {

LedgerRow ledger_row(Energies energies, double external_work = 0, double numerical_loss = 0) {
  LedgerRow row;
  row.energies = energies;
  row.external_work = external_work;
  row.numerical_loss = numerical_loss;
  return row;
}

class EnergyWatched : public ::testing::Test {
 protected:
  static EnergyWatch from(const LedgerRow& first) { return {model(), first, 0.01}; }
  static const DeformableModel& model() {
    static const DeformableModel made(sample::describe({sample::Box{}}));
    return made;
  }
};

TEST_F(EnergyWatched, IsExplainedByWhatThereWasWhatGravityGaveAndWhatCameIn) {
  EnergyWatch watch = from(ledger_row({.kinetic = 1, .elastic = 3, .gravity = 10, .contact = 1}));
  EXPECT_EQ(watch.available(), 5);
  watch.add(1, ledger_row({.kinetic = 12, .gravity = 3}));
  EXPECT_EQ(watch.available(), 12);
  EXPECT_EQ(watch.times_available(), 1);
  watch.add(2, ledger_row({.kinetic = 10, .gravity = 10}, 8));
  EXPECT_EQ(watch.available(), 20) << "what gravity once gave was there";
  watch.add(3, ledger_row({.kinetic = 1, .gravity = 20}, -5));
  EXPECT_EQ(watch.available(), 20) << "what goes out again was there, too";
}

TEST_F(EnergyWatched, AGainIsWorthTellingFromATenthOnAndSinceItsLastBeginning) {
  EnergyWatch watch = from(ledger_row({.elastic = 10}));
  watch.add(1, ledger_row({.kinetic = 10.9}, 0, -0.9));
  EXPECT_EQ(watch.began(), 0);
  watch.add(2, ledger_row({.kinetic = 11.5}, 0, -1.5));
  EXPECT_EQ(watch.began(), 2);
  EXPECT_DOUBLE_EQ(watch.gain(), 0.15);
  watch.add(3, ledger_row({.kinetic = 2}, 0, 8));
  EXPECT_EQ(watch.began(), 0) << "a loss is no gain";
  watch.add(4, ledger_row({.kinetic = 12}, 0, -2));
  watch.add(5, ledger_row({.kinetic = 13}, 0, -3));
  EXPECT_EQ(watch.began(), 4);
}

TEST_F(EnergyWatched, ADivergingMotionIsNotMeasuredByItsOwnKineticEnergy) {
  EnergyWatch watch = from(ledger_row({.elastic = 10}));
  watch.add(1, ledger_row({.kinetic = 5e20, .elastic = 5e20}, 0, 10 - 1e21));
  EXPECT_DOUBLE_EQ(watch.times_available(), 1e20);
  EXPECT_DOUBLE_EQ(watch.gain(), 1e20);
}

TEST_F(EnergyWatched, RoundingAtRestIsNoMotion) {
  EnergyWatch watch = from(ledger_row({.elastic = 1e-32}));
  watch.add(1, ledger_row({.kinetic = 1e-24}, 0, -1e-24));
  EXPECT_LT(watch.times_available(), 1e-3);
  EXPECT_EQ(watch.began(), 0);
}

// The elastic energy of a body at rest is a difference of numbers of the size of its stiffness.
TEST_F(EnergyWatched, RoundingOfAStiffBodysElasticEnergyIsNoMotion) {
  for (const double young : {1e5, 1e15}) {
    const DeformableModel stiff(sample::describe({sample::Box{.young = young}}));
    const double volume = stiff.total_mass() / 1000;
    const double rounding = 2e-16 * young * volume;
    EnergyWatch watch(stiff, ledger_row({.elastic = 1e-30}), 0.01);
    watch.add(1, ledger_row({.elastic = rounding}, 0, -rounding));
    EXPECT_EQ(watch.began(), 0) << young;
    const double strained = 0.5 * young * volume * 1e-8;  // by 1e-4
    watch.add(2, ledger_row({.elastic = strained}, 0, -strained));
    EXPECT_EQ(watch.began(), 2) << young;
    EXPECT_GT(watch.times_available(), 1000) << young;
  }
}

TEST_F(EnergyWatched, GoesOnAsItWasSaved) {
  EnergyWatch watch = from(ledger_row({.elastic = 10, .gravity = 1}));
  watch.add(1, ledger_row({.kinetic = 15, .gravity = -2}, 1, -2));
  ArchiveWriter out;
  watch.save(out);
  EnergyWatch again = from(ledger_row({}));
  ArchiveReader in(out.bytes());
  again.load(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(again.available(), watch.available());
  EXPECT_EQ(again.began(), 1);
  EXPECT_EQ(again.gain(), watch.gain());
}

}  // namespace
}  // namespace phiflex
