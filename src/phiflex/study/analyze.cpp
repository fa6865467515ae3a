#include "phiflex/study/analyze.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/run/simulation.h"
#include "phiflex/study/oscillator.h"

namespace phiflex {
namespace {

// A radius above one by no more than this is one, measured with rounding.
double unit_rounding(double x) {
  return 1e-10 * std::max(1., x);
}

std::vector<double> sample_points(const AnalysisRange& range) {
  std::vector<double> x(static_cast<std::size_t>(range.points));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double fraction = x.size() > 1 ? double(i) / double(x.size() - 1) : 0;
    x[i] = range.from * std::pow(range.to / range.from, fraction);
  }
  x.back() = x.size() > 1 ? range.to : range.from;
  return x;
}

std::vector<std::string> quantities_of(AnalysisTopic topic) {
  switch (topic) {
    case AnalysisTopic::damping:
      return {"damping"};
    case AnalysisTopic::stability:
      return {"spectral_radius"};
    case AnalysisTopic::accuracy:
      return {"period_elongation", "amplitude_decay"};
    case AnalysisTopic::ghost:
      return {"position", "ghost", "exact"};
  }
  return {};
}

void measure_radii(const MeasuredMethod& method, const AnalysisRange& range, AnalysisTopic topic,
                   AnalysisCurve& curve) {
  for (const double x : curve.abscissae) {
    const double rho = measure_spectrum(method, x, range.damping_ratio).radius();
    curve.values[0].push_back(topic == AnalysisTopic::stability
                                  ? rho                                                 // (2)
                                  : -2 * std::log(rho) / x - 2 * range.damping_ratio);  // (1)
  }
}

void measure_principal_root(const MeasuredMethod& method, const AnalysisRange& range, AnalysisCurve& curve) {
  PrincipalRoot principal(method, range.damping_ratio);
  for (const double x : curve.abscissae) {
    principal.advance(x);
    const std::complex<double> z = principal.root();
    const double theta =
        range.angle == AngleReading::followed ? principal.angle() : std::atan(std::abs(z.imag() / z.real()));
    const double xi = range.damping_ratio;
    curve.values[0].push_back(x * std::sqrt(1 - xi * xi) / theta - 1);  // (3)
    curve.values[1].push_back(-std::log(std::abs(z)) / theta);          // (4)
  }
}

// Curves that no eye could tell apart share a line: "be, si".
struct SharedCurve {
  std::string names;
  std::size_t curve;
};

bool look_alike(const std::vector<double>& a, const std::vector<double>& b, double range) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) != std::isnan(b[i])) return false;
    if (std::abs(a[i] - b[i]) > 1e-3 * range) return false;
  }
  return true;
}

std::vector<SharedCurve> shared_curves(const Analysis& analysis, std::size_t quantity, double range) {
  std::vector<SharedCurve> shared;
  for (std::size_t i = 0; i < analysis.curves.size(); ++i) {
    const auto same = std::find_if(shared.begin(), shared.end(), [&](const SharedCurve& other) {
      return look_alike(analysis.curves[i].values[quantity], analysis.curves[other.curve].values[quantity],
                        range);
    });
    if (same == shared.end()) {
      shared.push_back({analysis.curves[i].method, i});
    } else {
      same->names += ", " + analysis.curves[i].method;
    }
  }
  return shared;
}

