// A peer of bench_matfun: y = exp(A) b by SLEPc's MFN (Hernandez, Roman, Vidal: SLEPc: a scalable and flexible
// toolkit for the solution of eigenvalue problems, 2005), timed without reading and writing.
// Usage: matfun_peer_slepc A.mtx b.mtx y.mtx expokit|krylov TOLERANCE SUBSPACE (0: SLEPc's default)
// Prints: seconds products converged(0|1)
#include <slepcmfn.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "phiflex/linalg/matrix_market.h"

namespace {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

Vec make_vector(const phiflex::Matrix& values) {
  Vec x = nullptr;
  PetscCallAbort(PETSC_COMM_SELF, VecCreateSeq(PETSC_COMM_SELF, PetscInt(values.rows()), &x));
  for (phiflex::Index i = 0; i < values.rows(); ++i)
    PetscCallAbort(PETSC_COMM_SELF, VecSetValue(x, PetscInt(i), values(i, 0), INSERT_VALUES));
  PetscCallAbort(PETSC_COMM_SELF, VecAssemblyBegin(x));
  PetscCallAbort(PETSC_COMM_SELF, VecAssemblyEnd(x));
  return x;
}

phiflex::Matrix values_of(Vec x) {
  PetscInt size = 0;
  const PetscScalar* values = nullptr;
  PetscCallAbort(PETSC_COMM_SELF, VecGetSize(x, &size));
  PetscCallAbort(PETSC_COMM_SELF, VecGetArrayRead(x, &values));
  return Eigen::Map<const phiflex::Vector>(values, size);
}

PetscErrorCode run(char** argv) {
  phiflex::GeneralMatrix A = phiflex::read_sparse_matrix_market(argv[1]);
  A.makeCompressed();
  const phiflex::Matrix b = phiflex::read_dense_matrix_market(argv[2]);
  const PetscInt n = PetscInt(A.rows());
  Mat matrix = nullptr;
  PetscCall(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n, n, A.outerIndexPtr(), A.innerIndexPtr(),
                                      A.valuePtr(), &matrix));
  Vec start = make_vector(b), result = nullptr;
  PetscCall(VecDuplicate(start, &result));

  MFN solver = nullptr;
  FN function = nullptr;
  PetscCall(MFNCreate(PETSC_COMM_SELF, &solver));
  PetscCall(MFNSetOperator(solver, matrix));
  PetscCall(MFNGetFN(solver, &function));
  PetscCall(FNSetType(function, FNEXP));
  PetscCall(MFNSetType(solver, argv[4]));
  PetscCall(MFNSetTolerances(solver, std::atof(argv[5]), 100000));
  if (const int subspace = std::atoi(argv[6]); subspace > 0) PetscCall(MFNSetDimensions(solver, subspace));
  PetscCall(MFNSetUp(solver));

  const double begin = cpu_seconds();
  PetscCall(MFNSolve(solver, start, result));
  const double seconds = cpu_seconds() - begin;
  MFNConvergedReason reason = MFN_CONVERGED_ITERATING;
  PetscCall(MFNGetConvergedReason(solver, &reason));
  PetscLogEvent product = 0;
  PetscEventPerfInfo count{};
  PetscCall(PetscLogEventGetId("MatMult", &product));
  PetscCall(PetscLogEventGetPerfInfo(PETSC_DETERMINE, product, &count));
  std::printf("%.6g %d %d\n", seconds, count.count, reason > 0 ? 1 : 0);
  phiflex::write_matrix_market(argv[3], values_of(result));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "usage: matfun_peer_slepc A.mtx b.mtx y.mtx expokit|krylov TOLERANCE SUBSPACE\n");
    return 2;
  }
  PetscCall(SlepcInitialize(nullptr, nullptr, nullptr, nullptr));
  PetscCall(PetscLogDefaultBegin());
  PetscCall(run(argv));
  PetscCall(SlepcFinalize());
  return 0;
}
