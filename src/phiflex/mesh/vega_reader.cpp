// Vega .veg (Sin, Schroeder and Barbic, "Vega: non-linear FEM deformable object simulator", 2013).
//
// Regions become tags 1, 2, ... named by their sets; a material's density, Young's modulus and Poisson's
// ratio become the element fields density, young and poisson when every tetrahedron has them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/scanner.h"
#include "phiflex/mesh/mesh_formats.h"

namespace phiflex {
namespace {

struct VegaMaterial {
  double density, young, poisson;
};
struct VegaRegion {
  std::string set, material;
};

class VegaReader {
 public:
  VegaReader(std::string_view bytes, const std::string& file, const IncludedFile& include)
      : in_(bytes, file), include_(include) {}

  ParsedMesh read() {
    prepare(in_);
    if (in_.at_end()) in_.fail("the file is empty; a Vega mesh is expected");
    read_sections(in_, Included::no);
    in_.finish();
    if (!has_vertices_ || !has_elements_) in_.fail("a Vega mesh needs *VERTICES and *ELEMENTS");
    assign_regions();
    return std::move(mesh_);
  }

 private:
  enum class Included { no, yes };

  static void prepare(Scanner& in) {
    in.set_comment('#');
    in.set_separator(',');
  }

  void read_sections(Scanner& in, Included included) {
    while (!in.at_end()) {
      const std::string keyword(in.word("a section"));
      if (same_word(keyword, "*VERTICES"))
        read_vertices(in);
      else if (same_word(keyword, "*ELEMENTS"))
        read_elements(in);
      else if (same_word(keyword, "*MATERIAL"))
        read_material(in);
      else if (same_word(keyword, "*SET"))
        read_set(in);
      else if (same_word(keyword, "*REGION"))
        read_region(in);
      else if (same_word(keyword, "*INCLUDE"))
        read_include(in, included);
      else
        in.fail(fmt::format("{} found; allowed: *VERTICES, *ELEMENTS, *MATERIAL, *SET, *REGION, *INCLUDE",
                            in_quotes(keyword)));
    }
  }

  void read_vertices(Scanner& in) {
    if (has_vertices_) in.fail("*VERTICES are given twice");
    has_vertices_ = true;
    if (in.skip_word("*INCLUDE")) {
      with_included(in, [&](Scanner& inner) { read_vertex_rows(inner); });
    } else {
      read_vertex_rows(in);
    }
  }

  void read_vertex_rows(Scanner& in) {
    const std::size_t n = in.count("number of vertices", 8);
    if (in.integer("the dimension") != 3) in.fail("the dimension must be 3");
    in.skip_line();  // attributes and markers, always 0 0
    mesh_.tet.vertices.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t number = in.integer("a vertex's number");
      if (i == 0 && number != 0 && number != 1)
        in.fail(fmt::format("the first vertex has number {}; allowed: 0 or 1", number));
      if (i == 0) base_ = number;
      if (number != base_ + static_cast<std::int64_t>(i))
        in.fail(
            fmt::format("vertex number {} found, {} expected", number, base_ + static_cast<std::int64_t>(i)));
      Point3 p;
      for (double& x : p) x = in.coordinate();
      mesh_.tet.vertices.push_back(p);
    }
    in.finish();
  }

  void read_elements(Scanner& in) {
    if (!has_vertices_) in.fail("*ELEMENTS come before *VERTICES");
    if (has_elements_) in.fail("*ELEMENTS are given twice");
    has_elements_ = true;
    if (in.skip_word("*INCLUDE")) {
      with_included(in, [&](Scanner& inner) { read_element_rows(inner); });
    } else {
      read_element_rows(in);
    }
  }

  void read_element_rows(Scanner& in) {
    const std::string_view type = in.word("the element type");
    if (!same_word(type, "TET") && !same_word(type, "TETS"))
      in.fail(fmt::format("elements of type {}; the engine reads TET only", in_quotes(type)));
    const std::size_t n = in.count("number of elements", 10);
    if (in.integer("vertices per element") != 4) in.fail("a tetrahedron must have 4 vertices");
    in.skip_line();
    mesh_.tet.tets.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      in.integer("an element's number");
      std::array<int, 4> tet;
      for (int& v : tet) v = in.index("a vertex of an element", base_, mesh_.tet.vertices.size());
      mesh_.tet.tets.push_back(tet);
    }
    in.finish();
  }

  void read_material(Scanner& in) {
    const std::string name(in.word("a material's name"));
    const std::string_view law = in.word("a material law");
    if (!same_word(law, "ENU")) {
      in.skip_line();
      return;  // other laws have parameters the engine has no use for
    }
    VegaMaterial material;
    material.density = in.real("the density");
    material.young = in.real("Young's modulus");
    material.poisson = in.real("Poisson's ratio");
    materials_[name] = material;
  }

