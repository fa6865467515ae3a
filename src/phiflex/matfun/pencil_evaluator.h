// Functions of a pencil, A = M^-1 K, applied to a block of vectors:
//
//   y_i = sum_j f_ij(A) b_j                                                                               (1)
//
// with a matrix-valued function f(lambda) of one eigenvalue, all its entries from one basis. Several times,
// several functions, displacement and velocity together: all are rows of f.
//
// Errors are measured in the M norm, the rows weighted and grouped (a displacement by 1/h and a velocity by 1
// make a group in units of energy):
//
//   |y_g|^2 = sum over the rows i of group g of  weight_i^2 y_i'M y_i                                     (2)
//
// and an evaluation ends when the estimated error of every group is below tolerance times its own norm.
#pragma once

#include "phiflex/base/archive.h"
#include "phiflex/linalg/pencil.h"
#include "phiflex/matfun/evaluation_report.h"

namespace phiflex {

class PencilFunction {
 public:
  virtual ~PencilFunction() = default;
  virtual Index rows() const = 0;                             // results
  virtual Index columns() const = 0;                          // vectors it is applied to
  virtual void evaluate(double lambda, Matrix& f) const = 0;  // f has its size already

  virtual double weight(Index /*row*/) const { return 1; }
  // The weight in an eigenvector of lambda where errors count as displacements (recycled_rational.h).
  virtual double displacement_weight(Index row, double /*lambda*/) const { return weight(row); }
  virtual Index rows_per_group() const { return rows(); }  // groups are consecutive rows
  // The part of the evaluator's tolerance that may be used: one of many substeps has less than all of it.
  virtual double tolerance_share() const { return 1; }
};

struct PencilOptions {
  double tolerance = 1e-4;
  int largest_basis = 60;  // vectors of the state's size (two columns), held at once
  // Of the rational method, where errors count as displacements (recycled_rational.h); 0: it has `tolerance` in (2).
  double motion_tolerance = 0;
};

class PencilEvaluator {
 public:
  virtual ~PencilEvaluator() = default;
  // b has f.columns() columns, y gets f.rows(). inverse is used by the rational method only (null elsewhere);
  // a status other than ok leaves y undefined. not_converged: largest_basis was not enough.
  virtual EvaluationReport evaluate(const Pencil& pencil, ShiftInverse* inverse, const PencilFunction& f,
                                    const Matrix& b, Matrix& y, Work& work) = 0;

  // After not_converged: another function of the same A and the same b from the basis that is there, at no
  // product. A basis that is too small for a long time serves a shorter one.
  virtual EvaluationReport evaluate_again(const PencilFunction& /*f*/, Matrix& /*y*/) {
    EvaluationReport report;
    report.status = EvaluationStatus::not_converged;
    return report;
  }

  // What one call leaves to the next, for checkpoints.
  virtual void save(ArchiveWriter& /*out*/) const {}
  virtual void load(ArchiveReader& /*in*/) {}
};

}  // namespace phiflex
