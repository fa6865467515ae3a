// The discrete gradient of a floor's penalty in the signed depths a and b of a vertex at the ends of a step
// (penalty_chord.h):
//
//   f = k chord(a, b) e_y,        -2 df/dy_b = 2 k d chord/db                                             (1)
#include "phiflex/energy/floor_term.h"
#include "phiflex/energy/penalty_chord.h"
#include "phiflex/energy/two_state_term.h"

namespace phiflex {
namespace {

class FloorTwoState final : public TwoStateTerm {
 public:
  FloorTwoState(const FloorTerm& floor, const FreeVertices& free, const SparsityPattern& pattern)
      : floor_(floor), vertex_of_row_(free.vertex_of_row) {
    for (int row = 0; row < static_cast<int>(vertex_of_row_.size()); ++row)
      place_.push_back(pattern.diagonal(row));
  }

  void begin(const Vector& x, const StepDamping&) override { x_ = &x; }

  void add_force(const Vector& dx, Vector& f) override {
    for (Index v = 0; v < dx.size() / 3; ++v)
      f[3 * v + FloorTerm::kUp] += floor_.stiffness() * chord(dx, v).value;  // (1)
  }

  void add_tangent(const Vector& dx, Definiteness, SparseMatrix& K) override {
    for (std::size_t row = 0; row < place_.size(); ++row)
      K.block(place_[row])[4 * FloorTerm::kUp] += floor_.stiffness() * chord(dx, vertex_of_row_[row]).slope;
  }

  bool turns_bodies() const override { return true; }

 private:
  PenaltyChord chord(const Vector& dx, Index vertex) const {
    const Index i = 3 * vertex + FloorTerm::kUp;
    const double depth = floor_.height() - (*x_)[i];
    return penalty_chord(depth, depth - dx[i]);
  }

  const FloorTerm& floor_;
  std::vector<int> vertex_of_row_, place_;
  const Vector* x_ = nullptr;
};

}  // namespace

std::unique_ptr<TwoStateTerm> FloorTerm::make_two_state(const FreeVertices& free,
                                                        const SparsityPattern& pattern) const {
  return std::make_unique<FloorTwoState>(*this, free, pattern);
}

}  // namespace phiflex
