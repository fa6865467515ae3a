// Wavefront .obj: vertices, faces (any polygon) and polylines. Texture, normals, groups and materials say
// nothing the engine uses.
#include <fmt/format.h>

#include "phiflex/base/scanner.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/polygons.h"

namespace phiflex {
namespace {

class ObjReader {
 public:
  ObjReader(std::string_view bytes, const std::string& file) : in_(bytes, file) { in_.set_comment('#'); }

  ParsedMesh read() {
    if (in_.at_end()) in_.fail("the file is empty; an OBJ mesh is expected");
    read_vertices();
    in_.move_to(0);
    read_elements();
    in_.finish();
    if (mesh_.tet.vertices.empty()) in_.fail("there are no vertices (lines that begin with v)");
    return std::move(mesh_);
  }

 private:
  // Faces may come before the vertices they use, so vertices are read first.
  void read_vertices() {
    while (!in_.at_end()) {
      if (in_.skip_word("v")) {
        Point3 p;
        for (double& x : p) x = in_.coordinate();
        mesh_.tet.vertices.push_back(p);
      }
      skip_statement();
    }
  }

  void read_elements() {
    while (!in_.at_end()) {
      if (in_.skip_word("v")) {
        ++vertices_so_far_;
      } else if (in_.skip_word("f")) {
        read_indices();
        if (indices_.size() < 3)
          in_.report(fmt::format("a face has {} corners; it needs at least 3", indices_.size()));
        else
          add_polygon(mesh_.tet.vertices, indices_, mesh_.triangles);
      } else if (in_.skip_word("l")) {
        read_indices();
        if (indices_.size() < 2)
          in_.report(fmt::format("a polyline has {} point; it needs at least 2", indices_.size()));
        for (std::size_t i = 0; i + 1 < indices_.size(); ++i)
          mesh_.edges.push_back({indices_[i], indices_[i + 1]});
      }
      skip_statement();
    }
  }

  void read_indices() {
    indices_.clear();
    while (!at_statement_end()) indices_.push_back(read_index());
  }

  // "7", "7/1", "7//3", "7/1/3"; negative numbers count back from the latest vertex.
  int read_index() {
    const std::string_view word = in_.word("a vertex index");
    std::int64_t value = 0;
    if (!parse_integer(word.substr(0, word.find('/')), value))
      in_.fail(fmt::format("{} is not a vertex index", in_quotes(word)));
    const std::size_t count = mesh_.tet.vertices.size();
    if (value >= 0) return in_.checked_index(value, "a vertex index", 1, count);
    if (count == 0) in_.fail("there are no vertices (lines that begin with v)");
    const auto before = static_cast<std::int64_t>(vertices_so_far_);
    if (value < -before) {
      in_.report(fmt::format("a relative vertex index is {}; {} vertices come before it", value, before));
      return 0;
    }
    return static_cast<int>(before + value);
  }

  // A backslash before the end of a line continues it.
  bool at_statement_end() {
    while (!in_.at_line_end()) {
      if (in_.peek_word() != "\\") return false;
      in_.skip_line();
    }
    return true;
  }

  void skip_statement() {
    std::string_view line = in_.line();
    while (line.ends_with('\\') && in_.remaining() > 0) line = in_.line();
  }

  Scanner in_;
  ParsedMesh mesh_;
  std::size_t vertices_so_far_ = 0;
  std::vector<int> indices_;
};

}  // namespace

ParsedMesh parse_obj(std::string_view bytes, const std::string& file) {
  return ObjReader(bytes, file).read();
}

MeshFormat obj_format() {
  return one_file_format<parse_obj>({".obj"});
}

}  // namespace phiflex
