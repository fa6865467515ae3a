// The JSON schema (draft 2020-12) of a Shape.
#include <cmath>

#include "phiflex/scene/scene_io.h"
#include "phiflex/scene/shape.h"
#include "phiflex/scene/short_forms.h"

namespace phiflex {
namespace {

using Kind = Shape::Kind;

// Names of TextRule::name as a regular expression.
constexpr const char* name_pattern = "^(?!\\.{1,2}$)[^,\"/\\\\\\u0000-\\u001f\\u007f]{1,100}$";

class SchemaMaker {
 public:
  // Shapes with a title are written once, under $defs.
  Json schema_of(const Shape& shape) {
    if (shape.title.empty()) return plain_schema_of(shape);
    if (!definitions_.contains(shape.title)) definitions_[shape.title] = plain_schema_of(shape);
    return {{"$ref", "#/$defs/" + shape.title}};
  }
  const Json& definitions() const { return definitions_; }

 private:
  Json plain_schema_of(const Shape& shape) {
    switch (shape.kind) {
      case Kind::number:
        return number_schema("number", shape.range);
      case Kind::integer:
        return number_schema("integer", shape.range);
      case Kind::text:
        if (shape.text_rule == TextRule::name) return {{"type", "string"}, {"pattern", name_pattern}};
        return {{"type", "string"}, {"minLength", 1}};
      case Kind::file:
        return {{"type", "string"}, {"minLength", 1}};
      case Kind::flag:
        return {{"type", "boolean"}};
      case Kind::word:
        if (shape.words.size() == 1) return {{"const", shape.words.front()}};
        return {{"enum", shape.words}};
      case Kind::list:
        return list_schema(shape);
      case Kind::tuple:
        return tuple_schema(shape);
      case Kind::object:
        return object_schema(shape);
      case Kind::choice: {
        Json alternatives = Json::array();
        for (const Shape& part : shape.parts) alternatives.push_back(schema_of(part));
        return {{"oneOf", alternatives}};
      }
    }
    return Json::object();
  }

  static Json number_schema(const char* type, const Range& range) {
    Json schema = {{"type", type}};
    if (std::isfinite(range.low)) {
      schema[range.at_low == Bound::inclusive ? "minimum" : "exclusiveMinimum"] = range.low;
    }
    if (std::isfinite(range.high)) {
      schema[range.at_high == Bound::inclusive ? "maximum" : "exclusiveMaximum"] = range.high;
    }
    return schema;
  }

  Json list_schema(const Shape& shape) {
    Json schema = {{"type", "array"}, {"items", schema_of(shape.parts.front())}};
    if (shape.items) schema["minItems"] = schema["maxItems"] = *shape.items;
    if (shape.min_items > 0) schema["minItems"] = shape.min_items;
    return schema;
  }

  Json tuple_schema(const Shape& shape) {
    Json items = Json::array();
    for (const Key& key : shape.keys) items.push_back(key_schema(key));
    return {{"type", "array"}, {"prefixItems", items}, {"items", false}, {"minItems", items.size()}};
  }

  Json object_schema(const Shape& shape) {
    Json properties = Json::object(), required = Json::array(), groups = Json::array(),
         needs = Json::object();
    for (const Key& key : shape.keys) {
      properties[key.name] = key_schema(key);
      if (key.need == Need::required) required.push_back(key.name);
    }
    for (const char* key : ignored_keys) properties[key] = true;  // ignored
    for (const std::vector<std::string>& group : shape.exactly_one) {
      Json alternatives = Json::array();
      for (const std::string& key : group) alternatives.push_back({{"required", Json::array({key})}});
      groups.push_back({{"oneOf", alternatives}});
    }
    for (const auto& [key, other] : shape.needs) needs[key].push_back(other);
    for (std::size_t i = 0; i < shape.needed_for.size(); ++i) {
      const auto& [key, word, other] = shape.needed_for[i];
      // The keys that one word needs stand together.
      const bool same = i > 0 && shape.needed_for[i - 1].key == key && shape.needed_for[i - 1].word == word;
      if (!same)
        groups.push_back(
            {{"if", {{"properties", {{key, {{"const", word}}}}}}}, {"then", {{"required", Json::array()}}}});
      groups.back()["then"]["required"].push_back(other);
    }
    Json schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) schema["required"] = required;
    if (!groups.empty()) schema["allOf"] = groups;
    if (!needs.empty()) schema["dependentRequired"] = needs;
    return schema;
  }

  Json key_schema(const Key& key) {
    Json schema = schema_of(key.shape);
    schema["description"] = key.doc + unit_text(key.shape);
    if (key.fallback && !key.fallback->is_object()) schema["default"] = *key.fallback;
    return schema;
  }

  static std::string unit_text(const Shape& shape) {
    if (!shape.unit.empty()) return " [" + shape.unit + "]";
    for (const Shape& part : shape.parts) {
      if (!part.unit.empty()) return " [" + part.unit + "]";
    }
    return "";
  }

  Json definitions_ = Json::object();
};

}  // namespace

nlohmann::ordered_json json_schema(const std::vector<std::string>& integrators) {
  SchemaMaker maker;
  const Json scene = maker.schema_of(scene_shape());
  Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "phiflex scene"},
      {"description", "What to simulate, in SI units and degrees; docs/scene.md explains every key."}};
  schema.update(scene);
  Json& integrator = schema["properties"]["integrator"];
  Json name = {{"type", "string"}, {"minLength", 1}};
  if (!integrators.empty()) {
    name["enum"] = integrators;
    integrator["properties"]["type"]["enum"] = integrators;
  }
  const Json description = integrator["description"];
  integrator.erase("description");
  integrator = {{"oneOf", Json::array({name, integrator})}, {"description", description}};
  schema["$defs"] = maker.definitions();
  return schema;
}

}  // namespace phiflex
