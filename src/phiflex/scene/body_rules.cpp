#include "phiflex/scene/rules.h"

#include <fmt/format.h>

#include <cctype>

#include "phiflex/material/catalogue.h"
#include "phiflex/material/spline_curves.h"
#include "phiflex/scene/nearest.h"
#include "phiflex/scene/words.h"

namespace phiflex {
namespace {

std::string lower_case(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

std::vector<std::string> laws_with_isochoric_form() {
  std::vector<std::string> laws;
  for (const MaterialInfo& law : material_catalogue())
    if (!law.properties.form_of.empty()) laws.emplace_back(law.properties.form_of);
  return laws;
}

void check_curve(RuleContext& rules, const CurveSpec& curve, const std::string& pointer) {
  for (const CurveFault& fault : curve_faults(curve.knots, curve.values))
    rules.add(pointer + fault.place, fault.message, {pointer});
}

// given: the keys that stand at `at`. material: with those of the body, when `at` is a region's.
void check_material(RuleContext& rules, const LawSettings& given, const MaterialSpec& material,
                    bool has_fields, const std::string& pointer, const std::string& body) {
  if (!rules.findings.sound(pointer + "/type") || !rules.findings.sound(body + "/material/type")) return;
  const std::string& type = material.type.text;
  const MaterialInfo& law = material_info(type);
  const std::vector<std::string> with_form = laws_with_isochoric_form();
  if (material.volumetric == Volumetric::isochoric &&
      std::find(with_form.begin(), with_form.end(), type) == with_form.end())
    rules.add(pointer + "/volumetric", fmt::format("\"isochoric\" is a form of {}; this material is \"{}\"",
                                                   quoted_list(with_form), type));

  const auto belongs = [&](const std::string& key, const char* kind) {
    if (!law.find(key))
      rules.add(fmt::format("{}/{}", pointer, key), fmt::format("is a {} of {}; this material is \"{}\"",
                                                                kind, quoted_list(laws_with(key)), type));
  };
  const auto needs_file = [&](const std::string& key, const std::string& field) {
    if (!has_fields)
      rules.add(fmt::format("{}/{}", pointer, key),
                fmt::format("the field {} needs a mesh file; a generated mesh has no fields", shown(field)),
                {body + "/mesh"});
  };
  for (const auto& [key, value] : given.numbers) {
    belongs(key, "parameter");
    if (const MeshField* field = std::get_if<MeshField>(&value)) needs_file(key, field->field);
  }
  if (const MeshField* field = std::get_if<MeshField>(&material.density)) needs_file("density", field->field);
  for (const auto& [key, curve] : given.curves) {
    belongs(key, "curve");
    check_curve(rules, curve, fmt::format("{}/{}", pointer, key));
  }
  for (const auto& [key, direction] : given.directions) {
    belongs(key, "parameter");
    if (is_zero(direction))
      rules.add(fmt::format("{}/{}", pointer, key),
                "[0, 0, 0] is no direction; expected a vector that is not zero");
  }
  if (given.field) {
    if (!given.directions.empty())
      rules.add(pointer + "/field", "stands beside \"direction\"; expected one of them");
    needs_file("field", *given.field);
  }

  // What a body's own material lacks in numbers, its shape says (material_fields.h).
  const bool of_region = pointer != body + "/material";
  bool has_direction = false;
  for (const ParameterInfo& parameter : law.parameters) {
    const bool direction = parameter.kind == ParameterKind::direction;
    has_direction |= direction;
    const bool missing = direction ? !material.law.directions.contains(parameter.key) && !material.law.field
                                   : parameter.kind == ParameterKind::number && of_region &&
                                         !parameter.fallback && !material.law.numbers.contains(parameter.key);
    if (missing)
      rules.add(fmt::format("{}/{}", pointer, parameter.key),
                fmt::format("missing; expected {}{}: {}", expectation(parameter),
                            direction ? " (or \"field\", one for each element)" : "", parameter.doc));
  }
  if (given.field && !has_direction)
    rules.add(pointer + "/field", fmt::format("is for laws with a direction; this material is \"{}\"", type));
}

void check_region(RuleContext& rules, const BodySpec& body, const RegionSpec& region, bool has_fields,
                  const std::string& pointer, const std::string& of_body) {
  check_where(rules, region.where, Selects::elements, pointer + "/where");
  if (body.material && region.material)
    check_material(rules, region.material->law, changed(*body.material, *region.material), has_fields,
                   pointer + "/material", of_body);
  if (body.springs && region.material)
    rules.add(pointer + "/material", "this body is made of springs; expected \"springs\" with what differs",
              {of_body + "/springs"});
  if (body.mesh && region.springs)
    rules.add(pointer + "/springs", "this body is a solid; expected \"material\" with what differs",
              {of_body + "/mesh"});
  if (!region.springs) return;
  if (region.springs->stiffness && region.springs->spring_constant)
    rules.add(pointer + "/springs/spring_constant", "stands beside \"stiffness\"; expected one of them");
  const bool of_fibres = body.springs && (std::holds_alternative<FibreSprings>(*body.springs) ||
                                          std::holds_alternative<FibresSprings>(*body.springs));
  if (of_fibres && (region.springs->stiffness || region.springs->spring_constant || region.springs->law))
    rules.add(pointer + "/springs",
              "the springs of fibres follow from their moduli; expected \"factor\" alone",
              {of_body + "/springs"});
}

// Flat meshes have triangles, and their discontinuous ones a penalty.
void check_element(RuleContext& rules, const BodySpec& body, const std::string& pointer) {
  const bool plane = is_plane(body.element), flat = is_flat(*body.mesh);
  const bool from_file = std::holds_alternative<FileMesh>(*body.mesh);
  if (flat && !plane)
    rules.add(pointer + "/element",
              fmt::format("\"{}\" is an element of tetrahedra; the mesh is flat: expected one of \"tri3\", "
                          "\"dg-bz\", \"dg-ip\"",
                          word(body.element)),
              {pointer + "/mesh"});
  if (plane && !flat && !from_file)
    rules.add(pointer + "/element",
              fmt::format("\"{}\" is an element of triangles in a plane; the mesh has tetrahedra: expected "
                          "one of \"tet4\", \"tet10\", \"tet10-mean\"",
                          word(body.element)),
              {pointer + "/mesh"});
  if (is_discontinuous(body.element) && !body.penalty)
    rules.add(pointer + "/penalty", fmt::format("is missing; \"{}\" needs one", word(body.element)),
              {pointer + "/element"});
  if (body.penalty &&
      !plane)  // "tri3" has no use for it, but is what discontinuous triangles are compared with
    rules.add(
        pointer + "/penalty",
        fmt::format("is of the elements \"dg-bz\" and \"dg-ip\"; this body has \"{}\"", word(body.element)),
        {pointer + "/element"});
  if (!plane) return;
  if (body.mass == MassKind::consistent)
    rules.add(pointer + "/mass", "triangles have \"lumped\" mass", {pointer + "/element"});
  const auto check_law = [&](const LawName& law, const std::string& place) {
    if (!material_info(law.text).properties.singular_vectors) return;
    std::vector<std::string> fit;
    for (const std::string& name : LawName::names())
      if (!material_info(name).properties.singular_vectors) fit.push_back(name);
    rules.add(place + "/type",
              fmt::format("\"{}\" has no form for triangles in a plane; expected one of {}", law.text,
                          quoted_list(fit)),
              {pointer + "/element"});
  };
  if (body.material) check_law(body.material->type, pointer + "/material");
  for (std::size_t i = 0; i < body.regions.size(); ++i)
    if (body.regions[i].material && body.regions[i].material->type)
      check_law(*body.regions[i].material->type, fmt::format("{}/regions/{}/material", pointer, i));
}

void check_initial(RuleContext& rules, const InitialSpec& initial, const std::string& pointer) {
  if (!initial.state) return;
  InitialSpec alone;
  alone.state = initial.state;
  if (!(initial == alone))
    rules.add(
        pointer + "/state",
        "stands beside other initial conditions; expected it alone: it gives all positions and velocities",
        {pointer});
}

}  // namespace

void check_body(RuleContext& rules, const BodySpec& body, const std::string& pointer) {
  if (body.mesh) check_mesh(rules, *body.mesh, pointer + "/mesh");
  if (body.springs) {
    check_springs(rules, *body.springs, pointer + "/springs");
    if (body.mass == MassKind::consistent) {
      rules.add(pointer + "/mass", "\"consistent\" is for bodies with a mesh; springs have \"lumped\" mass",
                {pointer + "/springs"});
    }
    if (body.element != ElementKind::tet4) {
      rules.add(
          pointer + "/element",
          fmt::format("\"{}\" is for bodies with a mesh; this one is made of springs", word(body.element)),
          {pointer + "/springs"});
    }
  }
  if (body.mesh) check_element(rules, body, pointer);
  if (body.surface && (!body.mesh || is_plane(body.element)))
    rules.add(pointer + "/surface", "is carried by tetrahedra, and this body has none", {pointer});
  if (body.surface && lower_case(body.surface->extension().string()) != ".obj")
    rules.add(pointer + "/surface", fmt::format("{} is no OBJ file; expected a name that ends with .obj",
                                                shown(body.surface->filename().string())));
  check_initial(rules, body.initial, pointer + "/initial");
  const bool has_fields = body.mesh && std::holds_alternative<FileMesh>(*body.mesh);
  if (body.material)
    check_material(rules, body.material->law, *body.material, has_fields, pointer + "/material", pointer);
  for (std::size_t i = 0; i < body.regions.size() && !rules.findings.full(); ++i)
    check_region(rules, body, body.regions[i], has_fields, fmt::format("{}/regions/{}", pointer, i), pointer);
  if (is_zero(body.transform.rotate.axis)) {
    rules.add(pointer + "/transform/rotate/0",
              "[0, 0, 0] is no direction; expected an axis that is not zero");
  }
  if (body.initial.bend && body.initial.bend->axis == body.initial.bend->toward) {
    rules.add(pointer + "/initial/bend/toward",
              fmt::format("\"{0}\" is the direction of \"axis\" as well; expected another one",
                          word(body.initial.bend->toward)));
  }
}

}  // namespace phiflex
