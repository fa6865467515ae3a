#include "phiflex/reproduce/study_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "phiflex/reproduce/particle_row_study.h"
#include "phiflex/reproduce/square_root_study.h"
#include "tests/scratch_folder.h"

namespace phiflex {
namespace {

Value call_study(const char* name, std::vector<Value> arguments, const std::filesystem::path& folder = {}) {
  return study_functions(folder).at(name)(arguments);
}

TEST(SquareRootStudy, EveryWayFindsTheRootOfAWellConditionedMatrix) {
  const Matrix L = matrix_of_condition(30, 4);
  for (const SquareRootMethod method : {SquareRootMethod::newton, SquareRootMethod::denman_beavers,
                                        SquareRootMethod::schur, SquareRootMethod::eigen})
    EXPECT_LT(square_root(method, L).residual, 1e-13) << int(method);
}

TEST(SquareRootStudy, NewtonsIterationIsUnstableWhereTheOthersAreNot) {
  // Errors grow by |1 - sqrt(1e6)|/2 = 500 per step: a few steps after convergence nothing is left.
  const Matrix L = matrix_of_condition(30, 1e6);
  EXPECT_GT(square_root(SquareRootMethod::newton, L).residual, 1);
  EXPECT_LT(square_root(SquareRootMethod::denman_beavers, L).residual, 1e-9);
  EXPECT_LT(square_root(SquareRootMethod::eigen, L).residual, 1e-13);
}

TEST(WaveStudy, TheLowestEigenvalueIsThatOfTheClosedFormula) {
  for (const int n : {2, 8, 64}) {
    const double h = 1. / n, c = std::cos(std::numbers::pi * h);
    EXPECT_NEAR(call_study("wave_eigenvalue", {n}).number(), 6 / (h * h) * (1 - c) / (2 + c), 1e-9);
  }
  // With 4 and 2 the mass is 4/3 of what it should be.
  EXPECT_NEAR(call_study("wave_eigenvalue", {64, 2.}).number(), 0.75 * std::numbers::pi * std::numbers::pi,
              0.01);
}

TEST(ParticleRowStudy, WithoutSpringsTheEnergyIsQuadraticAndOneIterationIsEnough) {
  ParticleRow row;
  row.stiffness = 1e-9;
  EXPECT_EQ(minimizer_iterations(row, Minimizer::newton), row.steps);
  EXPECT_EQ(minimizer_iterations(row, Minimizer::bfgs), row.steps);  // its first matrix is the right one
}

TEST(ParticleRowStudy, StifferRowsCostBfgsMoreIterationsThanNewton) {
  ParticleRow row;
  row.stiffness = 1000;
  const int newton = minimizer_iterations(row, Minimizer::newton),
            bfgs = minimizer_iterations(row, Minimizer::bfgs);
  EXPECT_GT(newton, row.steps);
  EXPECT_GT(bfgs, 2 * newton);
}

TEST(SpectrumStudy, SieresJacobianDiffersFromTheFullOneByTwiceAsManyRanksAsModes) {
  const std::vector<double> J = call_study("siere_jacobian", {2, 3}).numbers();
  EXPECT_EQ(J[0], 6);
  EXPECT_GT(J[2], J[1]);
}

TEST(SpectrumStudy, TheLowestModesOfALaplacianCostTime) {
  EXPECT_GT(call_study("laplacian_modes_seconds", {12, 20, 5}).number(), 0);
  EXPECT_THROW(call_study("laplacian_modes_seconds", {2, 2, 5}), ExpressionError);
}

TEST(StaticStepStudy, AStretchedBarIsInEquilibriumAndAStifferOneNeedsMoreSubsteps) {
  const testing::ScratchFolder scratch;
  scratch.write("bar.scene.json",
                R"({ "time": { "step": 1e5, "end": 5e5 }, "integrator": { "type": "be" },
              "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [3, 1, 1], "cells": [6, 2, 2] },
                "material": { "type": "neo-hookean", "young": 1e6, "poisson": 0.4, "density": 1000 } } ],
              "constraints": [
                { "type": "fix", "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } },
                { "type": "move", "body": "bar", "where": { "box": [[3, 0, 0], [3, 1, 1]] },
                  "path": [ { "time": 0, "offset": [0, 0, 0] }, { "time": 5e5, "offset": [0.6, 0, 0] } ] } ] })");
  const Functions table = study_functions(scratch.path());
  const auto ask = [&](const char* name, std::vector<Value> arguments) {
    return table.at(name)(arguments).number();
  };
  const Value none = ValueList{};
  const double once = ask("newmark_seconds", {"bar.scene.json", ValueList{"time.step=0.001"}, 1});
  EXPECT_GT(ask("newmark_seconds", {"bar.scene.json", ValueList{"time.step=0.001"}, 5}), 2 * once);
  EXPECT_GT(ask("step_seconds", {"bar.scene.json", ValueList{"time.step=0.001", "time.end=0.1"}, "si"}), 0);
  EXPECT_LT(ask("static_residual", {"bar.scene.json", none}), 1e-6);
  EXPECT_EQ(ask("static_inverted", {"bar.scene.json", none}), 0);
  const auto substeps = [&](const char* young) {
    return ask("one_step",
               {"bar.scene.json", none, ValueList{young}, "ere:evaluator=expv", 1. / 30, "substeps"});
  };
  const double soft = substeps("bodies.0.material.young=1e6"),
               stiff = substeps("bodies.0.material.young=1e10");
  EXPECT_GE(soft, 1);
  EXPECT_GT(stiff, soft);
  EXPECT_THROW(ask("one_step", {"bar.scene.json", none, none, "ere", 1. / 30, "no-such-count"}),
               ExpressionError);
}

}  // namespace
}  // namespace phiflex
