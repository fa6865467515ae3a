// A preconditioner of PETSc for a matrix whose rows are shared by the ranks: algebraic multigrid (GAMG) on the rigid
// motions of the current shape, or what the options with the prefix phiflex_ ask for (-phiflex_pc_type hypre).
//
// Elements are assembled into our own blocks; whole rows of them are handed over at a build. Each build starts from
// scratch: what is built depends on the matrix and the positions alone, so that a resumed run builds the same. The
// matrices of its coarse levels are made in a fixed order of sums (fixed_order_products.h): otherwise last digits
// differ from run to run on three or more ranks.
#pragma once

#include <memory>
#include <string>

#include "phiflex/linalg/halo.h"
#include "phiflex/linalg/sparse_matrix.h"

namespace phiflex {

class RankHalo;

class PetscInverse final : public OuterInverse {
 public:
  PetscInverse(const RankHalo& halo, std::shared_ptr<const SparsityPattern> pattern);
  ~PetscInverse() override;

  FactorStatus build(const SparseMatrix& A, const Vector& positions) override;
  bool ready() const override { return ready_; }
  void precondition(const Vector& r, Vector& z) override;

 private:
  struct Objects;  // of PETSc
  void copy(const SparseMatrix& A);

  std::shared_ptr<const SparsityPattern> pattern_;
  std::unique_ptr<Objects> petsc_;
  bool ready_ = false;
};

// PetscInitialize with the options after `--`, and the defaults that make results repeat; PetscFinalize at the end.
class PetscSession {
 public:
  PetscSession(int& argc, char**& argv);
  ~PetscSession();
  static std::string version();
  static std::string options();  // in effect, as PETSc knows them
};

}  // namespace phiflex
