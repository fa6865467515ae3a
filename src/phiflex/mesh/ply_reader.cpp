// Stanford .ply, text and binary of either byte order: vertices, faces (any polygon) and edges; other
// elements and properties are passed over.
#include <fmt/format.h>

#include "phiflex/base/scanner.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/polygons.h"

namespace phiflex {
namespace {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct PlyTypeName {
  const char* name;
  PlyType type;
  std::size_t size;
};
constexpr PlyTypeName kPlyTypes[] = {
    {"char", PlyType::int8, 1},      {"uchar", PlyType::uint8, 1},    {"short", PlyType::int16, 2},
    {"ushort", PlyType::uint16, 2},  {"int", PlyType::int32, 4},      {"uint", PlyType::uint32, 4},
    {"float", PlyType::float32, 4},  {"double", PlyType::float64, 8}, {"int8", PlyType::int8, 1},
    {"uint8", PlyType::uint8, 1},    {"int16", PlyType::int16, 2},    {"uint16", PlyType::uint16, 2},
    {"int32", PlyType::int32, 4},    {"uint32", PlyType::uint32, 4},  {"float32", PlyType::float32, 4},
    {"float64", PlyType::float64, 8}};

struct PlyProperty {
  std::string name;
  const PlyTypeName* type;
  const PlyTypeName* count_type = nullptr;  // of a list
};

struct PlyElement {
  std::string name;
  std::int64_t count = 0;
  std::vector<PlyProperty> properties;
};

class PlyReader {
 public:
  PlyReader(std::string_view bytes, const std::string& file) : in_(bytes, file) {}

  ParsedMesh read() {
    if (in_.at_end()) in_.fail("the file is empty; a PLY mesh is expected");
    if (in_.line() != "ply") in_.fail("a PLY mesh begins with the line ply");
    read_header();
    for (const PlyElement& element : elements_) read_rows(element);
    check_indices();
    in_.finish();
    return std::move(mesh_);
  }

 private:
  void read_header() {
    bool has_format = false;
    while (true) {
      if (in_.remaining() == 0) in_.fail("the header has no end_header");
      const std::string_view keyword = in_.word("a header line");
      if (keyword == "end_header") {
        in_.skip_line();
        break;
      } else if (keyword == "format") {
        read_format();
        has_format = true;
      } else if (keyword == "element") {
        PlyElement element;
        element.name = std::string(in_.word("an element's name"));
        element.count = in_.integer("number of elements");
        if (element.count < 0)
          in_.fail(
              fmt::format("{} {} elements; it must not be negative", element.count, in_quotes(element.name)));
        elements_.push_back(std::move(element));
      } else if (keyword == "property") {
        read_property();
      } else if (keyword != "comment" && keyword != "obj_info") {
        in_.fail(fmt::format(
            "{} found in the header; allowed: format, comment, obj_info, element, property, end_header",
            in_quotes(keyword)));
      }
      in_.skip_line();
    }
    if (!has_format) in_.fail("the header has no format");
    if (binary_) in_.set_place_unit(Scanner::PlaceUnit::byte);
  }

  void read_format() {
    const std::string_view format = in_.word("a format");
    if (format == "binary_little_endian" || format == "binary_big_endian") {
      binary_ = true;
      in_.set_byte_order(format == "binary_big_endian" ? std::endian::big : std::endian::little);
    } else if (format != "ascii") {
      in_.fail(fmt::format("format {}; allowed: ascii, binary_little_endian, binary_big_endian",
                           in_quotes(format)));
    }
  }

  void read_property() {
    if (elements_.empty()) in_.fail("a property comes before any element");
    PlyProperty property;
    if (in_.skip_word("list")) property.count_type = read_type();
    property.type = read_type();
    property.name = std::string(in_.word("a property's name"));
    elements_.back().properties.push_back(std::move(property));
  }

  const PlyTypeName* read_type() {
    const std::string_view name = in_.word("a type");
    for (const PlyTypeName& type : kPlyTypes)
      if (name == type.name) return &type;
    in_.fail(fmt::format("type {} is not known", in_quotes(name)));
  }

  double read_value(const PlyTypeName& type) {
    if (!binary_) return in_.real("a value");
    switch (type.type) {
      case PlyType::int8:
        return in_.binary<std::int8_t>("a value");
      case PlyType::uint8:
        return in_.binary<std::uint8_t>("a value");
      case PlyType::int16:
        return in_.binary<std::int16_t>("a value");
      case PlyType::uint16:
        return in_.binary<std::uint16_t>("a value");
      case PlyType::int32:
        return in_.binary<std::int32_t>("a value");
      case PlyType::uint32:
        return in_.binary<std::uint32_t>("a value");
      case PlyType::float32:
        return static_cast<double>(in_.binary<float>("a value"));
      case PlyType::float64:
        return in_.binary<double>("a value");
    }
    return 0;
  }

