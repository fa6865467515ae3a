// Legacy VTK, text and binary (big endian), versions 1 to 5: unstructured grids and polygonal data
// (Schroeder, Martin and Lorensen, "The Visualization Toolkit", 2006).
#include <fmt/format.h>

#include "phiflex/base/scanner.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/vtk_cells.h"
#include "phiflex/mesh/vtk_types.h"

namespace phiflex {
namespace {

class VtkReader {
 public:
  VtkReader(std::string_view bytes, const std::string& file) : in_(bytes, file), collector_(file) {}

  ParsedMesh read() {
    read_header();
    while (!in_.at_end()) read_section();
    if (!has_points_) in_.fail("there are no POINTS");
    in_.finish();
    if (polydata_.types.empty()) {
      if (cells_.types.size() != cells_.ends.size())
        in_.fail(
            fmt::format("there are {} CELLS but {} CELL_TYPES", cells_.ends.size(), cells_.types.size()));
    } else {
      cells_ = std::move(polydata_);
    }
    std::erase_if(cell_data_, [&](const auto& item) { return item.second.size() != cells_.types.size(); });
    collector_.add(cells_, cell_data_, 0, mesh_);
    collector_.finish(mesh_);
    return std::move(mesh_);
  }

 private:
  enum class DataOf { nothing, points, cells };

  void read_header() {
    if (in_.at_end()) in_.fail("the file is empty; a VTK file is expected");
    const std::string_view first = in_.line();
    constexpr std::string_view kMagic = "# vtk DataFile Version";
    if (!first.starts_with(kMagic))
      in_.fail(fmt::format("{} found; a VTK file begins with '{} x.y'", in_quotes(first), kMagic));
    in_.skip_line();  // the title
    const std::string_view encoding = in_.word("ASCII or BINARY");
    binary_ = same_word(encoding, "BINARY");
    if (!binary_ && !same_word(encoding, "ASCII"))
      in_.fail(fmt::format("{} found; allowed: ASCII, BINARY", in_quotes(encoding)));
    if (binary_) {
      in_.set_place_unit(Scanner::PlaceUnit::byte);
      in_.set_byte_order(std::endian::big);
    }
    if (!in_.skip_word("DATASET"))
      in_.fail(fmt::format("{} found where DATASET is expected", in_quotes(in_.word("DATASET"))));
    const std::string_view dataset = in_.word("a dataset type");
    if (!same_word(dataset, "UNSTRUCTURED_GRID") && !same_word(dataset, "POLYDATA"))
      in_.fail(fmt::format("dataset {}; allowed: UNSTRUCTURED_GRID, POLYDATA", in_quotes(dataset)));
  }

  void read_section() {
    const std::string_view keyword = in_.word("a keyword");
    if (same_word(keyword, "POINTS")) {
      read_points();
    } else if (same_word(keyword, "CELLS")) {
      read_cells(cells_);
    } else if (same_word(keyword, "CELL_TYPES")) {
      const std::size_t n = in_.count("number of cell types", binary_ ? 4 : 2);
      cells_.types = read_integers(n, VtkType::int32, "a cell type");
    } else if (same_word(keyword, "POLYGONS")) {
      read_polydata(7);
    } else if (same_word(keyword, "LINES")) {
      read_polydata(4);
    } else if (same_word(keyword, "VERTICES")) {
      read_polydata(2);
    } else if (same_word(keyword, "TRIANGLE_STRIPS")) {
      read_polydata(6);
    } else if (same_word(keyword, "POINT_DATA")) {
      begin_data(DataOf::points);
    } else if (same_word(keyword, "CELL_DATA")) {
      begin_data(DataOf::cells);
    } else if (same_word(keyword, "METADATA")) {
      skip_metadata();
    } else if (same_word(keyword, "FIELD")) {
      read_field();
    } else if (data_of_ != DataOf::nothing) {
      read_attribute(keyword);
    } else {
      in_.fail(fmt::format(
          "{} found where a keyword such as CELLS is expected: the counts of the section before do "
          "not fit it",
          in_quotes(keyword)));
    }
  }

