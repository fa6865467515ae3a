// TressFX .tfx hair strands, little endian: float version; uint32 strands, points per strand; uint32 byte
// offsets of positions, strand uv, vertex uv, thickness, colour; 32 reserved uint32. Positions are float4
// (x, y, z, w), strand by strand from the root; w = 0 marks points that are held, which
// become the vertex set "fixed".
#include <fmt/format.h>

#include "phiflex/base/scanner.h"
#include "phiflex/mesh/mesh_formats.h"

namespace phiflex {

ParsedMesh parse_tfx(std::string_view bytes, const std::string& file) {
  constexpr std::uint64_t kPoint = 16;
  Scanner in(bytes, file);
  in.set_place_unit(Scanner::PlaceUnit::byte);
  if (bytes.empty()) in.fail("the file is empty; TFX strands are expected");
  const float version = in.binary<float>("the version");
  if (!(version >= 1 && version < 10)) in.fail(fmt::format("version {}; this is not a TFX file", version));
  const std::uint64_t strands = in.binary<std::uint32_t>("number of strands");
  const std::uint64_t points = in.binary<std::uint32_t>("points per strand");
  const std::uint64_t start = in.binary<std::uint32_t>("the offset of the positions");
  if (strands > 0 && points < 2)
    in.fail(fmt::format("{} points per strand; a strand needs at least 2", points));
  if (start > bytes.size() || strands * points > (bytes.size() - start) / kPoint)
    in.fail(fmt::format("{} strands of {} points from byte {} do not fit the file's {} bytes", strands,
                        points, start, bytes.size()));
  in.move_to(start);
  ParsedMesh mesh;
  mesh.tet.vertices.reserve(strands * points);
  for (std::uint64_t i = 0; i < strands * points; ++i) {
    Point3 p;
    for (double& x : p) x = in.checked_coordinate(static_cast<double>(in.binary<float>("a coordinate")));
    const int vertex = static_cast<int>(mesh.tet.vertices.size());
    mesh.tet.vertices.push_back(p);
    if (in.binary<float>("an inverse mass") == 0) mesh.tet.vertex_sets["fixed"].push_back(vertex);
    if (i % points != 0) mesh.edges.push_back({vertex - 1, vertex});
  }
  in.finish();
  return mesh;
}

MeshFormat tfx_format() {
  return one_file_format<parse_tfx>({".tfx"});
}

}  // namespace phiflex
