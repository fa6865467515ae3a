// Natural frequencies and mode shapes of a scene at rest:
//
//   K u = lambda M u,   omega = sqrt(lambda),   f = omega / 2 pi,                                         (1)
//
// with M, K and the constraints of the scene's model at t = 0 and K taken at the rest shape: no sag under
// gravity, no initial deformation, no damping. A mode with lambda = 0 to rounding is a rigid motion (or, of
// springs, a motion that stretches none); one with lambda < 0 does not vibrate but grows like
// exp(sqrt(-lambda) t): the rest shape is unstable. Both have no frequency.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "phiflex/linalg/modes.h"
#include "phiflex/record/run_folder.h"

namespace phiflex {

struct Scene;  // scene/scene.h

enum class ModeKind { elastic, rigid, unstable };
const char* name_of(ModeKind kind);

struct NaturalMode {
  double lambda = 0;     // 1/s^2
  double omega = 0;      // 1/s; 0 unless elastic
  double frequency = 0;  // Hz; 0 unless elastic
  double residual = 0;   // (2) of linalg/modes.h
  ModeKind kind = ModeKind::elastic;
};

struct ModesSummary {
  ModesStatus status = ModesStatus::ok;
  std::vector<NaturalMode> modes;  // empty unless the status is ok or not_converged
  std::int64_t vertices = 0, degrees_of_freedom = 0;
  Work work;
  double seconds = 0;
  Messages
      messages;  // of the model; what solves the linear systems, where that is not what usual bodies have
};

struct ModesRunOptions {
  std::int64_t count = 10;
  std::filesystem::path folder;
  ExistingFolder existing = ExistingFolder::refuse;
  int threads = 0;  // 0: as many as the machine has cores
};

// Writes modes.csv (mode,lambda,omega,frequency_hz,residual), a VTU file per mode with the rest shape and the
// mode as point vectors `displacement`, scaled so that the largest is a tenth of the diagonal of all bodies,
// and modes.pvd, which lists them by their number. InputError, FileError or FolderNotEmpty before anything is
// written; nothing is written either when there are no modes.
// The scene's `solver` (integrator) says by what linear systems are solved.
ModesSummary run_modes(const Scene& scene, const std::string& scene_file, const ModesRunOptions& options);

}  // namespace phiflex
