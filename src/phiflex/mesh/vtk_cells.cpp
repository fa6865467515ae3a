#include "phiflex/mesh/vtk_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/polygons.h"
#include "phiflex/mesh/region_tags.h"

namespace phiflex {
namespace {

// VTK's numbers of the cell types that are read.
enum CellType : std::int64_t {
  kVertex = 1,
  kPolyVertex = 2,
  kLine = 3,
  kPolyLine = 4,
  kTriangle = 5,
  kTriangleStrip = 6,
  kPolygon = 7,
  kPixel = 8,
  kQuad = 9,
  kTetra = 10,
  kQuadraticEdge = 21,
  kQuadraticTriangle = 22,
  kQuadraticTetra = 24
};

constexpr std::size_t kMostProblems = 10;

// Fewest vertices of a cell; `exact` when there may be no more.
struct CellSize {
  std::int64_t type;
  std::size_t least;
  bool exact;
};
constexpr CellSize kSizes[] = {
    {kVertex, 1, true},         {kPolyVertex, 1, false},   {kLine, 2, true},
    {kPolyLine, 2, false},      {kTriangle, 3, true},      {kTriangleStrip, 3, false},
    {kPolygon, 3, false},       {kPixel, 4, true},         {kQuad, 4, true},
    {kTetra, 4, true},          {kQuadraticEdge, 3, true}, {kQuadraticTriangle, 6, true},
    {kQuadraticTetra, 10, true}};

// A type that is not read needs 0 vertices.
CellSize size_of(std::int64_t type) {
  for (const CellSize& size : kSizes)
    if (size.type == type) return size;
  return {type, 0, true};
}

class CellProblems {
 public:
  explicit CellProblems(const std::string& file) : file_(file) {}
  void report(std::size_t cell, const std::string& message) {
    problems_.push_back({file_, fmt::format("cell {}", cell), message});
    if (problems_.size() >= kMostProblems) finish();
  }
  void finish() const {
    if (!problems_.empty()) throw InputError(problems_);
  }

 private:
  const std::string& file_;
  std::vector<Problem> problems_;
};

}  // namespace

bool is_region_name(const std::string& name) {
  for (const char* known : {"region", "tag", "CellEntityIds", "gmsh:physical", "medit:ref"})
    if (name == known) return true;
  return false;
}

void VtkCellCollector::add(const VtkCellArrays& cells, const std::map<std::string, std::vector<double>>& data,
                           std::size_t first_vertex, ParsedMesh& mesh) {
  CellProblems problems(file_);
  const std::size_t vertices = mesh.tet.vertices.size() - first_vertex;
  std::vector<std::size_t> tet_cells;
  std::vector<int> corners;
  std::size_t begin = 0;
  for (std::size_t cell = 0; cell < cells.types.size(); ++cell) {
    const std::int64_t type = cells.types[cell];
    const std::int64_t end_value = cells.ends[cell];
    if (end_value < static_cast<std::int64_t>(begin) ||
        end_value > static_cast<std::int64_t>(cells.connectivity.size())) {
      problems.report(cell, fmt::format("its vertices end at {}; allowed: {} to {}", end_value, begin,
                                        cells.connectivity.size()));
      problems.finish();
    }
    const auto end = static_cast<std::size_t>(end_value);
    const CellSize size = size_of(type);
    const std::size_t n = end - begin;
    bool good = true;
    if (size.least == 0) {
      problems.report(cell, fmt::format("cell type {} is not supported; the engine reads tetrahedra (10, "
                                        "24), and points, lines and polygons",
                                        type));
      good = false;
    } else if (n < size.least || (size.exact && n > size.least)) {
      problems.report(cell, fmt::format("a cell of type {} has {} vertices; {}{} are needed", type, n,
                                        size.exact ? "" : "at least ", size.least));
      good = false;
    }
    corners.clear();
    for (std::size_t k = begin; k < end; ++k) {
      const std::int64_t v = cells.connectivity[k];
      if (v < 0 || v >= static_cast<std::int64_t>(vertices)) {
        problems.report(cell, vertices == 0
                                  ? fmt::format("a vertex index is {}, but there are no vertices", v)
                                  : fmt::format("a vertex index is {}; allowed: 0 to {}", v, vertices - 1));
        good = false;
      } else {
        corners.push_back(static_cast<int>(first_vertex + static_cast<std::size_t>(v)));
      }
    }
    begin = end;
    if (!good) continue;
    switch (type) {
      case kTetra:
      case kQuadraticTetra:
        mesh.tet.tets.push_back({corners[0], corners[1], corners[2], corners[3]});
        tet_cells.push_back(cell);
        quadratic_ += type == kQuadraticTetra;
        break;
      case kPixel:
        std::swap(corners[2], corners[3]);
        [[fallthrough]];
      case kTriangle:
      case kPolygon:
      case kQuad:
        add_polygon(mesh.tet.vertices, corners, mesh.triangles);
        break;
      case kQuadraticTriangle:
        mesh.triangles.push_back({corners[0], corners[1], corners[2]});
        break;
      case kTriangleStrip:
        for (std::size_t k = 0; k + 2 < corners.size(); ++k)
          mesh.triangles.push_back(k % 2 == 0 ? std::array{corners[k], corners[k + 1], corners[k + 2]}
                                              : std::array{corners[k + 1], corners[k], corners[k + 2]});
        break;
      case kLine:
      case kPolyLine:
        for (std::size_t k = 0; k + 1 < corners.size(); ++k)
          mesh.edges.push_back({corners[k], corners[k + 1]});
        break;
      case kQuadraticEdge:
        mesh.edges.push_back({corners[0], corners[1]});
        break;
      default:
        break;
    }
  }
  problems.finish();

  bool tagged = false;
  for (const auto& [name, values] : data) {
    const auto whole = [](double x) { return std::abs(x) < 1e9 && x == std::floor(x); };
    if (!tagged && is_region_name(name) && std::all_of(values.begin(), values.end(), whole)) {
      for (const std::size_t cell : tet_cells) tags_.push_back(static_cast<int>(values[cell]));
      tagged = true;
      continue;
    }
    std::vector<double>& field = mesh.tet.element_fields[name];
    for (const std::size_t cell : tet_cells) field.push_back(values[cell]);
  }
  has_tags_ = has_tags_ && (tagged || tet_cells.empty());
}

void add_components(const std::string& name, const std::vector<double>& vectors,
                    std::map<std::string, std::vector<double>>& data) {
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<double>& component = data[name + "." + "xyz"[i]];
    for (std::size_t k = i; k < vectors.size(); k += 3) component.push_back(vectors[k]);
  }
}

void VtkCellCollector::finish(ParsedMesh& mesh) {
  if (has_tags_ && tags_.size() == mesh.tet.tets.size()) mesh.tet.tags = region_tags(std::move(tags_));
  if (quadratic_ > 0) mesh.tet.notes.push_back(corners_only_note(quadratic_, kQuadraticTetrahedra));
  // A field that only some pieces have, or that is not finite somewhere, describes nothing.
  std::erase_if(mesh.tet.element_fields, [&](const auto& field) {
    const auto finite = [](double x) { return std::isfinite(x); };
    const bool whole = field.second.size() == mesh.tet.tets.size() &&
                       std::all_of(field.second.begin(), field.second.end(), finite);
    if (!whole && !mesh.tet.tets.empty())
      mesh.tet.notes.push_back(
          fmt::format("the field '{}' has no finite value for some tetrahedra and is left out", field.first));
    return !whole || mesh.tet.tets.empty();
  });
}

}  // namespace phiflex
