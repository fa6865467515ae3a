// The motion as a ParaView time series: frames/frame_000000.vtu, ... and frames.pvd, which lists them with
// their times and is valid XML at every moment. Memory does not grow with the number of frames.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include "phiflex/mesh/mid_edges.h"
#include "phiflex/mesh/vtu_writer.h"
#include "phiflex/record/appending_file.h"
#include "phiflex/record/run_folder.h"

namespace phiflex {

// All bodies as one grid: the vertices of the first body, then those of the second, each in its mesh's own
// numbering; tetrahedra, triangles of plane bodies and springs (lines) as cells in the same order, then the triangles
// of all cloths, which carry no energy of their own.
struct FrameGeometry {
  std::vector<Point3> rest;  // rest positions after `transform`, m
  VtuCells cells;
  std::vector<int> region;  // per cell
  std::vector<int> body;    // per cell, counted from 0

  // Each adds one body. `rest_vertices` are those of the mesh, moved to where the body rests.
  void add_tets(std::span<const Point3> rest_vertices, std::span<const std::array<int, 4>> tets,
                std::span<const int> regions);
  void add_tets(std::span<const Point3> rest_vertices, std::span<const QuadraticTet> tets,
                std::span<const int> regions);
  void add_triangles(std::span<const Point3> rest_vertices, std::span<const std::array<int, 3>> triangles,
                     std::span<const int> regions);
  void add_springs(std::span<const Point3> rest_vertices, std::span<const std::array<int, 2>> springs,
                   std::span<const std::array<int, 3>> surface = {});

  // The cells as a file has them: those above, then the surfaces.
  void append_surfaces();

 private:
  template <class Tets>
  void add_cells(VtkCell kind, std::span<const Point3> rest_vertices, const Tets& tets,
                 std::span<const int> regions);
  struct SurfaceCell {
    std::array<int, 3> corners;
    int body;
  };
  void add_body(std::span<const Point3> rest_vertices);
  int bodies_ = 0;
  std::vector<SurfaceCell> surfaces_;
};

class FrameWriter {
 public:
  FrameWriter(RunFolder folder, FrameGeometry geometry);
  // Goes on after the first `frames` frames of an earlier run; later ones are removed. InputError when
  // frames.pvd lists fewer.
  FrameWriter(RunFolder folder, FrameGeometry geometry, long frames);

  // `displacement` and `velocity` are x y z of every vertex, fixed ones included; `strain_energy_density`,
  // per rest volume (J/m^3) of tetrahedra and per rest length (J/m) of springs, has one number for each of them.
  // more_cells, more_points: further arrays, of each tetrahedron and spring and of each vertex.
  void write(double time, std::span<const double> displacement, std::span<const double> velocity,
             std::span<const double> strain_energy_density, std::span<const VtuArray> more_cells = {},
             std::span<const VtuArray> more_points = {});
  long frames() const { return frames_; }
  void sync();  // waits until all frames are on the disk

 private:
  RunFolder folder_;
  FrameGeometry geometry_;
  AppendingFile pvd_;
  long frames_ = 0, synced_ = 0;
  std::size_t elements_ = 0;  // tetrahedra and springs
  VtuPrepared constant_;      // cells, regions and bodies, the same in every frame
  std::vector<double> points_;
  std::vector<std::vector<double>> padded_;  // arrays of cells, with zeros for the surfaces of cloths
};

// One state as a file that a scene's `initial.state` may name: positions and velocities of all vertices, exactly, x y z
// each.
void write_state_file(const std::filesystem::path& path, FrameGeometry geometry,
                      std::span<const double> positions, std::span<const double> velocities);

// The frames that frames.pvd lists, in order of time; empty when there is no such file. InputError when it is
// damaged or names a file outside of the folder.
struct FrameEntry {
  double time = 0;
  std::filesystem::path file;
};
std::vector<FrameEntry> read_frame_list(const RunFolder& folder);

}  // namespace phiflex