  void begin_data(DataOf of) {
    data_of_ = of;
    data_count_ = size(of == DataOf::cells ? "number of cells with data" : "number of points with data");
  }

  // A number that need not fit what is left; begin_values checks the product it enters.
  std::size_t size(const char* what) {
    return static_cast<std::size_t>(in_.integer_between(what, 0, INT32_MAX));
  }

  // Lines up to an empty one.
  void skip_metadata() {
    in_.skip_line();
    while (in_.remaining() > 0 && !in_.line().empty()) {
    }
  }

  VtkType read_type() {
    const std::string_view name = in_.word("a number type");
    if (const auto type = find_vtk_legacy_type(name)) return *type;
    in_.fail(fmt::format("type {} is not known", in_quotes(name)));
  }

  std::size_t least_bytes(VtkType type) const { return binary_ ? vtk_type_size(type) : 2; }

  void begin_values(std::size_t n, VtkType type, const char* what) {
    if (binary_) in_.skip_line();
    if (n > (in_.remaining() + 1) / least_bytes(type))
      in_.fail(
          fmt::format("{} values ({}) are promised, but only {} bytes follow", n, what, in_.remaining()));
  }

  std::vector<std::int64_t> read_integers(std::size_t n, VtkType type, const char* what) {
    begin_values(n, type, what);
    std::vector<std::int64_t> out;
    out.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
      out.push_back(binary_ ? read_vtk_integer(in_, type, what) : in_.integer(what));
    return out;
  }

  std::vector<double> read_reals(std::size_t n, VtkType type, const char* what) {
    begin_values(n, type, what);
    std::vector<double> out;
    out.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
      out.push_back(binary_ ? read_vtk_real(in_, type, what) : in_.real(what));
    return out;
  }

  void read_points() {
    if (has_points_) in_.fail("POINTS are given twice");
    has_points_ = true;
    const std::size_t n = in_.count("number of points", binary_ ? 3 : 6);
    const VtkType type = read_type();
    begin_values(3 * n, type, "coordinates");
    mesh_.tet.vertices.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      Point3 p;
      for (double& x : p)
        x = binary_ ? in_.checked_coordinate(read_vtk_real(in_, type, "a coordinate")) : in_.coordinate();
      mesh_.tet.vertices.push_back(p);
    }
    in_.finish();
  }

  void read_cells(VtkCellArrays& cells) {
    if (!cells.ends.empty()) in_.fail("CELLS are given twice");
    const std::size_t first = in_.count("number of cells", 1), second = in_.count("size of the cell list", 1);
    // Version 5 gives offsets (one more than cells) and connectivity, earlier ones a list of counted cells.
    const std::size_t here = in_.position();
    if (in_.skip_word("OFFSETS")) {
      cells.ends = read_integers(first, read_type(), "an offset");
      if (!cells.ends.empty()) {
        if (cells.ends.front() != 0)
          in_.fail(fmt::format("the first offset is {}; it must be 0", cells.ends.front()));
        cells.ends.erase(cells.ends.begin());
      }
      if (!in_.skip_word("CONNECTIVITY")) in_.fail("CONNECTIVITY is expected after OFFSETS");
      cells.connectivity = read_integers(second, read_type(), "a vertex index");
      return;
    }
    in_.move_to(here);
    const std::vector<std::int64_t> list = read_integers(second, VtkType::int32, "a cell");
    std::size_t at = 0;
    for (std::size_t i = 0; i < first; ++i) {
      if (at >= list.size() || list[at] < 0 || static_cast<std::size_t>(list[at]) > list.size() - at - 1)
        in_.fail(fmt::format("cell {} does not fit the cell list of {} numbers", i, list.size()));
      const auto n = static_cast<std::size_t>(list[at]);
      const auto begin = list.begin() + static_cast<std::ptrdiff_t>(at) + 1;
      cells.connectivity.insert(cells.connectivity.end(), begin, begin + static_cast<std::ptrdiff_t>(n));
      cells.ends.push_back(static_cast<std::int64_t>(cells.connectivity.size()));
      at += n + 1;
    }
    if (at != list.size())
      in_.fail(fmt::format("{} cells use {} of the {} numbers of the cell list", first, at, list.size()));
  }

