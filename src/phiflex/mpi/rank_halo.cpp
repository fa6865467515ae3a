#include "phiflex/mpi/rank_halo.h"

#include <mpi.h>

#include <algorithm>

#include "phiflex/mpi/petsc_inverse.h"

namespace phiflex {
namespace {

RankHalo::Traffic counted;
constexpr int kTag = 7;

}  // namespace

const RankHalo::Traffic& RankHalo::traffic() {
  return counted;
}

void RankHalo::fetch(std::span<const double* const> from, std::span<double* const> to) const {
  const std::size_t columns = from.size();
  std::size_t in = 0, out = 0;
  for (const Neighbour& other : neighbours_) {
    in += 3 * columns * other.receive.size();
    out += 3 * columns * other.send.size();
  }
  in_.resize(in);
  out_.resize(out);
  std::vector<MPI_Request> requests;
  requests.reserve(2 * neighbours_.size());
  in = out = 0;
  for (const Neighbour& other : neighbours_) {
    const std::size_t count = 3 * columns * other.receive.size();
    if (count > 0)
      MPI_Irecv(in_.data() + in, static_cast<int>(count), MPI_DOUBLE, other.rank, kTag, MPI_COMM_WORLD,
                &requests.emplace_back());
    in += count;
  }
  for (const Neighbour& other : neighbours_) {
    const std::size_t first = out;
    for (const double* column : from)
      for (const int row : other.send) {
        std::copy_n(column + 3 * Index(row), 3, out_.data() + out);
        out += 3;
      }
    if (out == first) continue;
    MPI_Isend(out_.data() + first, static_cast<int>(out - first), MPI_DOUBLE, other.rank, kTag,
              MPI_COMM_WORLD, &requests.emplace_back());
    ++counted.messages;
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  ++counted.exchanges;
  counted.bytes += 8.0 * double(out);
  in = 0;
  for (const Neighbour& other : neighbours_)
    for (double* column : to)
      for (const int ghost : other.receive) {
        std::copy_n(in_.data() + in, 3, column + 3 * Index(ghost));
        in += 3;
      }
}

std::unique_ptr<OuterInverse> RankHalo::make_inverse(std::shared_ptr<const SparsityPattern> pattern) const {
  return std::make_unique<PetscInverse>(*this, std::move(pattern));
}

}  // namespace phiflex
