// The discrete gradient of a floor's penalty in the signed depths a and b of a vertex at the ends of a step,
// with a+ = max(0, a):
//
//   f = k/2 (b+^2 - a+^2)/(b - a) e_y = k/2 (a+ + b+) (b+ - a+)/(b - a) e_y                               (1)
//   -2 df/dy_b = k [1 - (a-/(b - a))^2] for b > 0,   k (a+/(b - a))^2 for b <= 0,   a- = min(0, a)        (2)
//
// The quotient in (1) is 1 where both are positive, 0 where none is, and else between: no difference of close
// numbers is divided. (2) is never negative.
#include <algorithm>

#include "phiflex/energy/floor_term.h"
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
    for (Index v = 0; v < dx.size() / 3; ++v) {
      const auto [a, b] = depths(dx, v);
      if (a <= 0 && b <= 0) continue;
      const double sum = std::max(a, 0.0) + std::max(b, 0.0);
      const double share = a > 0 && b > 0 ? 1 : sum / (std::max(a, b) - std::min(a, b));
      f[3 * v + FloorTerm::kUp] += 0.5 * floor_.stiffness() * sum * share;  // (1)
    }
  }

  void add_tangent(const Vector& dx, Definiteness, SparseMatrix& K) override {
    for (std::size_t row = 0; row < place_.size(); ++row) {
      const auto [a, b] = depths(dx, vertex_of_row_[row]);
      if (a <= 0 && b <= 0) continue;
      const double part = b > 0 ? std::min(a, 0.0) / (b - a) : a / (b - a);
      const double square = a > 0 && b > 0 ? 0 : part * part;
      K.block(place_[row])[4 * FloorTerm::kUp] += floor_.stiffness() * (b > 0 ? 1 - square : square);  // (2)
    }
  }

  bool turns_bodies() const override { return true; }

 private:
  struct Depths {
    double now, next;
  };
  Depths depths(const Vector& dx, Index vertex) const {
    const Index i = 3 * vertex + FloorTerm::kUp;
    const double now = floor_.height() - (*x_)[i];
    return {now, now - dx[i]};
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