  void read_set(Scanner& in) {
    const std::string name(in.word("a set's name"));
    std::vector<std::int64_t>& set = sets_[name];
    const auto read_numbers = [&](Scanner& from) {
      while (!from.at_end() && from.peek_word()[0] != '*') set.push_back(from.integer("an element's number"));
    };
    if (in.skip_word("*INCLUDE")) {
      if (!with_included(in, read_numbers)) missing_sets_.push_back(name);
    } else {
      read_numbers(in);
    }
  }

  void read_region(Scanner& in) {
    VegaRegion region;
    region.set = std::string(in.word("a set's name"));
    region.material = std::string(in.word("a material's name"));
    regions_.push_back(std::move(region));
  }

  void read_include(Scanner& in, Included included) {
    if (included == Included::yes) in.fail("an included file includes another; only one level is allowed");
    if (!with_included(in, [&](Scanner& inner) { read_sections(inner, Included::yes); }))
      in.fail("the included file cannot be read");
  }

  // False when the file is not there.
  template <class Read>
  bool with_included(Scanner& in, Read read) {
    const std::string name(in.word("a file name"));
    if (&in != &in_) in.fail("an included file includes another; only one level is allowed");
    if (name.find('/') != std::string::npos)
      in.fail(fmt::format("*INCLUDE {}: only files in the same folder are allowed", in_quotes(name)));
    const std::optional<std::string> bytes = include_(name);
    if (!bytes) {
      mesh_.tet.notes.push_back(fmt::format("the included file {} is missing", in_quotes(name)));
      return false;
    }
    Scanner inner(*bytes, name);
    prepare(inner);
    read(inner);
    inner.finish();
    return true;
  }

  void assign_regions() {
    TetMesh& mesh = mesh_.tet;
    std::vector<int> tags(mesh.tets.size(), 0);
    for (std::size_t r = 0; r < regions_.size(); ++r) {
      const VegaRegion& region = regions_[r];
      const int tag = static_cast<int>(r) + 1;
      mesh.tag_names[tag] = region.set;
      if (same_word(region.set, "allElements")) {
        std::fill(tags.begin(), tags.end(), tag);
        continue;
      }
      const auto set = sets_.find(region.set);
      if (set == sets_.end())
        in_.fail(fmt::format("region {} names the unknown set {}", tag, in_quotes(region.set)));
      if (std::count(missing_sets_.begin(), missing_sets_.end(), region.set) > 0)
        mesh.notes.push_back(fmt::format("the region {} is empty, because its elements are in a missing file",
                                         in_quotes(region.set)));
      for (const std::int64_t number : set->second) {
        const std::int64_t element = number - base_;
        if (element < 0 || element >= static_cast<std::int64_t>(tags.size()))
          in_.fail(fmt::format("set {} has element {}; allowed: {} to {}", in_quotes(region.set), number,
                               base_, base_ + static_cast<std::int64_t>(tags.size()) - 1));
        tags[static_cast<std::size_t>(element)] = tag;
      }
    }
    if (std::any_of(tags.begin(), tags.end(), [](int tag) { return tag != 0; })) mesh.tags = std::move(tags);
    add_material_fields();
  }

  void add_material_fields() {
    TetMesh& mesh = mesh_.tet;
    if (mesh.tags.empty()) return;
    std::vector<double> density, young, poisson;
    for (const int tag : mesh.tags) {
      if (tag == 0) return;
      const auto material = materials_.find(regions_[static_cast<std::size_t>(tag) - 1].material);
      if (material == materials_.end()) return;
      density.push_back(material->second.density);
      young.push_back(material->second.young);
      poisson.push_back(material->second.poisson);
    }
    mesh.element_fields = {{"density", density}, {"young", young}, {"poisson", poisson}};
  }

  Scanner in_;
  const IncludedFile& include_;
  ParsedMesh mesh_;
  bool has_vertices_ = false, has_elements_ = false;
  std::int64_t base_ = 1;
  std::map<std::string, VegaMaterial> materials_;
  std::map<std::string, std::vector<std::int64_t>> sets_;
  std::vector<std::string> missing_sets_;
  std::vector<VegaRegion> regions_;
};

}  // namespace

ParsedMesh parse_vega(std::string_view bytes, const std::string& file, const IncludedFile& include) {
  return VegaReader(bytes, file, include).read();
}

MeshFormat vega_format() {
  return {{".veg"}, [](const std::filesystem::path& path) {
            return parse_vega(read_file(path), path.string(),
                              [&](const std::string& name) -> std::optional<std::string> {
                                const std::filesystem::path included = path.parent_path() / name;
                                if (!std::filesystem::exists(included)) return std::nullopt;
                                return read_file(included);
                              });
          }};
}

}  // namespace phiflex
