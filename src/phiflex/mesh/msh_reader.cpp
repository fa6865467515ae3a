// Gmsh MSH 2.x and 4.1, text and binary (Geuzaine and Remacle, "Gmsh: a 3-D finite element mesh generator
// with built-in pre- and post-processing facilities", 2009).
//
// Vertices are ordered by node tag, so vertex i is tag i + 1 in the usual file that
// counts from 1 without gaps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "phiflex/base/scanner.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/msh_elements.h"
#include "phiflex/mesh/msh_node_tags.h"
#include "phiflex/mesh/polygons.h"
#include "phiflex/mesh/region_tags.h"

namespace phiflex {
namespace {

class MshReader {
 public:
  MshReader(std::string_view bytes, const std::string& file) : in_(bytes, file) {}

  ParsedMesh read() {
    if (in_.at_end()) in_.fail("the file is empty; a Gmsh mesh is expected");
    if (!in_.skip_word("$MeshFormat"))
      in_.fail(
          fmt::format("{} found; a Gmsh mesh begins with $MeshFormat", in_quotes(in_.word("$MeshFormat"))));
    read_format();
    while (!in_.at_end()) {
      const std::string_view section = in_.word("a section");
      if (section[0] != '$')
        in_.fail(fmt::format("{} found where a section such as $Elements is expected", in_quotes(section)));
      read_section(section);
    }
    if (!has_nodes_) in_.fail("there is no $Nodes section");
    in_.finish();
    finish_regions();
    finish_fields();
    for (const auto& [kind, count] : of_higher_order_)
      mesh_.tet.notes.push_back(corners_only_note(count, kind));
    return std::move(mesh_);
  }

 private:
  enum class Version { v2, v4_1 };

  // Values that are text or binary alike.
  std::int64_t integer(const char* what) {
    return binary_ ? in_.binary<std::int32_t>(what) : in_.integer(what);
  }
  std::int64_t long_integer(const char* what) {
    return binary_ ? in_.binary<std::int64_t>(what) : in_.integer(what);
  }
  double real(const char* what) { return binary_ ? in_.binary<double>(what) : in_.real(what); }
  double coordinate() { return binary_ ? in_.binary_coordinate() : in_.coordinate(); }
  // Bytes a value needs at least: its size, or a digit and a blank.
  std::size_t least(std::size_t size) const { return binary_ ? size : 2; }

  void read_format() {
    const double version = in_.real("the format version");
    if (version >= 2 && version < 3)
      version_ = Version::v2;
    else if (version == 4.1)
      version_ = Version::v4_1;
    else
      in_.fail(fmt::format("format version {}; allowed: 2.2 and 4.1", version));
    binary_ = in_.integer_between("the file type", 0, 1) == 1;
    if (in_.integer("the data size") != 8) in_.fail("the data size must be 8");
    if (binary_) {
      in_.set_place_unit(Scanner::PlaceUnit::byte);
      in_.skip_line();
      const auto one = in_.binary<std::uint32_t>("the byte order mark");
      if (one == 0x01000000)
        in_.set_byte_order(std::endian::native == std::endian::little ? std::endian::big
                                                                      : std::endian::little);
      else if (one != 1)
        in_.fail(fmt::format("the byte order mark is {}; it must be 1", one));
    }
    end_section("$MeshFormat");
  }

  void read_section(std::string_view section) {
    if (section == "$PhysicalNames") {
      read_physical_names();
    } else if (section == "$Entities" && version_ == Version::v4_1) {
      begin_data();
      read_entities();
    } else if (section == "$Nodes") {
      if (has_nodes_) in_.fail("$Nodes are given twice");
      has_nodes_ = true;
      version_ == Version::v2 ? read_nodes_2() : read_nodes_4();
      in_.finish();
      if (const auto twice = node_tags_.sort(mesh_.tet.vertices))
        in_.fail(fmt::format("node {} is given twice", *twice));
      check_tag_range();
    } else if (section == "$Elements") {
      if (!has_nodes_) in_.fail("$Elements come before $Nodes");
      version_ == Version::v2 ? read_elements_2() : read_elements_4();
    } else if (section == "$ElementData") {
      read_element_data();
    } else {
      const std::string end = "$End" + std::string(section.substr(1));
      const std::size_t at = in_.rest().find(end);
      if (at == std::string_view::npos)
        in_.fail(fmt::format("section {} has no {}", in_quotes(section), in_quotes(end)));
      in_.move_to(in_.position() + at);
    }
    end_section(section);
  }

