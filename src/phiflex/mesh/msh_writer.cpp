// Gmsh MSH 2.2 and 4.1, text and binary. What is written is a list of blocks (elements of one type and one
// physical group), which either version then lays out in its own way.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <span>

#include "phiflex/base/scanner.h"
#include "phiflex/base/text.h"
#include "phiflex/mesh/mesh_writers.h"

namespace phiflex {
namespace {

constexpr int kPointType = 15, kLineType = 1, kTriangleType = 2,
              kTetrahedronType = 4;  // Gmsh's element types

struct Block {
  int type, dimension, corners;
  int entity;                        // from 1
  int physical;                      // 0: none
  std::vector<int> nodes;            // `corners` per element, from 0
  std::vector<std::size_t> numbers;  // of the elements, from 1
};

struct Contents {
  const std::vector<Point3>& vertices;
  int dimension;  // of the entity that owns the nodes
  std::vector<Block> blocks;
  std::size_t elements = 0;
  std::vector<std::tuple<int, int, std::string>> names;  // dimension, physical, name

  std::vector<std::pair<int, int>> entities;  // dimension, physical

  // One entity serves all blocks of a dimension and physical group.
  Block& add_block(int type, int dim, int corners, int physical) {
    const std::pair key(dim, physical);
    const auto known = std::find(entities.begin(), entities.end(), key);
    const int entity = static_cast<int>(known - entities.begin()) + 1;
    if (known == entities.end()) entities.push_back(key);
    blocks.push_back({type, dim, corners, entity, physical, {}, {}});
    return blocks.back();
  }
  void add(Block& block, std::span<const int> corners) {
    block.nodes.insert(block.nodes.end(), corners.begin(), corners.end());
    block.numbers.push_back(++elements);
  }
};

// Text puts words and line ends, binary the raw numbers.
class MshText {
 public:
  explicit MshText(Encoding encoding) : binary_(encoding == Encoding::binary) {}
  void line(const std::string& text) { bytes_ += text + "\n"; }
  void put(double value) { binary_ ? raw(value) : word(value); }
  void put_int(std::int64_t value) { binary_ ? raw(static_cast<std::int32_t>(value)) : word(value); }
  void put_long(std::int64_t value) { binary_ ? raw(value) : word(value); }
  void end_row() {
    if (!binary_) bytes_.back() = '\n';  // instead of the last blank
  }
  void end_data() {
    if (binary_) bytes_ += '\n';
  }
  bool binary() const { return binary_; }
  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void raw(T value) {
    if constexpr (std::endian::native == std::endian::big) value = Scanner::swapped(value);
    char buffer[sizeof(T)];
    std::memcpy(buffer, &value, sizeof(T));
    bytes_.append(buffer, sizeof(T));
  }
  template <class T>
  void word(T value) {
    append(bytes_, "{} ", value);
  }

