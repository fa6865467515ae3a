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
//
// A STEP OF A MOTION (motion_tolerance). Errors count as displacements: a velocity e_v of frequency w moves a
// body in the step h by min(h e_v, e_v/w), about h e_v / sqrt(1 + h^2 w^2),
//
//   |e|^2 = e_q'M e_q / h^2 + e_v'M (M + h^2 K)^-1 M e_v,                                                  (4)
//
// with (M + h^2 K)^-1 M by the Ritz values. In the norm of M velocities of what turns many times in a step
// count most, and move nothing. The error is relative to r^2 = sum_i a_i^2, the mean over the phases, not to
// the result: the update of a mode of amplitude A is 2 A |sin(h w/2)|, nothing for a body that is back where it
// was, while its motion is A as before.
//
// D_i is of the vectors that are there, and knows nothing of those that lack: where x_i has a trace of high
// frequencies, d_i is that trace, and what else it lacks is hidden under it. They are found by what (M + s
// K)^-1, which damps the trace, makes of the residuals. With b = X g and y = X C, the exact result in an
// eigenvector of lambda is f(lambda) b(lambda), and the Ritz vectors make y(lambda) of it. Far from all t_i
// with a part in them, both are what
//
//   R = [K X C - M X T C,  K X g - M X T g],   T = diag(t_i),                                              (5)
//
// has there, over lambda. So the block (M + s K)^-1 R joins the basis in every call, and the change of the
// result, y - y', is what the basis lacked. If a block removes at least a third of the error (the saturation
// assumption of hierarchical estimates: Bank, Smith: A posteriori error estimates based on hierarchical bases,
// 1993), what remains is at most twice the change. Vectors that lack and vectors that are mixtures are errors
// of their own:
//
//   e^2 = 4 (|y - y'|^2 + sum_i min(2 a_i^2, |f(t_i) g_i - f(t_i - D_i) g_i|^2)) / r^2                     (6)
//
// where two results of unknown phase differ by 2 a_i^2 in the mean. A mixture keeps f(t_i): the projected flow
// conserves energy, whatever it leaves out. On a swinging chain of h w from 0.4 to 2000, with bases that were
// disturbed by up to 3 % and with such that were not, the error was at most (6), where that was above 0.3
// of the tolerance: parts below that are left out of (6) and of the basis that is kept.
#pragma once

#include <vector>

#include "phiflex/linalg/block_products.h"
#include "phiflex/matfun/growing_matrix.h"
#include "phiflex/matfun/pencil_evaluator.h"

namespace phiflex {

class RecycledRational final : public PencilEvaluator {
 public:
  static constexpr double kTightestTolerance = 1e-3;  // below it (3) is no judge

  explicit RecycledRational(const PencilOptions& options)
      : options_(options),
        motion_(options.motion_tolerance > 0),
        tolerance_(motion_ ? options.motion_tolerance : options.tolerance) {}
  EvaluationReport evaluate(const Pencil& pencil, ShiftInverse* inverse, const PencilFunction& f,
                            const Matrix& b, Matrix& y, Work& work) override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

 private:
  Eigen::Map<Matrix> V() { return basis_.shape(rows_, size_); }
  Index capacity(Index columns) const;
  void reserve(Index rows, Index most, Index columns, Index widest, Index results);
  void project_kept(const Pencil& pencil);  // H_ of the vectors of earlier calls, with the K of this one
  Index orthogonalize(
      const Pencil& pencil);          // W_ against V, overlap_ with it; returns the width that is left
  void append(const Pencil& pencil);  // W_ to V, with its rows of H_
  bool resolve(const Pencil& pencil, double shift, const PencilFunction& f);  // V becomes X; C_ and error_
  void find_drifts(const Pencil& pencil);                                     // (1) of the vectors in order_
  void find_change(const PencilFunction& f);
  Index find_residuals(const Pencil& pencil);
  void use_width(Index width);  // W_ and what belongs to it
  void narrow(Index width);     // the first columns of W_ and MW_ remain
  void keep_largest(Index most);

  PencilOptions options_;
  bool motion_;  // the norm is (4)
  double tolerance_;
  GrowingMatrix basis_;          // V, M-orthonormal; beyond the call: X
  const Team* team_ = &alone();  // of the latest pencil
  Index rows_ = 0, size_ = 0;
  Index all_rows_ = 0;  // on all ranks
  Matrix W_, MW_, KW_, R_;
  // The same for blocks of other widths, each with its memory.
  struct Block {
    Matrix W, MW, KW, R;
    Vector threshold;
  };
  std::vector<Block> blocks_;     // by their width
  Index width_ = 0;               // of the block above
  Matrix part_, K_part_, image_;  // some columns of V at once
  Matrix H_, S_, g_, rotated_;    // leading corners and rows of size_
  Vector theta_, drift_;
  Matrix amplitude_;  // a_i^2 of (2): a row per vector, a column per group
  GrowingMatrix C_, overlap_;
  GrowingMatrix before_, turned_;  // C of the results before, in the basis of then and in that of now
  Matrix value_;
  Vector threshold_, size_of_result_, change_, change_of_result_, error_squares_;  // but the first: per group
  SymmetricEigenSolver eigen_;
  std::vector<Index> order_;
  double error_ = 1;
  int results_ = 0;  // of the call
};

}  // namespace phiflex
