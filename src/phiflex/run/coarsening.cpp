#include "phiflex/run/coarsening.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "phiflex/base/errors.h"
#include "phiflex/base/text.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/run/mode_comparison.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

constexpr std::int64_t kDefaultModes = 10;
constexpr Index kGuards = 2;  // modes that are followed above the corrected ones

bool is(const Scene& scene, CoarseningType type) {
  return scene.coarsening && scene.coarsening->type == type;
}

// The name of the coarse body; the scene's rules have seen to it that there is one.
std::string coarse_body(const Scene& scene) {
  if (scene.coarsening->body) return *scene.coarsening->body;
  for (const BodySpec& body : scene.bodies)
    if (body.mesh) return body.name;
  return {};
}

// At rest, with nothing that acts.
Scene bare(Scene scene) {
  scene.coarsening.reset();
  scene.gravity = {};
  scene.forces.clear();
  scene.contacts.clear();
  scene.probes.clear();
  for (BodySpec& body : scene.bodies) body.initial = {};
  return scene;
}

Assembly bare_fine(const Scene& scene, const std::string& scene_file) {
  const FineSpec& fine = *scene.coarsening->fine;
  const BodyChange change{coarse_body(scene), static_cast<int>(fine.refine.value_or(0)), 1};
  Scene changed = bare(scene);
  for (BodySpec& body : changed.bodies)
    if (body.name == change.body && fine.mesh) body.mesh = fine.mesh;
  try {
    return build_scene(changed, scene_file, change);
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) problem.message = "on the fine mesh of /coarsening: " + problem.message;
    throw InputError(std::move(problems));
  }
}

}  // namespace

std::vector<TimedChange> dac_changes(const Scene& scene, const std::string& scene_file) {
  if (!is(scene, CoarseningType::dac)) return {TimedChange{}};
  const CoarseningSpec& coarsening = *scene.coarsening;
  BodyChange change{coarse_body(scene), 0, 1};
  if (coarsening.ratios) {  // given by the scene: whatever is held
    change.young_factor = coarsening.ratios->front();
    return {TimedChange{0, change}};
  }
  const Assembly coarse = build_scene(bare(scene), scene_file, BodyChange{});
  const Assembly fine = bare_fine(scene, scene_file);
  std::vector<TimedChange> changes;
  const auto add = [&](double t) {
    change.young_factor =
        in_file(scene_file, "/coarsening", [&] { return compare_modes(coarse, fine, t, 1).ratios[0]; });
    changes.push_back({t, change});
  };
  add(0);
  for (const double t : coarse.release_times()) add(t);
  return changes;
}

std::optional<Assembly> build_fine(const Scene& scene, const std::string& scene_file) {
  const bool needed = is(scene, CoarseningType::eigenfit) && scene.coarsening->fine;
  return needed ? std::optional(bare_fine(scene, scene_file)) : std::nullopt;
}

std::unique_ptr<EigenFit> make_eigenfit(const Scene& scene, const SceneModel& world,
                                        const DeformableModel& model, double t) {
  if (!is(scene, CoarseningType::eigenfit) || model.dofs() == 0) return nullptr;
  const CoarseningSpec& spec = *scene.coarsening;
  RestModes rest;
  Vector ratios;
  std::string mismatch;
  in_file(world.scene_file(), "/coarsening", [&] {
    if (spec.ratios) {
      ratios = Eigen::Map<const Vector>(spec.ratios->data(), Index(spec.ratios->size()));
      rest = rest_modes(*world.make_rest_model(t), ratios.size(), kGuards);
    } else {
      ModeComparison comparison = compare_modes(world, *world.fine(), t, spec.modes.value_or(kDefaultModes));
      ratios = comparison.ratios;
      rest = std::move(comparison.coarse);
      if (!comparison.acceptable())
        mismatch = fmt::format("only {} of the {} leading modes of the coarse mesh are modes of the fine one",
                               comparison.matched, ratios.size());
    }
  });
  const Index count = rest.rigid + ratios.size();
  Vector all = Vector::Ones(count);
  all.tail(ratios.size()) = ratios;
  Modes followed;
  const Index kept = std::min(count + kGuards, rest.modes.count());
  followed.lambda = rest.modes.lambda.head(kept);
  followed.U = rest.modes.U.leftCols(kept);
  followed.residual = rest.modes.residual.head(kept);
  const EigenFitOptions options{
      .modes_tolerance = spec.modes_tolerance,
      .damping = spec.fit_damping == Switch::on ? FittedDamping::as_stiffness : FittedDamping::none,
      .safeguard = spec.on_mismatch == OnMismatch::ignore ? Safeguard::off : Safeguard::on,
      .solve = spec.form};
  auto made = std::make_unique<EigenFit>(model, std::move(followed), std::move(all), options);
  if (!mismatch.empty() && options.safeguard == Safeguard::on) made->correction.switch_off(mismatch);
  std::vector<std::string> factors;
  for (const double ratio : ratios) factors.push_back(fmt::format("{:.4g}", ratio));
  made->note = fmt::format(
      "eigenfit: the eigenvalues of the {} lowest elastic modes are multiplied by {}; energies are those of "
      "the coarse mesh, uncorrected, so that numerical_loss holds the work of the correction, too",
      ratios.size(), joined(factors, ", "));
  return made;
}

void check_method_for_coarsening(const Scene& scene, const std::string& method) {
  const MethodEntry* entry = find_integrator(method);
  if (is(scene, CoarseningType::eigenfit) && entry && entry->info->fixed_linear_part)
    throw InputError("", "/coarsening/type",
                     fmt::format("\"eigenfit\" changes the linear part of the force from step to step, and "
                                 "\"{}\" builds on one that stays: use another integrator, or \"dac\"",
                                 method));
}

}  // namespace phiflex
