#include "phiflex/matfun/unit_time.h"

#include <algorithm>
#include <cstdint>

namespace phiflex {

void UnitTimeSum::set(const LinearOperator& A, const PhiInput& input) {
  A_ = &A;
  time_ = input.end();
  size_ = input.unit();
  products_ = 0;
  p_ = static_cast<int>(input.p());
  U_.resize(std::max(U_.size(), p_ + 1ul));
  double factor = 1;  // T^k
  for (int k = 0; k <= p_; ++k) {
    U_[k] = input.u()[k] / size_;
    U_[k] *= factor;
    factor *= time_;
  }
}

void UnitTimeSum::apply(const Vector& x, Vector& y) const {
  A_->apply(x, y);
  y *= time_;
  ++products_;
}

void UnitTimeSum::start(Vector& W) const {
  if (U_[0].size())
    W = U_[0];
  else
    W.setZero(size());
}

bool UnitTimeSum::restore(Vector& W) const {
  W *= size_;
  return all_finite(team(), W);
}

void fill_probe(Vector& x) {
  std::uint64_t state = 0x9e3779b97f4a7c15ull;  // a linear congruential sequence (Knuth's MMIX constants)
  for (double& entry : x) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    entry = static_cast<double>(static_cast<std::int64_t>(state)) * 0x1p-63;
  }
}

}  // namespace phiflex
