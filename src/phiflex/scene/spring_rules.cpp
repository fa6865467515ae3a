#include "phiflex/scene/rules.h"

#include <fmt/format.h>

#include "phiflex/energy/spring_laws.h"

namespace phiflex {

std::vector<std::string> SpringLawName::names() {
  return std::apply([](const auto&... law) { return std::vector{std::string(law.name)...}; }, spring_laws);
}

const char* SpringLawName::doc() {
  static const std::string doc = std::apply(
      [](const auto&... law) {
        std::string text = "tension of a spring of strain e:";
        ((text += fmt::format("{} `{}` is {}", text.ends_with(':') ? "" : ";", law.name, law.description)),
         ...);
        return text;
      },
      spring_laws);
  return doc.c_str();
}
namespace {

void check_ends(RuleContext& rules, const Triple& from, const Triple& to, const char* noun,
                const std::string& pointer) {
  if (from == to)
    rules.add(pointer + "/to",
              fmt::format("both ends of the {0} are at the same place; expected a {0} of some length", noun),
              {pointer + "/from"});
}

// Four springs and four scissors per segment, six springs per cross-section.
constexpr double springs_per_segment = 14;

void check_kind(RuleContext& rules, const RopeSprings& rope, const std::string& pointer) {
  check_size(rules, static_cast<double>(rope.segments), "springs", pointer);
  check_ends(rules, rope.from, rope.to, "rope", pointer);
}

template <class Sheet>  // a cloth or a flag
void check_kind(RuleContext& rules, const Sheet& sheet, const std::string& pointer) {
  check_size(rules, 6.0 * static_cast<double>(sheet.cells[0]) * static_cast<double>(sheet.cells[1]),
             "springs", pointer);
}

void check_kind(RuleContext& rules, const FibreSprings& fibre, const std::string& pointer) {
  check_size(rules, springs_per_segment * static_cast<double>(fibre.fibre.segments), "springs", pointer);
  check_ends(rules, fibre.from, fibre.to, "fibre", pointer);
}

void check_kind(RuleContext& rules, const FibresSprings& fibres, const std::string& pointer) {
  check_size(
      rules,
      springs_per_segment * static_cast<double>(fibres.fibre.segments) * static_cast<double>(fibres.count),
      "springs", pointer);
  if (fibres.direction && is_zero(*fibres.direction))
    rules.add(pointer + "/direction", "[0, 0, 0] is no direction; expected a vector that is not zero");
}

void check_kind(RuleContext& rules, const TetraSprings& springs, const std::string& pointer) {
  check_solid_mesh(rules, springs.mesh, pointer + "/mesh");
}

void check_kind(RuleContext& rules, const GirderSprings& girder, const std::string& pointer) {
  check_size(rules, 18.0 * static_cast<double>(girder.bays), "springs", pointer);
}

void check_kind(RuleContext& rules, const FileSprings& springs, const std::string& pointer) {
  if (!springs.area_density && !springs.linear_density)
    rules.add(pointer,
              "without mass; expected \"area_density\" for triangles, or \"linear_density\" for lines");
}

}  // namespace

void check_springs(RuleContext& rules, const SpringsSpec& springs, const std::string& pointer) {
  std::visit([&](const auto& kind) { check_kind(rules, kind, pointer); }, springs);
}

}  // namespace phiflex
