// X ~ (M + s K)^-1 R: the factorization that a semi-implicit step of length sqrt(s) has anyway. It may be one
// fixed symmetric positive definite approximation (a kept factorization of an earlier K): who uses it projects
// the true K and needs no exact inverse.
#pragma once

#include "phiflex/base/work.h"
#include "phiflex/linalg/implicit_matrix.h"
#include "phiflex/linalg/outer_solver.h"

namespace phiflex {

class ShiftInverse {
 public:
  virtual ~ShiftInverse() = default;
  virtual double shift() const = 0;                                // s
  virtual SolveStatus prepare(Work& work) = 0;                     // makes apply() possible; may factorize
  virtual void apply(const Matrix& R, Matrix& X, Work& work) = 0;  // counts one solve per column

  // What it costs, in products of K with one vector: prepare() as things stand now, and apply() per column.
  virtual double preparation_work() const = 0;
  virtual double solve_work() const = 0;
};

// On the matrix a M + c K of an implicit step: s = c/a. Uses its factorization as it is, current or kept,
// to about single precision.
class ImplicitShiftInverse final : public ShiftInverse {
 public:
  explicit ImplicitShiftInverse(ImplicitMatrix& matrix) : matrix_(matrix) {}  // kept by reference
  double shift() const override;
  SolveStatus prepare(Work& work) override { return matrix_.prepare(work); }
  void apply(const Matrix& R, Matrix& X, Work& work) override;
  double preparation_work() const override;
  double solve_work() const override;

 private:
  ImplicitMatrix& matrix_;
};

// On a KeptInverse of M + s K that somebody built: a factorization, accurate to round-off, or one cycle of a multigrid.
class KeptShiftInverse final : public ShiftInverse {
 public:
  KeptShiftInverse(KeptInverse& kept, double s) : kept_(kept), s_(s) {}  // kept by reference
  double shift() const override { return s_; }
  SolveStatus prepare(Work& work) override;
  void apply(const Matrix& R, Matrix& X, Work& work) override;
  double preparation_work() const override { return 0; }
  double solve_work() const override;

 private:
  KeptInverse& kept_;
  double s_;
};

// On a factorization of M + s K that somebody made; accurate to round-off.
class FactorizedShiftInverse final : public ShiftInverse {
 public:
  FactorizedShiftInverse(const CholeskyFactorization& factorization, double s)  // kept by reference
      : factorization_(factorization), s_(s) {}
  double shift() const override { return s_; }
  SolveStatus prepare(Work& work) override;
  void apply(const Matrix& R, Matrix& X, Work& work) override;
  double preparation_work() const override { return 0; }
  double solve_work() const override;

 private:
  const CholeskyFactorization& factorization_;
  double s_;
};

// On what OuterSolver::build() was given, M + s K of several ranks; as accurate as that solves.
class OuterShiftInverse final : public ShiftInverse {
 public:
  OuterShiftInverse(OuterSolver& solver, double s) : solver_(solver), s_(s) {}  // kept by reference
  double shift() const override { return s_; }
  SolveStatus prepare(Work& work) override;
  void apply(const Matrix& R, Matrix& X, Work& work) override { solver_.solve(R, X, work); }
  double preparation_work() const override { return 0; }
  double solve_work() const override { return solver_.solve_work(); }

 private:
  OuterSolver& solver_;
  double s_;
};

}  // namespace phiflex
