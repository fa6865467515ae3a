// The exponential Rosenbrock-Euler step on a device (integrate/ere.cpp), with A = M^-1 K at x and a the acceleration
// there:
//
//   (x+ - x; v+ - v) = h phi_1(h J) (v; a),   J = (0 1; -A 0)                                             (1)
//                    = (f_11(A) v + f_12(A) a;  f_21(A) v + f_22(A) a)                                    (2)
//
// The four functions are series of Chebyshev polynomials on an interval [low, high] of A's eigenvalues, summed as
// matfun/chebyshev.cpp does, whose (1) and (2) these are, v and a side by side:
//
//   T_1 = X T_0,   T_(k+1) = 2 X T_k - T_(k-1),   X = (A - middle)/radius                                 (3)
//
// The interval: from 0 to the largest row sum of |A| where 40 terms are enough there; else from min(0, smallest) to the
// largest, as 12 Lanczos steps estimate them,
//
//   beta_j p_(j+1) = A p_j - alpha_j p_j - beta_(j-1) p_(j-1)                                             (4)
//
// and no further than that row sum. Its ends are rounded away from 0 to powers of 2^(1/32), so that many steps share
// one series, whose coefficients cost the host as much as hundreds of terms cost a card. The sum ends where the bound
// (2) of matfun/chebyshev.cpp, looked at after every eighth term, is below the tolerance. Where the terms do not
//     suffice the
// interval is widened, three times at most.
//
// Vectors are in double, K is in float (1 part in 10^7: a step of h w_max = 1000 is wrong by some 1e-5 of the fastest
// mode).
//
// As on the host, a step that outgrows what its forces can give is made again with the projected stiffness, and the
// exact one is tried again after 8, 16, up to 64 steps, when M + h^2 K is positive definite. There is no factorization
// here to say so: conjugate gradients on it, begun with random numbers, meet a direction of negative curvature before
// they converge to 1e-6, since they cannot make the residual along an eigenvector of a negative eigenvalue smaller
// until they do.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "phiflex/cuda/series_kernels.h"
#include "phiflex/cuda/stepper.h"

namespace phiflex::device {

template <class BackEnd>
class EreStepper : Stepper<BackEnd> {
 public:
  using typename Stepper<BackEnd>::Array;

  explicit EreStepper(const StepperParts<BackEnd>& parts)
      : Stepper<BackEnd>(parts),
        now_(on_, all()),
        before_(on_, all()),
        sum_(on_, of_free()),
        p_(on_, all()),
        p_before_(on_, all()),
        f_(on_, of_free()),
        y_(on_, of_free()),
        lanczos_(on_, 2 * kLanczosSteps + 1) {}

  static constexpr std::size_t kSaved = 3;
  bool known() const { return known_; }  // the last step of the body was made here
  void forget() {
    memory_ = {};
    known_ = false;
  }
  void save(std::vector<double>& numbers) const {
    numbers.insert(numbers.end(),
                   {double(memory_.suspicious), double(memory_.wait), double(memory_.next_wait)});
  }
  // False: they are not what save() puts there.
  bool restore(std::span<const double> numbers) {
    const auto whole = [&](std::size_t k, int low, int high) {
      return numbers[k] >= low && numbers[k] <= high && numbers[k] == std::floor(numbers[k]);
    };
    if (numbers.size() != kSaved || !whole(0, 0, 1) || !whole(1, 0, kLongestWait) ||
        !whole(2, kFirstWait, kLongestWait))
      return false;
    memory_ = {numbers[0] == 1, int(numbers[1]), int(numbers[2])};
    known_ = true;
    return true;
  }

  // From x and v, of all vertices, to the free vertices of next_x and next_v.
  DeviceStep step(double t, double h, const DeviceEreOptions& options, DeviceSeriesMaker& maker,
                  const Array& x, const Array& v, Array& next_x, Array& next_v) {
    h_ = h;
    options_ = options;
    maker_ = &maker;
    x_ = &x;
    v_ = &v;
    next_x_ = &next_x;
    next_v_ = &next_v;
    report_ = {};
    outside_ = loads_.at(t);
    body_.force(x.data(), f_.data());
    const Sums<2> squares = sum(sizes());
    sizes_ = {std::sqrt(squares.e[0]), std::sqrt(squares.e[1])};
    report_.status =
        std::isfinite(sizes_[0]) && std::isfinite(sizes_[1]) ? advance() : DeviceStatus::not_finite;
    known_ = report_.status == DeviceStatus::ok;
    return report_;
  }

