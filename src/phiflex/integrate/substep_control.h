// Into how many equal substeps an energy-momentum step is divided, a power of two n >= 1:
//
//   n >= max(h spin/0.45, h strain/0.4, h approach/4)                                                     (1)
//
// with the 90th percentiles over the elements of how fast they turn and strain (1/s): what a step can follow
// with the direction of its stresses; and the speed of approach of what may touch over the reach of contacts. A smaller
// n is taken only when it was more than enough for some steps in a row (every change costs a factorization): 20 without
// contacts, and one with them, since what an impact asks for ends with it.
//
// Motion may be rougher than (1) sees. Work is counted (em_ladder.h, (4)): s that of the iterations of a step, B that
// of a factorization, r how many a step takes that has the n of the step before, W = s + r B. Twice as many substeps
// take 2^0.7 times the iterations, near enough, and no such factorization, if they help. What they would have saved
// since n was chosen is
//
//   a <- max(0, a + r B - (2^0.7 - 1) s)                                                                  (2)
//
// n is doubled, twice at most, when a >= B, which is what the change costs, or when a substep repeated two
// factorizations or more, as the first steps of a rough motion do: for the next 20 steps, and for twice as many each
// time that it turns out to be needed again. The eighth step made with 2n tells whether it helps,
//
//   mean of W with 2n  <=  1.5 times the mean of W with n before                                          (3)
//
// (means over 16 steps, or as many as there are: they hold what was smooth before the hard steps; 2^0.7 says that
// nothing was saved). If so, 2n stays for four times as long; if not, n goes back to (1), and is not doubled for as
// long. With contacts, and on several ranks, where counts of work depend on their number, work does not decide: a
// substep that repeats two factorizations doubles n.
#pragma once

#include <cstdint>

#include "phiflex/base/archive.h"
#include "phiflex/system/two_state_force.h"

namespace phiflex {

// What the solver made of a step.
struct SubstepEffort {
  int repeated_at_most = 0;  // factorizations, of its hardest substep
  // Counted work of the step; factorization: B; 0: work does not decide.
  double iterations = 0, repeated = 0, factorization = 0;
};

class SubstepControl {
 public:
  // fixed: 0: by (1). patience: a smaller n is taken in the last of so many steps in a row that ask for it.
  explicit SubstepControl(int fixed, int patience = 20) : fixed_(fixed), patience_(patience) {}
  bool automatic() const { return fixed_ == 0; }

  // For the step to come.
  int choose(double h, ElementRates rates);
  // The step was made in n substeps.
  void accept(int n, const SubstepEffort& effort);

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  void count(const SubstepEffort& effort);
  bool is_hard(const SubstepEffort& effort) const;
  void judge();  // by (3)

  int fixed_;
  std::int64_t patience_;
  std::int64_t chosen_ = 1;      // by (1), for the step to come
  std::int64_t latest_ = 1;      // by (1), of the last step
  bool asks_for_fewer_ = false;  // (1), for the step to come
  std::int64_t fewer_for_ = 0;   // steps in a row that asked for fewer and were made without
  std::int64_t last_count_ = 1;  // n of the last step
  std::int64_t floor_ = 1;       // n at least
  std::int64_t left_ = 0;        // steps for which the floor holds
  std::int64_t rest_ = 0;        // steps for which n is not doubled
  int raised_ = 0;               // how often it was called for
  std::int64_t counted_ = 0;     // steps in a row made with n, but the first
  double saved_ = 0;             // a of (2)
  double mean_ = 0;              // of W with n
  double mean_before_ = 0;       // with half of n, of (3); 0: not known, or judged
};

}  // namespace phiflex
