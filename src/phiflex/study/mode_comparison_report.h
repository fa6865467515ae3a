// How stiff is my mesh? The modes of a scene on two meshes (mode_comparison.h) as a table, a plot and a page. Both
// with the consistent mass: with it eigenvalues fall as a mesh is refined, whatever the mesh, so that a ratio below
// one is what refinement takes off.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "phiflex/linalg/vector.h"
#include "phiflex/study/modes_run.h"

namespace phiflex {

struct ComparedMode {
  double coarse = 0, fine = 0;  // lambda, 1/s^2
  double ratio = 1;             // fine over coarse
  Index partner = -1;           // the fine mode's number, from 0; -1: none
  double match = 0;             // |G| with it
};

struct ModeComparisonSummary {
  std::vector<ComparedMode> modes;  // elastic
  Index rigid = 0, matched = 0;
  bool acceptable = false;  // for EigenFit: at least half of the modes match
  std::int64_t coarse_dofs = 0, fine_dofs = 0;
  double seconds = 0;
  Messages messages;  // of the model
};

// `fine` is the same scene on another mesh. Writes compared_modes.csv
// (mode,lambda_coarse,lambda_fine,ratio,fine_mode,match), compared_modes.svg and compared_modes.html. InputError,
// FileError or FolderNotEmpty before anything is written.
ModeComparisonSummary run_mode_comparison(const Scene& coarse, const std::string& coarse_file,
                                          const Scene& fine, const std::string& fine_file,
                                          const ModesRunOptions& options);
// The same with the finer mesh that the scene's coarsening names.
ModeComparisonSummary run_mode_comparison(const Scene& scene, const std::string& scene_file,
                                          const ModesRunOptions& options);

}  // namespace phiflex
