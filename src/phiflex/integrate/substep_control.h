// Into how many equal substeps an energy-momentum step is divided, a power of two n >= 1:
//
//   n >= max(h spin/0.45, h strain/0.4, h approach/4)                                                     (1)
//
// with the 90th percentiles over the elements of how fast they turn and strain (1/s): what a step can follow
// with the direction of its stresses; and the speed of approach of what may touch over the reach of contacts. A smaller
// n is taken only when it was more than enough for some steps in a row (every change costs a factorization): 20 without
// contacts, and one with them, since what an impact asks for ends with it. When the solver had to factorize twice or
// more within a substep, the motion is rougher than (1) sees, and n is doubled, twice at most: for the next 20 steps,
// and for twice as many each time that it turns out to be needed again.
#pragma once

#include <cstdint>

#include "phiflex/base/archive.h"
#include "phiflex/system/two_state_force.h"

namespace phiflex {

class SubstepControl {
 public:
  // fixed: 0: by (1). patience: a smaller n is taken in the last of so many steps in a row that ask for it.
  explicit SubstepControl(int fixed, int patience = 20) : fixed_(fixed), patience_(patience) {}
  bool automatic() const { return fixed_ == 0; }

  // For the step to come.
  int choose(double h, ElementRates rates);
  // The step was made in n substeps, the hardest of which took so many factorizations within it.
  void accept(int n, int factorizations);

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  int fixed_;
  std::int64_t patience_;
  std::int64_t chosen_ = 1;      // by (1), for the step to come
  std::int64_t latest_ = 1;      // by (1), of the last step
  bool asks_for_fewer_ = false;  // (1), for the step to come
  std::int64_t fewer_for_ = 0;   // steps in a row that asked for fewer and were made without
  std::int64_t last_count_ = 1;  // n of the last step
  std::int64_t floor_ = 1;       // n at least
  std::int64_t left_ = 0;        // steps for which the floor holds
  int raised_ = 0;               // how often it was called for
};

}  // namespace phiflex
