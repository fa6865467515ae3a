// STL, text and binary. The format repeats every corner: corners at exactly the same place become one
// vertex, numbered by first appearance.
#include <fmt/format.h>

#include "phiflex/base/scanner.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/same_place.h"

namespace phiflex {
namespace {

class StlReader {
 public:
  StlReader(std::string_view bytes, const std::string& file) : bytes_(bytes), in_(bytes, file) {}

  ParsedMesh read() {
    if (bytes_.empty()) in_.fail("the file is empty; an STL mesh is expected");
    // Binary files may begin with "solid" too, but their size follows from their count.
    if (is_binary())
      read_binary();
    else if (in_.peek_word() == "solid")
      read_text();
    else
      refuse();
    in_.finish();
    weld();
    mesh_.tet.notes.push_back(fmt::format("{} corners welded to {} vertices", 3 * mesh_.triangles.size(),
                                          mesh_.tet.vertices.size()));
    return std::move(mesh_);
  }

 private:
  static constexpr std::size_t kHeader = 80, kTriangle = 50;

  std::uint32_t promised() {
    in_.set_place_unit(Scanner::PlaceUnit::byte);
    in_.move_to(kHeader);
    return in_.binary<std::uint32_t>("number of triangles");
  }

  bool is_binary() {
    if (bytes_.size() < kHeader + 4) return false;
    const std::size_t n = promised();
    in_.move_to(0);
    in_.set_place_unit(Scanner::PlaceUnit::line);
    return bytes_.size() == kHeader + 4 + n * kTriangle;
  }

  [[noreturn]] void refuse() {
    if (bytes_.size() < kHeader + 4) in_.fail("neither a text STL (it begins with solid) nor a binary one");
    const std::uint32_t n = promised();
    in_.fail(fmt::format("{} triangles are promised, which need {} bytes; the file has {}", n,
                         kHeader + 4 + std::size_t{n} * kTriangle, bytes_.size()));
  }

  void read_binary() {
    const std::uint32_t n = promised();
    for (std::uint32_t i = 0; i < n; ++i) {
      in_.skip_bytes(12, "a normal");
      std::array<int, 3> triangle;
      for (int& corner : triangle) {
        Point3 p;
        for (double& x : p)
          x = in_.checked_coordinate(static_cast<double>(in_.binary<float>("a coordinate")));
        corner = static_cast<int>(corners_.size());
        corners_.push_back(p);
      }
      mesh_.triangles.push_back(triangle);
      in_.skip_bytes(2, "an attribute");
    }
  }

  void read_text() {
    in_.skip_line();
    bool ended = false;
    while (!in_.at_end()) {
      const bool ends = in_.skip_word("endsolid");
      if (ends || in_.skip_word("solid")) {
        ended = ends;
        in_.skip_line();
        continue;
      }
      expect("facet");
      expect("normal");
      for (int k = 0; k < 3; ++k) in_.real("a normal");
      expect("outer");
      expect("loop");
      std::array<int, 3> triangle;
      for (int& corner : triangle) {
        expect("vertex");
        Point3 p;
        for (double& x : p) x = in_.coordinate();
        corner = static_cast<int>(corners_.size());
        corners_.push_back(p);
      }
      mesh_.triangles.push_back(triangle);
      expect("endloop");
      expect("endfacet");
    }
    if (!ended) in_.fail("the file ends without endsolid: it is cut off");
  }

  void expect(const char* word) {
    if (!in_.skip_word(word))
      in_.fail(fmt::format("{} found where {} is expected", in_quotes(in_.word(word)), word));
  }

  void weld() {
    const std::vector<int> first = first_at_same_place(corners_);
    std::vector<int> vertex(corners_.size());
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      if (first[i] == static_cast<int>(i)) {
        vertex[i] = static_cast<int>(mesh_.tet.vertices.size());
        mesh_.tet.vertices.push_back(corners_[i]);
      } else {
        vertex[i] = vertex[first[i]];
      }
    }
    for (auto& triangle : mesh_.triangles)
      for (int& corner : triangle) corner = vertex[corner];
  }

  std::string_view bytes_;
  Scanner in_;
  ParsedMesh mesh_;
  std::vector<Point3> corners_;  // as the file repeats them
};

}  // namespace

ParsedMesh parse_stl(std::string_view bytes, const std::string& file) {
  return StlReader(bytes, file).read();
}

MeshFormat stl_format() {
  return one_file_format<parse_stl>({".stl"});
}

}  // namespace phiflex
