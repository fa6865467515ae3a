// Coarsening of a scene: EigenFit (model/eigenfit_correction.h), and DAC (Chen, Levin, Matusik, Kaufman:
// Dynamics-aware numerical coarsening for fabrication design, 2017), which multiplies Young's modulus of the coarse
// body by the ratio of the first eigenvalues.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "phiflex/model/eigenfit_system.h"
#include "phiflex/run/scene_model.h"

namespace phiflex {

// DAC's changes of the coarse body: with the constraints of the start, and after each release;
// one that changes nothing for other scenes. InputError when the two meshes cannot be compared.
std::vector<TimedChange> dac_changes(const Scene& scene, const std::string& scene_file);

// The scene on its fine mesh, at rest: nothing but bodies and constraints. None where EigenFit needs none.
std::optional<Assembly> build_fine(const Scene& scene, const std::string& scene_file);

// A model's correction and the system that has it.
struct EigenFit {
  EigenFit(const DeformableModel& model, Modes rest, Vector ratios, const EigenFitOptions& options)
      : correction(model, std::move(rest), std::move(ratios), options), system(model, correction) {}
  EigenFitCorrection correction;
  EigenFitSystem system;
  std::string note;  // what it is, in a sentence
};
// Of the model with the constraints active at t; null for scenes without EigenFit. Where the modes of the two meshes
// do not match, the correction is switched off. InputError when they cannot be compared.
std::unique_ptr<EigenFit> make_eigenfit(const Scene& scene, const SceneModel& world,
                                        const DeformableModel& model, double t);
// Throws InputError for methods that EigenFit is not made for. method: of the catalogue.
void check_method_for_coarsening(const Scene& scene, const std::string& method);

}  // namespace phiflex
