// The vectors and small dense matrices of the whole engine.
#pragma once

#include <Eigen/Core>
#include <span>

namespace phiflex {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

inline std::span<const double> as_span(const Vector& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
inline std::span<double> as_span(Vector& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

}  // namespace phiflex
