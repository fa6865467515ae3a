// Fills a closed surface with tetrahedra by running the program `tetgen` (Si, "TetGen, a Delaunay-based
// quality tetrahedral mesh generator", 2015) as a separate process; its licence does not allow linking.
#pragma once

#include <string>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

struct TetrahedralizeOptions {
  double radius_edge_ratio = 2.0;  // quality bound; above 1.2 or the program may not end
  double max_volume = 0;           // [m^3] of a tetrahedron; 0: no bound
  bool keep_surface = true;        // no new vertices on the surface: its numbering stays
  int max_seconds = 600;           // then the program is stopped
  std::string program = "tetgen";  // a path, or a name looked up in PATH
};

// `file` names the surface in messages. InputError when the surface is not closed or the program refuses it
// (with the program's own words), FileError when the program is missing.
TetMesh tetrahedralize(const SurfaceMesh& surface, const std::string& file,
                       const TetrahedralizeOptions& options = {});

}  // namespace phiflex