  // A whole number among the doubles that read_value gives, which hold every 32-bit integer.
  std::int64_t whole(double value, const char* what) {
    if (!(value >= -4294967296.0 && value <= 4294967296.0) ||
        value != static_cast<double>(static_cast<std::int64_t>(value)))
      in_.fail(fmt::format("{} is {}; a whole number is needed", what, value));
    return static_cast<std::int64_t>(value);
  }

  void read_rows(const PlyElement& element) {
    if (element.properties.empty()) {
      if (element.count > 0) in_.fail(fmt::format("element {} has no properties", in_quotes(element.name)));
      return;
    }
    std::size_t least = 0;
    for (const PlyProperty& p : element.properties)
      least += binary_ ? (p.count_type != nullptr ? p.count_type->size : p.type->size) : 2;
    const std::string what = "number of " + element.name + " elements";
    const std::size_t n = in_.checked_count(element.count, what.c_str(), least);
    if (element.name == "vertex") {
      if (!mesh_.tet.vertices.empty()) in_.fail("element vertex is given twice");
      mesh_.tet.vertices.reserve(n);
    }
    for (std::size_t row = 0; row < n; ++row) read_row(element);
  }

  void read_row(const PlyElement& element) {
    const bool is_vertex = element.name == "vertex", is_face = element.name == "face",
               is_edge = element.name == "edge";
    Point3 point = {0, 0, 0};
    int axes = 0;
    std::array<std::int64_t, 2> ends = {-1, -1};
    for (const PlyProperty& property : element.properties) {
      if (property.count_type != nullptr) {
        const std::size_t length =
            in_.checked_count(whole(read_value(*property.count_type), "a list's length"), "a list's length",
                              binary_ ? property.type->size : 2);
        const bool is_polygon =
            is_face && (property.name == "vertex_indices" || property.name == "vertex_index");
        polygon_.clear();
        for (std::size_t k = 0; k < length; ++k) {
          const double value = read_value(*property.type);
          if (is_polygon) polygon_.push_back(whole(value, "a vertex index"));
        }
        if (is_polygon) keep_polygon();
        continue;
      }
      const double value = read_value(*property.type);
      if (is_vertex && property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z') {
        point[static_cast<std::size_t>(property.name[0] - 'x')] = in_.checked_coordinate(value);
        ++axes;
      } else if (is_edge && property.name == "vertex1") {
        ends[0] = whole(value, "a vertex index");
      } else if (is_edge && property.name == "vertex2") {
        ends[1] = whole(value, "a vertex index");
      }
    }
    if (is_vertex) {
      if (axes != 3) in_.fail("element vertex needs the properties x, y and z");
      mesh_.tet.vertices.push_back(point);
    } else if (is_edge) {
      edges_.push_back(ends);
    }
  }

  void keep_polygon() {
    if (polygon_.size() < 3)
      in_.report(fmt::format("a face has {} corners; it needs at least 3", polygon_.size()));
    polygon_ends_.push_back(polygon_corners_.size() + polygon_.size());
    polygon_corners_.insert(polygon_corners_.end(), polygon_.begin(), polygon_.end());
  }

  // Elements may come in any order, so indices are checked when all vertices are known.
  void check_indices() {
    in_.finish();
    const std::size_t count = mesh_.tet.vertices.size();
    std::vector<int> corners;
    std::size_t begin = 0;
    for (std::size_t face = 0; face < polygon_ends_.size(); ++face) {
      const std::string what = fmt::format("a vertex index of face {}", face);
      corners.clear();
      bool good = count > 0;
      for (std::size_t k = begin; k < polygon_ends_[face]; ++k) {
        good = good && polygon_corners_[k] >= 0 && polygon_corners_[k] < static_cast<std::int64_t>(count);
        corners.push_back(in_.checked_index(polygon_corners_[k], what.c_str(), 0, count));
      }
      if (good) add_polygon(mesh_.tet.vertices, corners, mesh_.triangles);
      begin = polygon_ends_[face];
    }
    for (const auto& [a, b] : edges_)
      mesh_.edges.push_back({in_.checked_index(a, "a vertex index of an edge", 0, count),
                             in_.checked_index(b, "a vertex index of an edge", 0, count)});
  }

  Scanner in_;
  ParsedMesh mesh_;
  bool binary_ = false;
  std::vector<PlyElement> elements_;
  std::vector<std::int64_t> polygon_;  // of the row being read
  std::vector<std::int64_t> polygon_corners_;
  std::vector<std::size_t> polygon_ends_;
  std::vector<std::array<std::int64_t, 2>> edges_;
};

}  // namespace

ParsedMesh parse_ply(std::string_view bytes, const std::string& file) {
  return PlyReader(bytes, file).read();
}

MeshFormat ply_format() {
  return one_file_format<parse_ply>({".ply"});
}

}  // namespace phiflex