  void end_section(std::string_view section) {
    const std::string end = "$End" + std::string(section.substr(1));
    const std::string_view found = in_.word(end.c_str());
    if (found != end)
      in_.fail(fmt::format("{} found where {} is expected: the counts of the section do not fit it",
                           in_quotes(found), end));
  }

  // In a binary file the data begin right after the line of text.
  void begin_data() {
    if (binary_) in_.skip_line();
  }

  void read_physical_names() {
    const std::size_t n = in_.count("number of physical names", 6);
    for (std::size_t i = 0; i < n; ++i) {
      const auto dimension = in_.integer_between("a dimension", 0, 3);
      const auto tag = in_.integer_between("a physical tag", INT32_MIN, INT32_MAX);
      std::string_view name = in_.line();
      const std::size_t open = name.find('"'), close = name.rfind('"');
      if (open == std::string_view::npos || close == open)
        in_.fail(fmt::format("{} found where a name in quotes is expected", in_quotes(name)));
      physical_names_[dimension][static_cast<int>(tag)] =
          std::string(name.substr(open + 1, close - open - 1));
    }
  }

  void read_entities() {
    std::array<std::size_t, 4> counts;
    for (std::size_t& n : counts)
      n = in_.checked_count(long_integer("number of entities"), "number of entities", least(8));
    for (int dimension = 0; dimension < 4; ++dimension) {
      for (std::size_t i = 0; i < counts[dimension]; ++i) {
        const std::int64_t tag = integer("an entity's tag");
        for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) real("an entity's bound");
        const std::size_t physicals =
            in_.checked_count(long_integer("number of physical tags"), "number of physical tags", least(4));
        for (std::size_t k = 0; k < physicals; ++k) {
          const std::int64_t physical = integer("a physical tag");
          if (k == 0) physical_of_entity_[{dimension, tag}] = static_cast<int>(physical);
        }
        if (dimension == 0) continue;
        const std::size_t bounds = in_.checked_count(long_integer("number of bounding entities"),
                                                     "number of bounding entities", least(4));
        for (std::size_t k = 0; k < bounds; ++k) integer("a bounding entity");
      }
    }
  }

  void read_nodes_2() {
    const std::size_t n = in_.count("number of nodes", binary_ ? 28 : 8);
    begin_data();
    mesh_.tet.vertices.reserve(n);
    node_tags_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      node_tags_.push_back(integer("a node tag"));
      mesh_.tet.vertices.push_back(read_point());
    }
  }

