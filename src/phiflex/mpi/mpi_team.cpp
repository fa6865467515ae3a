#include "phiflex/mpi/mpi_team.h"

#include <fmt/format.h>
#include <mpi.h>

#include <numeric>

namespace phiflex {

MpiTeam::MpiTeam() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

namespace {

void reduce(std::span<double> numbers, MPI_Op operation, int rank) {
  const int count = static_cast<int>(numbers.size());
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : numbers.data(), numbers.data(), count, MPI_DOUBLE, operation, 0,
             MPI_COMM_WORLD);
  MPI_Bcast(numbers.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

}  // namespace

void MpiTeam::sum(std::span<double> numbers) const {
  if (size_ > 1) reduce(numbers, MPI_SUM, rank_);
}

void MpiTeam::largest(std::span<double> numbers) const {
  if (size_ > 1) reduce(numbers, MPI_MAX, rank_);
}

void MpiTeam::barrier() const {
  MPI_Barrier(MPI_COMM_WORLD);
}

void MpiTeam::broadcast(std::string& text) const {
  int size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(std::size_t(size));
  MPI_Bcast(text.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
}

std::vector<double> MpiTeam::gather(std::span<const double> mine, std::span<const int> counts) const {
  std::vector<int> first(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), first.begin(), 0);
  std::vector<double> all;
  if (rank_ == 0) all.resize(std::size_t(first.back() + counts.back()));
  MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, all.data(), counts.data(), first.data(),
              MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return all;
}

std::optional<RankFailure> MpiTeam::agree(const std::optional<RankFailure>& mine) const {
  int lowest = mine ? rank_ : size_;
  MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (lowest == size_) return std::nullopt;
  RankFailure failure = mine.value_or(RankFailure{});
  int numbers[2] = {failure.exit_code, static_cast<int>(failure.message.size())};
  MPI_Bcast(numbers, 2, MPI_INT, lowest, MPI_COMM_WORLD);
  failure.exit_code = numbers[0];
  failure.message.resize(std::size_t(numbers[1]));
  MPI_Bcast(failure.message.data(), numbers[1], MPI_CHAR, lowest, MPI_COMM_WORLD);
  if (lowest > 0) failure.message = fmt::format("rank {}: {}", lowest, failure.message);
  return failure;
}

}  // namespace phiflex
