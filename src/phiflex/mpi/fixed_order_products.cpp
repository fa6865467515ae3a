#include "phiflex/mpi/fixed_order_products.h"

#include <petscmat.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

// PETSc's own constructor of the type. PETSc declares it for its own sources alone.
PETSC_EXTERN PetscErrorCode MatCreate_MPIAIJ(Mat);

namespace phiflex {
namespace {

using OfMatrix = PetscErrorCode (*)(Mat);
using Operation = void (*)(void);

constexpr PetscErrorCode kNoError{0};
constexpr double kZero = 1e-12;  // of the largest of its block: what is zero but for rounding
OfMatrix choose_petsc_product = nullptr;

PetscErrorCode already_computed(Mat) {
  return kNoError;
}

// (2), in the diagonal alone.
PetscErrorCode fill_zero_rows(Mat C) {
  Vec diagonal = nullptr;
  PetscInt rows = 0, block = 1;
  PetscScalar* d = nullptr;
  PetscCall(MatCreateVecs(C, &diagonal, nullptr));
  PetscCall(MatGetDiagonal(C, diagonal));
  PetscCall(MatGetBlockSize(C, &block));
  PetscCall(VecGetLocalSize(diagonal, &rows));
  PetscCall(VecGetArray(diagonal, &d));
  for (PetscScalar* first = d; first < d + rows; first += block) {
    const PetscScalar largest = *std::max_element(first, first + block);
    for (PetscScalar* entry = first; entry < first + block; ++entry)
      if (std::abs(*entry) <= kZero * std::abs(largest)) *entry = largest != 0 ? largest : 1;
  }
  PetscCall(VecRestoreArray(diagonal, &d));
  PetscCall(MatDiagonalSet(C, diagonal, INSERT_VALUES));
  return VecDestroy(&diagonal);
}

// (1), values and all: each coarse matrix is made once.
PetscErrorCode make_fixed_order_product(Mat C) {
  Mat A = nullptr, P = nullptr, R = nullptr, AP = nullptr, made = nullptr;
  PetscCall(MatProductGetMats(C, &A, &P, nullptr));
  PetscCall(MatTranspose(P, MAT_INITIAL_MATRIX, &R));
  PetscCall(MatMatMult(A, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &AP));
  PetscCall(MatProductClear(AP));  // what PETSc keeps for another product on the same patterns
  PetscCall(MatMatMult(R, AP, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &made));
  PetscCall(MatProductClear(made));
  PetscCall(MatDestroy(&R));
  PetscCall(MatDestroy(&AP));
  PetscCall(fill_zero_rows(made));
  PetscCall(MatHeaderReplace(C, &made));
  PetscCall(MatProductCreateWithMat(A, P, nullptr, C));  // PETSc asks for a product behind the result
  PetscCall(MatProductSetType(C, MATPRODUCT_PtAP));
  return MatSetOperation(C, MATOP_PRODUCTNUMERIC, reinterpret_cast<Operation>(already_computed));
}

PetscErrorCode choose_product(Mat C) {
  MatProductType type = MATPRODUCT_UNSPECIFIED;
  PetscCall(MatProductGetType(C, &type));
  if (type != MATPRODUCT_PtAP) return choose_petsc_product(C);
  return MatSetOperation(C, MATOP_PRODUCTSYMBOLIC, reinterpret_cast<Operation>(make_fixed_order_product));
}

PetscErrorCode create_mpiaij(Mat A) {
  PetscCall(MatCreate_MPIAIJ(A));
  Operation own = nullptr;
  PetscCall(MatGetOperation(A, MATOP_PRODUCTSETFROMOPTIONS, &own));
  choose_petsc_product = reinterpret_cast<OfMatrix>(own);
  return MatSetOperation(A, MATOP_PRODUCTSETFROMOPTIONS, reinterpret_cast<Operation>(choose_product));
}

}  // namespace

void use_fixed_order_products() {
  PetscBool asked = PETSC_FALSE;
  if (PetscOptionsHasName(nullptr, nullptr, "-matptap_via", &asked) != kNoError ||
      (asked == PETSC_FALSE && MatRegister(MATMPIAIJ, create_mpiaij) != kNoError))
    throw std::runtime_error("PETSc failed to register a type of matrices");
}

}  // namespace phiflex
