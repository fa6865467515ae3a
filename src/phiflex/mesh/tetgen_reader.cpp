// TetGen .node and .ele (Si, "TetGen, a Delaunay-based quality tetrahedral mesh generator", 2015).
//
// A .node file counts from 0 or from 1, as its first line says. The .ele file should count alike; some in
// the wild do not. When its indices only fit the other base they are read with
// that one, and a note says so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/scanner.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/region_tags.h"

namespace phiflex {
namespace {

constexpr std::int64_t kMostAttributes = 1000;

// Gives the base of the numbering: 0 or 1.
std::int64_t read_nodes(Scanner& in, TetMesh& mesh) {
  in.set_comment('#');
  if (in.at_end()) in.fail("the file is empty; TetGen nodes are expected");
  const std::size_t n = in.count("number of nodes", 8);
  if (in.integer("the dimension") != 3) in.fail("the dimension must be 3");
  const std::int64_t attributes = in.integer_between("number of attributes", 0, kMostAttributes);
  const std::int64_t markers = in.integer_between("the boundary marker flag", 0, 1);
  mesh.vertices.reserve(n);
  NumberedVertexSets sets;
  std::int64_t base = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t number = in.integer("a node's number");
    if (i == 0) {
      if (number != 0 && number != 1)
        in.fail(fmt::format("the first node has number {}; allowed: 0 or 1", number));
      base = number;
    }
    const std::int64_t expected = base + static_cast<std::int64_t>(i);
    if (number != expected)
      in.fail(fmt::format("node number {} found, {} expected: nodes must be numbered in order", number,
                          expected));
    Point3 p;
    for (double& x : p) x = in.coordinate();
    mesh.vertices.push_back(p);
    for (std::int64_t k = 0; k < attributes; ++k) in.real("a node's attribute");
    if (markers == 1)
      sets.add(static_cast<int>(in.integer_between("a boundary marker", INT32_MIN, INT32_MAX)),
               std::array{static_cast<int>(i)});
  }
  if (!in.at_end())
    in.fail(fmt::format("{} found after the {} nodes promised", in_quotes(in.word("nothing")), n));
  in.finish();
  mesh.vertex_sets = sets.finish();
  return base;
}

// The first attribute of elements is their region; whole numbers serve as tags.
void add_attributes(const std::vector<std::vector<double>>& columns, TetMesh& mesh) {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto whole = [](double x) { return std::abs(x) < 1e9 && x == std::floor(x); };
    if (k == 0 && std::all_of(columns[0].begin(), columns[0].end(), whole)) {
      mesh.tags = region_tags({columns[0].begin(), columns[0].end()});
    } else {
      mesh.element_fields[fmt::format("attribute_{}", k + 1)] = columns[k];
    }
  }
}

void read_elements(Scanner& in, std::int64_t node_base, TetMesh& mesh) {
  in.set_comment('#');
  if (in.at_end()) in.fail("the file is empty; TetGen tetrahedra are expected");
  const std::size_t n = in.count("number of tetrahedra", 10);
  const std::int64_t nodes = in.integer("nodes per tetrahedron");
  if (nodes != 4 && nodes != 10) in.fail(fmt::format("{} nodes per tetrahedron; allowed: 4 or 10", nodes));
  const std::int64_t attributes = in.integer_between("number of attributes", 0, kMostAttributes);

  // The base is known only when all indices are: a first pass finds their range.
  const std::size_t start = in.position();
  std::int64_t lowest = INT64_MAX, highest = INT64_MIN;
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(n > 0 ? attributes : 0));
  for (std::size_t i = 0; i < n; ++i) {
    in.integer("a tetrahedron's number");
    for (std::int64_t k = 0; k < nodes; ++k) {
      const std::int64_t index = in.integer("a node of a tetrahedron");
      lowest = std::min(lowest, index);
      highest = std::max(highest, index);
    }
    for (auto& column : columns) column.push_back(in.real("an attribute"));
  }
  if (!in.at_end())
    in.fail(fmt::format("{} found after the {} tetrahedra promised", in_quotes(in.word("nothing")), n));

  const auto count = static_cast<std::int64_t>(mesh.vertices.size());
  const auto fits = [&](std::int64_t base) { return lowest >= base && highest < base + count; };
  std::int64_t base = node_base;
  if (n > 0 && !fits(node_base) && fits(1 - node_base)) {
    base = 1 - node_base;
    mesh.notes.push_back(fmt::format(
        "the .node file counts from {}, the indices in the .ele file only fit a count from {}: read as such",
        node_base, base));
  }

  in.move_to(start);
  mesh.tets.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    in.integer("a tetrahedron's number");
    std::array<int, 4> tet;
    for (int& v : tet) v = in.index("a node of a tetrahedron", base, mesh.vertices.size());
    for (std::int64_t k = 4; k < nodes; ++k) in.index("a node of a tetrahedron", base, mesh.vertices.size());
    mesh.tets.push_back(tet);
    for (std::int64_t k = 0; k < attributes; ++k) in.real("an attribute");
  }
  in.finish();
  if (nodes == 10) mesh.notes.push_back(corners_only_note(n, kQuadraticTetrahedra));
  add_attributes(columns, mesh);
}

}  // namespace

ParsedMesh parse_tetgen(std::string_view node_bytes, const std::string& node_file, std::string_view ele_bytes,
                        const std::string& ele_file) {
  ParsedMesh mesh;
  Scanner nodes(node_bytes, node_file), elements(ele_bytes, ele_file);
  const std::int64_t base = read_nodes(nodes, mesh.tet);
  read_elements(elements, base, mesh.tet);
  return mesh;
}

// Either of the two files names both.
MeshFormat tetgen_format() {
  return {{".node", ".ele"}, [](const std::filesystem::path& path) {
            std::filesystem::path node = path, ele = path;
            node.replace_extension(".node");
            ele.replace_extension(".ele");
            const std::string node_bytes = read_file(node);
            return parse_tetgen(node_bytes, node.string(), read_file(ele), ele.string());
          }};
}

}  // namespace phiflex
