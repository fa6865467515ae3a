#include "phiflex/mpi/petsc_inverse.h"

#include <fmt/format.h>
#include <petscksp.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "phiflex/mpi/fixed_order_products.h"
#include "phiflex/mpi/rank_halo.h"

namespace phiflex {
namespace {

void require(PetscErrorCode error) {
  if (error != 0) throw std::runtime_error(fmt::format("PETSc failed with error {}", int(error)));
}

// What PETSc keeps of the products that made the levels, for a next time with other values: each build is from scratch.
void clear_products(PC pc) {
  PetscBool multigrid = PETSC_FALSE;
  require(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCGAMG, &multigrid));
  if (multigrid == PETSC_FALSE) return;
  PetscInt levels = 0;
  require(PCMGGetLevels(pc, &levels));
  for (PetscInt level = 0; level < levels; ++level) {
    KSP smoother = nullptr;
    Mat A = nullptr, P = nullptr;
    require(PCMGGetSmoother(pc, level, &smoother));
    require(KSPGetOperators(smoother, &A, nullptr));
    require(MatProductClear(A));
    if (level == 0) continue;
    require(PCMGGetInterpolation(pc, level, &P));
    require(MatProductClear(P));
  }
}

}  // namespace

struct PetscInverse::Objects {
  std::vector<PetscInt> start, column;  // scalar rows, global columns
  std::vector<PetscScalar> values;
  PetscInt first = 0;
  std::vector<PetscInt> number;  // global block column of each owned and ghost block
  Mat A = nullptr;
  Vec x = nullptr, b = nullptr;
  PC pc = nullptr;

  void clear() {
    if (pc) PCDestroy(&pc);
    if (A) MatDestroy(&A);
    if (x) VecDestroy(&x);
    if (b) VecDestroy(&b);
  }
  ~Objects() { clear(); }
};

PetscInverse::PetscInverse(const RankHalo& halo, std::shared_ptr<const SparsityPattern> pattern)
    : pattern_(std::move(pattern)), petsc_(std::make_unique<Objects>()) {
  Objects& p = *petsc_;
  PetscInt rows = pattern_->block_rows();
  MPI_Exscan(&rows, &p.first, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) p.first = 0;
  Vector numbers(3 * Index(rows)), of_ghosts(3 * Index(halo.ghosts()));
  for (Index i = 0; i < rows; ++i) numbers.segment<3>(3 * i).setConstant(double(p.first + i));
  const double* from = numbers.data();
  double* to = of_ghosts.data();
  halo.fetch({&from, 1}, {&to, 1});
  p.number.resize(std::size_t(rows) + std::size_t(halo.ghosts()));
  for (Index i = 0; i < rows; ++i) p.number[std::size_t(i)] = PetscInt(p.first + i);
  for (Index i = 0; i < halo.ghosts(); ++i)
    p.number[std::size_t(rows + i)] = PetscInt(std::lround(of_ghosts[3 * i]));

  p.start.assign(1, 0);
  for (int i = 0; i < rows; ++i)
    for (int row = 0; row < 3; ++row) {
      for (int k = pattern_->row_start()[std::size_t(i)]; k < pattern_->row_start()[std::size_t(i) + 1]; ++k)
        for (int col = 0; col < 3; ++col)
          p.column.push_back(3 * p.number[std::size_t(pattern_->column()[std::size_t(k)])] + col);
      p.start.push_back(PetscInt(p.column.size()));
    }
  p.values.resize(p.column.size());
}

PetscInverse::~PetscInverse() = default;

void PetscInverse::copy(const SparseMatrix& A) {
  std::size_t to = 0;
  for (int i = 0; i < pattern_->block_rows(); ++i)
    for (int row = 0; row < 3; ++row)
      for (int k = pattern_->row_start()[std::size_t(i)]; k < pattern_->row_start()[std::size_t(i) + 1]; ++k)
        for (int col = 0; col < 3; ++col) petsc_->values[to++] = A.block(k)[3 * row + col];
}

FactorStatus PetscInverse::build(const SparseMatrix& A, const Vector& positions) {
  Objects& p = *petsc_;
  ready_ = false;
  p.clear();
  copy(A);
  double bad = 0;
  for (const double value : p.values) bad = std::isfinite(value) ? bad : 1;
  MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  if (bad != 0) return FactorStatus::not_finite;
  const PetscInt rows = PetscInt(pattern_->rows());
  require(MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE,
                                    p.start.data(), p.column.data(), p.values.data(), &p.A));
  require(MatSetBlockSize(p.A, 3));
  require(MatSetOption(p.A, MAT_SYMMETRIC, PETSC_TRUE));
  require(MatCreateVecs(p.A, &p.x, &p.b));
  Vec coordinates = nullptr;
  require(VecDuplicate(p.x, &coordinates));
  require(VecSetBlockSize(coordinates, 3));
  PetscScalar* numbers = nullptr;
  require(VecGetArray(coordinates, &numbers));
  std::copy_n(positions.data(), rows, numbers);
  require(VecRestoreArray(coordinates, &numbers));
  MatNullSpace rigid = nullptr;
  require(MatNullSpaceCreateRigidBody(coordinates, &rigid));
  require(MatSetNearNullSpace(p.A, rigid));
  require(MatNullSpaceDestroy(&rigid));
  require(VecDestroy(&coordinates));
  require(PCCreate(PETSC_COMM_WORLD, &p.pc));
  require(PCSetType(p.pc, PCGAMG));
  require(PCSetOptionsPrefix(p.pc, "phiflex_"));
  require(PCSetFromOptions(p.pc));
  require(PCSetOperators(p.pc, p.A, p.A));
  require(PCSetUp(p.pc));
  PCFailedReason reason = PC_NOERROR;
  require(PCGetFailedReason(p.pc, &reason));
  if (reason != PC_NOERROR) return FactorStatus::not_positive_definite;
  clear_products(p.pc);
  ready_ = true;
  return FactorStatus::ok;
}

void PetscInverse::precondition(const Vector& r, Vector& z) {
  Objects& p = *petsc_;
  z.resize(r.size());
  require(VecPlaceArray(p.b, r.data()));
  require(VecPlaceArray(p.x, z.data()));
  require(PCApply(p.pc, p.b, p.x));
  require(VecResetArray(p.b));
  require(VecResetArray(p.x));
}

PetscSession::PetscSession(int& argc, char**& argv) {
  require(PetscInitialize(&argc, &argv, nullptr, nullptr));
  use_fixed_order_products();
  require(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
}

PetscSession::~PetscSession() {
  PetscFinalize();
}

std::string PetscSession::version() {
  char text[256];
  require(PetscGetVersion(text, sizeof text));
  return text;
}

std::string PetscSession::options() {
  char* text = nullptr;
  require(PetscOptionsGetAll(nullptr, &text));
  std::string all = text ? text : "";
  PetscFree(text);
  return all;
}

}  // namespace phiflex
