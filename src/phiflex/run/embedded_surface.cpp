#include "phiflex/run/embedded_surface.h"

#include <fmt/format.h>

#include <algorithm>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/mesh/obj_text.h"
#include "phiflex/mesh/tet_locator.h"
#include "phiflex/mesh/vec3.h"
#include "phiflex/run/scene_body.h"

namespace phiflex {
namespace {

// Its vertices, placed as the body is.
std::vector<Point3> surface_points(const BodySpec& body) {
  std::vector<Point3> points = read_surface_mesh(*body.surface).vertices;
  place(body.transform, points);
  return points;
}

}  // namespace

std::vector<std::string> surface_warnings(const Scene& scene, const SceneModel& world) {
  std::vector<std::string> warnings;
  for (const BodySpec& spec : scene.bodies) {
    if (!spec.surface) continue;
    const SolidBody* solid = find_body(world.bodies(), spec.name).solid();
    if (!solid) continue;
    const TetLocator locator(solid->mesh.vertices, solid->mesh.tets);
    const std::vector<Point3> points = surface_points(spec);
    std::size_t outside = 0, worst = 0;
    double farthest = 0;
    for (std::size_t v = 0; v < points.size(); ++v) {
      const TetLocator::Place at = locator.locate(points[v]);
      const auto& tet = solid->mesh.tets[std::size_t(at.tet)];
      const double edge =
          norm(solid->mesh.vertices[std::size_t(tet[1])] - solid->mesh.vertices[std::size_t(tet[0])]);
      if (!(at.distance > edge)) continue;
      ++outside;
      if (at.distance > farthest) farthest = at.distance, worst = v;
    }
    if (outside > 0)
      warnings.push_back(
          fmt::format("{} of {} vertices of the surface of body \"{}\" lie farther than an edge outside of "
                      "its tetrahedra, vertex {} by {:.3g} m: they follow the nearest tetrahedron",
                      outside, points.size(), spec.name, worst, farthest));
  }
  return warnings;
}

void write_surfaces(const Scene& scene, const RunFolder& folder) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const BodySpec& body = scene.bodies[b];
    if (!body.surface) continue;
    const std::vector<Point3> points = surface_points(body);
    const ObjText text(read_file(*body.surface));
    if (text.vertices() != points.size())
      throw InputError(body.surface->string(), "",
                       "has vertices that could not be told from its other lines");
    std::filesystem::create_directories(folder.surfaces());
    write_file_atomically(folder.surface(static_cast<long>(b)), text.with(points));
  }
}

}  // namespace phiflex
