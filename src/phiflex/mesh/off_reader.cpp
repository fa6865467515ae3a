// Geomview .off, text; colours, normals and texture coordinates are passed over.
#include <fmt/format.h>

#include "phiflex/base/scanner.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/polygons.h"

namespace phiflex {

ParsedMesh parse_off(std::string_view bytes, const std::string& file) {
  Scanner in(bytes, file);
  in.set_comment('#');
  if (in.at_end()) in.fail("the file is empty; an OFF mesh is expected");
  const std::string_view header = in.word("OFF");
  // Prefixes say what follows the coordinates on a vertex's line: ST texture, C colour, N normal.
  const bool plain = header == "OFF";
  if (!plain && header != "COFF" && header != "NOFF" && header != "CNOFF" && header != "STOFF" &&
      header != "STCNOFF")
    in.fail(fmt::format("{} found; an OFF mesh begins with OFF (or COFF, NOFF, CNOFF, STOFF, STCNOFF)",
                        in_quotes(header)));
  if (in.skip_word("BINARY")) in.fail("binary OFF is not supported; text is");

  ParsedMesh mesh;
  const std::size_t vertices = in.count("number of vertices", 6);
  const std::size_t faces = in.count("number of faces", 2);
  in.integer("number of edges");
  in.checked_count(static_cast<std::int64_t>(vertices), "number of vertices", 6);
  mesh.tet.vertices.reserve(vertices);
  for (std::size_t i = 0; i < vertices; ++i) {
    Point3 p;
    for (double& x : p) x = in.coordinate();
    mesh.tet.vertices.push_back(p);
    if (!plain) in.skip_line();
  }
  std::vector<int> corners;
  for (std::size_t i = 0; i < faces; ++i) {
    const std::size_t n = in.count("number of corners", 2);
    if (n < 3) in.report(fmt::format("a face has {} corners; it needs at least 3", n));
    corners.clear();
    for (std::size_t k = 0; k < n; ++k) corners.push_back(in.index("a vertex index", 0, vertices));
    if (n >= 3) add_polygon(mesh.tet.vertices, corners, mesh.triangles);
    in.skip_line();  // a colour may follow
  }
  if (!in.at_end())
    in.fail(fmt::format("{} found after the {} faces promised", in_quotes(in.word("nothing")), faces));
  in.finish();
  return mesh;
}

MeshFormat off_format() {
  return one_file_format<parse_off>({".off"});
}

}  // namespace phiflex