LinePlot ghost_plot(const Analysis& analysis) {
  const GhostSetting& set = analysis.ghost;
  LinePlot plot;
  plot.title = "Methods and their ghosts: the damped equations they follow";
  plot.x.label = "time [s]";
  plot.y.label = "position";
  constexpr int fine = 1200;
  const auto solution = [&](double d, PlotSeries& series) {
    const Oscillator oscillator(set.w, d);
    for (int i = 0; i <= fine; ++i) {
      series.x.push_back(set.h * set.steps * i / fine);
      series.y.push_back(oscillator.exact(set.q, set.v, series.x.back()).q[0]);
    }
  };
  PlotSeries exact{.name = "exact", .style = SeriesStyle::line, .color = 7};
  solution(set.d, exact);
  for (std::size_t i = 0; i < analysis.curves.size(); ++i) {
    const AnalysisCurve& curve = analysis.curves[i];
    const int color = static_cast<int>(i) % 7;
    plot.series.push_back({.name = curve.method,
                           .x = curve.abscissae,
                           .y = curve.values[0],
                           .style = SeriesStyle::dots,
                           .color = color});
    PlotSeries ghost{.name = "ghost of " + curve.method, .style = SeriesStyle::dashed, .color = color};
    solution(curve.ghost_damping, ghost);
    if (std::isfinite(curve.ghost_damping)) plot.series.push_back(std::move(ghost));
  }
  plot.series.push_back(std::move(exact));
  return plot;
}

// Where the interesting part of a quantity lies: what grows without bound leaves at the frame.
void set_range(const Analysis& analysis, PlotAxis& axis, double lowest, double highest,
               std::size_t quantity) {
  double low = INFINITY, high = -INFINITY;
  for (const AnalysisCurve& curve : analysis.curves)
    for (const double value : curve.values[quantity]) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, std::max(value, lowest));
      high = std::max(high, std::min(value, highest));
    }
  if (low > high) low = 0, high = 1;
  const double margin = std::max(0.05 * (high - low), 0.01);
  axis.low = low - margin;
  axis.high = high + margin;
}

std::string csv_text(const Analysis& analysis) {
  std::string text = "method," + analysis.abscissa;
  for (const std::string& quantity : analysis.quantities) text += "," + quantity;
  text += '\n';
  for (const AnalysisCurve& curve : analysis.curves)
    for (std::size_t i = 0; i < curve.abscissae.size(); ++i) {
      text += curve.method + ',';
      append_number(text, curve.abscissae[i]);
      for (const std::vector<double>& values : curve.values) {
        text += ',';
        append_number(text, values[i]);
      }
      text += '\n';
    }
  return text;
}

std::string damping_finding(const AnalysisCurve& curve, double damping_ratio) {
  const std::vector<double>& d = curve.values[0];
  std::size_t most = 0;
  for (std::size_t i = 1; i < d.size(); ++i)
    if (!(d[i] <= d[most])) most = i;  // a number is more than none
  std::string text = d[most] < unit_rounding(1) ? std::string("does not damp")
                                                : fmt::format("damps most at h w = {:.4g}: d/w = {:.4g}",
                                                              curve.abscissae[most], d[most]);
  for (std::size_t i = 0; i < d.size(); ++i)
    if (!(d[i] + 2 * damping_ratio > -unit_rounding(curve.abscissae[i]) / curve.abscissae[i]))
      return text + (std::isnan(d[i]) ? fmt::format("; fails from h w = {:.4g} on", curve.abscissae[i])
                                      : fmt::format("; grows from h w = {:.4g} on", curve.abscissae[i]));
  return text;
}

std::string stability_finding(const AnalysisCurve& curve) {
  const std::vector<double>& rho = curve.values[0];
  for (std::size_t i = 0; i < rho.size(); ++i)
    if (!(rho[i] <= 1 + unit_rounding(curve.abscissae[i])))
      return i == 0 ? fmt::format("unstable already at h w = {:.4g}", curve.abscissae[0])
                    : fmt::format("stable up to h w = {:.4g}, at {:.4g} the spectral radius is {:.4g}",
                                  curve.abscissae[i - 1], curve.abscissae[i], rho[i]);
  return fmt::format("stable over the whole range; spectral radius {:.4g} at h w = {:.4g}", rho.back(),
                     curve.abscissae.back());
}

