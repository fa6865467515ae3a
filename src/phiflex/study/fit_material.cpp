#include "phiflex/study/fit_material.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/scanner.h"
#include "phiflex/energy/law_kernels.h"
#include "phiflex/linalg/svd.h"
#include "phiflex/material/spline_curves.h"

namespace phiflex {
namespace {

constexpr std::size_t kLeastRows = 4;
constexpr double kSmoothing = 1e-5;  // a of (2)
constexpr int kMostRounds = 100;
constexpr double kLeastSingularValue = 1e-14;  // of the largest: what counts in a step

// f' and what does not change during the fit. Stresses in units of `young`.
class Specimen {
 public:
  Specimen(std::vector<double> knots, double poisson)
      : knots_(std::move(knots)), lambda_(lame_from_young(1, poisson).lambda) {
    for (std::size_t k = 0; k < knots_.size(); ++k) {
      std::vector<double> unit(knots_.size(), 0.0);
      unit[k] = 1;
      basis_.emplace_back(knots_, unit);
    }
  }

  struct Response {
    double stress;
    Vector slope;  // (3)
  };
  Response pull(const std::vector<double>& values, double s) const {
    const CubicSpline f(knots_, values);
    const double t = side(f, s), J = s * t * t, h = lambda_ * (J - 1);
    const double dP = 2 * t * h + 2 * s * t * t * t * lambda_;              // dP/dt
    const double dr = f.at(t).slope + s * h + 2 * s * s * t * t * lambda_;  // dr/dt
    Response response{f.at(s).value + t * t * h, Vector(Index(knots_.size()))};
    for (std::size_t k = 0; k < knots_.size(); ++k)
      response.slope[Index(k)] = basis_[k].at(s).value - dP / dr * basis_[k].at(t).value;
    return response;
  }
  const std::vector<double>& knots() const { return knots_; }

 private:
  // t of (1), by bisection: the sides' stress rises from where they are thin to where they are thick.
  double side(const CubicSpline& f, double s) const {
    double low = 1e-3, high = 10;
    for (int round = 0; round < 100; ++round) {
      const double t = 0.5 * (low + high);
      (f.at(t).value + s * t * lambda_ * (s * t * t - 1) > 0 ? high : low) = t;
    }
    return 0.5 * (low + high);
  }

