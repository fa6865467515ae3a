#include "phiflex/record/frame_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <utility>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/scanner.h"
#include "phiflex/mesh/vtu_data.h"
#include "phiflex/mesh/xml_tags.h"

namespace phiflex {
namespace {

class FrameReader {
 public:
  FrameReader(const std::filesystem::path& path, FrameParts parts)
      : file_(path.string()), bytes_(read_file(path)), parts_(parts) {}

  FrameFile read() {
    find_appended_data();
    Scanner in(std::string_view(bytes_).substr(0, xml_end_), file_);
    XmlTag tag;
    bool closed = false;
    while (!closed && read_xml_tag(in, tag)) {
      closed = tag.name == "VTKFile" && tag.kind == XmlTag::Kind::close;
      if (tag.name == "PointData" || tag.name == "CellData")
        section_ = tag.kind == XmlTag::Kind::open ? tag.name : "";
      if (tag.kind == XmlTag::Kind::open && tag.name == "DataArray") in.move_to(read_array(tag));
      if (tag.kind == XmlTag::Kind::empty && tag.name == "DataArray") read_array(tag);
      if (tag.kind == XmlTag::Kind::open && tag.name == "VTKFile") read_encoding(tag);
    }
    if (!closed && !closed_after_bytes_) refuse("the file ends without </VTKFile>: it is cut off");
    check();
    return std::move(frame_);
  }

 private:
  [[noreturn]] void refuse(std::string why) const { throw InputError(file_, "", std::move(why)); }

  void read_encoding(const XmlTag& tag) {
    if (tag.attribute("header_type") != "UInt64" || tag.attribute("byte_order") != "LittleEndian")
      refuse("this is no frame of a run: its arrays are encoded differently");
    encoding_.header_width = 8;
    if (tag.attribute("compressor") == "vtkZLibDataCompressor") encoding_.compression = VtuCompression::zlib;
  }

  // Raw bytes are no XML: the tags end where they begin.
  void find_appended_data() {
    const std::size_t at = bytes_.find("<AppendedData encoding=\"raw\">");
    if (at == std::string::npos) return;
    const std::size_t mark = bytes_.find('_', at);
    if (mark == std::string::npos) refuse("the file ends before its arrays: it is cut off");
    xml_end_ = at;
    appended_ = std::string_view(bytes_).substr(mark + 1);
    closed_after_bytes_ = bytes_.ends_with("</AppendedData>\n</VTKFile>\n");
  }

  // Gives the place where the array's text ends.
  std::size_t read_array(const XmlTag& tag) {
    std::size_t end = tag.end;
    if (tag.kind == XmlTag::Kind::open) {
      end = bytes_.find('<', tag.end);
      if (end == std::string::npos) refuse("an array has no end: the file is cut off");
      text_ = std::string_view(bytes_).substr(tag.end, end - tag.end);
    }
    const std::string name = tag.attribute("Name");
    if (name == "Points") take_reals(tag, frame_.points);
    if (name == "displacement") take_reals(tag, frame_.displacement);
    if (name == "velocity") take_reals(tag, frame_.velocity);
    if (name == "strain_energy_density") take_reals(tag, frame_.strain_energy_density);
    if (parts_ != FrameParts::motion_only && is_field(tag, name)) {
      std::vector<FrameField>& fields = section_ == "PointData" ? frame_.point_fields : frame_.cell_fields;
      int components = 0;
      const std::string count = tag.attribute("NumberOfComponents");
      std::from_chars(count.data(), count.data() + count.size(), components);
      if (components < 1 || components > 9) refuse(fmt::format("array '{}' has {} components", name, count));
      take_reals(tag, fields.emplace_back(FrameField{name, components, {}}).values);
    }
    if (parts_ != FrameParts::all) return end;
    if (name == "connectivity") take(tag, "Int32", frame_.cells.connectivity);
    if (name == "offsets") take(tag, "Int32", frame_.cells.offsets);
    if (name == "types") take(tag, "UInt8", frame_.cells.types);
    if (name == "region") take(tag, "Int32", frame_.region);
    if (name == "body") take(tag, "Int32", frame_.body);
    return end;
  }

  bool is_field(const XmlTag& tag, const std::string& name) const {
    if (tag.attribute("type") != "Float64" && tag.attribute("type") != "Float32") return false;
    if (section_ != "PointData" && !(section_ == "CellData" && parts_ == FrameParts::all)) return false;
    for (const char* own : {"displacement", "velocity", "strain_energy_density", "region", "body"})
      if (name == own) return false;
    return true;
  }

