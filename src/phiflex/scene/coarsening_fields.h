// The keys of coarsening (field.h).
#pragma once

#include "phiflex/scene/coarsening_spec.h"
#include "phiflex/scene/field.h"
#include "phiflex/scene/mesh_fields.h"

namespace phiflex {

template <class V>
void fields(V& v, FineSpec& s) {
  v({.key = "mesh", .doc = "a finer mesh of the same body; the body's `transform` places it, too"}, s.mesh);
  v({.key = "refine",
     .doc = "instead of `mesh`: the body's own mesh, every tetrahedron divided into eight, so many times",
     .range = {.low = 1, .high = 4}},
    s.refine);
  v.exactly_one({"mesh", "refine"});
}

template <class V>
void fields(V& v, CoarseningSpec& s) {
  v({.key = "type",
     .doc =
         "`eigenfit` corrects each of the leading modes; `dac` multiplies Young's modulus by the first ratio",
     .need = Need::required},
    s.type);
  v({.key = "body", .doc = "name of the coarse body; absent: the only solid one"}, s.body);
  v({.key = "modes",
     .doc = "number of elastic modes that are corrected; absent: 10, or as many as `ratios` has",
     .range = {.low = 1, .high = 200}},
    s.modes);
  v({.key = "fine", .doc = "the finer mesh whose motion is wanted; only its modes at rest are computed"},
    s.fine);
  v({.key = "ratios",
     .doc = "instead of `fine`: eigenvalues of the fine mesh over those of the coarse one, from the lowest "
            "elastic mode on",
     .range = ranges::positive,
     .min_items = 1},
    s.ratios);
  v.exactly_one({"fine", "ratios"});
  v({.key = "modes_tolerance",
     .doc = "`eigenfit`: how far the modes may be from those of the moving body, as an angle in the norm of "
            "its energy; eigenvalues are wrong by its square",
     .range = ranges::positive},
    s.modes_tolerance);
  v({.key = "fit_damping", .doc = "`eigenfit`: damping by stiffness is corrected like the stiffness"},
    s.fit_damping);
  v({.key = "form",
     .doc = "`eigenfit`: how linear systems with the correction are solved: `one-solve` preconditions with "
            "the modes, `woodbury` is the thesis's formula, a fresh factorization and `modes` + 1 solves for "
            "each matrix"},
    s.form);
  v({.key = "on_mismatch",
     .doc = "when the modes of the two meshes, or of the body at rest and in motion, no longer match: go on "
            "uncorrected, stop, or correct all the same"},
    s.on_mismatch);
}

}  // namespace phiflex
