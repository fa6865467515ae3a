// VTK's XML format for unstructured grids, as little as frames and meshes need: inline base64, little endian,
// Float64 for numbers, so values round-trip and the file is valid XML.
#pragma once

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"
#include "phiflex/mesh/vtu_data.h"

namespace phiflex {

enum class VtkCell : std::uint8_t {
  vertex = 1,
  line = 3,
  triangle = 5,
  tetrahedron = 10,
  quadratic_tetrahedron = 24
};

struct VtuCells {
  std::vector<std::int32_t> connectivity, offsets;
  std::vector<std::uint8_t> types;
  void add(VtkCell type, std::span<const int> vertices);
  std::size_t size() const { return types.size(); }
};
VtuCells make_vtu_cells(const TetMesh& mesh);
VtuCells make_vtu_cells(const SurfaceMesh& mesh);

// A named array of doubles or ints, `components` per point or cell. The values are only viewed.
struct VtuArray {
  std::string name;
  int components = 1;
  std::span<const double> reals;
  std::span<const int> ints;  // used when reals is empty
};

struct VtuGrid {
  std::span<const double> points;  // x y z of each vertex
  const VtuCells* cells = nullptr;
  std::vector<VtuArray> point_data, cell_data;
};

// Throws std::invalid_argument when an array's length does not fit the grid.
void write_vtu(std::ostream& out, const VtuGrid& grid, VtuCompression compression = VtuCompression::none);
// The file appears whole or not at all; FileError when it cannot be written.
void write_vtu_file(const std::filesystem::path& path, const VtuGrid& grid,
                    VtuCompression compression = VtuCompression::none);

// The coordinates of vertices as one flat span.
std::span<const double> flat(const std::vector<Point3>& points);

}  // namespace phiflex
