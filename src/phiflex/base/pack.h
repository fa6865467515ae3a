// Pack<W>: W doubles that are computed with as if they were one number.
//
// A kernel written as a template on its number type runs on `double` (tests), on a dual number (derivatives)
// and on Pack<W> (W elements at once). Branches become select(mask, a, b), where a mask is what a comparison
// gives: bool for double, a vector of integers for Pack; masks combine with &, | and !. The functions below
// exist for double too, so that a kernel calls them unqualified:
//
//   sqrt, log, cbrt, abs, min, max, select, any
#pragma once

#include <immintrin.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "phiflex/base/host_device.h"

namespace phiflex {

// The lane count of the element kernels: one AVX2 register of doubles.
inline constexpr int kLanes = 4;

// The compiler's vector types, for the widths that are one machine register: GCC splits wider ones, passes
// them on the stack, and GCC 12 was seen to lose stack space doing so. GCC wants the
// size as a plain constant.
template <int W>
struct Register;
template <>
struct Register<2> {
  using Numbers = double __attribute__((vector_size(16)));
  using Mask = long __attribute__((vector_size(16)));
};
template <>
struct Register<4> {
  using Numbers = double __attribute__((vector_size(32)));
  using Mask = long __attribute__((vector_size(32)));
};
#ifdef __AVX512F__
template <>
struct Register<8> {
  using Numbers = double __attribute__((vector_size(64)));
  using Mask = long __attribute__((vector_size(64)));
};
#endif

template <int W>
struct Pack {
  using Raw = typename Register<W>::Numbers;
  using Mask = typename Register<W>::Mask;
  Raw raw;

  Pack() = default;
  Pack(double x) : raw(x - Raw{}) {}  // x - 0 is x, the sign of zero included
  explicit Pack(Raw r) : raw(r) {}

  double operator[](int lane) const { return raw[lane]; }
  void set(int lane, double x) { raw[lane] = x; }

  friend Pack operator+(Pack a, Pack b) { return Pack(a.raw + b.raw); }
  friend Pack operator-(Pack a, Pack b) { return Pack(a.raw - b.raw); }
  friend Pack operator*(Pack a, Pack b) { return Pack(a.raw * b.raw); }
  friend Pack operator/(Pack a, Pack b) { return Pack(a.raw / b.raw); }
  friend Pack operator-(Pack a) { return Pack(-a.raw); }
  Pack& operator+=(Pack b) {
    raw += b.raw;
    return *this;
  }
  Pack& operator-=(Pack b) {
    raw -= b.raw;
    return *this;
  }
  Pack& operator*=(Pack b) {
    raw *= b.raw;
    return *this;
  }
  Pack& operator/=(Pack b) {
    raw /= b.raw;
    return *this;
  }

  friend Mask operator<(Pack a, Pack b) { return a.raw < b.raw; }
  friend Mask operator>(Pack a, Pack b) { return a.raw > b.raw; }
  friend Mask operator<=(Pack a, Pack b) { return a.raw <= b.raw; }
  friend Mask operator>=(Pack a, Pack b) { return a.raw >= b.raw; }
};

template <int W>
Pack<W> select(typename Pack<W>::Mask mask, Pack<W> yes, Pack<W> no) {
  return Pack<W>(mask ? yes.raw : no.raw);
}
template <int W>
Pack<W> sqrt(Pack<W> x) {
  if constexpr (W == 2) return Pack<W>(_mm_sqrt_pd(x.raw));
  if constexpr (W == 4) return Pack<W>(_mm256_sqrt_pd(x.raw));
#ifdef __AVX512F__
  if constexpr (W == 8) return Pack<W>(_mm512_sqrt_pd(x.raw));
#endif
}
template <int W>
Pack<W> abs(Pack<W> x) {
  return Pack<W>(x.raw < 0 ? -x.raw : x.raw);
}
template <int W>
Pack<W> min(Pack<W> a, Pack<W> b) {
  return Pack<W>(a.raw < b.raw ? a.raw : b.raw);
}
template <int W>
Pack<W> max(Pack<W> a, Pack<W> b) {
  return Pack<W>(a.raw > b.raw ? a.raw : b.raw);
}
inline bool any(Register<2>::Mask mask) {
  return _mm_movemask_pd(reinterpret_cast<__m128d>(mask)) != 0;
}
inline bool any(Register<4>::Mask mask) {
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(mask)) != 0;
}
#ifdef __AVX512F__
inline bool any(Register<8>::Mask mask) {
  return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(mask), reinterpret_cast<__m512i>(mask)) != 0;
}
#endif

