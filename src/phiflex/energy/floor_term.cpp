#include "phiflex/energy/floor_term.h"

#include <algorithm>

namespace phiflex {
namespace {

class FloorAssembler final : public StiffnessAssembler {
 public:
  FloorAssembler(const FloorTerm& floor, const FreeVertices& free, const SparsityPattern& pattern)
      : floor_(floor), vertex_of_row_(free.vertex_of_row) {
    for (int row = 0; row < static_cast<int>(vertex_of_row_.size()); ++row)
      place_.push_back(pattern.diagonal(row));
  }

  Index add_stiffness(const Vector& x, Definiteness, SparseMatrix& K) const override {
    for (std::size_t row = 0; row < place_.size(); ++row) {
      if (floor_.depth(x, vertex_of_row_[row]) > 0)
        K.block(place_[row])[4 * FloorTerm::kUp] += floor_.stiffness();
    }
    return 0;  // positive semidefinite as it is
  }

 private:
  const FloorTerm& floor_;
  std::vector<int> vertex_of_row_, place_;
};

}  // namespace

FloorTerm::FloorTerm(int vertices, double height, double stiffness)
    : vertices_(vertices), height_(height), stiffness_(stiffness) {}

double FloorTerm::depth(const Vector& x, int vertex) const {
  return std::max(0.0, height_ - x[3 * Index(vertex) + kUp]);
}

double FloorTerm::energy(const Vector& x) const {
  double W = 0;
  for (int v = 0; v < vertices_; ++v) W += 0.5 * stiffness_ * depth(x, v) * depth(x, v);
  return W;
}

void FloorTerm::add_force(const Vector& x, Vector& f) const {
  for (int v = 0; v < vertices_; ++v) f[3 * Index(v) + kUp] += stiffness_ * depth(x, v);
}

void FloorTerm::add_stiffness_product(const Vector& x, const Vector& dx, Vector& y) const {
  for (int v = 0; v < vertices_; ++v) {
    const Index i = 3 * Index(v) + kUp;
    if (depth(x, v) > 0) y[i] += stiffness_ * dx[i];
  }
}

std::unique_ptr<StiffnessAssembler> FloorTerm::make_assembler(const FreeVertices& free,
                                                              const SparsityPattern& pattern) const {
  return std::make_unique<FloorAssembler>(*this, free, pattern);
}

}  // namespace phiflex
