#include "phiflex/mesh/vtu_writer.h"

#include <fmt/format.h>

#include <bit>
#include <sstream>
#include <stdexcept>

#include "phiflex/base/files.h"
#include "phiflex/mesh/xml_tags.h"

namespace phiflex {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

class VtuWriter {
 public:
  // appended: takes the raw bytes of arrays; null: they are written inline.
  VtuWriter(std::ostream& out, VtuCompression compression, std::string* appended)
      : out_(out), compression_(compression), appended_(appended) {}

  template <class T>
  void array(const char* type, const std::string& name, int components, std::span<const T> values) {
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    out_ << fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" ", type,
                        with_entities(name), components);
    if (appended_) {
      out_ << fmt::format("format=\"appended\" offset=\"{}\"/>\n", appended_->size());
      *appended_ += encode_vtu_raw(bytes, compression_);
    } else {
      out_ << "format=\"binary\">\n" << encode_vtu_base64(bytes, compression_) << "\n</DataArray>\n";
    }
  }

  void arrays(const std::vector<VtuArray>& list, std::size_t count) {
    for (const VtuArray& item : list) {
      const std::size_t length = item.reals.empty() ? item.ints.size() : item.reals.size();
      if (item.components < 1 || length != count * static_cast<std::size_t>(item.components))
        throw std::invalid_argument(fmt::format("VTU array {} has {} values; {} x {} are needed", item.name,
                                                length, count, item.components));
      if (item.reals.empty() && !item.ints.empty()) {
        array("Int32", item.name, item.components, item.ints);
      } else if (item.precision == VtuPrecision::single) {
        single_.resize(item.reals.size());
        for (std::size_t i = 0; i < single_.size(); ++i) single_[i] = static_cast<float>(item.reals[i]);
        array("Float32", item.name, item.components, std::span<const float>(single_));
      } else {
        array("Float64", item.name, item.components, item.reals);
      }
    }
  }

  void cells(const VtuCells& cells) {
    out_ << "<Cells>\n";
    array("Int32", "connectivity", 1, std::span<const std::int32_t>(cells.connectivity));
    array("Int32", "offsets", 1, std::span<const std::int32_t>(cells.offsets));
    array("UInt8", "types", 1, std::span<const std::uint8_t>(cells.types));
    out_ << "</Cells>\n";
  }

 private:
  std::ostream& out_;
  VtuCompression compression_;
  std::string* appended_;
  std::vector<float> single_;
};

}  // namespace

void VtuCells::add(VtkCell type, std::span<const int> vertices) {
  connectivity.insert(connectivity.end(), vertices.begin(), vertices.end());
  offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
  types.push_back(static_cast<std::uint8_t>(type));
}

VtuCells make_vtu_cells(const TetMesh& mesh) {
  VtuCells cells;
  for (const auto& tet : mesh.tets) cells.add(VtkCell::tetrahedron, tet);
  return cells;
}

VtuCells make_vtu_cells(const SurfaceMesh& mesh) {
  VtuCells cells;
  for (const auto& triangle : mesh.triangles) cells.add(VtkCell::triangle, triangle);
  for (const auto& edge : mesh.edges) cells.add(VtkCell::line, edge);
  return cells;
}

VtuPrepared prepare_vtu(const VtuCells& cells, const std::vector<VtuArray>& cell_data,
                        VtuCompression compression, VtuPlace place) {
  std::ostringstream of_cells, of_data;
  VtuPrepared made;
  std::string* appended = place == VtuPlace::appended_raw ? &made.appended : nullptr;
  VtuWriter(of_cells, compression, appended).cells(cells);
  VtuWriter(of_data, compression, appended).arrays(cell_data, cells.size());
  made.cells = std::move(of_cells).str();
  made.cell_data = std::move(of_data).str();
  return made;
}

void write_vtu(std::ostream& out, const VtuGrid& grid, VtuCompression compression, VtuPlace place) {
  if (grid.cells == nullptr || grid.points.size() % 3 != 0)
    throw std::invalid_argument("a VTU grid needs cells and three coordinates per point");
  const std::size_t points = grid.points.size() / 3;
  std::string appended = grid.prepared ? grid.prepared->appended : "";
  VtuWriter writer(out, compression, place == VtuPlace::appended_raw ? &appended : nullptr);
  out << fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\"{}>\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
      compression != VtuCompression::none ? " compressor=\"vtkZLibDataCompressor\"" : "", points,
      grid.cells->size());
  out << "<PointData>\n";
  writer.arrays(grid.point_data, points);
  out << "</PointData>\n<CellData>\n";
  writer.arrays(grid.cell_data, grid.cells->size());
  if (grid.prepared) out << grid.prepared->cell_data;
  out << "</CellData>\n<Points>\n";
  writer.array("Float64", "Points", 3, grid.points);
  out << "</Points>\n";
  if (grid.prepared)
    out << grid.prepared->cells;
  else
    writer.cells(*grid.cells);
  out << "</Piece>\n</UnstructuredGrid>\n";
  if (place == VtuPlace::appended_raw)
    out << "<AppendedData encoding=\"raw\">\n_" << appended << "\n</AppendedData>\n";
  out << "</VTKFile>\n";
}

void write_vtu_file(const std::filesystem::path& path, const VtuGrid& grid, VtuCompression compression,
                    VtuPlace place) {
  std::ostringstream out;
  write_vtu(out, grid, compression, place);
  write_file_atomically(path, out.view());
}

std::span<const double> flat(const std::vector<Point3>& points) {
  static_assert(sizeof(Point3) == 3 * sizeof(double));
  return {points.empty() ? nullptr : points[0].data(), 3 * points.size()};
}

}  // namespace phiflex
