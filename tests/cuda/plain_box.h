// A bar of tetrahedra as arrays alone, for programs that are built where nothing but nvcc is.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "phiflex/cuda/device_body.h"

namespace phiflex::device {

// [0, 4 w] x [0, w]^2 with w = 0.1 m: 4 n x n x n cells of six tetrahedra around their diagonals. Held at x = 0.
inline DeviceTets plain_bar(int n, const std::string& law, const std::vector<double>& parameters,
                            double density) {
  const int cells[3] = {4 * n, n, n};
  const auto vertex = [&](int i, int j, int k) { return (i * (n + 1) + j) * (n + 1) + k; };
  DeviceTets bar;
  bar.law = law;
  for (int i = 0; i <= cells[0]; ++i)
    for (int j = 0; j <= cells[1]; ++j)
      for (int k = 0; k <= cells[2]; ++k) {
        for (int c : {i, j, k}) bar.rest.push_back(0.1 * c / n);
        bar.held.push_back(i == 0);
      }
  constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};  // the last three are odd
  for (int i = 0; i < cells[0]; ++i)
    for (int j = 0; j < cells[1]; ++j)
      for (int k = 0; k < cells[2]; ++k)
        for (int t = 0; t < 6; ++t) {
          int at[3] = {i, j, k};
          std::array<int, 4> tet = {vertex(i, j, k), 0, 0, 0};
          for (int s = 0; s < 3; ++s) {
            ++at[orders[t][s]];
            tet[std::size_t(s) + 1] = vertex(at[0], at[1], at[2]);
          }
          if (t >= 3) std::swap(tet[2], tet[3]);
          bar.tets.push_back(tet);
          bar.parameters.insert(bar.parameters.end(), parameters.begin(), parameters.end());
        }
  bar.masses.assign(bar.held.size(), 0.0);
  const double quarter = density * std::pow(0.1 / n, 3) / 24;
  for (const auto& tet : bar.tets)
    for (int v : tet) bar.masses[std::size_t(v)] += quarter;
  return bar;
}

// Turned about its axis by an angle that grows along it, degrees at the free end.
inline std::vector<double> twisted(const DeviceTets& bar, double degrees) {
  std::vector<double> x = bar.rest;
  for (std::size_t v = 0; v < x.size() / 3; ++v) {
    const double angle = degrees * std::numbers::pi / 180 * x[3 * v] / 0.4, c = std::cos(angle),
                 s = std::sin(angle);
    const double y = x[3 * v + 1] - 0.05, z = x[3 * v + 2] - 0.05;
    x[3 * v + 1] = 0.05 + c * y - s * z;
    x[3 * v + 2] = 0.05 + s * y + c * z;
  }
  return x;
}

}  // namespace phiflex::device
