#include "phiflex/run/plane_body.h"

#include <fmt/format.h>

#include "phiflex/mesh/mesh_io.h"
#include "phiflex/mesh/plane_generators.h"

namespace phiflex {
namespace {

SurfaceMesh make_triangles(const MeshSpec& spec) {
  if (const auto* rectangle = std::get_if<RectangleMesh>(&spec))
    return generate_rectangle(
        {rectangle->size, {static_cast<int>(rectangle->cells[0]), static_cast<int>(rectangle->cells[1])}});
  if (const auto* triangle = std::get_if<RightTriangleMesh>(&spec))
    return generate_right_triangle({triangle->size, static_cast<int>(triangle->cells)});
  return read_surface_mesh(std::get<FileMesh>(spec).file);
}

}  // namespace

Body build_plane(const BodySpec& spec, const std::string& pointer, ProblemList& problems) {
  const auto* file = std::get_if<FileMesh>(&*spec.mesh);
  const std::string name =
      file ? file->file.string() : fmt::format("{}: {}/mesh", problems.source(), pointer);
  SurfaceMesh mesh;
  try {
    mesh = make_triangles(*spec.mesh);
    place(spec.transform, mesh.vertices);
  } catch (const InputError& error) {
    problems.add_all(error, pointer + "/mesh");
    return {};
  } catch (const FileError& error) {
    problems.add(error);
    return {};
  }
  const Continuity continuity = !is_discontinuous(spec.element)      ? Continuity::continuous
                                : spec.element == ElementKind::dg_bz ? Continuity::babuska_zlamal
                                                                     : Continuity::interior_penalty;
  Body body =
      make_plane(spec.name, std::move(mesh), continuity, spec.penalty.value_or(0), name, pointer, problems);
  if (body.element_count() > 0) assign_materials(spec, pointer, body, problems);
  return body;
}

}  // namespace phiflex
