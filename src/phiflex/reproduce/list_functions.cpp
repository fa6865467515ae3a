// Functions of numbers and lists that every expression has (docs/experiments.md).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "phiflex/reproduce/expression.h"

namespace phiflex {

void expect_count(Arguments arguments, std::size_t count, const std::string& name) {
  expect_count(arguments, count, count, name);
}

void expect_count(Arguments arguments, std::size_t least, std::size_t most, const std::string& name) {
  if (arguments.size() >= least && arguments.size() <= most) return;
  const std::string wanted = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  throw ExpressionError(
      fmt::format("{} takes {} argument{}, not {}", name, wanted, most == 1 ? "" : "s", arguments.size()));
}

void expect_usage(Arguments arguments, std::size_t least, std::size_t most, const char* usage) {
  if (arguments.size() < least || arguments.size() > most)
    throw ExpressionError(fmt::format("usage: {}", usage));
}

namespace {

// Arguments as numbers: of one list, or the arguments themselves. At least one.
std::vector<double> numbers_of(Arguments arguments, const char* name) {
  std::vector<double> numbers;
  for (const Value& argument : arguments)
    for (const double number : argument.numbers()) numbers.push_back(number);
  if (numbers.empty()) throw ExpressionError(fmt::format("{} of nothing", name));
  return numbers;
}

std::vector<bool> truths_of(Arguments arguments) {
  std::vector<bool> truths;
  for (const Value& argument : arguments)
    if (argument.is_list())
      for (const Value& one : argument.list()) truths.push_back(one.truth());
    else
      truths.push_back(argument.truth());
  return truths;
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

// Slope of log y over log x by least squares.
double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size() || x.size() < 2)
    throw ExpressionError("exponent needs two lists of the same length, at least 2");
  const auto n = static_cast<double>(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

Value each(const Value& value, double (*function)(double)) {
  if (!value.is_list()) return function(value.number());
  ValueList result;
  for (const Value& one : value.list()) result.push_back(each(one, function));
  return result;
}

std::size_t index_of(const Value& value) {
  const double i = value.number();
  if (!(i >= 0) || i != std::floor(i) || i > 1e9)
    throw ExpressionError("an index must be a whole number from 0 on, not " + value.written());
  return static_cast<std::size_t>(i);
}

std::vector<double> spaced(Arguments arguments, const char* name, bool logarithmic) {
  expect_count(arguments, 3, name);
  const double a = arguments[0].number(), b = arguments[1].number();
  const std::size_t n = index_of(arguments[2]);
  if (n < 2 || n > 1'000'000) throw ExpressionError(fmt::format("{} makes 2 to 1000000 numbers", name));
  std::vector<double> numbers(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(n - 1);
    numbers[i] = logarithmic ? a * std::pow(b / a, s) : a + (b - a) * s;
  }
  return numbers;
}

double interpolate(const std::vector<double>& x, const std::vector<double>& y, double at) {
  if (x.size() != y.size() || x.empty())
    throw ExpressionError("interpolate needs two lists of the same length");
  if (at <= x.front()) return y.front();
  for (std::size_t i = 1; i < x.size(); ++i)
    if (at <= x[i]) return y[i - 1] + (y[i] - y[i - 1]) * (at - x[i - 1]) / (x[i] - x[i - 1]);
  return y.back();
}

// How often two of the lists change places, from one entry to the next.
double order_changes(const ValueList& lists) {
  std::vector<std::vector<double>> all;
  for (const Value& one : lists) {
    all.push_back(one.numbers());
    if (all.back().size() != all.front().size())
      throw ExpressionError("order_changes needs lists of the same length");
    for (const double number : all.back())
      if (!std::isfinite(number)) throw Undecided("a number whose order is asked for is not known");
  }
  double changes = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j)
      for (std::size_t n = 1; n < all[i].size(); ++n)
        changes += (all[i][n - 1] < all[j][n - 1]) != (all[i][n] < all[j][n]) ? 1 : 0;
  return changes;
}

Functions make_list_functions() {
  Functions table;
  const auto fold = [&](const char* name, auto operation) {
    table[name] = [name, operation](Arguments a) -> Value { return operation(numbers_of(a, name)); };
  };
  fold("sum", [](const std::vector<double>& n) { return std::accumulate(n.begin(), n.end(), 0.0); });
  fold("mean", [](const std::vector<double>& n) {
    return std::accumulate(n.begin(), n.end(), 0.0) / static_cast<double>(n.size());
  });
  fold("median", [](const std::vector<double>& n) { return median(n); });
  fold("min", [](const std::vector<double>& n) { return *std::min_element(n.begin(), n.end()); });
  fold("max", [](const std::vector<double>& n) { return *std::max_element(n.begin(), n.end()); });
  fold("argmax", [](const std::vector<double>& n) {
    return static_cast<double>(std::max_element(n.begin(), n.end()) - n.begin());
  });
  fold("argmin", [](const std::vector<double>& n) {
    return static_cast<double>(std::min_element(n.begin(), n.end()) - n.begin());
  });
  fold("increasing", [](const std::vector<double>& n) {
    return std::adjacent_find(n.begin(), n.end(), [](double a, double b) { return !(a < b); }) == n.end();
  });
  fold("decreasing", [](const std::vector<double>& n) {
    return std::adjacent_find(n.begin(), n.end(), [](double a, double b) { return !(a > b); }) == n.end();
  });
  table["len"] = [](Arguments a) -> Value {
    expect_count(a, 1, "len");
    return static_cast<double>(a[0].list().size());
  };
  table["all"] = [](Arguments a) -> Value {
    const std::vector<bool> truths = truths_of(a);
    return std::find(truths.begin(), truths.end(), false) == truths.end();
  };
  table["any"] = [](Arguments a) -> Value {
    const std::vector<bool> truths = truths_of(a);
    return std::find(truths.begin(), truths.end(), true) != truths.end();
  };
  table["first"] = [](Arguments a) -> Value {
    const std::vector<bool> truths = truths_of(a);
    const auto found = std::find(truths.begin(), truths.end(), true);
    return found == truths.end() ? -1.0 : static_cast<double>(found - truths.begin());
  };
  table["where"] = [](Arguments a) -> Value {
    expect_count(a, 2, "where");
    const std::vector<bool> truths = truths_of(a.subspan(1));
    if (truths.size() != a[0].list().size())
      throw ExpressionError("where needs two lists of the same length");
    ValueList chosen;
    for (std::size_t i = 0; i < truths.size(); ++i)
      if (truths[i]) chosen.push_back(a[0].list()[i]);
    return chosen;
  };
  const auto map = [&](const char* name, double (*function)(double)) {
    table[name] = [name, function](Arguments a) -> Value {
      expect_count(a, 1, name);
      return each(a[0], function);
    };
  };
  map("abs", [](double x) { return std::abs(x); });
  map("sqrt", [](double x) { return std::sqrt(x); });
  map("exp", [](double x) { return std::exp(x); });
  map("log", [](double x) { return std::log(x); });
  map("log10", [](double x) { return std::log10(x); });
  map("sin", [](double x) { return std::sin(x); });
  map("cos", [](double x) { return std::cos(x); });
  map("atan", [](double x) { return std::atan(x); });
  map("round", [](double x) { return std::round(x); });
  map("floor", [](double x) { return std::floor(x); });
  table["range"] = [](Arguments a) -> Value { return spaced(a, "range", false); };
  table["geometric"] = [](Arguments a) -> Value { return spaced(a, "geometric", true); };
  table["exponent"] = [](Arguments a) -> Value {
    expect_count(a, 2, "exponent");
    return exponent(a[0].numbers(), a[1].numbers());
  };
  table["concat"] = [](Arguments a) -> Value {
    ValueList all;
    for (const Value& one : a) all.insert(all.end(), one.list().begin(), one.list().end());
    return all;
  };
  table["slice"] = [](Arguments a) -> Value {
    expect_count(a, 3, "slice");
    const ValueList& list = a[0].list();
    const std::size_t from = index_of(a[1]), to = std::min(index_of(a[2]), list.size());
    if (from >= to) return ValueList{};
    return ValueList(list.begin() + static_cast<std::ptrdiff_t>(from),
                     list.begin() + static_cast<std::ptrdiff_t>(to));
  };
  table["interpolate"] = [](Arguments a) -> Value {
    expect_count(a, 3, "interpolate");
    const std::vector<double> x = a[0].numbers(), y = a[1].numbers();
    if (!a[2].is_list()) return interpolate(x, y, a[2].number());
    std::vector<double> result;
    for (const double at : a[2].numbers()) result.push_back(interpolate(x, y, at));
    return result;
  };
  table["order_changes"] = [](Arguments a) -> Value {
    expect_count(a, 1, "order_changes");
    return order_changes(a[0].list());
  };
  table["text"] = [](Arguments a) -> Value {
    expect_count(a, 1, "text");
    return a[0].written();
  };
  table["undecided"] = [](Arguments a) -> Value {
    expect_count(a, 1, "undecided");
    throw Undecided(a[0].text());
  };
  table["within"] = [](Arguments a) -> Value {
    expect_count(a, 3, "within");
    return std::abs(a[0].number() - a[1].number()) <= a[2].number() * std::abs(a[1].number());
  };
  table["between"] = [](Arguments a) -> Value {
    expect_count(a, 3, "between");
    return a[1].number() <= a[0].number() && a[0].number() <= a[2].number();
  };
  return table;
}

}  // namespace

const Functions& list_functions() {
  static const Functions table = make_list_functions();
  return table;
}

}  // namespace phiflex
