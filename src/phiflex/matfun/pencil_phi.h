// Phi-functions of a mechanical system as functions of its pencil: D = alpha M + beta K.
//
// When the basis may not grow further, the time is cut. From t on, with w(t) = w_t,
//
//   w(t + s) = w_t + d(s),   d' = J d + (J w_t + u_1(t)) + s u_2(t) + ...,   d(0) = 0,                    (1)
//   u_k(t) = sum_l t^l/l! u_(k+l)                                                                         (2)
//
// so that every substep has the columns of u_1 for those of u_0 and u_1 together. What a basis cannot do for
// the whole time it can do for a part of it: no product of a failed attempt is lost.
#pragma once

#include <memory>
#include <string_view>

#include "phiflex/matfun/mechanical_phi.h"
#include "phiflex/matfun/pencil_evaluator.h"
#include "phiflex/matfun/pencil_functions.h"

namespace phiflex {

class PencilPhi final : public MechanicalPhi {
 public:
  using Make = std::unique_ptr<PencilEvaluator> (*)(const PencilOptions&);
  PencilPhi(Make make, const PencilOptions& options) : make_(make), options_(options) {}

  // Throws std::invalid_argument when J has a damping that is not of the form alpha M + beta K.
  EvaluationReport evaluate(const FirstOrderForm& J, ShiftInverse* inverse, std::span<const Vector> u,
                            std::span<const double> tau, std::span<Vector> w, Work& work) override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

 private:
  // Methods take turns between sums of few shapes: each has its evaluator, so that none costs another its memory.
  struct Shape {
    Index columns;
    std::size_t times;
    std::unique_ptr<PencilEvaluator> evaluator;
    Matrix b, y;
  };
  Shape& shape(Index columns, std::size_t times);
  // The sum from t on: halves_ by (2), and by (1) where w_t and u_1 are both there.
  void gather(const FirstOrderForm& J, std::span<const Vector> u, double t, EvaluationReport& report);
  void fill_columns(Index n, Matrix& b) const;  // of halves_
  const PhiSumFunction& set_function(const FirstOrderForm& J, std::span<const double> tau, double t,
                                     double length);
  void plan_next_call(double end, double shortest, long substeps, long largest_basis);

  Make make_;
  PencilOptions options_;
  std::vector<Shape> shapes_;
  long substeps_ = 1;    // to begin with
  long full_basis_ = 0;  // the basis that was not enough; 0: never seen
  bool has_base_ = false;
  Vector base_;               // w_t of (1), where it has one
  std::vector<Vector> sums_;  // u_k(t) of (2)
  std::vector<PhiSumFunction::Half> halves_;
  std::vector<double> times_;
  PhiSumFunction function_;
};

}  // namespace phiflex
