#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>

#include "phiflex/base/problem_list.h"
#include "phiflex/base/text.h"
#include "phiflex/material/catalogue.h"
#include "phiflex/model/nodal_load.h"
#include "phiflex/run/device_method.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

void refuse_bodies_on_card(const SceneModel& world, ProblemList& problems) {
  std::set<std::string_view> laws;
  for (std::size_t b = 0; b < world.bodies().size(); ++b) {
    const Body& body = world.bodies()[b];
    const std::string place = fmt::format("/bodies/{}", b);
    const auto refuse = [&](const char* key, std::string_view what) {
      problems.problem(place + key,
                       fmt::format("a graphics card has no {}; expected linear tetrahedra", what));
    };
    if (body.plane()) refuse("", "bodies in a plane");
    if (body.springs()) refuse("", "springs");
    const SolidBody* solid = body.solid();
    if (!solid) continue;
    if (!solid->quadratic.empty()) refuse("", "quadratic tetrahedra");
    if (solid->mass == MassKind::consistent)
      problems.problem(place + "/mass", "a graphics card has no consistent masses; expected \"lumped\"");
    const auto& materials = solid->materials.elements;
    const auto is_viscous = [](const ElementMaterial& material) { return !material.prony.empty(); };
    if (std::any_of(materials.begin(), materials.end(), is_viscous))
      problems.problem(place + "/material", "a graphics card has no viscoelastic bodies (`prony`)");
    std::string_view before;
    for (const ElementMaterial& material : materials)
      if (material.law != before) laws.insert(before = material.law);
  }
  for (const std::string_view law : laws)
    if (material_info(law).has_curves())
      problems.problem("/bodies", fmt::format("a graphics card has no material of the type \"{}\"", law));
  if (laws.size() > 1)
    problems.problem("/bodies", fmt::format("a graphics card has bodies of one material law at a time, not "
                                            "of {}: {}",
                                            laws.size(), joined(laws, ", ")));
}

// em takes the strain of the step for K*, at rest or not.
void refuse_damping(const IntegratorSpec& spec, const SceneModel& world, ProblemList& problems) {
  const std::string_view method = known_name(spec.type);
  std::optional<DampedStiffness> before;
  for (std::size_t b = 0; b < world.bodies().size(); ++b) {
    const BodyDamping& damping = world.bodies()[b].damping;
    const std::string place = fmt::format("/bodies/{}/damping", b);
    if (damping.acts() && method == "ere")
      problems.problem(
          place, "a graphics card has no damping in steps of \"ere\"; expected none, or another method");
    if (damping.beta == 0) continue;
    if (before && *before != damping.stiffness && method != "em")
      problems.problem(place,
                       "a graphics card has damping by one kind of stiffness at a time, `rest` or `current`");
    before = damping.stiffness;
  }
}

// The loads that a card has: forces on vertices with a factor that changes in time.
bool is_of_cards(const std::shared_ptr<const Load>& load) {
  return dynamic_cast<const NodalLoad*>(load.get()) != nullptr;
}
template <class Force>
constexpr bool is_on_vertices = std::is_same_v<Force, UniformForce> || std::is_same_v<Force, PointForce> ||
                                std::is_same_v<Force, RegionForce>;

void refuse_forces(const Scene& scene, const DeformableModel& model, ProblemList& problems) {
  const bool steady_only = known_name(scene.integrator.type) == "ere";
  bool refused = false;
  for (std::size_t i = 0; i < scene.forces.size(); ++i)
    std::visit(
        [&]<class Force>(const Force& force) {
          const auto refuse = [&](std::string_view what) {
            refused = true;
            problems.problem(fmt::format("/forces/{}", i), fmt::format("a graphics card has no {}", what));
          };
          if constexpr (!is_on_vertices<Force>)
            refuse(fmt::format("forces of the type \"{}\"; expected \"uniform\", \"point\" or \"region\"",
                               force.signature.word));
          else if (steady_only && (force.in_time.gust.amplitude != 0 || force.in_time.profile.size() > 1))
            refuse(
                "forces that change within a step of \"ere\"; expected another method, or no gust and "
                "profile");
        },
        scene.forces[i]);
  const auto& loads = model.description().loads;
  if (!refused && !std::all_of(loads.begin(), loads.end(), is_of_cards))
    problems.problem("/forces", "a graphics card has no loads but forces on vertices");
}

}  // namespace

void refuse_what_no_card_has(const Scene& scene, const SceneModel& world, const DeformableModel& model) {
  ProblemList problems(world.scene_file());
  refuse_method_of_card(scene.integrator, problems);
  refuse_bodies_on_card(world, problems);
  refuse_damping(scene.integrator, world, problems);
  const ModelParts& parts = world.parts();
  const ModelDescription& description = model.description();
  if (scene.coarsening) problems.problem("/coarsening", "a graphics card has no coarsening");
  if (scene.settle == Switch::on)
    problems.problem("/settle",
                     "equilibria are found on the CPU; expected false, and a state that `phiflex "
                     "settle` wrote");
  if (!description.carried.empty() || !parts.obstacles.empty() || !parts.particles.empty() ||
      description.shared_terms.size() > (scene.gravity != Triple{} ? 1U : 0U))
    problems.problem(
        "/contacts",
        scene.contacts.empty()
            ? "a graphics card has no contact between bodies, which scenes of several bodies have "
              "by default; expected one body, or [{\"type\": \"bodies\", \"between\": \"none\", \"self\": "
              "false}]"
            : "a graphics card has no contacts and obstacles; expected none");
  refuse_forces(scene, model, problems);
  if (model.constraints().moves() && known_name(scene.integrator.type) == "ere")
    problems.problem(
        "/constraints",
        "a graphics card has no constraints that move in steps of \"ere\"; expected none, or another method");
  problems.throw_if_any();
}

}  // namespace phiflex
