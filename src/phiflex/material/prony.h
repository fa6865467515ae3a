// A Prony series: how the shear stress of a viscoelastic solid relaxes after a sudden strain,
//
//   G(t) = mu (1 + sum_i ratio_i exp(-t / time_i))                                                          (1)
//
// with the shear modulus mu of its elastic law at rest, which is what is left in the end.
#pragma once

#include <vector>

namespace phiflex {

struct PronyBranch {
  double ratio = 0;  // of its modulus to mu
  double time = 0;   // of relaxation, s
  bool operator==(const PronyBranch&) const = default;
};
using PronySeries = std::vector<PronyBranch>;

}  // namespace phiflex
