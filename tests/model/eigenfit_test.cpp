#include "phiflex/model/eigenfit_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/model/sample_models.h"

namespace phiflex {
namespace {

using sample::Box;
using sample::describe;
using sample::hold;

constexpr Index kModes = 6;
constexpr EigenFitOptions kExact{.modes_tolerance = 1e-9};

Box bar(std::array<int, 3> cells, const char* law = "linear") {
  return {.size = {0.4, 0.12, 0.08}, .cells = cells, .law = law, .young = 1e5};
}

DeformableModel held(const Box& box, Path path = {}) {
  ModelDescription description = describe({box});
  hold(description, sample::left_end, std::move(path));
  return DeformableModel(std::move(description));
}

Modes rest_modes(const DeformableModel& model, Index count) {
  const auto tangent = model.assembled_tangent(Definiteness::exact);
  tangent->update({0, Vector::Zero(model.dofs()), Vector::Zero(model.dofs())});
  Modes modes;
  Work unused;
  EXPECT_EQ(
      compute_modes(AssembledPencil(tangent->K(), model.mass()), count, {.tolerance = 1e-11}, modes, unused),
      ModesStatus::ok);
  return modes;
}

Vector some_ratios() {
  return Vector{{0.5, 0.6, 0.9, 0.7, 1.2, 0.8}};
}

// A model with its correction and the system that reads it.
struct Fitted {
  Fitted(const DeformableModel& model, Modes rest, Vector ratios, const EigenFitOptions& options = kExact)
      : correction(model, std::move(rest), std::move(ratios), options), system(model, correction) {}
  EigenFitCorrection correction;
  EigenFitSystem system;
  Work work;
};

State shifted(State at, double by, const Vector& direction) {
  at.q += by * direction;
  return at;
}

TEST(EigenFit, WithAllRatiosOneNothingChangesBitForBit) {
  const DeformableModel model = held(bar({4, 2, 1}, "neo-hookean"));
  Fitted fit(model, rest_modes(model, kModes), Vector::Ones(kModes));
  const State at = sample::lively_state(model, 0.1);
  fit.correction.update(at, fit.work);
  Vector f, expected;
  fit.system.force(at, f);
  model.force(at, expected);
  EXPECT_EQ(f, expected);
  const auto tangent = fit.system.assembled_tangent(Definiteness::exact);
  const auto plain = model.assembled_tangent(Definiteness::exact);
  tangent->update(at);
  plain->update(at);
  EXPECT_TRUE(
      std::equal(plain->K().values(), plain->K().values() + plain->K().value_count(), tangent->K().values()));
  EXPECT_TRUE(tangent->low_rank()->empty());
}

TEST(EigenFit, ACoarseLinearBodyHasTheFrequenciesOfTheFineOne) {
  const DeformableModel coarse = held(bar({4, 2, 1})), fine = held(bar({8, 4, 2}));
  const Modes rest = rest_modes(coarse, kModes), wanted = rest_modes(fine, kModes);
  Fitted fit(coarse, rest, wanted.lambda.cwiseQuotient(rest.lambda));
  // Wherever the body is: its stiffness is the same.
  fit.correction.update(sample::lively_state(coarse, 0), fit.work);
  const auto tangent = fit.system.assembled_tangent(Definiteness::exact);
  tangent->update(sample::lively_state(coarse, 0));
  Modes modes;
  ASSERT_EQ(compute_modes(AssembledPencil(tangent->K(), coarse.mass(), tangent->low_rank()), kModes,
                          {.tolerance = 1e-10}, modes, fit.work),
            ModesStatus::ok);
  EXPECT_LT(wanted.lambda[0], 0.9 * rest.lambda[0]) << "the coarse mesh is stiffer, or nothing is to be seen";
  for (Index i = 0; i < kModes; ++i)
    EXPECT_NEAR(modes.lambda[i], wanted.lambda[i], 1e-6 * wanted.lambda[i]) << "mode " << i + 1;
}

// Central differences with 1e-4 of the modes' size (m): their truncation is below 1e-6 of the stiffness.
TEST(EigenFit, TheForceFallsWithTheStiffnessItDeclares) {
  for (const char* law : {"linear", "arap", "neo-hookean"}) {
    const DeformableModel model = held(bar({4, 2, 1}, law));
    const Modes rest = rest_modes(model, kModes);
    Fitted fit(model, rest, some_ratios());
    const State begin = sample::lively_state(model, 0.1, 0.3);
    fit.correction.update(begin, fit.work);
    ASSERT_FALSE(fit.correction.is_off()) << fit.correction.reason();
    State inside = sample::lively_state(model, 0.11, 0.4);  // where a method looks during the step
    const auto tangent = fit.system.assembled_tangent(Definiteness::exact);
    for (const State& at : {begin, inside}) {
      tangent->update(at);
      for (Index i = 0; i < kModes; ++i) {
        const Vector u = fit.correction.low_rank().U.col(i) / fit.correction.low_rank().U.col(i).norm();
        Vector ahead, behind, Ku;
        fit.system.force(shifted(at, 1e-5, u), ahead);
        fit.system.force(shifted(at, -1e-5, u), behind);
        tangent->apply_K(u, Ku);
        EXPECT_LT(((behind - ahead) / 2e-5 - Ku).norm(), 1e-5 * Ku.norm()) << law << ", mode " << i + 1;
      }
    }
  }
}

TEST(EigenFit, WhatTensionAddsToTheStiffnessOfAModeIsNotCorrected) {
  const DeformableModel model = held(bar({4, 2, 1}, "neo-hookean"));
  Fitted fit(model, rest_modes(model, kModes), Vector::Constant(kModes, 0.5));
  const auto at_rest = model.assembled_tangent(Definiteness::exact);
  State stretched{0, Vector::Zero(model.dofs()), Vector::Zero(model.dofs())};
  at_rest->update(stretched);
  Vector x, v;
  model.expand(stretched, x, v);
  const std::vector<int>& vertices = model.constraints().free().vertex_of_row;
  for (std::size_t row = 0; row < vertices.size(); ++row)
    stretched.q[3 * Index(row)] = 0.4 * x[3 * Index(vertices[row])];
  fit.correction.update(stretched, fit.work);
  ASSERT_FALSE(fit.correction.is_off()) << fit.correction.reason();
  const LowRank& low = fit.correction.low_rank();
  const Vector u = low.U.col(0);
  Vector Ku;
  at_rest->apply_K(u, Ku);
  EXPECT_GT(low.lambda[0], 1.2 * u.dot(Ku)) << "tension holds the first mode, or nothing is to be seen";
  EXPECT_GE(low.scale[0], -0.5 * u.dot(Ku) * 1.001);
  EXPECT_LE(low.scale[0], -0.4 * u.dot(Ku)) << "the stiffness that it has at rest is";
}

TEST(EigenFit, AtTheBeginningOfAStepTheElasticForceOfAModeIsScaledByItsRatio) {
  ModelDescription description = describe({bar({4, 2, 1}, "arap")});
  hold(description, sample::left_end);
  const DeformableModel without_load(description);
  sample::add_gravity(description, {0, -9.81, 0});
  const DeformableModel model(description);
  Fitted fit(model, rest_modes(model, kModes), some_ratios());
  const State at = sample::lively_state(model, 0, 0.1);
  fit.correction.update(at, fit.work);
  Vector f, plain, elastic;
  fit.system.force(at, f);
  model.force(at, plain);
  without_load.force(at, elastic);
  const LowRank& low = fit.correction.low_rank();
  const Vector change = low.U.transpose() * (f - plain), modal = low.U.transpose() * elastic;
  for (Index i = 0; i < kModes; ++i) {
    const double ratio = 1 + low.scale[i] / low.lambda[i];
    EXPECT_NEAR(change[i], (ratio - 1) * modal[i], 1e-9 * modal.norm());
  }
}

TEST(EigenFit, RatiosFollowModesThatSwapTheirPlaces) {
  const DeformableModel model = held(bar({4, 2, 1}));
  Modes rest = rest_modes(model, kModes);
  Vector ratios = some_ratios();
  Fitted in_order(model, rest, ratios);
  rest.U.col(1).swap(rest.U.col(2));
  std::swap(ratios[1], ratios[2]);
  Fitted swapped(model, rest, ratios);
  const State at = sample::lively_state(model, 0, 0.5);
  Vector f, g;
  for (Fitted* fit : {&in_order, &swapped}) fit->correction.update(at, fit->work);
  in_order.system.force(at, f);
  swapped.system.force(at, g);
  EXPECT_LT((f - g).norm(), kExact.modes_tolerance * f.norm());
}

TEST(EigenFit, ABodyThatTurnsFreelyKeepsItsCorrection) {
  const DeformableModel model(describe({bar({4, 2, 1}, "arap")}));
  Vector ratios = Vector::Ones(6 + kModes);
  ratios.tail(kModes) = some_ratios();
  Fitted fit(model, rest_modes(model, 6 + kModes), ratios);
  // A quarter turn about z, and a push by the first elastic mode.
  State at{0, Vector(model.dofs()), Vector::Zero(model.dofs())};
  const Vector& X = model.description().rest;
  for (Index i = 0; i < X.size(); i += 3)
    at.q.segment<3>(i) = Eigen::Vector3d(-X[i + 1] - X[i], X[i] - X[i + 1], 0);
  fit.correction.update(at, fit.work);
  EXPECT_FALSE(fit.correction.is_off()) << fit.correction.reason();
  EXPECT_EQ(fit.correction.matched(), kModes);
  const LowRank& low = fit.correction.low_rank();
  // Its eigenvalues are those at rest, and so are its ratios.
  for (Index i = 6; i < 6 + kModes; ++i)
    EXPECT_NEAR(1 + low.scale[i] / low.lambda[i], ratios[i], 1e-6) << "mode " << i + 1;
}

TEST(EigenFit, ABodyWhoseModesAreNotFoundAgainGoesOnUncorrected) {
  const DeformableModel model = held(bar({4, 2, 1}));
  Modes rest = rest_modes(model, 4 * kModes);
  Modes others;  // modes that never come among the lowest
  others.U = rest.U.rightCols(kModes);
  others.lambda = rest.lambda.head(kModes);
  Fitted fit(model, others, some_ratios());
  const State at = sample::lively_state(model, 0);
  fit.correction.update(at, fit.work);
  EXPECT_TRUE(fit.correction.is_off());
  EXPECT_NE(fit.correction.reason().find("0 of the 6 modes"), std::string::npos) << fit.correction.reason();
  Vector f, expected;
  fit.system.force(at, f);
  model.force(at, expected);
  EXPECT_EQ(f, expected);
}

TEST(EigenFit, MovedVerticesChangeTheCorrectedForceAsItsRateSays) {
  const DeformableModel model = held(bar({4, 2, 1}), Path({{0, {0, 0, 0}}, {1, {0.1, 0.2, -0.3}}}));
  Fitted fit(model, rest_modes(model, kModes), some_ratios());
  const State at = sample::lively_state(model, 0.3, 0.3);
  fit.correction.update(at, fit.work);
  const auto tangent = fit.system.assembled_tangent(Definiteness::exact);
  tangent->update(at);
  Vector g, before, after;
  tangent->load_rate(g);
  State later = at;
  later.t += 1e-3;
  fit.system.force(at, before);
  fit.system.force(later, after);
  EXPECT_LT(((after - before) / 1e-3 - g).norm(), 1e-9 * g.norm()) << "all of it is linear";
}

TEST(EigenFit, DampingByStiffnessIsFittedToo) {
  Box box = bar({4, 2, 1});
  box.damping = {0.4, 0.01, DampedStiffness::rest};
  const DeformableModel model = held(box);
  const State at = sample::lively_state(model, 0);
  for (const FittedDamping damping : {FittedDamping::as_stiffness, FittedDamping::none}) {
    Fitted fit(model, rest_modes(model, kModes), some_ratios(),
               {.modes_tolerance = 1e-9, .damping = damping});
    fit.correction.update(at, fit.work);
    const auto tangent = fit.system.assembled_tangent(Definiteness::exact);
    tangent->update(at);
    const LowRank& low = fit.correction.low_rank();
    for (Index i = 0; i < kModes; ++i) {
      const Vector u = low.U.col(i);
      Vector Du, ahead, behind;
      tangent->apply_D(u, Du);
      const double lambda = low.lambda[i] + (damping == FittedDamping::as_stiffness ? low.scale[i] : 0);
      EXPECT_NEAR(u.dot(Du), 0.4 + 0.01 * lambda, 1e-9 * u.dot(Du));
      State faster = at, slower = at;
      faster.v += u;
      slower.v -= u;
      fit.system.force(faster, ahead);
      fit.system.force(slower, behind);
      EXPECT_LT((0.5 * (behind - ahead) - Du).norm(), 1e-9 * Du.norm()) << "linear in v";
    }
  }
}

TEST(EigenFit, TheTwoStateForceOfALinearBodyIsTheForceInTheMiddle) {
  const DeformableModel model = held(bar({4, 2, 1}));
  Fitted fit(model, rest_modes(model, kModes), some_ratios());
  const State now = sample::lively_state(model, 0, 0.2);
  fit.correction.update(now, fit.work);
  const auto force = fit.system.two_state_force();
  force->begin(now, 0.01, {});
  const Vector w = 0.5 * now.v;
  Vector f, expected;
  force->force(w, f);
  State middle{0.005, now.q + 0.005 * w, w};
  fit.system.force(middle, expected);
  EXPECT_LT((f - expected).norm(), 1e-9 * expected.norm());
}

TEST(EigenFit, ASavedCorrectionGoesOnBitForBit) {
  const DeformableModel model = held(bar({4, 2, 1}, "neo-hookean"));
  const Modes rest = rest_modes(model, kModes);
  const EigenFitOptions options{.modes_tolerance = 1e-3};
  Fitted whole(model, rest, some_ratios(), options), resumed(model, rest, some_ratios(), options);
  for (int step = 0; step < 5; ++step)
    whole.correction.update(sample::lively_state(model, 0, 0.02 * step), whole.work);
  ArchiveWriter out;
  whole.correction.save(out);
  ArchiveReader in(out.bytes());
  resumed.correction.load(in);
  for (int step = 5; step < 8; ++step) {
    const State at = sample::lively_state(model, 0, 0.02 * step);
    Vector f, g;
    for (Fitted* fit : {&whole, &resumed}) fit->correction.update(at, fit->work);
    whole.system.force(at, f);
    resumed.system.force(at, g);
    EXPECT_EQ(f, g);
  }
}

}  // namespace
}  // namespace phiflex
