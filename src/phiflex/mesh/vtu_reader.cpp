// VTK's XML unstructured grids (.vtu): text, base64 and appended arrays, plain or with zlib.
#include <fmt/format.h>

#include <cmath>

#include "phiflex/base/files.h"
#include "phiflex/base/scanner.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/vtk_cells.h"
#include "phiflex/mesh/vtk_types.h"
#include "phiflex/mesh/vtu_data.h"
#include "phiflex/mesh/xml_tags.h"

namespace phiflex {
namespace {

class VtuReader {
 public:
  VtuReader(std::string_view bytes, const std::string& file)
      : bytes_(bytes), file_(file), in_(bytes, file), collector_(file) {}

  ParsedMesh read() {
    if (in_.at_end()) in_.fail("the file is empty; a VTU file is expected");
    find_appended_data();
    XmlTag tag;
    if (!read_xml_tag(in_, tag) || tag.name != "VTKFile") in_.fail("a VTU file begins with <VTKFile>");
    read_root(tag);
    bool closed = false;
    while (!closed && in_.position() < xml_end_ && read_xml_tag(in_, tag)) closed = read_tag(tag);
    if (!closed && xml_end_ == bytes_.size()) in_.fail("the file ends without </VTKFile>: it is cut off");
    if (pieces_ == 0) in_.fail("there is no <Piece>");
    in_.finish();
    collector_.finish(mesh_);
    return std::move(mesh_);
  }

 private:
  struct Piece {
    std::size_t points = 0, cells = 0;  // as promised
    bool has_points = false;
    std::vector<Point3> vertices;
    VtkCellArrays arrays;
    std::map<std::string, std::vector<double>> data;
  };

  // Raw appended bytes are no XML: the tags end where they begin.
  void find_appended_data() {
    const std::size_t at = bytes_.find("<AppendedData");
    xml_end_ = std::min(at, bytes_.size());
    if (at == std::string_view::npos) return;
    in_.move_to(at);
    XmlTag tag;
    read_xml_tag(in_, tag);
    const std::string encoding = tag.attribute("encoding");
    if (encoding != "raw" && encoding != "base64")
      in_.fail(fmt::format("appended data are encoded as {}; allowed: raw, base64", in_quotes(encoding)));
    appended_is_raw_ = encoding == "raw";
    const std::size_t mark = bytes_.find('_', tag.end);
    if (mark == std::string_view::npos) in_.fail("appended data do not begin with _");
    appended_ = bytes_.substr(mark + 1);
    in_.move_to(0);
  }

  void read_root(const XmlTag& tag) {
    if (tag.attribute("type") != "UnstructuredGrid")
      in_.fail(fmt::format("type {}; allowed: UnstructuredGrid", in_quotes(tag.attribute("type"))));
    const std::string order = tag.attribute("byte_order", "LittleEndian");
    if (order != "LittleEndian" && order != "BigEndian")
      in_.fail(fmt::format("byte order {}; allowed: LittleEndian, BigEndian", in_quotes(order)));
    encoding_.byte_order = order == "BigEndian" ? std::endian::big : std::endian::little;
    const std::string header = tag.attribute("header_type", "UInt32");
    if (header != "UInt32" && header != "UInt64")
      in_.fail(fmt::format("header type {}; allowed: UInt32, UInt64", in_quotes(header)));
    encoding_.header_width = header == "UInt64" ? 8 : 4;
    const std::string compressor = tag.attribute("compressor");
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
      in_.fail(fmt::format("compressor {}; allowed: vtkZLibDataCompressor", in_quotes(compressor)));
    encoding_.compression = compressor.empty() ? VtuCompression::none : VtuCompression::zlib;
  }

  // True at the end of the grid.
  bool read_tag(const XmlTag& tag) {
    if (tag.kind == XmlTag::Kind::close) {
      if (tag.name == "Piece") finish_piece();
      if (tag.name == section_) section_.clear();
      return tag.name == "VTKFile";
    }
    if (tag.name == "Piece") {
      piece_ = Piece();
      piece_.points = read_size(tag, "NumberOfPoints");
      piece_.cells = read_size(tag, "NumberOfCells");
      ++pieces_;
      if (tag.kind == XmlTag::Kind::empty) finish_piece();
    } else if (tag.name == "Points" || tag.name == "Cells" || tag.name == "CellData" ||
               tag.name == "PointData") {
      section_ = tag.kind == XmlTag::Kind::open ? tag.name : "";
    } else if (tag.name == "DataArray") {
      read_array(tag);
    }
    return false;
  }

