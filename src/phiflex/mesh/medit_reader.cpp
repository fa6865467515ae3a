// MEDIT .mesh, text (Frey, "MEDIT: an interactive mesh visualization software", 2001).
#include <fmt/format.h>

#include <cctype>

#include "phiflex/base/scanner.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/polygons.h"
#include "phiflex/mesh/region_tags.h"

namespace phiflex {
namespace {

bool is_keyword(std::string_view word) {
  // "nan" and "inf" are letters too, but values.
  double value = 0;
  return !word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) && !parse_real(word, value);
}

class MeditReader {
 public:
  MeditReader(std::string_view bytes, const std::string& file) : in_(bytes, file) { in_.set_comment('#'); }

  ParsedMesh read() {
    if (!in_.skip_word("MeshVersionFormatted"))
      in_.fail(in_.at_end() ? "the file is empty; a MEDIT mesh is expected"
                            : fmt::format("{} found; a MEDIT mesh begins with MeshVersionFormatted",
                                          in_quotes(in_.word("a keyword"))));
    in_.integer_between("the format version", 1, 4);
    while (!in_.at_end()) {
      const std::string_view keyword = in_.word("a keyword");
      if (!is_keyword(keyword))
        in_.fail(fmt::format(
            "{} found where a keyword such as Tetrahedra is expected: more items than the {} {} promised?",
            in_quotes(keyword), promised_, section_.empty() ? "header" : section_));
      if (same_word(keyword, "End")) break;
      read_section(keyword);
    }
    mesh_.tet.tags = region_tags(std::move(tags_));
    mesh_.tet.vertex_sets = sets_.finish();
    in_.finish();
    return std::move(mesh_);
  }

 private:
  void read_section(std::string_view keyword) {
    if (same_word(keyword, "Dimension")) {
      if (in_.integer("the dimension") != 3) in_.fail("the dimension must be 3");
      return;
    }
    section_ = keyword;
    if (same_word(keyword, "Vertices")) {
      read_vertices();
    } else if (same_word(keyword, "Tetrahedra")) {
      mesh_.tet.tets.reserve(begin("number of tetrahedra", 10));
      for (std::size_t i = 0; i < promised_; ++i) {
        mesh_.tet.tets.push_back(corners<4>());
        tags_.push_back(reference());
      }
    } else if (same_word(keyword, "Triangles")) {
      begin("number of triangles", 8);
      for (std::size_t i = 0; i < promised_; ++i) {
        const auto triangle = corners<3>();
        mesh_.triangles.push_back(triangle);
        sets_.add(reference(), triangle);
      }
    } else if (same_word(keyword, "Quadrilaterals")) {
      begin("number of quadrilaterals", 10);
      for (std::size_t i = 0; i < promised_; ++i) {
        const auto quad = corners<4>();
        add_polygon(mesh_.tet.vertices, quad, mesh_.triangles);
        sets_.add(reference(), quad);
      }
    } else if (same_word(keyword, "Edges")) {
      begin("number of edges", 6);
      for (std::size_t i = 0; i < promised_; ++i) {
        mesh_.edges.push_back(corners<2>());
        reference();
      }
    } else if (same_word(keyword, "Hexahedra") || same_word(keyword, "Prisms") ||
               same_word(keyword, "Pyramids")) {
      if (begin("number of elements", 10) > 0)
        in_.fail(fmt::format("{} {} found; the engine reads tetrahedra only", promised_, keyword));
    } else {
      // Corners, ridges, normals and the like say nothing the engine uses.
      promised_ = 0;
      while (!in_.at_end() && !is_keyword(in_.peek_word())) in_.word("a number");
    }
  }

  void read_vertices() {
    if (!mesh_.tet.vertices.empty()) in_.fail("Vertices are given twice");
    mesh_.tet.vertices.reserve(begin("number of vertices", 8));
    for (std::size_t i = 0; i < promised_; ++i) {
      Point3 p;
      for (double& x : p) x = in_.coordinate();
      mesh_.tet.vertices.push_back(p);
      sets_.add(reference(), std::array{static_cast<int>(i)});
    }
  }

  std::size_t begin(const char* what, std::size_t least_bytes) {
    promised_ = in_.count(what, least_bytes);
    return promised_;
  }

  template <std::size_t N>
  std::array<int, N> corners() {
    std::array<int, N> out;
    for (int& i : out) i = in_.index("a vertex index", 1, mesh_.tet.vertices.size());
    return out;
  }

  int reference() {
    return static_cast<int>(in_.integer_between("a reference number", INT32_MIN, INT32_MAX));
  }

  Scanner in_;
  ParsedMesh mesh_;
  std::vector<int> tags_;
  NumberedVertexSets sets_;
  std::string section_;
  std::size_t promised_ = 0;
};

}  // namespace

ParsedMesh parse_medit(std::string_view bytes, const std::string& file) {
  return MeditReader(bytes, file).read();
}

MeshFormat medit_format() {
  return one_file_format<parse_medit>({".mesh"});
}

}  // namespace phiflex
