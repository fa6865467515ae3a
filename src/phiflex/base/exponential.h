// exp and expm1 of lanes, doubles and dual numbers.
//
// e^x and e^x - 1 to about one unit (expm1: four) in the last place, for every double x:
//
//   x = k ln 2 + r,  |r| <= ln(2)/2,  e^x = 2^k (1 + q),  q = e^r - 1                                      (1)
//   q = r + r^2 (1/2! + r/3! + ... + r^11/13!)                                                            (2)
//
// What (2) leaves out is r^13/14! of q, below 2^-56. e^x - 1 is q where k = 0; elsewhere e^x is not near 1.
#pragma once

#include <cmath>

#include "phiflex/base/dual.h"
#include "phiflex/base/pack.h"

namespace phiflex {

template <int W>
struct Exponential {
  using Raw = typename Pack<W>::Raw;
  using Bits = typename Pack<W>::Mask;
  Raw power, less_one;

  explicit Exponential(Raw x) {
    constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
    constexpr double to_whole = 0x1.8p52;  // adding and subtracting it rounds to a whole number
    // Beyond these bounds e^x is 0 or infinite.
    const Raw above = x > -746.0 ? x : Raw{} - 746.0, bounded = above < 710.0 ? above : Raw{} + 710.0;
    const Raw k = (bounded * 1.4426950408889634 + to_whole) - to_whole;
    const Raw r = (bounded - k * ln2_high) - k * ln2_low;
    constexpr double factorials[] = {2,       6,        24,        120,        720,         5040,
                                     40320.0, 362880.0, 3628800.0, 39916800.0, 479001600.0, 6227020800.0};
    Raw series = Raw{} + 1 / factorials[11];
    for (int n = 10; n >= 0; --n) series = 1 / factorials[n] + r * series;
    const Raw q = r + r * r * series;
    // Two factors: 2^k itself may be beyond the normal numbers.
    const Raw half = (0.5 * k + to_whole) - to_whole;
    power = (1.0 + q) * power_of_two(half) * power_of_two(k - half);
    power = x == x ? power : x;
    less_one = x == x ? (k == 0 ? q : power - 1.0) : x;
  }

 private:
  // 2^n of a whole number: n + 1023 lies in the last bits of the sum, and becomes the exponent.
  static Raw power_of_two(Raw n) {
    return reinterpret_cast<Raw>(reinterpret_cast<Bits>(n + (0x1.8p52 + 1023)) << 52);
  }
};
template <int W>
Pack<W> exp(Pack<W> x) {
  return Pack<W>(Exponential<W>(x.raw).power);
}
template <int W>
Pack<W> expm1(Pack<W> x) {
  return Pack<W>(Exponential<W>(x.raw).less_one);
}

PHIFLEX_HD inline double exp(double x) {
  return std::exp(x);
}
PHIFLEX_HD inline double expm1(double x) {
  return std::expm1(x);
}
template <class Real>
Dual<Real> exp(const Dual<Real>& x) {
  const Real power = exp(x.value);
  return {power, x.slope * power};
}
template <class Real>
Dual<Real> expm1(const Dual<Real>& x) {
  return {expm1(x.value), x.slope * exp(x.value)};
}

}  // namespace phiflex
