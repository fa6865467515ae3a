#include "phiflex/study/penalty_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/model/triangle_system.h"
#include "phiflex/pages/line_plot.h"
#include "phiflex/record/csv_table.h"

namespace phiflex {
namespace {

constexpr int kPlaneRigidMotions = 3;  // motions in the plane

double lowest_elastic(const PenaltyStudy& study, Continuity continuity, double penalty) {
  const TriangleSystem system({.mesh = generate_square(study.side, study.cells),
                               .law = "linear",
                               .parameters = {study.young, study.poisson},
                               .density = study.density,
                               .continuity = continuity,
                               .penalty = penalty});
  const auto tangent = system.assembled_tangent(Definiteness::exact);
  tangent->update({0, Vector::Zero(system.dofs()), Vector::Zero(system.dofs())});
  Vector mass(system.dofs());
  system.mass().apply(Vector::Ones(system.dofs()), mass);
  const Vector scale = mass.cwiseSqrt().cwiseInverse();
  const Matrix K = scale.asDiagonal() * Matrix(tangent->K().to_eigen()) * scale.asDiagonal();
  Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(K, Eigen::EigenvaluesOnly).eigenvalues();
  // The rigid motions are the three nearest to zero; the interior penalty flux may have negative ones below.
  std::sort(values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  return values.tail(values.size() - kPlaneRigidMotions).minCoeff();
}

}  // namespace

PenaltyCurves study_penalty(const PenaltyStudy& study) {
  PenaltyCurves curves;
  curves.continuous = lowest_elastic(study, Continuity::continuous, 0);
  for (int i = 0; i < study.points; ++i) {
    const double part = study.points > 1 ? double(i) / (study.points - 1) : 0;
    const double penalty = study.from * std::pow(study.to / study.from, part);
    curves.penalty.push_back(penalty);
    curves.babuska_zlamal.push_back(lowest_elastic(study, Continuity::babuska_zlamal, penalty));
    curves.interior_penalty.push_back(lowest_elastic(study, Continuity::interior_penalty, penalty));
  }
  return curves;
}

std::vector<std::string> findings(const PenaltyCurves& curves) {
  std::vector<std::string> all = {
      fmt::format("continuous triangles: lowest eigenvalue {:.6g} 1/s^2", curves.continuous)};
  const auto describe = [&](const char* name, const std::vector<double>& values) {
    std::string text = fmt::format("{}: {:.4g} at penalty {:.3g}, {:.4g} at {:.3g}", name, values.front(),
                                   curves.penalty.front(), values.back(), curves.penalty.back());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] < 0.99 * curves.continuous) continue;
      text += fmt::format("; within 1 % of the continuous one or above it from {:.3g} on", curves.penalty[i]);
      break;
    }
    if (values.front() < 0) text += "; unstable (negative) for small penalties";
    all.push_back(text);
  };
  describe("Babuska-Zlamal", curves.babuska_zlamal);
  describe("interior penalty", curves.interior_penalty);
  return all;
}

std::vector<std::filesystem::path> write_penalty_study(const std::filesystem::path& folder,
                                                       const PenaltyCurves& curves) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder.string(), "cannot make the folder: " + error.message());
  std::string table = "penalty,babuska_zlamal,interior_penalty,continuous\n";
  for (std::size_t i = 0; i < curves.penalty.size(); ++i) {
    append_number(table, curves.penalty[i]);
    for (const double value : {curves.babuska_zlamal[i], curves.interior_penalty[i], curves.continuous}) {
      table += ',';
      append_number(table, value);
    }
    table += '\n';
  }
  LinePlot plot;
  plot.title = "Lowest eigenvalue of discontinuous triangles over the penalty";
  plot.x = {"penalty [N/m3]", AxisScale::logarithmic, {}, {}};
  plot.y = {"lowest elastic eigenvalue [1/s2]", AxisScale::logarithmic, {}, {}};
  const std::vector<double> ends = {curves.penalty.front(), curves.penalty.back()};
  plot.series = {{.name = "Babuska-Zlamal", .x = curves.penalty, .y = curves.babuska_zlamal},
                 {.name = "interior penalty", .x = curves.penalty, .y = curves.interior_penalty},
                 {.name = "continuous",
                  .x = ends,
                  .y = {curves.continuous, curves.continuous},
                  .style = SeriesStyle::dashed}};
  const std::vector<std::filesystem::path> files = {folder / "dg.csv", folder / "dg.svg"};
  write_file_atomically(files[0], table);
  write_file_atomically(files[1], line_plot_svg(plot));
  return files;
}

}  // namespace phiflex
