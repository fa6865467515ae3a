#include "phiflex/scene/body_rules.h"

#include <fmt/format.h>

#include "phiflex/scene/mesh_rules.h"
#include "phiflex/scene/nearest.h"
#include "phiflex/scene/spring_rules.h"
#include "phiflex/scene/where_rules.h"
#include "phiflex/scene/words.h"

namespace phiflex {
namespace {

void check_curve(RuleContext& rules, const CurveSpec& curve, MaterialLaw type, const std::string& at,
                 const std::string& material, const std::string& body) {
  if (type != MaterialLaw::spline) {
    rules.add(at, fmt::format("is a curve of \"spline\"; this material is \"{}\"", word(type)),
              {material + "/type", body + "/material/type"});
  }
  if (curve.knots.size() != curve.values.size()) {
    rules.add(
        at + "/values",
        fmt::format("{} values for {} knots; expected one for each", curve.values.size(), curve.knots.size()),
        {at});
  }
  for (std::size_t i = 1; i < curve.knots.size(); ++i) {
    if (curve.knots[i - 1] < curve.knots[i]) continue;
    rules.add(fmt::format("{}/knots/{}", at, i),
              fmt::format("{} does not lie above the knot before it, {}; expected ascending numbers",
                          curve.knots[i], curve.knots[i - 1]),
              {at});
    break;
  }
}

void check_material(RuleContext& rules, const MaterialSpec& material, bool has_fields, const std::string& at,
                    const std::string& body) {
  if (material.volumetric == Volumetric::isochoric && material.type != MaterialLaw::neo_hookean) {
    rules.add(at + "/volumetric",
              fmt::format("\"isochoric\" is a form of \"neo-hookean\"; this material is \"{}\"",
                          word(material.type)),
              {at + "/type", body + "/material/type"});
  }
  for (const auto& [key, curve] : {std::pair("f", &material.f), {"g", &material.g}, {"h", &material.h}})
    if (*curve) check_curve(rules, **curve, material.type, fmt::format("{}/{}", at, key), at, body);
  const std::pair<const char*, const MaterialValue*> values[] = {
      {"young", &material.young}, {"poisson", &material.poisson}, {"density", &material.density}};
  for (const auto& [key, value] : values) {
    const MeshField* field = std::get_if<MeshField>(value);
    if (field && !has_fields) {
      rules.add(
          fmt::format("{}/{}", at, key),
          fmt::format("the field {} needs a mesh file; a generated mesh has no fields", shown(field->field)),
          {body + "/mesh"});
    }
  }
}

void check_region(RuleContext& rules, const BodySpec& body, const RegionSpec& region, bool has_fields,
                  const std::string& at, const std::string& of_body) {
  check_where(rules, region.where, Selects::elements, at + "/where");
  if (body.material && region.material)
    check_material(rules, changed(*body.material, *region.material), has_fields, at + "/material", of_body);
  if (body.springs && region.material)
    rules.add(at + "/material", "this body is made of springs; expected \"springs\" with what differs",
              {of_body + "/springs"});
  if (body.mesh && region.springs)
    rules.add(at + "/springs", "this body is a solid; expected \"material\" with what differs",
              {of_body + "/mesh"});
  if (!region.springs) return;
  if (region.springs->stiffness && region.springs->spring_constant)
    rules.add(at + "/springs/spring_constant", "stands beside \"stiffness\"; expected one of them");
  const bool of_fibres = body.springs && (std::holds_alternative<FibreSprings>(*body.springs) ||
                                          std::holds_alternative<FibresSprings>(*body.springs));
  if (of_fibres && (region.springs->stiffness || region.springs->spring_constant || region.springs->law))
    rules.add(at + "/springs", "the springs of fibres follow from their moduli; expected \"factor\" alone",
              {of_body + "/springs"});
}

// Flat meshes have triangles, and their discontinuous ones a penalty.
void check_element(RuleContext& rules, const BodySpec& body, const std::string& at) {
  const bool plane = is_plane(body.element), flat = is_flat(*body.mesh);
  const bool from_file = std::holds_alternative<FileMesh>(*body.mesh);
  if (flat && !plane)
    rules.add(
        at + "/element",
        fmt::format(
            "\"{}\" is an element of tetrahedra; the mesh is flat: expected one of \"tri3\", \"dg-bz\", "
            "\"dg-ip\"",
            word(body.element)),
        {at + "/mesh"});
  if (plane && !flat && !from_file)
    rules.add(
        at + "/element",
        fmt::format("\"{}\" is an element of triangles in a plane; the mesh has tetrahedra: expected one of "
                    "\"tet4\", \"tet10\"",
                    word(body.element)),
        {at + "/mesh"});
  if (is_discontinuous(body.element) && !body.penalty)
    rules.add(at + "/penalty", fmt::format("is missing; \"{}\" needs one", word(body.element)),
              {at + "/element"});
  if (body.penalty &&
      !plane)  // "tri3" has no use for it, but is what discontinuous triangles are compared with
    rules.add(
        at + "/penalty",
        fmt::format("is of the elements \"dg-bz\" and \"dg-ip\"; this body has \"{}\"", word(body.element)),
        {at + "/element"});
  if (!plane) return;
  if (body.mass == MassKind::consistent)
    rules.add(at + "/mass", "triangles have \"lumped\" mass", {at + "/element"});
  const auto check_law = [&](MaterialLaw law, const std::string& place) {
    if (law == MaterialLaw::corotated || law == MaterialLaw::arap || law == MaterialLaw::spline)
      rules.add(
          place + "/type",
          fmt::format("\"{}\" has no form for triangles in a plane; expected one of \"linear\", \"stvk\", "
                      "\"neo-hookean\", \"stable-neo-hookean\"",
                      word(law)),
          {at + "/element"});
  };
  if (body.material) check_law(body.material->type, at + "/material");
  for (std::size_t i = 0; i < body.regions.size(); ++i)
    if (body.regions[i].material && body.regions[i].material->type)
      check_law(*body.regions[i].material->type, fmt::format("{}/regions/{}/material", at, i));
}

void check_initial(RuleContext& rules, const InitialSpec& initial, const std::string& at) {
  if (!initial.state) return;
  InitialSpec alone;
  alone.state = initial.state;
  if (!(initial == alone))
    rules.add(
        at + "/state",
        "stands beside other initial conditions; expected it alone: it gives all positions and velocities",
        {at});
}

}  // namespace

void check_body(RuleContext& rules, const BodySpec& body, const std::string& at) {
  if (body.mesh) check_mesh(rules, *body.mesh, at + "/mesh");
  if (body.springs) {
    check_springs(rules, *body.springs, at + "/springs");
    if (body.mass == MassKind::consistent) {
      rules.add(at + "/mass", "\"consistent\" is for bodies with a mesh; springs have \"lumped\" mass",
                {at + "/springs"});
    }
    if (body.element != ElementKind::tet4) {
      rules.add(
          at + "/element",
          fmt::format("\"{}\" is for bodies with a mesh; this one is made of springs", word(body.element)),
          {at + "/springs"});
    }
  }
  if (body.mesh) check_element(rules, body, at);
  check_initial(rules, body.initial, at + "/initial");
  const bool has_fields = body.mesh && std::holds_alternative<FileMesh>(*body.mesh);
  if (body.material) check_material(rules, *body.material, has_fields, at + "/material", at);
  for (std::size_t i = 0; i < body.regions.size() && !rules.findings.full(); ++i)
    check_region(rules, body, body.regions[i], has_fields, fmt::format("{}/regions/{}", at, i), at);
  if (is_zero(body.transform.rotate.axis)) {
    rules.add(at + "/transform/rotate/0", "[0, 0, 0] is no direction; expected an axis that is not zero");
  }
  if (body.initial.bend && body.initial.bend->axis == body.initial.bend->toward) {
    rules.add(at + "/initial/bend/toward",
              fmt::format("\"{0}\" is the direction of \"axis\" as well; expected another one",
                          word(body.initial.bend->toward)));
  }
}

}  // namespace phiflex
