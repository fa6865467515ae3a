// MeshInfo as named values and as text for people: the text is made from the values.
#include <fmt/format.h>

#include <algorithm>

#include "phiflex/base/text.h"
#include "phiflex/mesh/mesh_info.h"

namespace phiflex {
namespace {

template <class Number>
std::string list_text(fmt::format_string<const Number&> format, const std::vector<Number>& numbers) {
  std::vector<std::string> words;
  for (const Number& number : numbers) words.push_back(fmt::format(format, number));
  return joined(words, " ");
}

std::string as_text(const InfoValue& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>)
          return v ? "yes" : "no";
        else if constexpr (std::is_same_v<T, double>)
          return fmt::format("{:.6g}", v);
        else if constexpr (std::is_same_v<T, std::vector<double>>)
          return list_text("{:.6g}", v);
        else if constexpr (std::is_same_v<T, std::vector<int>>)
          return list_text("{}", v);
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
          return joined(v, "; ");
        else
          return fmt::format("{}", v);
      },
      value);
}

}  // namespace

std::vector<std::pair<std::string, InfoValue>> info_entries(const MeshInfo& info) {
  const bool tets = info.kind == MeshInfo::Kind::tetrahedra;
  std::vector<std::pair<std::string, InfoValue>> out;
  const auto put = [&](const char* name, InfoValue value) { out.emplace_back(name, std::move(value)); };
  put("kind", std::string(tets ? "tetrahedra" : "surface"));
  put("vertices", info.vertices);
  if (tets) put("tetrahedra", info.tets);
  put(tets ? "boundary_triangles" : "triangles", info.triangles);
  if (!tets) put("segments", info.edges);
  put("components", info.components);
  put("low", std::vector<double>(info.low.begin(), info.low.end()));
  put("high", std::vector<double>(info.high.begin(), info.high.end()));
  put("volume", info.volume);
  put("area", info.area);
  if (tets) {
    put("min_volume", info.min_volume);
    put("min_quality", info.min_quality);
    put("mean_quality", info.mean_quality);
    put("poor_quality", info.poor);
    put("inverted", info.inverted);
    put("zero_volume", info.zero_volume);
    put("tags", info.tags);
    put("groups", info.groups);
    put("fields", info.fields);
  } else {
    put("euler_number", info.euler_number);
    put("zero_area", info.zero_area);
    put("zero_length", info.zero_length);
  }
  put("closed", info.surface.closed());
  put("border_edges", info.surface.border_edges);
  put("nonmanifold_edges", info.surface.nonmanifold_edges);
  put("nonmanifold_vertices", info.surface.nonmanifold_vertices);
  put("inconsistent_edges", info.surface.inconsistent_edges);
  put("not_finite", info.not_finite);
  put("duplicate_vertices", info.duplicate_vertices);
  put("unused_vertices", info.unused_vertices);
  put("duplicate_elements", info.duplicate_elements);
  put("hanging_vertices", info.hanging_vertices);
  if (tets) put("faces_shared_by_three", info.crowded_faces);
  put("notes", info.notes);
  return out;
}

std::string unit_question(const MeshInfo& info) {
  constexpr double longest_body = 20;  // m
  double size = 0;
  for (std::size_t i = 0; i < 3; ++i) size = std::max(size, info.high[i] - info.low[i]);
  if (!(size > longest_body)) return {};
  return fmt::format(
      "it is {:.4g} m long: is it in millimetres? \"transform\": {{ \"scale\": 0.001 }} in a scene's body "
      "makes it {:.4g} m",
      size, size / 1000);
}

std::string describe(const MeshInfo& info) {
  std::string out;
  for (const auto& [name, value] : info_entries(info)) {
    if (name == "notes") {
      for (const std::string& note : info.notes) out += fmt::format("note: {}\n", note);
    } else {
      out += fmt::format("{:<22} {}\n", name, as_text(value));
    }
  }
  return out;
}

}  // namespace phiflex
