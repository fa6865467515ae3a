// What an energy-momentum step that does not converge falls back to, rung by rung, and what that may cost. With c the
// counted work of the step so far and e that of the explicit steps (verlet) which would make it,
//
//   halves of the step, five times at most                                                                (1)
//   explicit steps in place of what is left, where a quarter does not converge and c > e                  (2)
//   backward Euler steps of the 32nd part, where (2) cannot be                                            (3)
//
// The rung that worked last is tried first: steps begin at the length that converged, and come back by a factor of two
// after four steps; after (2) the next four steps are explicit, twice as many each time that it turns out to be needed
// again, 64 at most. Where barriers or penalties may act there is (1) and (3) alone, and every step begins at full
// length: a touched barrier's explicit steps are beyond counting, those of a penalty keep the energy of an impact to
// percents only, and impacts are over in a step.
//
// Work is counted, in units of about a nanosecond as in linalg/work_rates.h. What a force costs is told from the blocks
// b of
// the pattern: 40 b, a two-state force twice, an assembly six times as much.                               (4)
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "phiflex/integrate/integrator.h"

namespace phiflex {

class EmLadder {
 public:
  // The system must outlive it. halving: steps may be divided.
  EmLadder(const MechanicalSystem& system, bool halving);

  // A step of length h begins; longest: what its parts are without (1).
  void begin(const State& now, double h, double longest);
  int first_parts() const;  // into how many parts the step is divided from the start, a power of two
  bool goes_explicit() const { return explicit_; }  // what is left of the step
  // By (2), when a part of this length failed after this much work. Once it is, explicit steps make what is left.
  bool over_budget(double length, const Work& work, const KeptInverse& kept);
  StepStatus advance_explicitly(const State& now, double h, State& next, Work& work);
  // A part of this length was made by an energy-momentum step.
  void converged(double length) { shortest_ = std::min(shortest_, length); }
  bool used_explicit() const { return used_; }
  // By (4): of the forces and solves of iterations, and of a factorization with its assembly.
  double work_of_iterations(const Work& work, const KeptInverse& kept) const;
  double work_of_factorization(const KeptInverse& kept) const;
  void accept();  // the step was made

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  const MechanicalSystem& system_;
  bool allowed_;
  double force_;                        // (4)
  std::unique_ptr<Integrator> verlet_;  // null: never used
  std::int64_t halvings_ = 0,
               rests_ = 0;  // the level of (1) to begin with, and the steps that were made there
  std::int64_t explicit_left_ = 0, explicit_next_ = kFewestExplicit;
  // Of the step under way.
  const State* start_ = nullptr;
  double h_ = 0, longest_ = 0, shortest_ = 0, price_ = 0;  // price_: e; 0: not known yet
  bool explicit_ = false, used_ = false, refused_ = false;

  static constexpr std::int64_t kFewestExplicit = 4, kMostExplicit = 64;
};

}  // namespace phiflex
