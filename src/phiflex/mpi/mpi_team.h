// The ranks of MPI_COMM_WORLD as a team (linalg/team.h).
//
// A sum is made on rank 0 and sent to all: the same bits on every rank, and, in Open MPI's fixed trees, in every run
// with as many ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "phiflex/linalg/team.h"

namespace phiflex {

// Why a rank cannot go on: what the command says and its exit code.
struct RankFailure {
  int exit_code = 0;
  std::string message;
};

class MpiTeam final : public Team {
 public:
  MpiTeam();
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(std::span<double> numbers) const override;
  void largest(std::span<double> numbers) const override;

  void barrier() const;
  // Of rank 0, to all.
  void broadcast(std::string& text) const;
  // Numbers of all ranks, in their order, on rank 0; empty on others. counts: how many each has.
  std::vector<double> gather(std::span<const double> mine, std::span<const int> counts) const;
  // The failure of the lowest rank that has one, on all ranks, its message with that rank's number; nothing when none
  // has.
  std::optional<RankFailure> agree(const std::optional<RankFailure>& mine) const;

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace phiflex
