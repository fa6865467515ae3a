// How stiff discontinuous triangles are: the lowest eigenvalue of K phi = lambda M phi above the rigid
// motions, at rest, of a square under Babuska and Zlamal's and the interior penalty flux
// (energy/triangle_term.h), over the penalty, beside that of continuous triangles.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace phiflex {

// By default the square of Chen's thesis (2019), figure 3.3.
struct PenaltyStudy {
  double side = 0.5;  // m
  int cells = 1;      // along a side, two triangles each
  double young = 100, poisson = 0.48, density = 1;
  double from = 1e-2, to = 1e4;  // of the penalty, N/m^3
  int points = 61;               // evenly on a logarithmic scale
};

struct PenaltyCurves {
  double continuous = 0;  // 1/s^2
  std::vector<double> penalty, babuska_zlamal, interior_penalty;
};

PenaltyCurves study_penalty(const PenaltyStudy& study);
// Where the fluxes meet the continuous triangles, in words.
std::vector<std::string> findings(const PenaltyCurves& curves);
// dg.csv and dg.svg; makes the folder. Returns what was written.
std::vector<std::filesystem::path> write_penalty_study(const std::filesystem::path& folder,
                                                       const PenaltyCurves& curves);

}  // namespace phiflex
