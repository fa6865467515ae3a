#include "phiflex/mpi/pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/record/frame_file.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVertex = "vertex";
constexpr const char* kElement = "element";

RunFolder pieces_of(const RunFolder& folder) {
  return {folder.root / "pieces"};
}
std::string piece_name(int rank) {
  return fmt::format("rank_{:05}.vtu", rank);
}
std::string frame_stem(long frame) {
  return fs::path(RunFolder::frame_name(frame)).stem().string();
}

// What ParaView is told that the pieces hold.
constexpr const char* kPieceArrays =
    "    <PPointData>\n"
    "      <PDataArray type=\"Float64\" Name=\"displacement\" NumberOfComponents=\"3\"/>\n"
    "      <PDataArray type=\"Float64\" Name=\"velocity\" NumberOfComponents=\"3\"/>\n"
    "      <PDataArray type=\"Float64\" Name=\"vertex\"/>\n"
    "    </PPointData>\n"
    "    <PCellData>\n"
    "      <PDataArray type=\"Float32\" Name=\"strain_energy_density\"/>\n"
    "      <PDataArray type=\"Float64\" Name=\"element\"/>\n"
    "      <PDataArray type=\"Int32\" Name=\"region\"/>\n"
    "      <PDataArray type=\"Int32\" Name=\"body\"/>\n"
    "    </PCellData>\n"
    "    <PPoints>\n"
    "      <PDataArray type=\"Float64\" NumberOfComponents=\"3\"/>\n"
    "    </PPoints>\n";

const std::vector<double>& numbers_of(const std::vector<FrameField>& fields, const char* name,
                                      const fs::path& file) {
  for (const FrameField& field : fields)
    if (field.name == name) return field.values;
  throw InputError(file.string(), "",
                   fmt::format("this is no piece of a frame: it has no array \"{}\"", name));
}

// Into the place of each number among `count` ones.
void spread(const std::vector<double>& numbers, std::span<const double> values, int components, Index count,
            const fs::path& file, std::vector<double>& all) {
  if (values.size() != numbers.size() * std::size_t(components))
    throw InputError(file.string(), "", "an array of this piece has another length than its numbers");
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double number = numbers[i];
    if (!(number >= 0 && number < double(count)) || number != std::floor(number))
      throw InputError(file.string(), "", fmt::format("the number {} is none of this scene", number));
    std::copy_n(values.begin() + std::ptrdiff_t(i) * components, components,
                all.begin() + std::ptrdiff_t(number) * components);
  }
}

}  // namespace

PieceWriter::PieceWriter(const RunFolder& folder, const Part& part, int rank, std::vector<double> counted,
                         long frames)
    : pieces_(pieces_of(folder)),
      part_(part),
      rank_(rank),
      geometry_(part.model().frame_geometry()),
      vertex_(part.vertices().begin(), part.vertices().end()),
      element_(part.elements().begin(), part.elements().end()),
      counted_(std::move(counted)),
      frames_(frames) {
  if (rank_ != 0) return;
  if (frames > 0)
    for (const FrameEntry& entry : read_frame_list(pieces_)) times_.push_back(entry.time);
  if (long(times_.size()) < frames)
    throw InputError(pieces_.frames_pvd().string(), "",
                     fmt::format("lists {} frames, the checkpoint needs {}", times_.size(), frames));
  times_.resize(std::size_t(frames));
  fs::create_directories(pieces_.frames());
  write_list();
}

fs::path PieceWriter::folder_of(long frame) const {
  return pieces_.frames() / frame_stem(frame);
}

void PieceWriter::write_piece(double time, const Vector& x, const Vector& v) {
  fs::create_directories(folder_of(frames_));
  const Vector displacement = x - part_.model().rest();
  part_.model().strain_energy_densities(time, x, densities_);
  const VtuGrid grid{.points = as_span(x),
                     .cells = &geometry_.cells,
                     .point_data = {{"displacement", 3, as_span(displacement), {}},
                                    {"velocity", 3, as_span(v), {}},
                                    {kVertex, 1, vertex_, {}}},
                     .cell_data = {{"strain_energy_density", 1, densities_, {}, VtuPrecision::single},
                                   {kElement, 1, element_, {}},
                                   {"region", 1, {}, geometry_.region},
                                   {"body", 1, {}, geometry_.body}}};
  write_vtu_file(folder_of(frames_) / piece_name(rank_), grid, VtuCompression::zlib_fast,
                 VtuPlace::appended_raw);
}

void PieceWriter::list_frame(double time) {
  const long frame = frames_++;
  if (rank_ != 0) return;
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\" "
      "compressor=\"vtkZLibDataCompressor\">\n"
      "  <PUnstructuredGrid GhostLevel=\"0\">\n";
  text += kPieceArrays;
  for (std::size_t rank = 0; rank < counted_.size(); ++rank)
    if (counted_[rank] > 0)
      text += fmt::format("    <Piece Source=\"{}/{}\"/>\n", frame_stem(frame), piece_name(int(rank)));
  text += "  </PUnstructuredGrid>\n</VTKFile>\n";
  write_file_atomically(pieces_.frames() / (frame_stem(frame) + ".pvtu"), text);
  times_.push_back(time);
  write_list();
}

void PieceWriter::write_list() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (std::size_t frame = 0; frame < times_.size(); ++frame) {
    text += "    <DataSet timestep=\"";
    append_number(text, times_[frame]);
    text += fmt::format("\" part=\"0\" file=\"frames/{}.pvtu\"/>\n", frame_stem(long(frame)));
  }
  write_file_atomically(pieces_.frames_pvd(), text + "  </Collection>\n</VTKFile>\n");
}

long gather_pieces(const RunFolder& folder, const SceneModel& whole, int ranks) {
  const std::vector<FrameEntry> entries = read_frame_list(pieces_of(folder));
  FrameWriter writer(folder, whole.frame_geometry());
  const Index vertices = whole.vertices(), elements = whole.tetrahedra();
  std::vector<double> displacement(std::size_t(3 * vertices)), velocity(displacement.size()),
      densities(static_cast<std::size_t>(elements));
  for (const FrameEntry& entry : entries) {
    fs::path pieces = entry.file;
    pieces.replace_extension();
    for (int rank = 0; rank < ranks; ++rank) {
      const fs::path file = pieces / piece_name(rank);
      const FrameFile piece = read_frame_file(file);
      const std::vector<double>& vertex = numbers_of(piece.point_fields, kVertex, file);
      spread(vertex, flat(piece.displacement), 3, vertices, file, displacement);
      spread(vertex, flat(piece.velocity), 3, vertices, file, velocity);
      spread(numbers_of(piece.cell_fields, kElement, file), piece.strain_energy_density, 1, elements, file,
             densities);
    }
    writer.write(entry.time, displacement, velocity, densities);
  }
  writer.sync();
  return writer.frames();
}

}  // namespace phiflex
