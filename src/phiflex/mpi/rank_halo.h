// The halo of one rank (linalg/halo.h) over MPI: messages of neighbours that share elements.
#pragma once

#include <memory>
#include <vector>

#include "phiflex/linalg/halo.h"

namespace phiflex {

// What a rank exchanges with another: owned block rows that the other needs, and the ghosts that it has from there,
// both in the order of the mesh.
struct Neighbour {
  int rank = 0;
  std::vector<int> send;     // owned block rows
  std::vector<int> receive;  // ghosts, counted from 0
};

class RankHalo final : public Halo {
 public:
  // owned: block rows, three numbers each.
  RankHalo(int owned, int ghosts, std::vector<Neighbour> neighbours)
      : owned_(owned), ghosts_(ghosts), neighbours_(std::move(neighbours)) {}

  int ghosts() const override { return ghosts_; }
  int owned() const { return owned_; }
  void fetch(std::span<const double* const> from, std::span<double* const> to) const override;
  std::unique_ptr<OuterInverse> make_inverse(std::shared_ptr<const SparsityPattern> pattern) const override;

  const std::vector<Neighbour>& neighbours() const { return neighbours_; }
  // So far, over the whole run.
  struct Traffic {
    long exchanges = 0, messages = 0;
    double bytes = 0;
  };
  static const Traffic& traffic();

 private:
  int owned_, ghosts_;
  std::vector<Neighbour> neighbours_;
  mutable std::vector<double> out_, in_;
};

}  // namespace phiflex
