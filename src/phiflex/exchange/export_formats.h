// A run's motion for other programs. Every format writes the visible shape (motion_reader.h): boundary triangles of
// solids, surfaces of cloths, springs as lines. Its vertices are numbered from 0 in
// the order of the run's own numbers, so that a point cache of a surface fits the file that it came from; the numbering
// is the same in every format and every frame. VisibleShape::vertices says which point of the run's own frames each is;
// PVD files carry it as the point data `point`.
//
// A new format is a file with its function and a line in export_formats.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phiflex/record/motion_reader.h"

namespace phiflex {

enum class ExportCells { visible, all };  // all: tetrahedra too, numbered as in the run (PVD only)

struct ExportOrder {
  const MotionReader& motion;
  std::vector<std::size_t> frames;  // at least one, ascending in time
  std::filesystem::path file;       // as the user named it; other files are named after it
  ExportCells cells = ExportCells::visible;
};

struct ExportFormat {
  const char* name;  // and the file's ending
  const char* description;
  // Gives the files it wrote, the most important first. Each appears whole or not at all. FileError; InputError when a
  // frame is damaged.
  std::vector<std::filesystem::path> (*write)(const ExportOrder& order);
};

const std::vector<ExportFormat>& export_formats();

// By name; InputError lists them and suggests the nearest.
const ExportFormat& export_format(const std::string& name);

// One function for each line of the table.
std::vector<std::filesystem::path> export_pvd(const ExportOrder& order);
std::vector<std::filesystem::path> export_obj(const ExportOrder& order);
std::vector<std::filesystem::path> export_pc2(const ExportOrder& order);
std::vector<std::filesystem::path> export_mdd(const ExportOrder& order);
std::vector<std::filesystem::path> export_gltf(const ExportOrder& order);
std::vector<std::filesystem::path> export_glb(const ExportOrder& order);

// The shape with other positions, as a mesh.
SurfaceMesh mesh_of(const VisibleShape& shape, const std::vector<Point3>& positions);

// run.gltf -> run.bin; run.obj, 12 -> run_000012.obj
std::filesystem::path with_ending(const std::filesystem::path& file, const char* ending);
// run.obj, "cow" -> run_cow.obj
std::filesystem::path named_after(const std::filesystem::path& file, const std::string& body);
std::filesystem::path numbered(const std::filesystem::path& file, std::size_t number, const char* ending);

}  // namespace phiflex
