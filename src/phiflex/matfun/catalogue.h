// All evaluators by name. A new one is one file and one line in evaluator_names.h.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "phiflex/matfun/mechanical_phi.h"
#include "phiflex/matfun/mechanical_phi_options.h"
#include "phiflex/matfun/pencil_evaluator.h"
#include "phiflex/matfun/phi_evaluator.h"

namespace phiflex {

enum class EvaluatorFamily {
  general,  // any square matrix, from its products: makes a PhiEvaluator
  pencil,   // functions of a symmetric pencil: makes a PencilEvaluator
};

struct EvaluatorInfo {
  std::string_view name;     // the word in scenes and on the command line
  std::string_view summary;  // one line
  EvaluatorFamily family = EvaluatorFamily::general;
  bool needs_factorization = false;
  std::string_view citation;        // key in docs/references.bib
  bool absolute_tolerance = false;  // a tolerance of its own settings is absolute, per unit of time
  // Says not_converged of a function that is not smooth on the spectrum, where its series does not end.
  bool smooth_functions_only = false;
  // A polynomial of the matrix, from products with it alone: where h w_max asks for too high a degree, as of a motion
  // that has exploded, it says not_converged.
  bool polynomial = false;
  bool on_ranks = false;  // takes vectors that the ranks of phiflex-mpi share (docs/cluster.md)
  // Per eigenvalue of the pencil there is one damping, alpha + beta lambda: no other has a place in it.
  bool needs_rayleigh_damping() const { return family == EvaluatorFamily::pencil; }
};

struct EvaluatorEntry {
  const EvaluatorInfo* info;
  std::unique_ptr<PhiEvaluator> (*make_phi)(const PhiOptions&);           // null in the family of the pencil
  std::unique_ptr<PencilEvaluator> (*make_pencil)(const PencilOptions&);  // null in the general family
};

std::span<const EvaluatorEntry> evaluator_catalogue();
const EvaluatorEntry* find_evaluator(std::string_view name);  // null when there is none
// Whether an evaluator, or "auto", takes systems with this damping; empty: not of the form alpha M + beta K.
bool takes_damping(std::string_view name, const std::optional<Rayleigh>& damping);

// Any name of the catalogue, or "auto". Throws std::invalid_argument for an unknown name.
std::unique_ptr<MechanicalPhi> make_mechanical_phi(std::string_view name,
                                                   const MechanicalPhiOptions& options);

}  // namespace phiflex