  void read_nodes_4() {
    begin_data();
    const std::size_t blocks =
        in_.checked_count(long_integer("number of node blocks"), "number of node blocks", least(20));
    const std::size_t n =
        in_.checked_count(long_integer("number of nodes"), "number of nodes", binary_ ? 32 : 8);
    const std::int64_t lowest = long_integer("the lowest node tag"),
                       highest = long_integer("the highest node tag");
    if (n > 0) tag_range_ = {lowest, highest};
    mesh_.tet.vertices.reserve(n);
    node_tags_.reserve(n);
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = entity_dimension();
      integer("an entity's tag");
      const bool parametric = integer("the parametric mark") != 0;
      const std::size_t in_block =
          in_.checked_count(long_integer("nodes in a block"), "nodes in a block", binary_ ? 32 : 8);
      if (in_block > n - node_tags_.size())
        in_.fail(fmt::format("the blocks hold more nodes than the {} promised", n));
      for (std::size_t i = 0; i < in_block; ++i) node_tags_.push_back(long_integer("a node tag"));
      for (std::size_t i = 0; i < in_block; ++i) {
        mesh_.tet.vertices.push_back(read_point());
        for (std::int64_t k = 0; parametric && k < dimension; ++k) real("a parametric coordinate");
      }
    }
    if (node_tags_.size() != n)
      in_.fail(fmt::format("{} nodes are promised, the blocks hold {}", n, node_tags_.size()));
  }

  void check_tag_range() {
    if (tag_range_ &&
        (node_tags_.lowest() != tag_range_->first || node_tags_.highest() != tag_range_->second))
      in_.fail(fmt::format("node tags are promised from {} to {}, but they go from {} to {}",
                           tag_range_->first, tag_range_->second, node_tags_.lowest(), node_tags_.highest()));
  }

  Point3 read_point() {
    Point3 p;
    for (double& x : p) x = coordinate();
    return p;
  }

  std::int64_t entity_dimension() {
    const std::int64_t dimension = integer("an entity's dimension");
    if (dimension < 0 || dimension > 3)
      in_.fail(fmt::format("an entity's dimension is {}; allowed: 0 to 3", dimension));
    return dimension;
  }

  const MshElement& element_type(std::int64_t number) {
    const MshElement* type = find_msh_element(number);
    if (type == nullptr) in_.fail(fmt::format("element type {} is not known", number));
    if (type->shape == MshShape::other_volume)
      in_.fail(fmt::format("a {} found; the engine reads tetrahedra only", type->name));
    return *type;
  }

  void read_elements_2() {
    const std::size_t n = in_.count("number of elements", binary_ ? 8 : 6);
    begin_data();
    std::size_t done = 0;
    while (done < n) {
      // Text has the type and the number of tags in every element, binary once for several.
      std::int64_t tag = binary_ ? 0 : in_.integer("an element's number");
      const MshElement& type = element_type(integer("an element's type"));
      std::int64_t follow = 1;
      if (binary_) {
        follow = in_.binary<std::int32_t>("number of elements that follow");
        if (follow < 1 || static_cast<std::size_t>(follow) > n - done)
          in_.fail(fmt::format("{} elements follow, but {} of {} are left", follow, n - done, n));
      }
      const std::int64_t tag_count = integer("number of tags");
      if (tag_count < 0 || static_cast<std::size_t>(tag_count) > in_.remaining())
        in_.fail(fmt::format("number of tags is {}; that does not fit the file", tag_count));
      for (std::int64_t k = 0; k < follow; ++k, ++done) {
        if (binary_) tag = in_.binary<std::int32_t>("an element's number");
        int physical = 0, elementary = 0;
        for (std::int64_t t = 0; t < tag_count; ++t) {
          const std::int64_t value = integer("an element's tag");
          if (t == 0) physical = static_cast<int>(value);
          if (t == 1) elementary = static_cast<int>(value);
        }
        read_element(type, tag, physical, elementary, sizeof(std::int32_t));
      }
    }
  }

  void read_elements_4() {
    begin_data();
    const std::size_t blocks =
        in_.checked_count(long_integer("number of element blocks"), "number of element blocks", least(20));
    const std::size_t n =
        in_.checked_count(long_integer("number of elements"), "number of elements", binary_ ? 16 : 4);
    long_integer("the lowest element tag");
    long_integer("the highest element tag");
    std::size_t done = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = entity_dimension();
      const std::int64_t entity = integer("an entity's tag");
      const MshElement& type = element_type(integer("an element's type"));
      const std::size_t in_block =
          in_.checked_count(long_integer("elements in a block"), "elements in a block", binary_ ? 16 : 4);
      if (in_block > n - done) in_.fail(fmt::format("the blocks hold more elements than the {} promised", n));
      const auto physical = physical_of_entity_.find({dimension, entity});
      for (std::size_t i = 0; i < in_block; ++i, ++done) {
        const std::int64_t tag = long_integer("an element's number");
        read_element(type, tag, physical == physical_of_entity_.end() ? 0 : physical->second,
                     static_cast<int>(entity), sizeof(std::int64_t));
      }
    }
    if (done != n) in_.fail(fmt::format("{} elements are promised, the blocks hold {}", n, done));
  }

  void read_element(const MshElement& type, std::int64_t tag, int physical, int elementary,
                    std::size_t width) {
    std::array<int, 8> nodes{};
    for (int k = 0; k < type.nodes; ++k) {
      const std::int64_t node =
          width == 8 ? long_integer("a node of an element") : integer("a node of an element");
      const int vertex = node_tags_.find(node);
      if (vertex < 0) report_missing_node(node);
      if (k < type.corners) nodes[k] = std::max(vertex, 0);
    }
    const std::span<const int> corners(nodes.data(), type.corners);
    switch (type.shape) {
      case MshShape::tetrahedron:
        mesh_.tet.tets.push_back({nodes[0], nodes[1], nodes[2], nodes[3]});
        physical_tags_.push_back(physical);
        elementary_tags_.push_back(elementary);
        element_numbers_.push_back(tag);
        break;
      case MshShape::triangle:
        mesh_.triangles.push_back({nodes[0], nodes[1], nodes[2]});
        break;
      case MshShape::quadrilateral:
        add_polygon(mesh_.tet.vertices, corners, mesh_.triangles);
        break;
      case MshShape::line:
        mesh_.edges.push_back({nodes[0], nodes[1]});
        break;
      default:
        break;
    }
    if (type.dimension < 3) sets_[type.dimension].add(physical, corners);
    if (type.nodes > type.corners && type.shape == MshShape::tetrahedron) ++of_higher_order_[type.name];
  }

  void report_missing_node(std::int64_t node) {
    if (node_tags_.size() == 0)
      in_.fail(fmt::format("an element uses node {}, but there are no nodes", node));
    in_.report(fmt::format("an element uses node {}, which is not among the {} nodes ({} to {})", node,
                           node_tags_.size(), node_tags_.lowest(), node_tags_.highest()));
  }

  void read_element_data() {
    const std::size_t strings = in_.count("number of string tags", 2);
    std::string name;
    in_.skip_line();
    for (std::size_t i = 0; i < strings; ++i) {
      std::string_view text = in_.line();
      text.remove_prefix(std::min(text.find('"') + 1, text.size()));
      if (i == 0) name = std::string(text.substr(0, text.find('"')));
    }
    const std::size_t reals = in_.count("number of real tags", 2);
    for (std::size_t i = 0; i < reals; ++i) in_.real("a real tag");
    const std::size_t integers = in_.count("number of integer tags", 2);
    std::array<std::int64_t, 3> sizes = {0, 1, 0};  // time step, components, elements
    for (std::size_t i = 0; i < integers; ++i) {
      const std::int64_t value = in_.integer("an integer tag");
      if (i < sizes.size()) sizes[i] = value;
    }
    if (sizes[1] < 1 || sizes[1] > 9) in_.fail(fmt::format("{} components; allowed: 1 to 9", sizes[1]));
    const std::size_t rows = in_.checked_count(sizes[2], "number of elements with data", binary_ ? 12 : 4);
    begin_data();
    // Numbers and vectors serve as material fields (tet_mesh.h).
    std::vector<std::vector<std::pair<std::int64_t, double>>*> components;
    if (sizes[1] == 1) components = {&fields_[name]};
    if (sizes[1] == 3) components = {&fields_[name + ".x"], &fields_[name + ".y"], &fields_[name + ".z"]};
    for (std::size_t i = 0; i < rows; ++i) {
      const std::int64_t element = integer("an element's number");
      for (std::size_t k = 0; k < static_cast<std::size_t>(sizes[1]); ++k) {
        const double value = real("a value");
        if (k < components.size()) components[k]->emplace_back(element, value);
      }
    }
  }

  // Physical groups are the regions; without any, the geometric entities are when there are several.
  void finish_regions() {
    mesh_.tet.tags = region_tags(std::move(physical_tags_));
    if (mesh_.tet.tags.empty() && std::set<int>(elementary_tags_.begin(), elementary_tags_.end()).size() > 1)
      mesh_.tet.tags = std::move(elementary_tags_);
    else
      mesh_.tet.tag_names = physical_names_[3];
    for (int dimension = 0; dimension < 3; ++dimension)
      for (auto& [name, vertices] : sets_[dimension].finish(physical_names_[dimension]))
        mesh_.tet.vertex_sets.emplace(name, std::move(vertices));
  }

  void finish_fields() {
    for (auto& [name, rows] : fields_) {
      std::stable_sort(rows.begin(), rows.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      std::vector<double> values;
      for (const std::int64_t number : element_numbers_) {
        const auto at = std::lower_bound(rows.begin(), rows.end(), number,
                                         [](const auto& row, std::int64_t n) { return row.first < n; });
        if (at == rows.end() || at->first != number || !std::isfinite(at->second)) break;
        values.push_back(at->second);
      }
      if (values.size() == element_numbers_.size())
        mesh_.tet.element_fields[name] = std::move(values);
      else
        mesh_.tet.notes.push_back(fmt::format(
            "the field {} has no finite value for some tetrahedra and is left out", in_quotes(name)));
    }
  }

  Scanner in_;
  ParsedMesh mesh_;
  Version version_ = Version::v2;
  bool binary_ = false, has_nodes_ = false;
  NodeTags node_tags_;
  std::optional<std::pair<std::int64_t, std::int64_t>> tag_range_;
  std::array<std::map<int, std::string>, 4> physical_names_;                 // by dimension
  std::map<std::pair<std::int64_t, std::int64_t>, int> physical_of_entity_;  // by dimension and entity
  std::vector<int> physical_tags_, elementary_tags_;                         // of the tetrahedra
  std::vector<std::int64_t> element_numbers_;                                // of the tetrahedra
  std::array<NumberedVertexSets, 3> sets_;                                   // by dimension
  std::map<std::string, std::size_t> of_higher_order_;                       // tetrahedra, by their kind
  std::map<std::string, std::vector<std::pair<std::int64_t, double>>> fields_;
};

}  // namespace

ParsedMesh parse_msh(std::string_view bytes, const std::string& file) {
  return MshReader(bytes, file).read();
}

MeshFormat msh_format() {
  return one_file_format<parse_msh>({".msh"});
}

}  // namespace phiflex