  std::size_t read_size(const XmlTag& tag, const char* key) {
    std::int64_t value = 0;
    if (!parse_integer(tag.attribute(key), value) || value < 0 || value > INT32_MAX)
      in_.fail(fmt::format("{} is {}; a whole number from 0 is needed", key, in_quotes(tag.attribute(key))));
    return static_cast<std::size_t>(value);
  }

  void read_array(const XmlTag& tag) {
    const std::string name = tag.attribute("Name");
    if (pieces_ == 0) return;  // data of the whole file
    if (section_ == "Points") {
      if (piece_.has_points) in_.fail("a piece has two arrays of points");
      piece_.has_points = true;
      keep_points(values<double>(tag));
    } else if (section_ == "Cells" && name == "connectivity") {
      piece_.arrays.connectivity = values<std::int64_t>(tag);
    } else if (section_ == "Cells" && name == "offsets") {
      piece_.arrays.ends = values<std::int64_t>(tag);
      check_length(tag, piece_.arrays.ends.size(), piece_.cells, "NumberOfCells");
    } else if (section_ == "Cells" && name == "types") {
      piece_.arrays.types = values<std::int64_t>(tag);
      check_length(tag, piece_.arrays.types.size(), piece_.cells, "NumberOfCells");
    } else if (section_ == "CellData" && tag.attribute("NumberOfComponents", "1") == "1" &&
               find_vtk_xml_type(tag.attribute("type"))) {
      piece_.data[name] = values<double>(tag);
      check_length(tag, piece_.data[name].size(), piece_.cells, "NumberOfCells");
    } else if (section_ == "CellData" && tag.attribute("NumberOfComponents") == "3" &&
               find_vtk_xml_type(tag.attribute("type"))) {
      const std::vector<double> vectors = values<double>(tag);
      check_length(tag, vectors.size(), 3 * piece_.cells, "3 NumberOfCells");
      add_components(name, vectors, piece_.data);
    }
  }

  void check_length(const XmlTag& tag, std::size_t length, std::size_t promised, const char* key) {
    in_.mark(tag.begin);
    if (length != promised)
      in_.report(fmt::format("array {} has {} values, but {} is {}",
                             in_quotes(tag.attribute("Name", "Points")), length, key, promised));
  }

  void keep_points(const std::vector<double>& coordinates) {
    if (coordinates.size() != 3 * piece_.points)
      in_.report(fmt::format("the points have {} coordinates, but NumberOfPoints is {}: {} are needed",
                             coordinates.size(), piece_.points, 3 * piece_.points));
    for (std::size_t i = 0; i + 2 < coordinates.size(); i += 3) {
      for (std::size_t k = 0; k < 3; ++k)
        if (!std::isfinite(coordinates[i + k]))
          in_.report(
              fmt::format("point {}: a coordinate is {}; it must be finite", i / 3, coordinates[i + k]));
      piece_.vertices.push_back({coordinates[i], coordinates[i + 1], coordinates[i + 2]});
    }
  }

  template <class T>
  std::vector<T> values(const XmlTag& tag) {
    in_.mark(tag.begin);
    const auto type = find_vtk_xml_type(tag.attribute("type"));
    if (!type) in_.fail(fmt::format("type {} is not known", in_quotes(tag.attribute("type"))));
    const std::string format = tag.attribute("format", "ascii");
    if (format == "appended") return from_bytes<T>(tag, *type, appended(tag, *type));
    if (format != "ascii" && format != "binary")
      in_.fail(fmt::format("format {}; allowed: ascii, binary, appended", in_quotes(format)));
    if (tag.kind == XmlTag::Kind::empty) return {};
    const std::size_t end = bytes_.find('<', tag.end);
    if (end == std::string_view::npos) in_.fail("a DataArray has no end: the file is cut off");
    in_.move_to(end);
    if (format == "binary") {
      std::string reason;
      auto data =
          decode_vtu_base64(bytes_.substr(tag.end, end - tag.end), encoding_, room_for(*type), reason);
      return from_bytes<T>(tag, *type, checked(tag, std::move(data), reason));
    }
    return from_text<T>(tag.end, end);
  }

