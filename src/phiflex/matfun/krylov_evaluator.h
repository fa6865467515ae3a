// The driver of the evaluators that take substeps in Krylov spaces: `expv`, `phipm`, `kiops`. From w(t) it builds a
// basis of m vectors for the operator, tries a substep of length h in it, and accepts the result when
//
//   omega = (estimated error) / (allowed error) <= delta.                                                 (1)
//
// After a refusal the evaluator names another length, another size of the basis, or both; a basis is extended and
// never built again within a substep. Results at times inside a substep come from its basis; (1) holds for each.
// An output that is smaller than the results before it may need the whole evaluation again with a smaller tolerance.
//
// The evaluator supplies the start vector of a basis, the trial with its omega, and the rule for the next h and m.
// `w` is counted in a unit of its own, a power of two, and time in units of `unit_of_time_`.
//
// Given up as not_converged: more than `trials` refusals of one substep, substep_limit substeps in all, or refusals
// after which h or m predicts far more substeps or products than are allowed.
#pragma once

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "phiflex/matfun/arnoldi.h"
#include "phiflex/matfun/augmented_operator.h"
#include "phiflex/matfun/dense_phi.h"
#include "phiflex/matfun/phi_evaluator.h"
#include "phiflex/matfun/phi_input.h"
#include "phiflex/matfun/substep_error.h"

namespace phiflex {

class KrylovEvaluator : public PhiEvaluator {
 public:
  EvaluationReport evaluate(const LinearOperator& A, std::span<const Vector> u, std::span<const double> tau,
                            std::span<Vector> w) final;
  KrylovEvaluator(const KrylovEvaluator&) = delete;  // arnoldi_ points to product_
  KrylovEvaluator& operator=(const KrylovEvaluator&) = delete;

 protected:
  enum class Space { plain, augmented };  // bases of vectors w, or of (w; z) as in augmented_operator.h
  enum class Stops { at_outputs, at_end_only };  // where substeps are cut short
  struct Rules {
    std::string_view name;
    double delta;                // of (1)
    int trials;                  // of one substep
    Space space = Space::plain;  // augmented: the evaluator sets C_ and scale_ in prepare()
    Stops stops = Stops::at_outputs;
    int orthogonalization = 0;  // of Arnoldi
  };
  KrylovEvaluator(const Rules& rules, const PhiOptions& options, const InnerProduct* norm);

  struct Trial {
    double h = 0;
    Index m = 0;
    double omega = HUGE_VAL;                          // of (1); not finite: the trial has no result
    double norm = 0;                                  // of the result
    double level = 0, truncation = 0, round_off = 0;  // of substep_error.h
  };

  // Before the first substep of an evaluation: operator_, first_m_, largest_m_ and, where they are others than the
  // defaults, unit_, unit_of_time_, C_, scale_, more_vectors_.
  virtual void prepare(const LinearOperator& A, const PhiInput& input) = 0;
  virtual void begin_pass() {}                       // before the first substep with another tolerance_
  virtual const Vector& start_vector(double t) = 0;  // of the basis at t
  virtual double first_length() const = 0;           // of the first substep
  virtual Trial attempt(double h) = 0;               // next_ = w(t + h), from the basis
  virtual void accept(const Trial& trial) = 0;       // sets h_ and m_ for the next substep
  virtual double refuse(const Trial& trial) = 0;     // returns the next length, sets m_
  virtual double relative_error(double norm) const { return error_.relative_to(norm); }
  // The smaller tolerance that an output of this norm needs; zero: this one is small enough.
  virtual double tightened(double norm) const { return error_.tightened(options_.tolerance, norm); }

  const Vector& augmented_start(double t);  // start_vector() of an augmented space
  const Team& team() const { return norm_ ? norm_->team() : alone(); }
  double norm(const Vector& x) { return norm_in(norm_, x, work_); }
  double basis_norm(const Vector& x) { return norm_in(product_ ? &*product_ : norm_, x, basis_work_); }

  const PhiOptions options_;
  EvaluationReport report_;
  SubstepError error_;
  DenseExponential exponential_;
  // Of the evaluation:
  const LinearOperator* operator_ = nullptr;
  const PhiInput* input_ = nullptr;
  AugmentedOperator C_;
  Index n_ = 0, first_m_ = 0, largest_m_ = 0,
        more_vectors_ = 0;  // more: beside the basis, of the state's size
  double unit_ = 1, unit_of_time_ = 1, scale_ = 1, tolerance_ = 0;
  // Of the substep:
  Vector w_, next_;                  // w(t) and the latest trial
  double size_ = 0, beta_ = 0;       // |w(t)|, |start vector|
  double h_ = 0;                     // the length proposed for the next substep
  double to_output_ = 0, left_ = 0;  // from t to where the substep must stop, and to the end
  Index m_ = 0;                      // size wanted for the basis
  int refused_ = 0;                  // trials of this substep
  bool invariant_ = false;           // the space of the basis is invariant, results in it are exact

 private:
  double integrate(std::span<Vector> w);
  bool start_basis(double t);
  bool extend_basis();
  bool hopeless(double t, double h) const;
  bool fail(EvaluationStatus status);

  const Rules rules_;
  const InnerProduct* norm_;
  std::optional<AugmentedProduct> product_;
  std::vector<double> times_, sizes_;  // of the outputs: time, norm
  Vector work_, basis_work_;

 protected:
  Arnoldi arnoldi_;
  Vector state_;  // (w; z)
};

}  // namespace phiflex