  bool binary_;
  std::string bytes_;
};

void put_header(const Contents& contents, const char* version, MshText& out) {
  out.line("$MeshFormat");
  out.line(fmt::format("{} {} 8", version, out.binary() ? 1 : 0));
  if (out.binary()) out.put_int(1);
  out.end_data();
  out.line("$EndMeshFormat");
  if (contents.names.empty()) return;
  out.line("$PhysicalNames");
  out.line(fmt::format("{}", contents.names.size()));
  for (const auto& [dimension, physical, name] : contents.names)
    out.line(fmt::format("{} {} \"{}\"", dimension, physical, name));
  out.line("$EndPhysicalNames");
}

void put_2_2(const Contents& contents, MshText& out) {
  put_header(contents, "2.2", out);
  out.line("$Nodes");
  out.line(fmt::format("{}", contents.vertices.size()));
  for (std::size_t v = 0; v < contents.vertices.size(); ++v) {
    out.put_int(static_cast<std::int64_t>(v) + 1);
    for (const double x : contents.vertices[v]) out.put(x);
    out.end_row();
  }
  out.end_data();
  out.line("$EndNodes");
  out.line("$Elements");
  out.line(fmt::format("{}", contents.elements));
  for (const Block& block : contents.blocks) {
    if (block.numbers.empty()) continue;
    if (out.binary()) {
      out.put_int(block.type);
      out.put_int(static_cast<std::int64_t>(block.numbers.size()));
      out.put_int(2);
    }
    for (std::size_t e = 0; e < block.numbers.size(); ++e) {
      out.put_int(static_cast<std::int64_t>(block.numbers[e]));
      if (!out.binary()) {
        out.put_int(block.type);
        out.put_int(2);
      }
      out.put_int(block.physical);
      out.put_int(block.entity);
      for (int k = 0; k < block.corners; ++k) out.put_int(block.nodes[e * block.corners + k] + 1);
      out.end_row();
    }
  }
  out.end_data();
  out.line("$EndElements");
}

void put_entities_4_1(const Contents& contents, MshText& out) {
  out.line("$Entities");
  for (int dimension = 0; dimension < 4; ++dimension) {
    std::int64_t count = 0;
    for (const auto& entity : contents.entities) count += entity.first == dimension;
    out.put_long(count);
  }
  out.end_row();
  for (int dimension = 0; dimension < 4; ++dimension) {
    for (std::size_t e = 0; e < contents.entities.size(); ++e) {
      const auto& [entity_dimension, physical] = contents.entities[e];
      if (entity_dimension != dimension) continue;
      out.put_int(static_cast<std::int64_t>(e) + 1);
      for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) out.put(0.0);  // bounds, which readers recompute
      out.put_long(physical != 0);
      if (physical != 0) out.put_int(physical);
      if (dimension > 0) out.put_long(0);
      out.end_row();
    }
  }
  out.end_data();
  out.line("$EndEntities");
}

void put_4_1(const Contents& contents, MshText& out) {
  put_header(contents, "4.1", out);
  put_entities_4_1(contents, out);
  const auto n = static_cast<std::int64_t>(contents.vertices.size());
  out.line("$Nodes");
  for (const std::int64_t value : {std::int64_t{n > 0}, n, std::int64_t{n > 0}, n}) out.put_long(value);
  out.end_row();
  if (n > 0) {
    for (const int value : {contents.dimension, 1, 0}) out.put_int(value);
    out.put_long(n);
    out.end_row();
    for (std::int64_t v = 1; v <= n; ++v) {
      out.put_long(v);
      out.end_row();
    }
    for (const Point3& p : contents.vertices) {
      for (const double x : p) out.put(x);
      out.end_row();
    }
  }
  out.end_data();
  out.line("$EndNodes");

  out.line("$Elements");
  std::int64_t blocks = 0;
  for (const Block& block : contents.blocks) blocks += !block.numbers.empty();
  const auto elements = static_cast<std::int64_t>(contents.elements);
  for (const std::int64_t value : {blocks, elements, std::int64_t{elements > 0}, elements})
    out.put_long(value);
  out.end_row();
  for (const Block& block : contents.blocks) {
    if (block.numbers.empty()) continue;
    for (const int value : {block.dimension, block.entity, block.type}) out.put_int(value);
    out.put_long(static_cast<std::int64_t>(block.numbers.size()));
    out.end_row();
    for (std::size_t e = 0; e < block.numbers.size(); ++e) {
      out.put_long(static_cast<std::int64_t>(block.numbers[e]));
      for (int k = 0; k < block.corners; ++k) out.put_long(block.nodes[e * block.corners + k] + 1);
      out.end_row();
    }
  }
  out.end_data();
  out.line("$EndElements");
}

void put_field(const std::string& name, std::span<const double> values, std::span<const std::size_t> numbers,
               MshText& out) {
  out.line("$ElementData");
  out.line(fmt::format("1\n\"{}\"\n1\n0\n3\n0\n1\n{}", name, values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    out.put_int(static_cast<std::int64_t>(numbers[i]));
    out.put(values[i]);
    out.end_row();
  }
  out.end_data();
  out.line("$EndElementData");
}

MshText put_contents(const Contents& contents, const WriteOptions& options) {
  MshText out(options.encoding);
  options.msh_version == MshVersion::v2_2 ? put_2_2(contents, out) : put_4_1(contents, out);
  return out;
}

// Names must not end the quotes or the line.
std::string safe_name(std::string name) {
  for (char& c : name)
    if (c == '"' || c == '\n' || c == '\r') c = '_';
  return name;
}

// Sets that are named by a number keep it; the others get the next free one.
void add_vertex_sets(const TetMesh& mesh, Contents& contents) {
  std::set<std::int64_t> taken;
  const auto number_of = [](const std::string& name) {
    std::int64_t number = 0;
    return parse_integer(name, number) && number > 0 && number <= INT32_MAX ? number : 0;
  };
  for (const auto& [name, vertices] : mesh.vertex_sets) taken.insert(number_of(name));
  for (const auto& [name, vertices] : mesh.vertex_sets) {
    std::int64_t number = number_of(name);
    if (number == 0) {
      for (number = 1; taken.count(number) > 0;) ++number;
      taken.insert(number);
      contents.names.emplace_back(0, static_cast<int>(number), safe_name(name));
    }
    Block& block = contents.add_block(kPointType, 0, 1, static_cast<int>(number));
    for (const int v : vertices) contents.add(block, std::array{v});
  }
}

}  // namespace

std::string format_msh(const TetMesh& mesh, const WriteOptions& options) {
  Contents contents{mesh.vertices, 3, {}, 0, {}, {}};
  // One block per run of equal regions keeps the order of the tetrahedra.
  std::vector<std::size_t> numbers;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const int tag = mesh.tags.empty() ? 0 : mesh.tags[t];
    if (t == 0 || contents.blocks.back().physical != tag) contents.add_block(kTetrahedronType, 3, 4, tag);
    contents.add(contents.blocks.back(), mesh.tets[t]);
    numbers.push_back(contents.elements);
  }
  if (contents.blocks.empty()) contents.add_block(kTetrahedronType, 3, 4, 0);  // owns the nodes
  for (const auto& [tag, name] : mesh.tag_names) contents.names.emplace_back(3, tag, safe_name(name));
  add_vertex_sets(mesh, contents);
  MshText out = put_contents(contents, options);
  for (const auto& [name, values] : mesh.element_fields) put_field(safe_name(name), values, numbers, out);
  return out.take();
}

std::string format_msh(const SurfaceMesh& mesh, const WriteOptions& options) {
  Contents contents{mesh.vertices, mesh.triangles.empty() ? 1 : 2, {}, 0, {}, {}};
  if (!mesh.triangles.empty()) {
    Block& block = contents.add_block(kTriangleType, 2, 3, 0);
    for (const auto& triangle : mesh.triangles) contents.add(block, triangle);
  }
  if (!mesh.edges.empty()) {
    Block& block = contents.add_block(kLineType, 1, 2, 0);
    for (const auto& edge : mesh.edges) contents.add(block, edge);
  }
  return put_contents(contents, options).take();
}

}  // namespace phiflex
