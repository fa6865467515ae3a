// How a body of linear tetrahedra lies in the memory of a device.
//
// Vertices are numbered with the free ones first, in the order of the user's mesh. The matrix K of the free vertices is
// kept by its rows without the diagonal, held vertices among the columns:
//
//   (K p)_i = sum over j of K_ij (p_j - p_i)        because the rows of K sum to zero                     (1)
//
// so that rigid translations give exactly zero whatever the rounding of K_ij. The blocks of kSliceRows rows are a
// slice, as deep as its longest row, so that the lanes of a product read neighbouring numbers, sixteen bytes at a time:
// block j of row i is in line and slot
//
//   slice_start[i/kSliceRows] + j/kRowLanes,   kRowLanes (i mod kSliceRows) + j mod kRowLanes             (2)
//
// and slots without a block have values 0 and the column of their own row, which adds exactly zero.
//
// Sums over tetrahedra are gathered, not scattered, so that every sum has one order. Each block has the list of the
// tetrahedra which share its edge, in ascending order. Forces are summed in two stages: the tetrahedra are ordered
// along a curve that fills space and cut into patches, whose threads keep the forces on corners in shared memory; each
// vertex of a patch has the list of its corners there, and each free vertex the list of its places in patches, both
// ascending.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "phiflex/cuda/serial_back_end.h"

namespace phiflex::device {

// The six pairs of corners of a tetrahedron.
inline constexpr int kPairs = 6;
inline constexpr int kPairCorners[kPairs][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// How rows lie in slices, (2): slots of a line, one for each lane of a warp, lanes that share a row, lines that a lane
// reads at once, and rows of a slice.
inline constexpr int kSlots = 32, kRowLanes = 2, kRowUnroll = 2, kSliceRows = kSlots / kRowLanes;

// A block of each slot, its entries by rows: four in `low`, four in `high`, the last one beside the column.
struct Line {
  struct alignas(8) Last {
    float value;
    int column;
  };
  Float4 low[kSlots], high[kSlots];
  Last last[kSlots];
};

// Of a patch: vertices, at most; it has kPatchTets tetrahedra (serial_back_end.h) or fewer, one for each thread, and
// ends with a block of 2^kPatchBits cells of the curve when it is more than half full.
inline constexpr int kPatchVertices = 112, kPatchBits = 5;

struct TetLayout {
  int vertices = 0, free = 0, tets = 0;
  std::vector<int> number;       // on the device, of each of the user's vertices
  std::vector<int> order;        // the user's tetrahedron, of each on the device
  std::vector<Int4> corners;     // of each tetrahedron, device numbers
  std::vector<double> gradient;  // g_1, g_2, g_3 of each: component k of nine at [k tets + e], 1/m
  std::vector<double> volume;    // at rest, m^3
  // Corner a of tetrahedron e is 4 e + a; those of free vertex i are corner[corner_start[i]], ...
  std::vector<int> corner_start, corner;
  // Patch p has the tetrahedra from patch_start[p] on, and the vertices patch_vertex[patch_vertices[p]], ... in
  // ascending order; local[e] holds the four numbers of tetrahedron e's vertices there, a byte each. The corners of the
  // place q of patch_vertex are local_corner[local_start[q]], ...: 3 kPatchTets a + t for corner a of the patch's
  // tetrahedron t. Free vertex i has the places place[place_start[i]], ...
  std::vector<int> patch_start, patch_vertices, patch_vertex, local_start, place_start, place;
  std::vector<unsigned> local;
  std::vector<unsigned short> local_corner;
  std::vector<int> row_start, column, row_of;  // of the blocks of (1), row by row
  // Of (2): the first line of each slice, the slice of each line, and the lines with all values 0.
  std::vector<int> slice_start, slice_of;
  std::vector<Line> lines;
  // Pair k of tetrahedron e is 6 e + k. The shares of block b are share[share_start[b]], ...: twice the pair, and one
  // more where the block is the transpose of the pair's.
  std::vector<int> share_start, share;
};

// rest: three coordinates of each vertex, m; held: of each vertex, not 0: it does not move. std::invalid_argument for
// sizes that do not fit, vertices out of range and tetrahedra without positive volume: input was checked before.
TetLayout make_tet_layout(std::span<const double> rest, std::span<const std::array<int, 4>> tets,
                          std::span<const char> held);

}  // namespace phiflex::device