  std::vector<double> knots_;
  double lambda_;
  std::vector<CubicSpline> basis_;
};

// The slope of a line through (1, 0) and the rows nearest to it.
double initial_slope(const StressTable& table, const std::string& file) {
  double reach = 0, nearest = std::numeric_limits<double>::infinity();
  for (const double s : table.stretch) {
    reach = std::max(reach, std::abs(s - 1));
    if (s != 1) nearest = std::min(nearest, std::abs(s - 1));
  }
  const double close = std::max(0.1 * reach, 2 * nearest);
  double work = 0, square = 0;
  for (std::size_t i = 0; i < table.stretch.size(); ++i) {
    const double e = table.stretch[i] - 1;
    if (std::abs(e) > close) continue;
    work += table.stress[i] * e;
    square += e * e;
  }
  if (!(work > 0))
    throw InputError(file, "",
                     "near a stretch of 1 the stress does not rise with the stretch; expected tension "
                     "(stress above 0) where it is above 1");
  return work / square;
}

// Evenly from the thinnest to the longest that the table makes of a specimen, one of them at 1.
std::vector<double> knots_for(const StressTable& table, const FitOptions& options) {
  double low = 1, high = 1;
  for (const double s : table.stretch)
    for (const double x : {s, std::pow(s, -options.poisson)}) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  std::vector<double> knots(static_cast<std::size_t>(options.knots));
  for (std::size_t k = 0; k < knots.size(); ++k)
    knots[k] = low + (high - low) * double(k) / double(knots.size() - 1);
  *std::min_element(knots.begin(), knots.end(),
                    [](double a, double b) { return std::abs(a - 1) < std::abs(b - 1); }) = 1;
  return knots;
}

// Row i: the change of slope of f' at inner knot i + 1.
Matrix slope_changes(const std::vector<double>& x) {
  Matrix D = Matrix::Zero(Index(x.size()) - 2, Index(x.size()));
  for (Index i = 0; i < D.rows(); ++i) {
    const auto k = std::size_t(i);
    const double before = 1 / (x[k + 1] - x[k]), after = 1 / (x[k + 2] - x[k + 1]);
    D(i, i) = before, D(i, i + 1) = -before - after, D(i, i + 2) = after;
  }
  return D;
}

}  // namespace

StressTable read_stress_table(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  Scanner in(bytes, path.string());
  in.set_separator(',');
  in.set_comment('#');
  const std::string_view first = in.peek_word();
  if (!first.empty() && std::isalpha(static_cast<unsigned char>(first[0])) != 0) in.skip_line();  // names
  StressTable table;
  while (!in.at_end()) {
    const double stretch = in.real("a stretch");
    // Wider than any measurement. Knots between stretches of 1e308 overflow.
    if (!(stretch >= 1e-3 && stretch <= 1e3))
      in.fail("a stretch is length over rest length; expected a number from 0.001 to 1000");
    if (in.at_line_end()) in.fail("a row needs two numbers, a stretch and a stress in Pa");
    const double stress = in.real("a stress");
    // Beyond any solid. Squares of stresses of 1e308 overflow.
    if (!(std::abs(stress) <= 1e15)) in.fail("a stress is a number of Pa from -1e15 to 1e15");
    if (!in.at_line_end()) in.fail("a row has two numbers, a stretch and a stress; this one has more");
    table.stretch.push_back(stretch);
    table.stress.push_back(stress);
  }
  const auto strained = std::count_if(table.stretch.begin(), table.stretch.end(),
                                      [](double s) { return std::abs(s - 1) > 1e-9; });
  if (strained < std::ptrdiff_t(kLeastRows))
    throw InputError(
        path.string(), "",
        fmt::format("{} rows with a stretch other than 1; at least {} are needed", strained, kLeastRows));
  return table;
}

FittedMaterial fit_material(const StressTable& table, const FitOptions& options, const std::string& file) {
  const double young = initial_slope(table, file);
  const Specimen specimen(knots_for(table, options), options.poisson);
  const std::vector<double>& knots = specimen.knots();
  const Index n = Index(knots.size()), rows = Index(table.stretch.size());
  double largest = 0;
  for (const double stress : table.stress) largest = std::max(largest, std::abs(stress) / young);

  std::vector<double> values;
  for (const double x : knots) values.push_back((x - 1) / (1 + options.poisson));
  const Matrix D = std::sqrt(kSmoothing) * slope_changes(knots);
  Matrix A(rows + D.rows(), n);  // derivatives of the residuals of (2)
  Vector r(A.rows());
  const auto linearize = [&](const std::vector<double>& at) {
    const double weight = 1 / (largest * std::sqrt(double(rows)));
    for (Index i = 0; i < rows; ++i) {
      const Specimen::Response pulled = specimen.pull(at, table.stretch[std::size_t(i)]);
      r[i] = weight * (pulled.stress - table.stress[std::size_t(i)] / young);
      A.row(i) = weight * pulled.slope.transpose();
    }
    r.tail(D.rows()) = D * Eigen::Map<const Vector>(at.data(), n);
    A.bottomRows(D.rows()) = D;
    for (Index k = 0; k < n; ++k)
      if (knots[std::size_t(k)] == 1) A.col(k).setZero();  // f'(1) = 0
    return r.squaredNorm();
  };
  double error = linearize(values);
  for (int round = 0; round < kMostRounds; ++round) {
    Vector step = svd(A).solve(-r, kLeastSingularValue);
    for (Index k = 0; k < n; ++k)
      if (knots[std::size_t(k)] == 1) step[k] = 0;  // not rounding
    double part = 1, next_error = std::numeric_limits<double>::infinity();
    std::vector<double> next = values;
    for (; part > 1e-6; part *= 0.5) {
      for (Index k = 0; k < n; ++k) next[std::size_t(k)] = values[std::size_t(k)] + part * step[k];
      next_error = linearize(next);
      if (next_error < error) break;
    }
    const bool done = !(next_error < error * (1 - 1e-12));
    if (next_error < error) values = next;
    error = linearize(values);
    if (done) break;
  }

  FittedMaterial fitted{.young = young, .poisson = options.poisson, .density = options.density};
  fitted.knots = knots;
  fitted.values = values;
  double squares = 0;
  for (std::size_t i = 0; i < table.stretch.size(); ++i) {
    const double stress = specimen.pull(values, table.stretch[i]).stress;
    fitted.stress.push_back(young * stress);
    const double off = std::abs(stress - table.stress[i] / young) / largest;
    squares += off * off;
    fitted.worst_error = std::max(fitted.worst_error, off);
  }
  fitted.mean_error = std::sqrt(squares / double(table.stretch.size()));

  const SplineCurves curves{CubicSpline(knots, values), std::nullopt, std::nullopt};
  const auto [mu, lambda] = law_kernels("spline").at_rest(std::array{young, options.poisson}, &curves);
  if (!(mu > 0 && 3 * lambda + 2 * mu > 0))
    throw InputError(file, "",
                     fmt::format("no stable material fits with {} knots; fewer may", options.knots));
  fitted.young_at_rest = mu * (3 * lambda + 2 * mu) / (lambda + mu);
  return fitted;
}

std::string material_json(const FittedMaterial& material) {
  const nlohmann::ordered_json json = {{"type", "spline"},
                                       {"young", material.young},
                                       {"poisson", material.poisson},
                                       {"density", material.density},
                                       {"f", {{"knots", material.knots}, {"values", material.values}}}};
  return json.dump(2) + "\n";
}

}  // namespace phiflex
