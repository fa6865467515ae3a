// The scene's `solver` and `factorization`: a multigrid in place of a factorization moves bodies in the same way, an
// indefinite factorization goes where Cholesky's does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "phiflex/base/errors.h"
#include "phiflex/integrate/tangent_phi.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {
namespace {

// 1,050 vertices, a twisted bar: more than what a multigrid would factorize.
Scene twisted_bar(const std::string& method, const std::string& solver, const std::string& more = "",
                  const std::string& poisson = "0.4") {
  std::vector<Problem> warnings;
  return parse_scene(R"({ "phiflex": 1, "name": "bar", "time": { "step": 0.01, "end": 0.08 },
    "integrator": { "type": ")" +
                         method + R"(", "modes_tolerance": 0.001, "solver": ")" + solver + R"(")" + more +
                         R"( }, "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.1, 0.1], "cells": [20, 6, 6] },
        "initial": { "twist": { "axis": "x", "angle": 40 } },
        "material": { "type": "neo-hookean", "young": 3e5, "poisson": )" +
                         poisson + R"(, "density": 1000 } } ],
    "constraints": [ { "body": "bar", "type": "fix", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] })",
                     "linear_solver_test", read_options(), warnings);
}

class LinearSolverOf : public ::testing::TestWithParam<std::string> {};

TEST_P(LinearSolverOf, AMultigridMovesTheBodyAsAFactorizationDoes) {
  Simulation factorized(twisted_bar(GetParam(), "factorization")),
      cycled(twisted_bar(GetParam(), "multigrid"));
  double motion = 0;
  for (int step = 0; step < 8; ++step) {
    ASSERT_EQ(factorized.advance(), StepStatus::ok) << factorized.failure();
    ASSERT_EQ(cycled.advance(), StepStatus::ok) << cycled.failure();
    motion = std::max(motion, factorized.state().q.cwiseAbs().maxCoeff());
  }
  // Both steps are solved to the method's own tolerance, of 1e-3 for the coarsest of them (em).
  EXPECT_LE((factorized.state().q - cycled.state().q).cwiseAbs().maxCoeff(), 2e-3 * motion);
}

TEST_P(LinearSolverOf, AMultigridGoesOnBitForBitAfterARestart) {
  const Scene scene = twisted_bar(GetParam(), "multigrid");
  Simulation whole(scene), resumed(scene);
  for (int step = 0; step < 8; ++step) {
    if (step == 5) {
      ArchiveWriter out;
      whole.save(out);
      ArchiveReader in(out.bytes());
      resumed.load(in);
    }
    ASSERT_EQ(whole.advance(), StepStatus::ok) << whole.failure();
    if (step >= 5) {
      ASSERT_EQ(resumed.advance(), StepStatus::ok) << resumed.failure();
    }
  }
  EXPECT_EQ(whole.state().q, resumed.state().q);
  EXPECT_EQ(whole.state().v, resumed.state().v);
}

INSTANTIATE_TEST_SUITE_P(ImplicitMethods, LinearSolverOf,
                         ::testing::Values("si", "be", "em", "emx", "siere"));

TEST(LinearSolver, OfTheRationalEvaluatorMayBeAMultigrid) {
  const Simulation simulation(twisted_bar("ere", "auto"));
  const DeformableModel& model = simulation.model();
  const auto tangent = model.assembled_tangent(Definiteness::exact);
  tangent->update(simulation.state());
  TangentShiftInverse factorized(model, *tangent, LinearSolver::factorization),
      cycled(model, *tangent, LinearSolver::multigrid), resumed(model, *tangent, LinearSolver::multigrid);
  Matrix R(model.dofs(), 2);
  for (Index i = 0; i < R.size(); ++i) R.data()[i] = std::sin(double(i));
  const auto apply = [&](TangentShiftInverse& inverse) {
    Work work;
    Matrix X;
    inverse.change(simulation.state(), 1e-4, false);
    EXPECT_EQ(inverse.prepare(work), SolveStatus::ok);
    inverse.apply(R, X, work);
    return X;
  };
  const Matrix X = apply(cycled), exact = apply(factorized);
  EXPECT_FALSE(cycled.kept().is_exact());
  EXPECT_LE((X - exact).norm(), 0.02 * exact.norm());  // 1e-3 in the norm of the preconditioner
  ArchiveWriter out;
  cycled.save(out);
  ArchiveReader in(out.bytes());
  resumed.load(in);
  EXPECT_EQ(resumed.preparation_work(),
            TangentShiftInverse(model, *tangent, LinearSolver::multigrid).preparation_work())
      << "decisions by it are those of a run that was not resumed";
  EXPECT_EQ(apply(resumed), X);
}

// A bar pressed to four fifths of its length, which buckles: the matrix of the step is indefinite.
Scene pressed_bar(const std::string& integrator, const std::string& more = "") {
  std::vector<Problem> warnings;
  return parse_scene(
      R"({ "phiflex": 1, "name": "bar", "time": { "step": 0.01, "end": 0.1 }, "integrator": )" + integrator +
          R"(, "gravity": [0, -9.81, 0],
    "bodies": [ { "name": "bar", "mesh": { "generate": "box", "size": [0.4, 0.05, 0.05], "cells": [16, 2, 2] },
        "initial": { "stretch": { "axis": "x", "factor": 0.8 } },
        "material": { "type": "stvk", "young": 3e5, "poisson": 0.3, "density": 1000 } } ],
    "constraints": [ { "body": "bar", "type": "fix", "where": { "box": [[0, 0, 0], [0, 1, 1]] } },
                     { "body": "bar", "type": "fix", "where": { "box": [[0.4, 0, 0], [0.4, 1, 1]] } } ])" +
          more + " }",
      "linear_solver_test", read_options(), warnings);
}

