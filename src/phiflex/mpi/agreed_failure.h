// Errors on ranks: what one rank throws, all throw.
#pragma once

#include <functional>
#include <stdexcept>

#include "phiflex/mpi/mpi_team.h"

namespace phiflex {

// One rank could not go on; message and exit code are known to all.
class RankFailed : public std::runtime_error {
 public:
  explicit RankFailed(const RankFailure& failure)
      : std::runtime_error(failure.message), exit_code(failure.exit_code) {}
  int exit_code;
};

// Calls function(), in which ranks do not communicate, and throws on all ranks what it throws on one.
void on_all(const MpiTeam& team, const std::function<void()>& function);
// The same on rank 0 alone.
void on_root(const MpiTeam& team, const std::function<void()>& function);

}  // namespace phiflex