  // Doubles, or triples of them, of an array in either precision.
  template <class T>
  void take_reals(const XmlTag& tag, std::vector<T>& out) {
    if (tag.attribute("type") != "Float32") return take(tag, "Float64", out);
    constexpr std::size_t width = sizeof(T) / sizeof(double);
    take(tag, "Float32", single_);
    if (single_.size() % width != 0)
      refuse(fmt::format("array '{}' has {} numbers, which is no multiple of {}", tag.attribute("Name"),
                         single_.size(), width));
    out.resize(single_.size() / width);
    for (std::size_t i = 0; i < single_.size(); ++i) {
      const double value = single_[i];
      std::memcpy(reinterpret_cast<char*>(out.data()) + i * sizeof value, &value, sizeof value);
    }
  }

  template <class T>
  void take(const XmlTag& tag, const char* type, std::vector<T>& out) {
    const std::string name = tag.attribute("Name");
    const bool is_appended = tag.attribute("format") == "appended" && tag.kind == XmlTag::Kind::empty;
    const bool is_inline = tag.attribute("format") == "binary" && tag.kind == XmlTag::Kind::open;
    if (tag.attribute("type") != type || !(is_appended || is_inline)) {
      if (std::is_same_v<T, int> && tag.attribute("type") == "Float64") return;  // an empty array of integers
      refuse(fmt::format("array '{}' is not of type {} in base64 or appended", name, type));
    }
    std::string reason;
    const auto data = is_appended ? decode_vtu_raw(bytes_of(tag), encoding_, room_, reason)
                                  : decode_vtu_base64(text_, encoding_, room_, reason);
    if (!data) refuse(fmt::format("array '{}': {}", name, reason));
    room_ -= data->size();
    if (data->size() % sizeof(T) != 0)
      refuse(
          fmt::format("array '{}' has {} bytes, which is no multiple of {}", name, data->size(), sizeof(T)));
    out.resize(data->size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), data->data(), data->size());
  }

  // From where the array begins.
  std::string_view bytes_of(const XmlTag& tag) const {
    const std::string text = tag.attribute("offset");
    std::size_t offset = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), offset);
    if (error != std::errc() || end != text.data() + text.size() || offset > appended_.size())
      refuse(
          fmt::format("array '{}' begins at byte {} of {}", tag.attribute("Name"), text, appended_.size()));
    return appended_.substr(offset);
  }

  void check() const {
    const std::size_t points = frame_.points.size(), cells = frame_.strain_energy_density.size();
    if (frame_.displacement.size() != points || frame_.velocity.size() != points)
      refuse(fmt::format("{} points have {} displacements and {} velocities", points,
                         frame_.displacement.size(), frame_.velocity.size()));
    for (const auto& [fields, count] :
         {std::pair{&frame_.point_fields, points}, std::pair{&frame_.cell_fields, cells}})
      for (const FrameField& field : *fields)
        if (field.values.size() != count * static_cast<std::size_t>(field.components))
          refuse(fmt::format("array '{}' has {} values; {} x {} are needed", field.name, field.values.size(),
                             count, field.components));
    if (parts_ != FrameParts::all) return;
    const VtuCells& grid = frame_.cells;
    if (grid.types.size() != cells || grid.offsets.size() != cells || frame_.region.size() != cells ||
        frame_.body.size() != cells)
      refuse("the arrays of the cells differ in length");
    std::int32_t before = 0;
    for (const std::int32_t offset : grid.offsets) {
      if (offset < before || static_cast<std::size_t>(offset) > grid.connectivity.size())
        refuse(fmt::format("offset {} is out of order or beyond the connectivity", offset));
      before = offset;
    }
    for (const std::int32_t corner : grid.connectivity)
      if (corner < 0 || static_cast<std::size_t>(corner) >= points)
        refuse(fmt::format("a cell names point {}; there are {}", corner, points));
  }

  std::string file_;
  std::string bytes_;
  FrameParts parts_;
  VtuEncoding encoding_;
  std::size_t room_ = largest_content();  // bytes that arrays may still take, unpacked
  std::string_view text_, appended_;
  std::size_t xml_end_ = std::string::npos;
  bool closed_after_bytes_ = false;
  std::string section_;  // of the arrays
  std::vector<float> single_;
  FrameFile frame_;
};

}  // namespace

FrameFile read_frame_file(const std::filesystem::path& path, FrameParts parts) {
  return FrameReader(path, parts).read();
}

}  // namespace phiflex
