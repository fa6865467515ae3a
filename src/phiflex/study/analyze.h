// What the methods of the catalogue do to the scalar oscillator q'' + d q' + w^2 q = 0, over x = h w: tables
// and plots, measured on the step functions (amplification.h). With z the principal root, rho the spectral
// radius, xi the physical damping ratio (d = 2 xi w) and theta the angle a step turns by:
//
//   damping             d_a/w = -2 ln(rho) / x - 2 xi,  beyond the physical one; the amplitude decays with d/2   (1)
//   spectral_radius     rho                                                                              (2)
//   period_elongation   x sqrt(1 - xi^2) / theta - 1                                                      (3)
//   amplitude_decay     -ln|z| / theta, the damping ratio that the numerical oscillation shows            (4)
//
// The ghost of a method is the damped equation whose amplitude decays as the method's does: d = -2 ln(rho)/h.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phiflex/pages/line_plot.h"
#include "phiflex/study/amplification.h"
#include "phiflex/study/method_variant.h"

namespace phiflex {

enum class AnalysisTopic { damping, stability, accuracy, ghost };

// How theta is read from the root: followed continuously (amplification.h), or folded into [0, pi/2] by
// arctan|Im z / Re z|, as the paper on the unconditionally stable explicit method prints it.
enum class AngleReading { followed, folded };

struct AnalysisRange {
  double from = 0.01, to = 1000;                // of x
  int points = 241;                             // evenly on a logarithmic scale
  double damping_ratio = 0;                     // xi, 0 <= xi < 1
  AngleReading angle = AngleReading::followed;  // for accuracy
  double stiffening = 1;                        // w^2 over that of the rest shape (amplification.h)
  bool printed_alpha = false;                   // generalized-alpha also as misprinted, a second curve
};

struct GhostSetting {
  double w = 20, d = 0;  // rad/s, 1/s: of the oscillator
  double h = 0.05;       // s
  int steps = 20;
  double q = 0, v = 1;  // at the start
};

struct AnalysisCurve {
  std::string method;                       // with its settings
  std::vector<double> abscissae;            // x, or the time for ghosts
  std::vector<std::vector<double>> values;  // a list per quantity; not a number where there is none
  double ghost_damping = 0;                 // d of the method's ghost, 1/s; for ghosts only
};

struct Analysis {
  AnalysisTopic topic = AnalysisTopic::damping;
  AnalysisRange range;  // not used by ghosts
  GhostSetting ghost;
  std::string abscissa;                 // "hw" or "time"
  std::vector<std::string> quantities;  // columns after the method and the abscissa
  std::vector<AnalysisCurve> curves;
};

std::string_view name_of(AnalysisTopic topic);

// Every method of the catalogue.
std::vector<MethodVariant> all_methods();
// A variant as it is measured: solver tolerances so tight that only the method shows.
MeasuredMethod measured(const MethodVariant& variant);

Analysis analyze(AnalysisTopic topic, const std::vector<MethodVariant>& methods, const AnalysisRange& range);
Analysis analyze_ghosts(const std::vector<MethodVariant>& methods, const GhostSetting& setting);

// A sentence per method: where it damps most, up to where it is stable, ...
std::vector<std::string> findings(const Analysis& analysis);

// TOPIC.csv with the header method,ABSCISSA,QUANTITY,... and a plot per quantity, TOPIC.svg or QUANTITY.svg;
// makes the folder, replaces these files only. Returns what was written.
std::vector<std::filesystem::path> write_analysis(const std::filesystem::path& folder,
                                                  const Analysis& analysis);
LinePlot analysis_plot(const Analysis& analysis, std::size_t quantity);

}  // namespace phiflex
