// One scene with several integrators and steps, against a reference whose convergence is measured.
//
//   error of a run at t      max over vertices |x(t) - x_ref(t)|, and the same of the velocities              (1)
//   error of a run           the largest of (1) over the common times                                     (2)
//
// The reference's step is halved until two successive references differ by less than a tenth of the smallest
// error (2) of a run that stayed stable; the finer of the two is the reference. A reference that lost or made up
// more than a tenth of the energy that it exchanged is not used; where the program chose it, `verlet` and `em` take
// its place, one after the other, the one that is predicted to be cheaper first (reference_method.h). As long as there
// is no reference, each of them has an equal share of the seconds that are left. Otherwise the comparison says "not
// converged". A run that diverges is a result: its values are no longer finite, or it made up more than ten times the
// energy that the reference exchanges (its largest kinetic energy or its initial elastic energy), or, without a
// reference, the run that kept its energy best.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "phiflex/run/run.h"
#include "phiflex/study/method_variant.h"

namespace phiflex {

struct CompareOptions {
  std::vector<MethodVariant> integrators;  // one with a step of its own runs with that step only
  std::vector<double> steps;               // s, for all others; empty: the scene's
  std::optional<MethodVariant> reference;  // absent: chosen (reference_method.h)
  double reference_seconds = 300;  // no reference is begun that would end later than this, all together
  std::filesystem::path folder;
  ExistingFolder existing = ExistingFolder::refuse;
  Frames frames = Frames::written;                     // at times common to all runs and references
  RunControl control;                                  // max_seconds: of each run
  std::function<void(const std::string&)> on_message;  // called after every run with a sentence; may be empty
};

// diverged: a value was no longer finite, or the energy grew beyond all bounds; failed: a step could not be made.
enum class ComparedResult { stable, diverged, failed, limit, interrupted };
std::string_view name_of(ComparedResult result);

struct ComparedRun {
  std::string method;  // with its settings
  double h = 0;        // s
  std::string folder;  // in the comparison's
  RunSummary summary;  // the run's own account
  ComparedResult result = ComparedResult::stable;
  std::int64_t diverged_at = 0;                        // step at which it diverged or failed; 0: none
  std::string reason;                                  // of a result that is not stable
  std::vector<double> position_error, velocity_error;  // (1) at the common times it reached; m, m/s
  double seconds = 0;  // of its steps: seconds.per_step of the run, times the steps

  double numerical_loss = 0, largest_loss = 0;  // J: at the end, and the largest size on the way

  std::string name() const;  // "siere:modes=10@0.01", as its folder
  std::optional<double> largest_position_error() const, largest_velocity_error() const;  // (2)
};

// A reference that was made, coarse to fine.
struct ReferenceRun {
  double h = 0;  // s
  std::string folder;
  RunStatus status = RunStatus::done;
  std::optional<double> change;  // largest distance to the one before, m
  double seconds = 0;
};

struct Comparison {
  std::string scene_name, scene_file;
  RunStatus status = RunStatus::done;
  std::vector<double> times;  // common, s
  std::vector<ComparedRun> runs;
  MethodVariant reference;
  std::string reference_reason;
  std::vector<ReferenceRun> references;
  bool converged = false;
  std::string convergence;      // in words
  double exchanged_energy = 0;  // J: of the reference, or of the run that kept its energy best without one
  Messages messages;
};

// Throws InputError, FileError or FolderNotEmpty before anything is run. All runs lie in runs/METHOD@H/, the
// references in reference/METHOD@H/ (of which only the finest keeps its frames). Writes nothing but these; see
// compare_report.h.
Comparison compare_scene(const std::string& scene_file, const std::vector<std::string>& overrides,
                         const CompareOptions& options);

}  // namespace phiflex
