#include "phiflex/exchange/export_formats.h"

#include <fmt/format.h>

#include "phiflex/base/errors.h"
#include "phiflex/scene/nearest.h"

namespace phiflex {

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> table = {
      {"pvd", "ParaView: a list of times and a folder of VTU files", export_pvd},
      {"obj", "a Wavefront OBJ file for each frame", export_obj},
      {"pc2", "point cache of Blender and others, and an OBJ of the rest shape", export_pc2},
      {"mdd", "point cache of Blender, LightWave and others, and an OBJ of the rest shape", export_mdd},
      {"gltf", "glTF 2.0 with animation: JSON and a .bin", export_gltf},
      {"glb", "glTF 2.0 with animation, in one file", export_glb},
  };
  return table;
}

const ExportFormat& export_format(const std::string& name) {
  std::vector<std::string> names;
  for (const ExportFormat& format : export_formats()) {
    if (name == format.name) return format;
    names.emplace_back(format.name);
  }
  throw InputError("", "--format",
                   fmt::format("\"{}\" is not a format; expected one of {}{}", name, quoted_list(names),
                               did_you_mean(name, names)));
}

SurfaceMesh mesh_of(const VisibleShape& shape, const std::vector<Point3>& positions) {
  SurfaceMesh mesh;
  mesh.vertices = positions;
  mesh.triangles = shape.triangles;
  mesh.edges = shape.lines;
  return mesh;
}

std::filesystem::path with_ending(const std::filesystem::path& file, const char* ending) {
  std::filesystem::path other = file;
  return other.replace_extension(ending);
}

std::filesystem::path named_after(const std::filesystem::path& file, const std::string& body) {
  std::filesystem::path stem = file;
  stem.replace_extension();
  return stem += "_" + body + file.extension().string();
}

std::filesystem::path numbered(const std::filesystem::path& file, std::size_t number, const char* ending) {
  std::filesystem::path stem = file;
  stem.replace_extension();
  return stem += fmt::format("_{:06}{}", number, ending);
}

}  // namespace phiflex
