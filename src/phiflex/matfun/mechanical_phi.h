// Phi-functions for mechanical systems: what exponential integrators are given. The same sum as in
// phi_evaluator.h,
//
//   w(tau) = sum_{k=0..p} tau^k phi_k(tau J) u_k,   u_k = (displacement part; velocity part)              (1)
//
// with J a FirstOrderForm. Behind it stand
// - the general evaluators on J itself, any damping;
// - the functions of the pencil when D = alpha M + beta K: per eigenvalue J is 2 x 2, so that the entries of
//   tau^k phi_k(tau J_lambda) are the matrix-valued function of pencil_evaluator.h and the nonzero halves of
//   the u_k are the block (ERE: v and a together);
// - the default, which chooses.
// Errors are relative to the result, in the norm (2) of first_order_form.h with h the largest tau.
#pragma once

#include <span>

#include "phiflex/base/archive.h"
#include "phiflex/matfun/evaluation_report.h"
#include "phiflex/matfun/first_order_form.h"

namespace phiflex {

class MechanicalPhi {
 public:
  virtual ~MechanicalPhi() = default;
  // u and tau as in PhiEvaluator (empty: zero; halves that are zero cost nothing). inverse may be null; then
  // methods that need one fail with std::invalid_argument, and the default does without.
  virtual EvaluationReport evaluate(const FirstOrderForm& J, ShiftInverse* inverse, std::span<const Vector> u,
                                    std::span<const double> tau, std::span<Vector> w, Work& work) = 0;

  // What one call leaves to the next (substeps that were needed, rates that were seen): it decides the work,
  // and the last bits, of later calls, so it belongs in a checkpoint.
  virtual void save(ArchiveWriter& /*out*/) const {}
  virtual void load(ArchiveReader& /*in*/) {}
};

}  // namespace phiflex
