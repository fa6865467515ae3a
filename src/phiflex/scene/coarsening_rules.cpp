#include "phiflex/scene/rules.h"

#include <fmt/format.h>

#include "phiflex/scene/nearest.h"

namespace phiflex {
namespace {

void check_selections_on_the_fine_mesh(RuleContext& rules, const std::string& name) {
  const auto check = [&](const Where& where, const std::string& pointer) {
    if (names_numbers(where))
      rules.add(pointer,
                "a list of numbers means nothing on the fine mesh of /coarsening; expected a volume, or a "
                "tag that both meshes have");
  };
  for (std::size_t b = 0; b < rules.scene.bodies.size(); ++b)
    if (rules.scene.bodies[b].name == name)
      for (std::size_t r = 0; r < rules.scene.bodies[b].regions.size(); ++r)
        check(rules.scene.bodies[b].regions[r].where, fmt::format("/bodies/{}/regions/{}/where", b, r));
  rules.each("constraints", rules.scene.constraints,
             [&](const ConstraintSpec& constraint, const std::string& pointer) {
               std::visit(
                   [&](const auto& kind) {
                     if (kind.body != name) return;
                     if constexpr (requires { kind.where; })
                       check(kind.where, pointer + "/where");
                     else
                       rules.add(pointer,
                                 "a recorded motion is of the vertices of one mesh; the fine mesh of "
                                 "/coarsening has others");
                   },
                   constraint);
             });
}

}  // namespace

void check_coarsening(RuleContext& rules, const CoarseningSpec& coarsening) {
  if (coarsening.body) rules.check_body_name(*coarsening.body, "/coarsening/body");
  if (coarsening.fine && coarsening.fine->mesh)
    check_solid_mesh(rules, *coarsening.fine->mesh, "/coarsening/fine/mesh");
  const auto ratios = coarsening.ratios ? static_cast<std::int64_t>(coarsening.ratios->size()) : 0;
  if (coarsening.ratios && coarsening.type == CoarseningType::dac && ratios != 1)
    rules.add("/coarsening/ratios", fmt::format("has {} numbers; \"dac\" takes one", ratios));
  if (coarsening.ratios && ratios > 200)
    rules.add("/coarsening/ratios", fmt::format("has {} numbers; at most 200 modes are corrected", ratios));
  if (coarsening.ratios && coarsening.modes && *coarsening.modes != ratios)
    rules.add("/coarsening/ratios", fmt::format("has {} numbers for {} modes", ratios, *coarsening.modes),
              {"/coarsening/modes"});
  if (coarsening.type == CoarseningType::eigenfit)
    for (std::size_t b = 0; b < rules.scene.bodies.size(); ++b) {
      const BodySpec& body = rules.scene.bodies[b];
      bool viscous = body.material && !body.material->prony.empty();
      for (const RegionSpec& region : body.regions)
        viscous = viscous || (region.material && region.material->prony && !region.material->prony->empty());
      if (viscous)
        rules.add("/coarsening/type",
                  fmt::format("\"eigenfit\" corrects modes that stay, and those of body {} change with the "
                              "past (`prony`); expected \"dac\", or no coarsening",
                              shown(body.name)),
                  {fmt::format("/bodies/{}/material", b)});
    }
  if (!rules.names_are_known) return;
  std::vector<std::string> solids;
  for (const BodySpec& body : rules.scene.bodies)
    if (body.mesh && (!coarsening.body || *coarsening.body == body.name)) solids.push_back(body.name);
  if (solids.empty()) {
    rules.add(coarsening.body ? "/coarsening/body" : "/coarsening",
              "needs a solid body; springs have no finer mesh");
  } else if (solids.size() > 1) {
    rules.add("/coarsening", fmt::format("the scene has several solid bodies; expected \"body\": one of {}",
                                         quoted_list(solids)));
  } else if (coarsening.fine) {
    check_selections_on_the_fine_mesh(rules, solids[0]);
  }
}

}  // namespace phiflex
