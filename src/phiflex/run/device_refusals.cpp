#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "phiflex/base/problem_list.h"
#include "phiflex/base/text.h"
#include "phiflex/material/catalogue.h"
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
    if (body.damping.alpha != 0 || body.damping.beta != 0)
      problems.problem(place + "/damping", "a graphics card has no damping; expected none");
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

}  // namespace

void refuse_what_no_card_has(const Scene& scene, const SceneModel& world, const DeformableModel& model) {
  ProblemList problems(world.scene_file());
  refuse_method_of_card(scene.integrator, problems);
  refuse_bodies_on_card(world, problems);
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
  for (std::size_t i = 0; i < scene.forces.size(); ++i)
    problems.problem(fmt::format("/forces/{}", i),
                     std::visit(
                         [](const auto& force) {
                           return fmt::format(
                               "a graphics card has no forces of the type \"{}\"; gravity is its only load",
                               force.signature.word);
                         },
                         scene.forces[i]));
  if (scene.forces.empty() && !description.loads.empty())
    problems.problem("/forces", "a graphics card has no load but gravity");
  if (model.constraints().moves())
    problems.problem(
        "/constraints",
        "a graphics card has no constraints that move; those that hold and are released are there");
  problems.throw_if_any();
}

}  // namespace phiflex
