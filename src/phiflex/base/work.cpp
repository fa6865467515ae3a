#include "phiflex/base/work.h"

namespace phiflex {

Work& Work::operator+=(const Work& other) {
  force_evaluations += other.force_evaluations;
  assemblies += other.assemblies;
  factorizations += other.factorizations;
  solves += other.solves;
  stiffness_products += other.stiffness_products;
  cg_iterations += other.cg_iterations;
  krylov_vectors += other.krylov_vectors;
  substeps += other.substeps;
  mode_sweeps += other.mode_sweeps;
  newton_iterations += other.newton_iterations;
  line_search_steps += other.line_search_steps;
  projected_hessians += other.projected_hessians;
  halved_steps += other.halved_steps;
  rejected_steps += other.rejected_steps;
  assembly_seconds += other.assembly_seconds;
  factorization_seconds += other.factorization_seconds;
  solve_seconds += other.solve_seconds;
  modes_seconds += other.modes_seconds;
  matfun_seconds += other.matfun_seconds;
  return *this;
}

}  // namespace phiflex
