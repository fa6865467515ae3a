#include <fmt/format.h>

#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/mesh_io.h"
#include "phiflex/run/scene_body.h"

namespace phiflex {
namespace {

SurfaceMesh make_triangles(const MeshSpec& spec) {
  if (const auto* file = std::get_if<FileMesh>(&spec)) return read_surface_mesh(file->file);
  const auto& generated = std::get<GeneratedMesh>(spec);
  return generate_triangles(generated.kind, generated.arguments);
}

}  // namespace

Body build_plane(const BodySpec& spec, const std::string& pointer, ProblemList& problems) {
  const std::string name = mesh_name(*spec.mesh, problems, pointer);
  SurfaceMesh mesh;
  if (!problems.collect(pointer + "/mesh", [&] {
        mesh = make_triangles(*spec.mesh);
        place(spec.transform, mesh.vertices);
      }))
    return {};
  const Continuity continuity = !is_discontinuous(spec.element)      ? Continuity::continuous
                                : spec.element == ElementKind::dg_bz ? Continuity::babuska_zlamal
                                                                     : Continuity::interior_penalty;
  Body body =
      make_plane(spec.name, std::move(mesh), continuity, spec.penalty.value_or(0), name, pointer, problems);
  if (body.element_count() > 0) assign_materials(spec, pointer, body, problems);
  return body;
}

}  // namespace phiflex
