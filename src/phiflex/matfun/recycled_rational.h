// Functions of the pencil of a motion that goes on, to a few digits: shift-and-invert Krylov (rational.cpp) on a
// basis that outlives the call.
//
// A body that swings keeps its modes while their phases change. So the Ritz vectors that carried the last result
// span most of the next one: V = [those, b], the new K projected on it, is often enough, with no solve and no
// factorization; where it is not, blocks (M + s K)^-1 M V_j join it.
//
// With Ritz vectors x_i, values t_i, the coordinates g_i of b, and d_i = M^-1 K x_i - t_i x_i: a step of Lanczos from
// x_i would move its value by about
//
//   D_i = |d_i|_M^4 / (d_i'K d_i),                                                                        (1)
//
// which a vector with a trace of high frequencies in it survives (|d_i| alone is all trace) and a mixture of modes
// does not. Where that would change f(t_i) g_i by more than its own size over the phases nearby,
//
//   a_i^2 = mean of |f(t) g_i|^2 over t within 30 % of t_i,                                               (2)
//
// x_i is a mixture of many modes of high frequency, whose phase after the step cannot be predicted. The best guess
// is the mean of f(t) g_i over the same t, which leaves them nearly at rest: an error of a_i, once, instead of noise
// that stays in a motion without damping and makes every later result harder. In all
//
//   e^2 = 9 sum_i min(a_i^2, |f(t_i) g_i - f(t_i - D_i) g_i|^2) / |y|^2                                    (3)
//
// where 9 was found on swinging bars: from 1e-3 on, (3) was between 0.8 and 2 times the error.
//
// The first result, with an empty basis, is made six times as accurate where that can be: what it leaves out, later
// ones have to do without.
#pragma once

#include <vector>

#include "phiflex/linalg/block_products.h"
#include "phiflex/matfun/growing_matrix.h"
#include "phiflex/matfun/pencil_evaluator.h"

namespace phiflex {

class RecycledRational final : public PencilEvaluator {
 public:
  static constexpr double kTightestTolerance = 1e-3;  // below it (3) is no judge

  explicit RecycledRational(const PencilOptions& options) : options_(options) {}
  EvaluationReport evaluate(const Pencil& pencil, ShiftInverse* inverse, const PencilFunction& f,
                            const Matrix& b, Matrix& y, Work& work) override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

 private:
  Eigen::Map<Matrix> V() { return basis_.shape(rows_, size_); }
  Index capacity(Index columns) const;
  void reserve(Index rows, Index most, Index columns);
  void project_kept(const Pencil& pencil);  // H_ of the vectors of earlier calls, with the K of this one
  Index orthogonalize(
      const Pencil& pencil);          // W_ against V, overlap_ with it; returns the width that is left
  void append(const Pencil& pencil);  // W_ to V, with its rows of H_
  bool resolve(const Pencil& pencil, double shift, const PencilFunction& f);  // V becomes X; C_ and error_
  void find_drifts(const Pencil& pencil);                                     // (1) of the vectors in order_
  void keep_largest(Index most);

  PencilOptions options_;
  GrowingMatrix basis_;          // V, M-orthonormal; beyond the call: X
  const Team* team_ = &alone();  // of the latest pencil
  Index rows_ = 0, size_ = 0;
  Index all_rows_ = 0;  // on all ranks
  Matrix W_, MW_, KW_, R_;
  Matrix part_, K_part_, image_;  // some columns of V at once
  Matrix H_, S_, g_, rotated_;    // leading corners and rows of size_
  Vector theta_, drift_;
  Matrix amplitude_;  // a_i^2 of (2): a row per vector, a column per group
  GrowingMatrix C_, overlap_;
  Matrix value_;
  Vector threshold_, size_of_result_, change_, error_squares_;  // the last three: per group
  SymmetricEigenSolver eigen_;
  std::vector<Index> order_;
  double error_ = 1;
};

}  // namespace phiflex
