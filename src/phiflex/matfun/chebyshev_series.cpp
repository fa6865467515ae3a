#include "phiflex/matfun/chebyshev_series.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace phiflex {

void ChebyshevSeries::sample(const PencilFunction& f, int N) {
  const bool first = samples_.get().cols() == 0;
  std::swap(samples_, coarser_);
  auto finer = samples_.shape(rows_ * columns_, N + 1);
  for (int j = 0; j <= N; ++j) {
    if (!first && j % 2 == 0) {
      finer.col(j) = coarser_.get().col(j / 2);
      continue;
    }
    // The distance from the lower end, 1 + cos = 2 cos^2 of the half: exact where lambda is small, which is where
    // functions of its square root feel it most.
    const double half = std::cos(0.5 * std::numbers::pi * j / N);
    f.evaluate(middle_ - radius_ + 2 * radius_ * half * half, value_);
    finer.col(j) = Eigen::Map<const Vector>(value_.data(), value_.size());
  }
}

// In place, decimation in time, length a power of two.
void ChebyshevSeries::fft(int length) {
  for (int i = 1, j = 0; i < length; ++i) {
    int bit = length / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(wave_[std::size_t(i)], wave_[std::size_t(j)]);
  }
  for (int half = 1; half < length; half *= 2) {
    const int stride = length / (2 * half);
    for (int start = 0; start < length; start += 2 * half)
      for (int k = 0; k < half; ++k) {
        std::complex<double>&even = wave_[std::size_t(start + k)],
        &odd = wave_[std::size_t(start + k + half)];
        const std::complex<double> root = roots_[std::size_t(k * stride)];
        const std::complex<double> turned(odd.real() * root.real() - odd.imag() * root.imag(),
                                          odd.real() * root.imag() + odd.imag() * root.real());
        odd = even - turned;
        even += turned;
      }
  }
}

// (2) is a Fourier transform of the samples continued evenly to 2N; its values are real, so that two entries
// share one transform as real and imaginary part.
void ChebyshevSeries::transform(int N) {
  const int length = 2 * N;
  wave_.resize(std::size_t(length));
  roots_.resize(std::size_t(N));
  for (int k = 0; k < N; ++k) roots_[std::size_t(k)] = std::polar(1.0, -std::numbers::pi * k / N);
  const auto samples = samples_.get();
  const Index entries = samples.rows();
  auto a = a_.shape(entries, N + 1);
  for (Index entry = 0; entry < entries; entry += 2) {
    const Index other = std::min(entry + 1, entries - 1);
    for (int j = 0; j <= N; ++j) {
      wave_[std::size_t(j)] = {samples(entry, j), samples(other, j)};
      wave_[std::size_t((length - j) % length)] = wave_[std::size_t(j)];
    }
    fft(length);
    for (int k = 0; k <= N; ++k) {
      const double factor = (k == 0 || k == N ? 0.5 : 1.0) / N;
      a(entry, k) = factor * wave_[std::size_t(k)].real();
      a(other, k) = factor * (other == entry ? wave_[std::size_t(k)].real() : wave_[std::size_t(k)].imag());
    }
  }
}

ChebyshevSeries::Outcome ChebyshevSeries::expand(const PencilFunction& f, double low, double high,
                                                 double accuracy, int largest_degree) {
  rows_ = f.rows();
  columns_ = f.columns();
  middle_ = 0.5 * (low + high);
  radius_ = std::max(0.5 * (high - low), 1e-300);
  value_.resize(rows_, columns_);
  samples_.shape(0, 0);
  double tail_before = 1;
  for (int N = 16;; N *= 2) {
    sample(f, N);
    if (!samples_.get().allFinite()) return Outcome::not_finite;
    transform(N);
    const auto a = a_.get();
    largest_ = a.cwiseAbs().rowwise().maxCoeff();
    const auto relative = [&](int k) {
      return (a.col(k).cwiseAbs().array() / largest_.array().max(1e-300)).maxCoeff();
    };
    double tail = 0;
    for (int k = N - N / 8; k <= N; ++k) tail = std::max(tail, relative(k));
    // Coefficients that fall no further are round-off of the function's values: no series is better.
    const bool is_roundoff = tail < 1e-8 && tail > 0.3 * tail_before;
    if (tail <= accuracy || is_roundoff) {
      degree_ = N - N / 8;
      while (degree_ > 0 && relative(degree_) <= std::max(accuracy, tail)) --degree_;
      return Outcome::ok;
    }
    tail_before = tail;
    if (N >= largest_degree) return Outcome::not_resolved;
  }
}

}  // namespace phiflex
