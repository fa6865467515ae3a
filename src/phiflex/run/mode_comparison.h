// The modes of the same scene on a coarse and on a fine mesh, at rest: how stiff is the coarse one?
//
//   r_i = lambda_fine,p(i) / lambda_i                                                                     (1)
//   G_ij = cosine of B u_i and u_fine,j in the inner product of M_fine                                    (2)
//
// B carries a displacement of the coarse mesh to the vertices of the fine one by barycentric coordinates. p(i) is
// the fine mode which with mode i forms a pair of mutually largest |G| above 0.6; modes without such a partner take
// those that are left, in their order. Rigid modes have no ratio.
#pragma once

#include <vector>

#include "phiflex/build/assembly.h"
#include "phiflex/linalg/modes.h"

namespace phiflex {

// The lowest modes of a model at rest: `rigid` ones with lambda = 0 to rounding, then elastic ones.
struct RestModes {
  Modes modes;
  Index rigid = 0;
  Index elastic() const { return modes.count() - rigid; }
};
// `count` elastic modes, and up to `spare` more where there are as many. Throws InputError, without a place, when
// there are fewer than `count` or they cannot be found.
RestModes rest_modes(const DeformableModel& rest_model, Index count, Index spare);

struct ModeComparison {
  RestModes coarse, fine;
  Matrix G;                    // (2), elastic modes: coarse by fine
  std::vector<Index> partner;  // p(i) of each elastic coarse mode, or -1
  Vector ratios;               // (1) of the first `count` elastic coarse modes
  Index matched = 0;           // of them: whose fine partner has an entry of G above 0.6
  bool acceptable() const { return 2 * matched >= ratios.size(); }
};
// Of the constraints active at t. Throws InputError, without a place, when the meshes do not lie on one another, when
// they are held differently, or have fewer modes than `count`.
ModeComparison compare_modes(const Assembly& coarse, const Assembly& fine, double t, Index count);

}  // namespace phiflex