  void read_polydata(std::int64_t type) {
    VtkCellArrays part;
    read_cells(part);
    const auto shift = static_cast<std::int64_t>(polydata_.connectivity.size());
    polydata_.connectivity.insert(polydata_.connectivity.end(), part.connectivity.begin(),
                                  part.connectivity.end());
    for (const std::int64_t end : part.ends) {
      polydata_.ends.push_back(end + shift);
      polydata_.types.push_back(type);
    }
  }

  void keep(const std::string& name, std::size_t components, std::vector<double> values) {
    if (data_of_ != DataOf::cells) return;
    if (components == 1) cell_data_[name] = std::move(values);
    if (components == 3) add_components(name, values, cell_data_);
  }

  void read_attribute(std::string_view keyword) {
    const auto values = [&](std::size_t components, VtkType type) {
      return read_reals(data_count_ * components, type, "a value");
    };
    if (same_word(keyword, "SCALARS")) {
      const std::string name(in_.word("a name"));
      const VtkType type = read_type();
      const std::size_t components =
          in_.at_line_end() ? 1 : static_cast<std::size_t>(in_.integer_between("number of components", 1, 4));
      if (in_.skip_word("LOOKUP_TABLE")) in_.word("a table's name");
      keep(name, components, values(components, type));
    } else if (same_word(keyword, "VECTORS") || same_word(keyword, "NORMALS")) {
      const std::string name(in_.word("a name"));
      keep(name, 3, values(3, read_type()));
    } else if (same_word(keyword, "TENSORS")) {
      in_.word("a name");
      values(9, read_type());
    } else if (same_word(keyword, "TEXTURE_COORDINATES")) {
      in_.word("a name");
      const auto components = static_cast<std::size_t>(in_.integer_between("number of components", 1, 3));
      values(components, read_type());
    } else if (same_word(keyword, "COLOR_SCALARS")) {
      in_.word("a name");
      const auto components = static_cast<std::size_t>(in_.integer_between("number of components", 1, 4));
      values(components, binary_ ? VtkType::uint8 : VtkType::float32);
    } else if (same_word(keyword, "LOOKUP_TABLE")) {
      in_.word("a name");
      const std::size_t n = in_.count("size of the table", 4);
      read_reals(4 * n, binary_ ? VtkType::uint8 : VtkType::float32, "a colour");
    } else {
      in_.fail(fmt::format("{} found where a keyword such as SCALARS is expected", in_quotes(keyword)));
    }
  }

  void read_field() {
    in_.word("a name");
    const std::size_t arrays = in_.count("number of arrays", 4);
    for (std::size_t i = 0; i < arrays; ++i) {
      if (in_.skip_word("METADATA")) skip_metadata();
      const std::string name(in_.word("an array's name"));
      const std::size_t components = size("number of components"), tuples = size("number of tuples");
      if (in_.skip_word("string")) {
        in_.skip_line();
        for (std::size_t k = 0; k < components * tuples && in_.remaining() > 0; ++k) in_.skip_line();
        continue;
      }
      const VtkType type = read_type();
      std::vector<double> values = read_reals(components * tuples, type, "a value");
      keep(name, components, std::move(values));
    }
  }

  Scanner in_;
  VtkCellCollector collector_;
  ParsedMesh mesh_;
  bool binary_ = false, has_points_ = false;
  VtkCellArrays cells_, polydata_;
  DataOf data_of_ = DataOf::nothing;
  std::size_t data_count_ = 0;
  std::map<std::string, std::vector<double>> cell_data_;
};

}  // namespace

ParsedMesh parse_vtk(std::string_view bytes, const std::string& file) {
  return VtkReader(bytes, file).read();
}

MeshFormat vtk_format() {
  return one_file_format<parse_vtk>({".vtk"});
}

}  // namespace phiflex
