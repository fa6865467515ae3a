// The inverse of a matrix that is kept while the matrix goes on changing: a factorization, or a multigrid where a
// factorization would cost too much or not fit into memory. An LU of an indefinite matrix, on request, stands in the
// same place; it serves the matrix that it was made of and no later one.
//
// Choice. F, p: the work of a factorization and of an application of it; G, g: those of the multigrid. An inverse is
// kept for some 60 steps of four solves, and conjugate gradients take about four cycles where one application of a
// factorization serves. So a multigrid is taken when
//
//   F/60 + 4 p > G/60 + 16 (g + product)                                                                   (1)
//   or the factor and its copy would take more than 60 % of the memory there is (memory_bytes()),          (2)
//   or the matrix has more than 150,000 block rows, for which not even the analysis is made.               (3)
//
// Work is counted, not timed (work_rates.h).
//
// A multigrid that does not converge is replaced by a factorization where (2) allows it, whatever (1) and (3) say;
// reason() says so, or why not.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "phiflex/base/archive.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/linalg/halo.h"
#include "phiflex/linalg/lu.h"
#include "phiflex/linalg/multigrid.h"

namespace phiflex {

// The memory that (2) speaks of: the machine's, or that of the control group the process lives in, if that is less.
double memory_bytes();
// Another number in its place, for programs that share the machine, and for tests; 0: the machine's again.
void set_memory_bytes(double bytes);

enum class LinearSolver { automatic, factorization, multigrid, indefinite };

class KeptInverse {
 public:
  // A multigrid needs blocks of size 3: with others automatic takes a factorization, and multigrid is misuse
  // (std::invalid_argument).
  KeptInverse(std::shared_ptr<const SparsityPattern> pattern, LinearSolver solver);

  LinearSolver solver() const {
    if (multigrid_ || outer_) return LinearSolver::multigrid;
    return lu_ ? LinearSolver::indefinite : LinearSolver::factorization;
  }
  // One application is the inverse, but for rounding.
  bool is_exact() const { return !multigrid_ && !outer_; }
  bool is_outer() const { return outer_ != nullptr; }  // of several ranks (halo.h): always a multigrid
  bool is_definite() const { return !lu_; }            // it can be the preconditioner of a later matrix
  const SparsityPattern& pattern() const { return *pattern_; }
  // Why automatic took what it took, or why it was replaced, or not; else empty.
  const std::string& reason() const { return reason_; }

  // Of A; positions: of the vertices, for a multigrid.
  FactorStatus build(const SparseMatrix& A, const Vector& positions);
  bool ready() const;
  // A factorization takes the place of the multigrid, which did not converge: of A, if A has one (else the multigrid
  // stays); or to be built. Nothing, or false: (2) forbids it, or there is no multigrid.
  std::optional<FactorStatus> replace_by_factorization(const SparseMatrix& A);
  bool replace_by_factorization();

  const CholeskyFactorization& factorization() const { return *cholesky_; }  // where there is one
  // x = A^-1 b, where is_exact().
  void solve(const Vector& b, Vector& x) const;
  void solve(const Matrix& B, Matrix& X) const;
  // To about single precision; one fixed symmetric operator, positive definite where is_definite().
  void precondition(const Vector& r, Vector& z);
  void precondition(const Matrix& R, Matrix& Z);

  // What a build, an exact solve and an application of precondition() cost (work_rates.h); of a multigrid what its
  // levels tell, or, not built yet, what its pattern lets expect.
  double build_work() const;
  double solve_work() const;
  double application_work() const;
  double expected_build_work() const;  // by the pattern alone, whatever was built
  double expected_application_work() const;

  // A multigrid's aggregates, which depend on the first matrix it met.
  void save_structure(ArchiveWriter& out) const;
  void load_structure(ArchiveReader& in);

 private:
  std::unique_ptr<CholeskyFactorization> replacement();
  void take(std::unique_ptr<CholeskyFactorization> cholesky);

  std::shared_ptr<const SparsityPattern> pattern_;
  std::unique_ptr<CholeskyFactorization> cholesky_;  // one of the four is there
  std::unique_ptr<Multigrid> multigrid_;
  std::unique_ptr<LuFactorization> lu_;
  std::unique_ptr<OuterInverse> outer_;
  std::string reason_;
  bool stays_ = false;                 // the multigrid: (2) does not allow to replace it
  bool has_no_factorization_ = false;  // the matrix of the latest build()
  Vector column_, result_;
};

}  // namespace phiflex
