// VTK's XML format for unstructured grids, as little as frames and meshes need: little endian; the arrays inline in
// base64, which is valid XML, or as raw bytes after the tags, which take three quarters of that. Numbers are Float64,
// so that values round-trip, unless an array asks for Float32; indices are Int32.
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

enum class VtuPrecision { exact, single };
enum class VtuPlace { inline_base64, appended_raw };  // of arrays

// A named array of doubles or ints, `components` per point or cell. The values are only viewed.
struct VtuArray {
  std::string name;
  int components = 1;
  std::span<const double> reals;
  std::span<const int> ints;                     // used when reals is empty
  VtuPrecision precision = VtuPrecision::exact;  // of reals in the file
};

// What many files have in common, encoded once.
struct VtuPrepared {
  std::string cells;      // the element <Cells>
  std::string cell_data;  // arrays, which follow those of a grid
  std::string appended;   // with which the raw bytes of a file begin
};
// Throws as write_vtu().
VtuPrepared prepare_vtu(const VtuCells& cells, const std::vector<VtuArray>& cell_data,
                        VtuCompression compression, VtuPlace place = VtuPlace::inline_base64);

struct VtuGrid {
  std::span<const double> points;  // x y z of each vertex
  const VtuCells* cells = nullptr;
  std::vector<VtuArray> point_data, cell_data;
  const VtuPrepared* prepared = nullptr;  // of these cells; null: none
};

// Throws std::invalid_argument when an array's length does not fit the grid. What was prepared must be compressed as
// the rest (zlib and zlib_fast are one) and have the same place.
void write_vtu(std::ostream& out, const VtuGrid& grid, VtuCompression compression = VtuCompression::none,
               VtuPlace place = VtuPlace::inline_base64);
// The file appears whole or not at all; FileError when it cannot be written.
void write_vtu_file(const std::filesystem::path& path, const VtuGrid& grid,
                    VtuCompression compression = VtuCompression::none,
                    VtuPlace place = VtuPlace::inline_base64);

// The coordinates of vertices as one flat span.
std::span<const double> flat(const std::vector<Point3>& points);

}  // namespace phiflex