std::string accuracy_finding(const AnalysisCurve& curve) {
  // One tenth of a radian a step: 63 steps a period.
  std::size_t i = 0;
  while (i + 1 < curve.abscissae.size() &&
         std::abs(std::log(curve.abscissae[i + 1] / 0.1)) < std::abs(std::log(curve.abscissae[i] / 0.1)))
    ++i;
  return fmt::format("at h w = {:.3g}: period elongation {:.3g}, amplitude decay {:.3g}", curve.abscissae[i],
                     curve.values[0][i], curve.values[1][i]);
}

std::string ghost_finding(const AnalysisCurve& curve) {
  double to_ghost = 0, to_exact = 0;
  for (std::size_t i = 0; i < curve.abscissae.size(); ++i) {
    to_ghost = std::max(to_ghost, std::abs(curve.values[0][i] - curve.values[1][i]));
    to_exact = std::max(to_exact, std::abs(curve.values[0][i] - curve.values[2][i]));
  }
  return fmt::format("largest distance to its ghost {:.3g}, to the exact solution {:.3g}", to_ghost,
                     to_exact);
}

}  // namespace

std::string_view name_of(AnalysisTopic topic) {
  switch (topic) {
    case AnalysisTopic::damping:
      return "damping";
    case AnalysisTopic::stability:
      return "stability";
    case AnalysisTopic::accuracy:
      return "accuracy";
    case AnalysisTopic::ghost:
      return "ghost";
  }
  return "";
}

std::vector<MethodVariant> all_methods() {
  std::vector<MethodVariant> methods;
  for (const MethodEntry& entry : integrator_catalogue())
    methods.push_back({std::string(entry.info->name), {}, {}});
  return methods;
}

MeasuredMethod measured(const MethodVariant& variant) {
  const IntegratorSpec spec = integrator_of(variant);
  IntegratorOptions options = spec.options;
  for (const char* key : {"linear_tolerance", "newton_tolerance", "tolerance", "energy_tolerance"})
    options.set(key, 1e-14);
  for (const char* key : {"modes_tolerance", "em_tolerance"}) options.set(key, 1e-12);
  options.set("refactor", "always");
  options.erase("error_tolerance");  // the step that is asked for, not an adapted one
  const OptionValue* modes = options.find("modes");
  if (!modes || *modes != OptionValue(0)) options.set("modes", 1);  // as many as an oscillator has
  return {find_integrator(general_method(spec.type)), options};
}

Analysis analyze(AnalysisTopic topic, const std::vector<MethodVariant>& methods, const AnalysisRange& range) {
  Analysis analysis;
  analysis.topic = topic;
  analysis.range = range;
  analysis.abscissa = "hw";
  analysis.quantities = quantities_of(topic);
  const std::vector<double> x = sample_points(range);
  const auto add_curve = [&](const MeasuredMethod& method, std::string label) {
    AnalysisCurve curve{std::move(label), x, std::vector<std::vector<double>>(analysis.quantities.size()), 0};
    if (topic == AnalysisTopic::accuracy) {
      measure_principal_root(method, range, curve);
    } else {
      measure_radii(method, range, topic, curve);
    }
    analysis.curves.push_back(std::move(curve));
  };
  for (const MethodVariant& variant : methods) {
    MeasuredMethod method = measured(variant);
    method.stiffening = range.stiffening;
    add_curve(method, variant.label());
    const std::vector<Option>& known = method.entry->options;
    const bool has_printed_form = std::any_of(known.begin(), known.end(), [](const Option& option) {
      return std::string_view(option.key) == "printed";
    });
    if (!range.printed_alpha || !has_printed_form) continue;
    method.options.set("printed", true);
    add_curve(method, variant.label() + " as printed");
  }
  return analysis;
}