 private:
  static constexpr int kFirstWait = 8, kLongestWait = 64;  // of integrate/ere.cpp
  static constexpr double kOutgrown = 2;                   // of integrate/linearized_flow.cpp
  // The next seven are those of matfun/chebyshev.cpp.
  static constexpr int kLargestDegree = 1 << 16, kMostWidenings = 3, kCheapDegree = 40, kDegreesPerCheck = 8;
  static constexpr int kLanczosSteps = 12;
  static constexpr double kAccuracy = 1e-15, kWidening = 0.3;
  static constexpr double kNeverCheap = 200;  // h sqrt(high) from which on 40 terms are certainly too few
  static constexpr double kRounding = 32;     // of the interval's ends, in a factor of two
  static constexpr double kSlack = 1e-12;     // rounding of the sums in where_it_may_end
  static constexpr double kDefiniteTolerance = 1e-6;
  static constexpr int kMostCgIterations = 20000;

  struct Memory {
    bool suspicious = false;               // the exact stiffness has outgrown its step before
    int wait = 0, next_wait = kFirstWait;  // steps until it is tried again, and after that
  };

  SeriesSizes sizes() const { return {outside_, mass_, f_.data(), v_->data()}; }

  // The order of integrate/ere.cpp.
  DeviceStatus advance() {
    if (memory_.wait > 0) {
      --memory_.wait;
    } else {
      assemble(Curvature::exact);
      if (!memory_.suspicious || is_definite()) {
        double speed = 0;
        const DeviceStatus status = make_step(speed);
        const bool outgrown =
            status != DeviceStatus::ok || !(speed <= kOutgrown * (sizes_[0] + 2 * h_ * sizes_[1]));
        if (!outgrown) memory_.next_wait = kFirstWait;
        if (!outgrown || !options_.project_hessian) return status;
      }
      memory_.suspicious = true;
      memory_.wait = memory_.next_wait - 1;
      memory_.next_wait = std::min(2 * memory_.next_wait, kLongestWait);
    }
    report_.projected = true;
    assemble(Curvature::projected);
    double ignored = 0;
    return make_step(ignored);
  }
  void assemble(Curvature curvature) {
    ++report_.assemblies;
    body_.assemble(x_->data(), curvature);
  }
  bool is_definite() {
    solver_.matrix_changed(x_->data());
    on_.for_each(body_.free(), RandomRightSide{mass_, solver_.right_side()});
    const CgNumbers end = solver_.solve(1 / (h_ * h_), kDefiniteTolerance, kMostCgIterations);
    report_.iterations += end.iterations;
    return end.status == CgNumbers::converged;
  }

  // (1) with the K that is assembled; speed: |v+|_M.
  DeviceStatus make_step(double& speed) {
    if (const DeviceStatus status = evaluate(); status != DeviceStatus::ok) return status;
    const Sums<2> squares =
        sum(AddSeries{mass_, x_->data(), v_->data(), sum_.data(), next_x_->data(), next_v_->data()});
    speed = std::sqrt(squares.e[0]);
    return std::isfinite(speed) && std::isfinite(squares.e[1]) ? DeviceStatus::ok : DeviceStatus::not_finite;
  }

  // sum_ = (2)
  DeviceStatus evaluate() {
    if (sizes_[0] == 0 && sizes_[1] == 0) {
      on_.set_zero(sum_.data(), sum_.bytes());
      return DeviceStatus::ok;
    }
    const double norm = row_sum();
    if (!std::isfinite(norm)) return DeviceStatus::not_finite;
    const DeviceSeries* series = nullptr;
    if (norm > 0 && h_ * std::sqrt(norm) <= kNeverCheap) {
      series = &expand(cheap_, 0, rounded(norm), kCheapDegree);
      if (series->outcome != DeviceSeries::Outcome::ok) series = nullptr;
    }
    if (!series) {
      const std::array<double, 2> ends = estimate_spectrum();
      if (!std::isfinite(ends[0]) || !std::isfinite(ends[1])) return DeviceStatus::not_finite;
      series =
          &expand(long_, std::min(0.0, -rounded(-ends[0])), rounded(std::min(ends[1], norm)), kLargestDegree);
    }
    for (int widened = 0;; ++widened) {
      if (series->outcome == DeviceSeries::Outcome::not_finite) return DeviceStatus::not_finite;
      if (series->outcome != DeviceSeries::Outcome::ok) return DeviceStatus::function_not_evaluated;
      const DeviceStatus status = sum_up(*series);
      if (status == DeviceStatus::ok) return status;
      if (widened == kMostWidenings) return status;
      const double low = series->middle - series->radius, high = series->middle + series->radius;
      const double more = kWidening * (high - low);
      wider_ = maker_->make(low - 0.1 * more, high + more, h_, kLargestDegree);
      series = &wider_;
    }
  }