// log x to about one unit in the last place, for every double x (NaN below 0, -infinity at 0):
//
//   x = 2^k m,  sqrt(1/2) < m < sqrt(2),  f = m - 1,  s = f/(2 + f),  log m = 2 atanh s                   (1)
//   2 atanh s = f - f^2/2 + s (f^2/2 + R),  R = s^2 (2/3 + s^2 (2/5 + ...)), a minimax polynomial         (2)
//
// The polynomial is the one of Sun's fdlibm (e_log.c); its error is below 2^-58.
template <int W>
Pack<W> log(Pack<W> x) {
  using Raw = typename Pack<W>::Raw;
  using Bits = typename Pack<W>::Mask;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr long one = 0x3ff0000000000000, sqrt_half = 0x3fe6a09e667f3bcd, exponent = 0x7ffL << 52;
  const Bits ordinary = (x.raw > 0) & (x.raw < infinity);
  const Raw positive = ordinary ? x.raw : Raw{} + 1.0;  // the bits of the rest would overflow below
  const Bits subnormal = positive < std::numeric_limits<double>::min();
  const Raw scaled = subnormal ? positive * 0x1p54 : positive;
  // (1): moving the bits by one - sqrt_half makes the exponent field count from sqrt(1/2) instead of from 1.
  const Bits moved = reinterpret_cast<Bits>(scaled) + (one - sqrt_half);
  // An integer below 2^52 becomes a double by writing it into the mantissa of 2^52.
  const Raw biased = reinterpret_cast<Raw>(((moved & exponent) >> 52) | 0x4330000000000000);
  const Raw k = biased - (0x1p52 + 1023) - (subnormal ? Raw{} + 54.0 : Raw{});
  const Raw m = reinterpret_cast<Raw>((moved & ~exponent & 0x7fffffffffffffff) + sqrt_half);
  const Raw f = m - 1.0;
  const Raw s = f / (2.0 + f), z = s * s, w = z * z;
  const Raw even = w * (0.3999999999940941908 + w * (0.2222219843214978396 + w * 0.1531383769920937332));
  const Raw odd = z * (0.6666666666666735130 +
                       w * (0.2857142874366239149 + w * (0.1818357216161805012 + w * 0.1479819860511658591)));
  const Raw half_square = 0.5 * f * f;
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  const Raw y = k * ln2_high - ((half_square - (s * (half_square + even + odd) + k * ln2_low)) - f);
  const Raw nan = Raw{} + std::numeric_limits<double>::quiet_NaN();
  const Raw otherwise = x.raw == infinity ? x.raw : (x.raw == 0 ? Raw{} - infinity : nan);
  return Pack<W>(ordinary ? y : otherwise);
}

// The cube root to about two units in the last place, for every double x, through y = |x|^(-1/3):
//
//   y <- y (1 - r)^(-1/3),  r = 1 - |x| y^3,  by the binomial series to r^4; no division                  (3)
//
// The start is a third of the exponent bits, good to 5 %: two rounds of (3) leave 1e-5 and less than 1e-20.
template <int W>
Pack<W> cbrt(Pack<W> x) {
  using Raw = typename Pack<W>::Raw;
  using Bits = typename Pack<W>::Mask;
  constexpr long sign = std::numeric_limits<long>::min();
  const Raw size = reinterpret_cast<Raw>(reinterpret_cast<Bits>(x.raw) & ~sign);
  const Bits subnormal = size < std::numeric_limits<double>::min();
  const Raw scaled = subnormal ? size * 0x1p54 : size;
  const Raw high =
      reinterpret_cast<Raw>((reinterpret_cast<Bits>(scaled) >> 32) | 0x4330000000000000) - 0x1p52;
  // Exponents alone would say (4/3) 0x3ff00000 - high/3; the smaller constant balances the mantissa's share.
  const Raw third = (0x553ef0ff - high * (1.0 / 3.0)) + 0x1p52;
  Raw y = reinterpret_cast<Raw>((reinterpret_cast<Bits>(third) & 0xffffffff) << 32);
  for (int round = 0; round < 2; ++round) {
    const Raw r = 1.0 - scaled * y * y * y;
    y += y * r * (1.0 / 3 + r * (2.0 / 9 + r * (14.0 / 81 + r * (35.0 / 243))));
  }
  Raw root = scaled * y * y;
  // One Newton step on the root itself; the quarter keeps its cube below the largest double.
  root += (0.25 * scaled - root * root * (0.25 * root)) * (y * y * (4.0 / 3));
  root *= (subnormal ? Raw{} + 0x1p-18 : Raw{} + 1.0);
  const Bits ordinary = (size > 0) & (size < std::numeric_limits<double>::infinity());
  const Bits signed_root = reinterpret_cast<Bits>(root) | (reinterpret_cast<Bits>(x.raw) & sign);
  return Pack<W>(ordinary ? reinterpret_cast<Raw>(signed_root) : x.raw);
}

// The same vocabulary for plain doubles.
PHIFLEX_HD inline double sqrt(double x) {
  return std::sqrt(x);
}
PHIFLEX_HD inline double log(double x) {
  return std::log(x);
}
PHIFLEX_HD inline double cbrt(double x) {
  return std::cbrt(x);
}
PHIFLEX_HD inline double abs(double x) {
  return std::fabs(x);
}
PHIFLEX_HD inline double min(double a, double b) {
  return a < b ? a : b;
}
PHIFLEX_HD inline double max(double a, double b) {
  return a > b ? a : b;
}
PHIFLEX_HD inline double select(bool mask, double yes, double no) {
  return mask ? yes : no;
}

PHIFLEX_HD inline bool any(bool mask) {
  return mask;
}

// What a comparison of two numbers gives.
template <class Real>
using MaskOf = decltype(std::declval<Real>() < std::declval<Real>());

// How many elements one number holds.
template <class Real>
inline constexpr int lanes_of = 1;
template <int W>
inline constexpr int lanes_of<Pack<W>> = W;

}  // namespace phiflex
