// Anderson acceleration on a device: integrate/anderson.h, whose formulas these are. Vectors stay on the device; the small
// matrix is the host's.
//
//   w_(k+1) = w_k + d_k - sum_j gamma_j (dw_j + dd_j)                                                     (1)
//   G gamma = b,   G_ij = -dd_i'dr_j,   b_i = -dd_i'r_k                                                   (2)
#pragma once

#include <cmath>
#include <utility>

#include "phiflex/cuda/law_launches.h"

namespace phiflex::device {

inline constexpr int kAndersonWindow = 8;

// The changes from the iterate before, whose place the new one takes.
struct AndersonChange {
  const double *w, *d, *r;
  double *w_before, *d_before, *r_before, *dd, *dr, *dg;
  PHIFLEX_HD void operator()(int i) const {
    for (int k = 0; k < 3; ++k) {
      const std::size_t q = 3 * static_cast<std::size_t>(i) + std::size_t(k);
      dd[q] = d[q] - d_before[q];
      dr[q] = r[q] - r_before[q];
      dg[q] = (w[q] - w_before[q]) + dd[q];
      w_before[q] = w[q];
      d_before[q] = d[q];
      r_before[q] = r[q];
    }
  }
};
// Products of columns with y.
struct ColumnProducts {
  const double* columns;
  std::size_t size;
  int count;
  const double* y;
  PHIFLEX_HD Sums<kAndersonWindow> operator()(int i) const {
    const Vec3<double> own = load3(y, i);
    Sums<kAndersonWindow> products;
    for (int j = 0; j < kAndersonWindow; ++j)
      products.e[j] = j < count ? dot(load3(columns + std::size_t(j) * size, i), own) : 0.0;
    return products;
  }
};
// (1)
struct AndersonIterate {
  const double *w, *d, *dg;
  std::size_t size;
  int count;
  double gamma[kAndersonWindow];
  double* next;
  PHIFLEX_HD void operator()(int i) const {
    Vec3<double> sum = load3(w, i) + load3(d, i);
    for (int j = 0; j < count; ++j) sum += -gamma[j] * load3(dg + std::size_t(j) * size, i);
    store3(next, i, sum);
  }
};

template <class BackEnd>
class DeviceAnderson {
 public:
  DeviceAnderson(BackEnd& on, int vertices)
      : on_(on),
        vertices_(vertices),
        size_(3 * std::size_t(vertices)),
        w_(on, size_),
        d_(on, size_),
        r_(on, size_),
        dd_(on, kAndersonWindow * size_),
        dr_(on, kAndersonWindow * size_),
        dg_(on, kAndersonWindow * size_),
        products_(on, 2 * kAndersonWindow) {}

  void restart() { seen_ = false, count_ = latest_ = 0; }

  // Three numbers for each of the vertices; next may have more, which stay as they are.
  void advance(const double* w, const double* d, const double* r, double* next) {
    if (seen_ && count_ > 0) latest_ = (latest_ + 1) % kAndersonWindow;
    if (seen_ && count_ < kAndersonWindow) ++count_;
    const std::size_t column = std::size_t(latest_) * size_;
    on_.for_each(vertices_, AndersonChange{w, d, r, w_.data(), d_.data(), r_.data(), dd_.data() + column,
                                           dr_.data() + column, dg_.data() + column});
    seen_ = true;
    AndersonIterate iterate{w, d, dg_.data(), size_, 0, {}, next};
    if (count_ > 0 && find_gamma(dr_.data() + column, r, iterate.gamma)) iterate.count = count_;
    on_.for_each(vertices_, iterate);
  }

 private:
  static constexpr double kRaise = 1e-10;  // of G's unit diagonal

  bool find_gamma(const double* dr, const double* r, double (&gamma)[kAndersonWindow]) {
    const auto multiply = [&](const double* y, double* to) {
      on_.template sum<kAndersonWindow>(vertices_, ColumnProducts{dd_.data(), size_, count_, y},
                                        StoreSums<kAndersonWindow>{to});
    };
    multiply(dr, products_.data());
    multiply(r, products_.data() + kAndersonWindow);
    double products[2 * kAndersonWindow];
    products_.read(products);
    for (int j = 0; j < count_; ++j) G_[latest_][j] = G_[j][latest_] = -products[j];  // (2)
    double scale[kAndersonWindow], A[kAndersonWindow][kAndersonWindow];
    for (int i = 0; i < count_; ++i) {
      scale[i] = G_[i][i] > 0 ? 1 / std::sqrt(G_[i][i]) : 0;  // rounding only: left out
      gamma[i] = -scale[i] * products[kAndersonWindow + i];
    }
    for (int i = 0; i < count_; ++i)
      for (int j = 0; j < count_; ++j) A[i][j] = i == j ? 1 + kRaise : scale[i] * G_[i][j] * scale[j];
    solve(A, gamma);
    bool finite = true;
    for (int i = 0; i < count_; ++i) {
      gamma[i] *= scale[i];
      finite &= std::isfinite(gamma[i]);
    }
    return finite;
  }
  // Gauss' elimination with exchanged rows.
  void solve(double (&A)[kAndersonWindow][kAndersonWindow], double (&b)[kAndersonWindow]) const {
    for (int p = 0; p < count_; ++p) {
      int largest = p;
      for (int i = p + 1; i < count_; ++i)
        if (std::abs(A[i][p]) > std::abs(A[largest][p])) largest = i;
      std::swap(A[p], A[largest]);
      std::swap(b[p], b[largest]);
      for (int i = p + 1; i < count_; ++i) {
        const double factor = A[i][p] / A[p][p];
        for (int j = p; j < count_; ++j) A[i][j] -= factor * A[p][j];
        b[i] -= factor * b[p];
      }
    }
    for (int i = count_ - 1; i >= 0; --i) {
      for (int j = i + 1; j < count_; ++j) b[i] -= A[i][j] * b[j];
      b[i] /= A[i][i];
    }
  }

  BackEnd& on_;
  int vertices_;
  std::size_t size_;
  bool seen_ = false;
  int count_ = 0, latest_ = 0;
  double G_[kAndersonWindow][kAndersonWindow] = {};
  DeviceArray<BackEnd, double> w_, d_, r_, dd_, dr_, dg_, products_;
};

}  // namespace phiflex::device
