// The table of mesh formats that are read. A new one is one file and one line here. mesh_io.cpp alone includes this
// file, so that a new line compiles little.
#pragma once

// NAME: the function NAME_format() makes its entry (mesh_formats.h). In the order of the documentation.
#define PHIFLEX_MESH_FORMATS(FORMAT) \
  FORMAT(msh)                        \
  FORMAT(vtk)                        \
  FORMAT(vtu)                        \
  FORMAT(medit)                      \
  FORMAT(tetgen)                     \
  FORMAT(vega)                       \
  FORMAT(obj)                        \
  FORMAT(ply)                        \
  FORMAT(stl)                        \
  FORMAT(off)                        \
  FORMAT(tfx)
