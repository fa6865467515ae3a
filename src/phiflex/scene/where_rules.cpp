#include "phiflex/scene/rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace phiflex {
namespace {

// Several functions as one, for std::visit.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

template <class Round>
void check_ends(RuleContext& rules, const Round& round, const std::string& pointer) {
  if (round.from == round.to)
    rules.add(pointer + "/to",
              "both ends of the axis are at the same place; expected some length, or a sphere",
              {pointer + "/from"});
}

// `where` is any of the variants of selections.
template <class Kind>
void check_selection(RuleContext& rules, const Kind& where, Selects selects, const std::string& pointer) {
  std::visit(
      Overloaded{
          [&](const BoxWhere& w) {
            for (std::size_t i = 0; i < 3; ++i) {
              if (w.box.low[i] > w.box.high[i]) {
                rules.add(pointer + "/box",
                          fmt::format("the box is empty: its low {0} = {1} is above its high {0} = {2}",
                                      "xyz"[i], w.box.low[i], w.box.high[i]));
              }
            }
          },
          [&](const HalfSpaceWhere& w) {
            if (is_zero(w.half_space.normal)) {
              rules.add(pointer + "/half_space/normal",
                        "[0, 0, 0] is no direction; expected a normal that is not zero");
            }
          },
          [&](const VerticesWhere&) {
            if (selects == Selects::elements) {
              rules.add(
                  pointer + "/vertices",
                  "elements are selected here, not vertices; expected \"elements\", \"tag\" or a volume");
            }
          },
          [&](const ElementsWhere&) {
            if (selects == Selects::vertices) {
              rules.add(
                  pointer + "/elements",
                  "vertices are selected here, not elements; expected \"vertices\", \"tag\" or a volume");
            }
          },
          [&](const AllWhere& w) {
            if (w.all == Switch::off)
              rules.add(pointer + "/all", "false selects nothing; expected true, or another selection");
          },
          [&](const CapsuleWhere& w) { check_ends(rules, w.capsule, pointer + "/capsule"); },
          [&](const CylinderWhere& w) { check_ends(rules, w.cylinder, pointer + "/cylinder"); },
          [&](const AxisWhere& w) {
            if (is_zero(w.axis.direction))
              rules.add(pointer + "/axis/direction",
                        "[0, 0, 0] is no direction; expected one that is not zero");
          },
          [&](const NotWhere& w) { check_selection(rules, w.excluded, selects, pointer + "/not"); },
          [&](const AnyWhere& w) {
            for (std::size_t i = 0; i < w.any.size(); ++i)
              check_selection(rules, w.any[i], selects, fmt::format("{}/any/{}", pointer, i));
          },
          [&](const EveryWhere& w) {
            for (std::size_t i = 0; i < w.every.size(); ++i)
              check_selection(rules, w.every[i], selects, fmt::format("{}/every/{}", pointer, i));
          },
          [](const auto&) {}},
      where);
}

// Whether a selection, or a part of it, is a list of vertices or elements.
template <class Kind>
bool lists_numbers(const Kind& where) {
  const auto some = [](const auto& parts) {
    return std::any_of(parts.begin(), parts.end(), [](const PartWhere& part) { return lists_numbers(part); });
  };
  return std::visit(
      Overloaded{[](const VerticesWhere&) { return true; }, [](const ElementsWhere&) { return true; },
                 [](const NotWhere& w) { return lists_numbers(w.excluded); },
                 [&](const AnyWhere& w) { return some(w.any); },
                 [&](const EveryWhere& w) { return some(w.every); }, [](const auto&) { return false; }},
      where);
}

}  // namespace

void check_where(RuleContext& rules, const Where& where, Selects selects, const std::string& pointer) {
  check_selection(rules, where, selects, pointer);
}

bool names_numbers(const Where& where) {
  return lists_numbers(where);
}

}  // namespace phiflex
