// Our matrix functions on several ranks against SLEPc's MFN on the same ranks.
#include <gtest/gtest.h>
#include <slepcmfn.h>

#include "phiflex/matfun/catalogue.h"
#include "tests/mpi/shared_scene.h"

namespace phiflex::testing {
namespace {

// J = (0, 1; -M^-1 K, 0) on this rank's displacements, then velocities.
struct Flow {
  const SparseMatrix& K;
  const MassMatrix& mass;
  Vector q, Kq;
};

PetscErrorCode apply_flow(Mat matrix, Vec from, Vec to) {
  Flow* flow = nullptr;
  PetscCall(MatShellGetContext(matrix, &flow));
  const Index n = flow->K.rows();
  const PetscScalar* x = nullptr;
  PetscScalar* y = nullptr;
  PetscCall(VecGetArrayRead(from, &x));
  PetscCall(VecGetArray(to, &y));
  flow->q = Eigen::Map<const Vector>(x, n);
  flow->Kq.resize(n);
  flow->K.apply(flow->q, flow->Kq);
  Eigen::Map<Vector>(y, n) = Eigen::Map<const Vector>(x + n, n);
  Eigen::Map<Vector>(y + n, n) = -flow->Kq.cwiseQuotient(flow->mass.diagonal());
  PetscCall(VecRestoreArrayRead(from, &x));
  PetscCall(VecRestoreArray(to, &y));
  return 0;
}

// y = exp(h J) x by SLEPc, to ten digits.
PetscErrorCode exponential_by_slepc(Flow& flow, double h, Vector& x, Vector& y) {
  const auto n = PetscInt(x.size());
  Mat matrix = nullptr;
  PetscCall(MatCreateShell(PETSC_COMM_WORLD, n, n, PETSC_DETERMINE, PETSC_DETERMINE, &flow, &matrix));
  PetscCall(MatShellSetOperation(matrix, MATOP_MULT, reinterpret_cast<void (*)()>(apply_flow)));
  Vec start = nullptr, end = nullptr;
  y.resize(x.size());
  PetscCall(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, n, PETSC_DETERMINE, x.data(), &start));
  PetscCall(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, n, PETSC_DETERMINE, y.data(), &end));
  MFN solver = nullptr;
  FN function = nullptr;
  PetscCall(MFNCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(MFNSetOperator(solver, matrix));
  PetscCall(MFNGetFN(solver, &function));
  PetscCall(FNSetType(function, FNEXP));
  PetscCall(FNSetScale(function, h, 1));
  PetscCall(MFNSetType(solver, MFNKRYLOV));
  PetscCall(MFNSetTolerances(solver, 1e-10, 10000));
  PetscCall(MFNSetErrorIfNotConverged(solver, PETSC_TRUE));
  PetscCall(MFNSolve(solver, start, end));
  PetscCall(MFNDestroy(&solver));
  PetscCall(VecDestroy(&start));
  PetscCall(VecDestroy(&end));
  PetscCall(MatDestroy(&matrix));
  return 0;
}

TEST(MatrixFunctions, OfSharedRowsAreThoseOfSlepc) {
  SlepcInitializeNoArguments();
  {
    const SharedScene shared;
    const DeformableModel& mine = shared.mine;
    const auto tangent = mine.assembled_tangent(Definiteness::exact);
    tangent->update(shared.at_mine);
    constexpr double h = 0.002;
    const Index n = mine.dofs();
    Vector x(2 * n), expected;
    x << 1e-3 * shared.at_mine.v, shared.at_mine.v;
    Flow flow{tangent->K(), mine.mass(), {}, {}};
    ASSERT_EQ(exponential_by_slepc(flow, h, x, expected), 0);
    const AssembledPencil pencil(tangent->K(), mine.mass());
    const auto size = [&](const Vector& y) { return std::sqrt(dot(shared.team, y, y)); };
    for (const char* name : {"chebyshev", "lanczos", "kiops"}) {
      std::vector<Vector> w(1);
      Work work;
      const auto report =
          make_mechanical_phi(name, {.tolerance = 1e-10})
              ->evaluate(FirstOrderForm(pencil, Rayleigh{}), nullptr, {&x, 1}, {&h, 1}, w, work);
      EXPECT_EQ(report.status, EvaluationStatus::ok) << name;
      const double of_q = size(w[0].head(n) - expected.head(n)) / size(expected.head(n)),
                   of_v = size(w[0].tail(n) - expected.tail(n)) / size(expected.tail(n));
      EXPECT_LE(std::max(of_q, of_v), 1e-9) << name;
      if (shared.team.rank() == 0)
        std::printf("%s: %.1e of displacements, %.1e of velocities\n", name, of_q, of_v);
    }
  }
  SlepcFinalize();
}

}  // namespace
}  // namespace phiflex::testing
