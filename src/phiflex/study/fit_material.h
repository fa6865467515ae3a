// A spline material (material/spline.h) from a pulled or pressed specimen: a table of its stretch s and its
// nominal stress P, force over rest area, with free sides.
//
// The sides take the stretch t at which they carry no stress. With g = 0 and the line h' = lambda (J - 1):
//
//   f'(t) + s t h'(J) = 0,   P = f'(s) + t^2 h'(J),   J = s t^2                                           (1)
//
// The values y_k of f' at its knots minimize, with the natural splines phi_k that are 1 at knot k and 0 at
// others,
//
//   mean of (P(s_i; y) - P_i)^2/max P^2  +  a sum of (changes of slope from knot to knot)^2/young^2       (2)
//   dP/dy_k = phi_k(s) - (dP/dt) phi_k(t)/(dr/dt),   r = left side of (1)                                 (3)
//
// by Gauss and Newton's method; f'(1) = 0. The second term of (2) decides where the table says nothing: a
// table of tension alone knows f' below 1 through the sides only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace phiflex {

struct StressTable {
  std::vector<double> stretch;
  std::vector<double> stress;  // Pa
};
// Two columns, stretch and nominal stress in Pa, separated by commas or blanks, with or without a line of
// names; # begins a remark. InputError when it is none or cannot be fitted.
StressTable read_stress_table(const std::filesystem::path& path);

struct FitOptions {
  double poisson = 0.45;  // of the line h'
  double density = 1000;  // kg/m^3, handed on
  int knots = 9;
};

struct FittedMaterial {
  double young = 0;  // of the table near rest, Pa: the unit of the values
  double poisson = 0, density = 0;
  std::vector<double> knots = {}, values = {};  // of f'
  double young_at_rest = 0;                     // what the curves make of it, Pa
  double mean_error = 0, worst_error = 0;       // of the stress, over the largest one
  std::vector<double> stress = {};              // of the material at the table's stretches, Pa
};
// file: how the user named the table, for messages. InputError when no stable material fits.
FittedMaterial fit_material(const StressTable& table, const FitOptions& options, const std::string& file);

// The material as a scene has it, JSON.
std::string material_json(const FittedMaterial& material);

}  // namespace phiflex