class IndefiniteFactorizationOf : public ::testing::TestWithParam<std::string> {
 protected:
  Scene scene(const std::string& more) const {
    return pressed_bar(R"({ "type": ")" + GetParam() + R"(", )" + more + " }");
  }
};

TEST_P(IndefiniteFactorizationOf, StepsWhereCholeskyCannot) {
  Simulation refused(scene(R"("project_hessian": false, "halve_step": false)"));
  EXPECT_EQ(refused.advance(), StepStatus::not_positive_definite);
  Simulation simulation(scene(R"("factorization": "indefinite")"));
  ASSERT_EQ(simulation.advance(), StepStatus::ok) << simulation.failure();
  EXPECT_EQ(simulation.work().projected_hessians, 0);
}

TEST_P(IndefiniteFactorizationOf, GoesOnBitForBitAfterARestart) {
  const Scene pressed = scene(R"("factorization": "indefinite")");
  Simulation whole(pressed), resumed(pressed);
  for (int step = 0; step < 4; ++step) {
    if (step == 2) {
      ArchiveWriter out;
      whole.save(out);
      ArchiveReader in(out.bytes());
      resumed.load(in);
    }
    ASSERT_EQ(whole.advance(), StepStatus::ok) << whole.failure();
    if (step >= 2) {
      ASSERT_EQ(resumed.advance(), StepStatus::ok) << resumed.failure();
    }
  }
  EXPECT_EQ(whole.state().q, resumed.state().q);
  EXPECT_EQ(whole.state().v, resumed.state().v);
}

INSTANTIATE_TEST_SUITE_P(ImplicitMethods, IndefiniteFactorizationOf, ::testing::Values("si", "siere"));

std::string refusal_of(const Scene& scene) {
  try {
    const Simulation simulation(scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LinearSolver, AnIndefiniteFactorizationIsRefusedWithAMultigridAndWithBarriers) {
  const std::string indefinite = R"({ "type": "be", "factorization": "indefinite" })";
  EXPECT_NE(
      refusal_of(pressed_bar(R"({ "type": "si", "factorization": "indefinite", "solver": "multigrid" })"))
          .find("multigrid"),
      std::string::npos);
  const std::string floor = R"(, "contacts": [ { "type": "floor", "height": -1, "mode": )";
  EXPECT_NE(refusal_of(pressed_bar(indefinite, floor + R"("barrier" } ])")).find("barrier"),
            std::string::npos);
  EXPECT_EQ(refusal_of(pressed_bar(indefinite, floor + R"("penalty" } ])")), "");
  // `em` has no such setting, and says nothing.
  EXPECT_EQ(
      refusal_of(pressed_bar(R"({ "type": "em", "factorization": "indefinite", "solver": "multigrid" })")),
      "");
}

// Sets the memory that `auto` looks at (linalg/kept_inverse.h), for a test.
class LittleMemory {
 public:
  LittleMemory() { set_memory_bytes(1e4); }
  ~LittleMemory() { set_memory_bytes(0); }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;
};

TEST(LinearSolver, OfExponentialMethodsIsSaidWhereTheirEvaluatorTakesOne) {
  const LittleMemory memory;
  for (const char* method : {"si", "em", "ere", "exprb42", "gautschi"}) {
    const std::string note = Simulation(twisted_bar(method, "auto")).solver_note();
    EXPECT_NE(note.find("linear solver: multigrid, because a factor would take"), std::string::npos)
        << method << ": " << note;
  }
  EXPECT_EQ(Simulation(twisted_bar("ere", "auto", R"(, "evaluator": "lanczos")")).solver_note(), "");
}

TEST(LinearSolver, ThatIsReplacedSaysSoAtItsStepAndGoesOnBitForBitAfterARestart) {
  const Scene scene = twisted_bar("si", "multigrid", R"(, "linear_tolerance": 1e-8)", "0.4999");
  Simulation whole(scene), resumed(scene);
  ASSERT_EQ(whole.advance(), StepStatus::ok) << whole.failure();
  const std::vector<std::string> notices = whole.messages().warnings();
  const auto said = [](const std::string& notice) {
    return notice.starts_with("step 1 ") && notice.ends_with("because the multigrid did not converge");
  };
  EXPECT_EQ(std::count_if(notices.begin(), notices.end(), said), 1);
  ArchiveWriter out;
  whole.save(out);
  ArchiveReader in(out.bytes());
  resumed.load(in);
  for (Simulation* simulation : {&whole, &resumed})
    ASSERT_EQ(simulation->advance(), StepStatus::ok) << simulation->failure();
  EXPECT_EQ(whole.state().q, resumed.state().q);
  EXPECT_EQ(whole.state().v, resumed.state().v);
  EXPECT_EQ(resumed.solver_note(), whole.solver_note());
  for (const std::string& notice : resumed.messages().warnings())
    EXPECT_EQ(notice.find("linear solver"), std::string::npos) << notice;
}

TEST(LinearSolver, AutoFactorizesABodyOfUsualSizeAndSaysNothing) {
  const Simulation simulation(twisted_bar("em", "auto"));
  EXPECT_EQ(simulation.solver_note(), "");
}

}  // namespace
}  // namespace phiflex