  struct Known {
    double low = 0, high = -1, h = 0;
    DeviceSeries series;
  };
  const DeviceSeries& expand(Known& known, double low, double high, int largest_degree) {
    if (known.low != low || known.high != high || known.h != h_)
      known = {low, high, h_, maker_->make(low, high, h_, largest_degree)};
    return known.series;
  }
  // Away from zero; 0 for what is not above it.
  static double rounded(double end) {
    return end > 0 ? std::exp2(std::ceil(kRounding * std::log2(end)) / kRounding) : 0;
  }

  // (3) until the bound of the error is below the tolerance.
  DeviceStatus sum_up(const DeviceSeries& series) {
    const int degree = int(series.coefficients.size()) - 1;
    const std::vector<char> may_end = where_it_may_end(series);
    on_.for_each(body_.free(),
                 StartSeries{sizes(), term(series, 0), now_.data(), before_.data(), sum_.data()});
    for (int k = 0;; ++k) {
      if (may_end[std::size_t(k)]) {
        report_.function_error = error_bound(series, k);
        if (!std::isfinite(report_.function_error)) return DeviceStatus::not_finite;
        if (report_.function_error <= options_.tolerance) return DeviceStatus::ok;
      }
      if (k == degree) return DeviceStatus::function_not_evaluated;
      const double factor = (k == 0 ? 1 : 2) / series.radius;
      on_.template for_each_group<kLanes>(
          body_.free(), NextTerm<kLanes>{body_.K(), mass_, factor, factor * series.middle,
                                         term(series, k + 1), now_.data(), before_.data(), sum_.data()});
      now_.swap(before_);
      report_.products += 2;
    }
  }
  static SeriesTerm term(const DeviceSeries& series, int k) {
    const std::array<double, 4>& a = series.coefficients[std::size_t(k)];
    return {{a[0], a[1], a[2], a[3]}};
  }
  // The degrees where the bound is looked at: every eighth, and the last. A look costs as much as some terms, and so
  // those are left out where the bound is above the tolerance even if nothing has grown and no terms have cancelled.
  std::vector<char> where_it_may_end(const DeviceSeries& series) const {
    const std::size_t count = series.coefficients.size();
    std::vector<char> may_end(count, 0);
    std::array<double, 4> before = {}, after = {};
    for (const auto& a : series.coefficients)
      for (std::size_t e = 0; e < 4; ++e) after[e] += std::abs(a[e]);
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t e = 0; e < 4; ++e) {
        const double own = std::abs(series.coefficients[k][e]);
        before[e] += own;
        after[e] = std::max(0.0, after[e] - own);
      }
      const auto size = [&](const std::array<double, 4>& of) {
        return std::hypot((of[0] * sizes_[0] + of[1] * sizes_[1]) / h_,
                          of[2] * sizes_[0] + of[3] * sizes_[1]);
      };
      may_end[k] =
          k + 1 == count || (k % kDegreesPerCheck == 0 &&
                             size(after) <= options_.tolerance * size(before) + kSlack * size(before));
    }
    return may_end;
  }

  // (2) of matfun/chebyshev.cpp after degree k, displacements weighted by 1/h.
  double error_bound(const DeviceSeries& series, int k) {
    const Sums<4> squares = sum(SeriesNorms{mass_, now_.data(), sum_.data()});
    double error = 0;
    for (std::size_t row = 0; row < 2; ++row) {
      double of_row = 0;
      for (std::size_t column = 0; column < 2; ++column) {
        const double size = sizes_[column];
        if (size == 0) continue;
        double growth = std::max(1.0, std::sqrt(squares.e[column]) / size), tail = 0;
        const double rate = std::pow(growth, 1.0 / std::max(1, k));
        const std::size_t entry = 2 * row + column;
        for (std::size_t l = std::size_t(k) + 1; l < series.coefficients.size(); ++l) {
          growth *= rate;
          tail += std::abs(series.coefficients[l][entry]) * growth;
        }
        of_row += (tail + kAccuracy * series.largest[entry] * growth) * size;
      }
      const double weight = row == 0 ? 1 / h_ : 1;
      error += weight * weight * of_row * of_row;
    }
    const double result = squares.e[2] / (h_ * h_) + squares.e[3];
    return error > 0 ? std::sqrt(error / result) : (std::isfinite(result) ? 0 : result);
  }

  // The largest row sum of |A|; infinite, or no number, where K is not finite.
  double row_sum() {
    body_.row_bounds(mass_, y_.data());
    bounds_.resize(std::size_t(body_.free()));
    y_.read(bounds_);
    double largest = 0;
    for (const double bound : bounds_) {
      if (!std::isfinite(bound)) return bound;
      largest = std::max(largest, bound);
    }
    return largest;
  }
  // (4). The numbers stay on the device until the end.
  std::array<double, 2> estimate_spectrum() {
    double* const start = lanczos_.data() + 2 * kLanczosSteps;
    const int steps = std::min(kLanczosSteps, 3 * body_.free());
    on_.template sum<1>(body_.free(), StartLanczos{mass_, p_.data(), p_before_.data()}, StoreSums<1>{start});
    on_.for_each(body_.free(), Normalize{start, p_.data()});
    for (int j = 0; j < steps; ++j) {
      double *alpha = lanczos_.data() + j, *square = lanczos_.data() + kLanczosSteps + j;
      on_.template sum_groups<kLanes, 1>(
          body_.free(), LanczosProduct<kLanes>{body_.K(), mass_, p_.data(), y_.data()}, StoreSums<1>{alpha});
      on_.template sum<1>(
          body_.free(),
          LanczosNext{mass_, alpha, j > 0 ? square - 1 : nullptr, y_.data(), p_.data(), p_before_.data()},
          StoreSums<1>{square});
      on_.for_each(body_.free(), Normalize{square, p_before_.data()});
      p_.swap(p_before_);
    }
    report_.products += steps;
    double numbers[2 * kLanczosSteps + 1];
    lanczos_.read(numbers);
    // To the step where the space of Lanczos is complete, as matfun/spectral_bounds.cpp ends.
    std::vector<double> alpha, beta;
    for (int j = 0; j < steps; ++j) {
      alpha.push_back(numbers[j]);
      beta.push_back(std::sqrt(numbers[kLanczosSteps + j]));
      if (!(beta.back() > 1e-12 * std::abs(alpha.back()))) {
        if (std::isnan(beta.back())) return {beta.back(), beta.back()};
        beta.back() = 0;
        break;
      }
    }
    return maker_->ends_of_spectrum(alpha, beta);
  }

  static constexpr int kLanes = TetBody<BackEnd>::kRowLanes;

  using Stepper<BackEnd>::all, Stepper<BackEnd>::of_free, Stepper<BackEnd>::sum;
  using Stepper<BackEnd>::on_, Stepper<BackEnd>::body_, Stepper<BackEnd>::mass_, Stepper<BackEnd>::loads_,
      Stepper<BackEnd>::solver_;
  DeviceArray<BackEnd, Double2> now_, before_, sum_;  // now_ and before_ of held vertices stay 0
  Array p_, p_before_, f_, y_, lanczos_;              // and so do p_ and p_before_
  std::vector<double> bounds_;
  // Kept from step to step.
  Memory memory_;
  bool known_ = false;
  Known cheap_, long_;  // what the maker gives for these numbers, whenever it is asked
  DeviceSeries wider_;
  // Of the step under way.
  DeviceEreOptions options_;
  DeviceSeriesMaker* maker_ = nullptr;
  const Array *x_ = nullptr, *v_ = nullptr;
  Array *next_x_ = nullptr, *next_v_ = nullptr;
  std::array<double, 2> sizes_ = {};  // |v|_M and |a|_M
  double h_ = 0;
  Outside outside_{};
  DeviceStep report_;
};

}  // namespace phiflex::device