  template <class T>
  std::vector<T> from_text(std::size_t begin, std::size_t end) {
    Scanner text(bytes_.substr(0, end), file_);  // from the file's beginning, so that lines count right
    text.move_to(begin);
    std::vector<T> out;
    while (!text.at_end()) {
      if constexpr (std::is_same_v<T, double>)
        out.push_back(text.real("a value"));
      else
        out.push_back(text.integer("a whole number"));
    }
    return out;
  }

  template <class T>
  std::vector<T> from_bytes(const XmlTag& tag, VtkType type, const std::string& data) {
    const std::size_t size = vtk_type_size(type);
    if (data.size() % size != 0)
      in_.fail(fmt::format("array {} has {} bytes, which is no multiple of {}",
                           in_quotes(tag.attribute("Name")), data.size(), size));
    Scanner bytes(data, file_);
    bytes.set_place_unit(Scanner::PlaceUnit::byte);
    bytes.set_byte_order(encoding_.byte_order);
    room_ -= data.size() / size * sizeof(double);
    std::vector<T> out;
    out.reserve(data.size() / size);
    while (bytes.remaining() > 0) {
      if constexpr (std::is_same_v<T, double>)
        out.push_back(read_vtk_real(bytes, type, "a value"));
      else
        out.push_back(read_vtk_integer(bytes, type, "a whole number"));
    }
    return out;
  }

  // Each value of a packed array takes eight bytes once it is read. All arrays of a file share what there is: a file
  // of a few bytes may unpack to many, or name the same appended bytes again and again.
  std::size_t room_for(VtkType type) const { return room_ / sizeof(double) * vtk_type_size(type); }

  std::string appended(const XmlTag& tag, VtkType type) {
    std::int64_t offset = 0;
    if (!parse_integer(tag.attribute("offset"), offset) || offset < 0 ||
        static_cast<std::size_t>(offset) > appended_.size())
      in_.fail(
          fmt::format("offset {}; allowed: 0 to {}", in_quotes(tag.attribute("offset")), appended_.size()));
    const std::string_view from = appended_.substr(static_cast<std::size_t>(offset));
    std::string reason;
    return checked(tag,
                   appended_is_raw_ ? decode_vtu_raw(from, encoding_, room_for(type), reason)
                                    : decode_vtu_base64(from, encoding_, room_for(type), reason),
                   reason);
  }

  std::string checked(const XmlTag& tag, std::optional<std::string> data, const std::string& reason) {
    if (!data) in_.fail(fmt::format("array {}: {}", in_quotes(tag.attribute("Name", "Points")), reason));
    return std::move(*data);
  }

  void finish_piece() {
    if (piece_.points > 0 && !piece_.has_points) in_.fail("a piece has no points");
    if (piece_.arrays.ends.size() != piece_.cells || piece_.arrays.types.size() != piece_.cells)
      in_.report(fmt::format("NumberOfCells is {}, but there are {} offsets and {} types", piece_.cells,
                             piece_.arrays.ends.size(), piece_.arrays.types.size()));
    in_.finish();
    const std::size_t first = mesh_.tet.vertices.size();
    mesh_.tet.vertices.insert(mesh_.tet.vertices.end(), piece_.vertices.begin(), piece_.vertices.end());
    collector_.add(piece_.arrays, piece_.data, first, mesh_);
    piece_ = Piece();
  }

  std::string_view bytes_;
  std::string file_;
  Scanner in_;
  VtkCellCollector collector_;
  ParsedMesh mesh_;
  VtuEncoding encoding_;
  std::string_view appended_;
  bool appended_is_raw_ = false;
  std::size_t xml_end_ = 0;
  std::size_t room_ = largest_content();  // bytes that packed arrays may still take
  std::string section_;
  std::size_t pieces_ = 0;
  Piece piece_;
};

}  // namespace

ParsedMesh parse_vtu(std::string_view bytes, const std::string& file) {
  return VtuReader(bytes, file).read();
}

MeshFormat vtu_format() {
  return one_file_format<parse_vtu>({".vtu"});
}

}  // namespace phiflex
