// Frames in pieces: every rank writes its elements and the vertices that they touch, and rank 0 a list of them that
// ParaView opens. For meshes that one rank should not gather.
//
//   pieces/frames.pvd                            the frames and their times
//   pieces/frames/frame_000012.pvtu              the pieces of a frame
//   pieces/frames/frame_000012/rank_00003.vtu    a piece: deformed points, displacement, velocity, strain energy density,
//                                                region, body, and the numbers of its vertices and elements in the
//                                                whole
//
// gather_pieces() makes of them the frames that a serial run has.
#pragma once

#include <vector>

#include "phiflex/mesh/vtu_writer.h"
#include "phiflex/mpi/part.h"
#include "phiflex/record/frames.h"
#include "phiflex/record/run_folder.h"

namespace phiflex {

class PieceWriter {
 public:
  // counted: the elements of each rank, on rank 0. frames: so many of an earlier run stay in the list; InputError when
  // it has fewer.
  PieceWriter(const RunFolder& folder, const Part& part, int rank, std::vector<double> counted, long frames);

  // This rank's piece of the next frame. x, v: of all vertices of the part.
  void write_piece(double time, const Vector& x, const Vector& v);
  // On rank 0, when all pieces are written: the frame is there from now on. Others only count.
  void list_frame(double time);
  long frames() const { return frames_; }

 private:
  std::filesystem::path folder_of(long frame) const;
  void write_list() const;

  RunFolder pieces_;
  const Part& part_;
  int rank_;
  FrameGeometry geometry_;
  std::vector<double> vertex_, element_;  // numbers in the whole
  std::vector<double> counted_;           // elements of each rank; on rank 0
  std::vector<double> times_;
  std::vector<double> densities_;
  long frames_ = 0;
};

// Writes frames/ and frames.pvd of a run whose frames are in pieces; returns how many there are. One rank alone.
// InputError when a piece is damaged, FileError when one is missing.
long gather_pieces(const RunFolder& folder, const SceneModel& whole, int ranks);

}  // namespace phiflex
