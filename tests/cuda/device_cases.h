// The boxes of tests/energy/term_cases.h as bodies of a device.
#pragma once

#include <string>
#include <vector>

#include "phiflex/cuda/device_body.h"
#include "phiflex/fem/mass.h"
#include "tests/energy/term_cases.h"

namespace phiflex::device {

// All laws but `spline`, whose curves stay on the host.
inline std::vector<std::string> device_laws() {
  std::vector<std::string> laws = all_laws();
  std::erase(laws, "spline");
  return laws;
}

inline std::vector<double> as_list(const Vector& x) {
  return {x.data(), x.data() + x.size()};
}

// Density 1000 kg/m^3. held: the vertices at x = 0.
inline DeviceTets device_tets(const ElasticBox& box, const std::string& law, bool held) {
  DeviceTets tets{.law = law,
                  .rest = as_list(box.rest),
                  .tets = box.elements.tets,
                  .parameters = box.elements.parameters,
                  .masses = std::vector<double>(box.mesh.vertices.size(), 0.0),
                  .held = std::vector<char>(box.mesh.vertices.size(), 0)};
  std::vector<double> of_tets = tet_volumes(box.rest, box.elements.tets);
  for (double& mass : of_tets) mass *= 1000;
  add_lumped_masses(box.elements.tets, of_tets, tets.masses);
  if (held)
    for (std::size_t v = 0; v < tets.held.size(); ++v) tets.held[v] = tets.rest[3 * v] < 1e-9;
  return tets;
}

// x with the numbers of held vertices 0.
inline Vector without_held(const DeviceTets& tets, Vector x) {
  for (std::size_t v = 0; v < tets.held.size(); ++v)
    if (tets.held[v]) x.segment<3>(3 * Index(v)).setZero();
  return x;
}

}  // namespace phiflex::device