Analysis analyze_ghosts(const std::vector<MethodVariant>& methods, const GhostSetting& set) {
  Analysis analysis;
  analysis.topic = AnalysisTopic::ghost;
  analysis.ghost = set;
  analysis.abscissa = "time";
  analysis.quantities = quantities_of(analysis.topic);
  const Oscillator oscillator(set.w, set.d);
  for (const MethodVariant& variant : methods) {
    const MeasuredMethod method = measured(variant);
    const double rho = measure_spectrum(method, set.w * set.h, set.d / (2 * set.w)).radius();
    const std::unique_ptr<Integrator> integrator = method.entry->make(oscillator, method.options);
    AnalysisCurve curve{variant.label(), {}, std::vector<std::vector<double>>(analysis.quantities.size()), 0};
    curve.ghost_damping = -2 * std::log(rho) / set.h;
    const Oscillator ghost(set.w, curve.ghost_damping);
    State now = oscillator_state(set.q, set.v), next = now;
    bool good = true;
    for (int n = 0; n <= set.steps; ++n) {
      const double t = n * set.h;
      curve.abscissae.push_back(t);
      curve.values[0].push_back(good ? now.q[0] : std::numeric_limits<double>::quiet_NaN());
      curve.values[1].push_back(ghost.exact(set.q, set.v, t).q[0]);
      curve.values[2].push_back(oscillator.exact(set.q, set.v, t).q[0]);
      now.t = t;
      good = good && integrator->step(now, set.h, next).status == StepStatus::ok;
      std::swap(now, next);
    }
    analysis.curves.push_back(std::move(curve));
  }
  return analysis;
}

std::vector<std::string> findings(const Analysis& analysis) {
  std::vector<std::string> found;
  for (const AnalysisCurve& curve : analysis.curves)
    found.push_back(curve.method + ": " +
                    (analysis.topic == AnalysisTopic::damping
                         ? damping_finding(curve, analysis.range.damping_ratio)
                     : analysis.topic == AnalysisTopic::stability ? stability_finding(curve)
                     : analysis.topic == AnalysisTopic::accuracy  ? accuracy_finding(curve)
                                                                  : ghost_finding(curve)));
  return found;
}

LinePlot analysis_plot(const Analysis& analysis, std::size_t quantity) {
  if (analysis.topic == AnalysisTopic::ghost) return ghost_plot(analysis);
  LinePlot plot;
  plot.x = {"h w", AxisScale::logarithmic, analysis.range.from, analysis.range.to};
  const std::string& name = analysis.quantities[quantity];
  if (name == "damping") {
    plot.title = "Artificial damping";
    plot.y.label = "artificial damping d / w";
    set_range(analysis, plot.y, -0.5, 2, quantity);
  } else if (name == "spectral_radius") {
    plot.title = "Spectral radius";
    plot.y.label = "spectral radius";
    set_range(analysis, plot.y, 0, 1.5, quantity);
  } else if (name == "period_elongation") {
    plot.title = "Period elongation";
    plot.y.label = "period elongation";
    set_range(analysis, plot.y, -0.5, 2, quantity);
  } else {
    plot.title = "Amplitude decay";
    plot.y.label = "amplitude decay (damping ratio shown)";
    set_range(analysis, plot.y, -0.25, 1, quantity);
  }
  for (const SharedCurve& shared : shared_curves(analysis, quantity, *plot.y.high - *plot.y.low)) {
    const AnalysisCurve& curve = analysis.curves[shared.curve];
    plot.series.push_back({.name = shared.names, .x = curve.abscissae, .y = curve.values[quantity]});
  }
  return plot;
}

std::vector<std::filesystem::path> write_analysis(const std::filesystem::path& folder,
                                                  const Analysis& analysis) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw FileError(folder.string(), "cannot make the folder: " + failed.message());
  const std::string topic(name_of(analysis.topic));
  std::vector<std::filesystem::path> written = {folder / (topic + ".csv")};
  write_file_atomically(written.back(), csv_text(analysis));
  const bool one_plot = analysis.topic != AnalysisTopic::accuracy;
  for (std::size_t i = 0; i < (one_plot ? 1 : analysis.quantities.size()); ++i) {
    written.push_back(folder / ((one_plot ? topic : analysis.quantities[i]) + ".svg"));
    write_file_atomically(written.back(), line_plot_svg(analysis_plot(analysis, i)));
  }
  return written;
}

}  // namespace phiflex
