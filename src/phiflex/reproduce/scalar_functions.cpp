#include "phiflex/reproduce/scalar_functions.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "phiflex/study/analyze.h"
#include "phiflex/study/oscillator.h"

namespace phiflex {
namespace {

MeasuredMethod method_of(const Value& text) {
  try {
    return measured(parse_method_variant(text.text(), "method"));
  } catch (const ExpressionError&) {
    throw;
  } catch (const std::exception& e) {
    throw ExpressionError(e.what());
  }
}

// f at a number, or at every number of a list.
template <class F>
Value at_each(const Value& x, F f) {
  if (!x.is_list()) return f(x.number());
  std::vector<double> values;
  for (const double each : x.numbers()) values.push_back(f(each));
  return values;
}

double number_or(Arguments a, std::size_t i, double otherwise) {
  return i < a.size() ? a[i].number() : otherwise;
}

// The word at place i, which is `plain` (the default) or `other`: whether it is the latter.
bool is_word(Arguments a, std::size_t i, const char* plain, const char* other) {
  if (i >= a.size() || a[i].text() == plain) return false;
  if (a[i].text() == other) return true;
  throw ExpressionError(fmt::format("'{}' is neither '{}' nor '{}'", a[i].text(), plain, other));
}

Value damping(Arguments a) {
  expect_usage(a, 2, 2, "damping(method, x)");
  const MeasuredMethod method = method_of(a[0]);
  return at_each(a[1], [&](double x) { return -2 * std::log(measure_spectrum(method, x).radius()) / x; });
}

Value spectral_radius(Arguments a) {
  expect_usage(a, 2, 4, "spectral_radius(method, x [, xi [, 'printed']])");
  MeasuredMethod method = method_of(a[0]);
  const double xi = number_or(a, 2, 0);
  if (is_word(a, 3, "corrected", "printed")) method.options.set("printed", true);
  return at_each(a[1], [&](double x) { return measure_spectrum(method, x, xi).radius(); });
}

// (3) and (4) of study/analyze.h. The x of a list are visited in their order when they ascend.
template <class F>
Value of_principal_root(Arguments a, const char* usage, F quantity) {
  expect_usage(a, 3, 4, usage);
  const MeasuredMethod method = method_of(a[0]);
  const double xi = a[2].number();
  const bool folded = is_word(a, 3, "full", "folded");
  PrincipalRoot principal(method, xi);
  double reached = 0;
  return at_each(a[1], [&](double x) {
    if (x < reached) principal = PrincipalRoot(method, xi);
    principal.advance(x);
    reached = x;
    const std::complex<double> z = principal.root();
    const double theta = folded ? std::atan(std::abs(z.imag() / z.real())) : principal.angle();
    return quantity(x, xi, z, theta);
  });
}

Value period_elongation(Arguments a) {
  return of_principal_root(a, "period_elongation(method, x, xi [, 'full' or 'folded'])",
                           [](double x, double xi, std::complex<double>, double theta) {
                             return x * std::sqrt(1 - xi * xi) / theta - 1;
                           });
}

Value amplitude_decay(Arguments a) {
  return of_principal_root(
      a, "amplitude_decay(method, x, xi [, 'full' or 'folded'])",
      [](double, double, std::complex<double> z, double theta) { return -std::log(std::abs(z)) / theta; });
}

Value oscillator(Arguments a) {
  expect_usage(a, 7, 7, "oscillator(method, w, d, h, n, q0, v0)");
  const MeasuredMethod method = method_of(a[0]);
  const Oscillator system(a[1].number(), a[2].number());
  const double h = a[3].number();
  const int n = static_cast<int>(a[4].number());
  const std::unique_ptr<Integrator> integrator = method.entry->make(system, method.options);
  State now = oscillator_state(a[5].number(), a[6].number()), next = now;
  std::vector<double> positions{now.q[0]};
  for (int i = 0; i < n; ++i) {
    now.t = i * h;
    if (integrator->step(now, h, next).status != StepStatus::ok) {
      positions.resize(static_cast<std::size_t>(n) + 1, std::numeric_limits<double>::quiet_NaN());
      break;
    }
    std::swap(now, next);
    positions.push_back(now.q[0]);
  }
  return positions;
}

Value exact_oscillator(Arguments a) {
  expect_usage(a, 5, 5, "exact_oscillator(w, d, t, q0, v0)");
  const Oscillator system(a[0].number(), a[1].number());
  const double q0 = a[3].number(), v0 = a[4].number();
  return at_each(a[2], [&](double t) { return system.exact(q0, v0, t).q[0]; });
}

Value stiffened_radius(Arguments a) {
  expect_usage(a, 3, 3, "stiffened_radius(method, x, ratio)");
  MeasuredMethod method = method_of(a[0]);
  method.stiffening = a[2].number();
  if (!(method.stiffening > 0)) throw ExpressionError("the ratio of stiffened_radius must be positive");
  // The measured oscillator has w = 1: of its own w, x is larger.
  const double own = std::sqrt(method.stiffening);
  return at_each(a[1], [&](double x) { return measure_spectrum(method, x * own).radius(); });
}

}  // namespace

const Functions& scalar_functions() {
  static const Functions table{{"damping", damping},
                               {"spectral_radius", spectral_radius},
                               {"period_elongation", period_elongation},
                               {"amplitude_decay", amplitude_decay},
                               {"oscillator", oscillator},
                               {"exact_oscillator", exact_oscillator},
                               {"stiffened_radius", stiffened_radius}};
  return table;
}

}  // namespace phiflex
