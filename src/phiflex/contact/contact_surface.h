// The surfaces that may touch: points, edges and triangles of bodies (boundaries of tetrahedra, cloths, springs), with
// areas and signs, so that the sum of the barriers of all of them counts a surface once.
//
// A point near a vertex of a surface is equally far from all triangles and edges there. Let mu be numbers of the
// triangles, edges and vertices (faces) with
//
//   sum of mu over the faces that contain a face f, itself included, = 1 for every f                        (1)
//   mu(triangle) = 1,   mu(edge) = 1 - its triangles,   mu(vertex) = 1 - its triangles - sum of mu(its edges)
//
// In  sum over all faces of mu beta(distance of the point to the face)  the nearest face then counts once, together with
// all that contain it, and on convex surfaces the others cancel: it equals the barrier of the distance to the surface.
// In a concave corner it lies between that of one wall and the sum of both. On closed surfaces mu is 1, -1, 1, on the
// boundary of a cloth 0; along a rope 1 and -1, at its ends 0; (1) holds for edges of three triangles, too. (For
// triangulated closed surfaces: Li, Ferguson, Schneider, Langlois, Zorin, Panozzo, Jiang and Kaufman: Convergent
// Incremental Potential Contact, 2023.)
//
// Areas at rest: a third of a triangle's for each of its edges and points; of an edge without triangles its length
// times the width of the part; of a point half of that for each such edge; of a point alone the square of the width.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "phiflex/linalg/vector.h"

namespace phiflex {

// What one body shows to others. Vertices are those of the model.
struct SurfacePart {
  std::string name;
  std::vector<std::array<int, 3>> triangles;  // in any orientation
  std::vector<std::array<int, 2>> edges;      // beside those of the triangles: springs of a rope
  std::vector<int> points;                    // beside all of these
  double width = 0;                           // of edges and points without triangles, m
  double reach = 0;                           // dhat: barriers act below this distance, m
};

struct SurfacePoint {
  int vertex, part;
  int sign;      // mu of (1)
  int triangle;  // the first one around it; -1: none
  double area;   // m^2
};
struct SurfaceEdge {
  std::array<int, 2> vertices;  // ascending
  int part;
  int sign;      // mu of (1)
  int triangle;  // the first one along it; -1: none
  double area;   // m^2
};
struct SurfaceTriangle {
  std::array<int, 3> vertices;  // ascending
  int part;
};

struct ContactSurface {
  // Points by vertices, edges and triangles in lexicographic order of theirs.
  std::vector<SurfacePoint> points;
  std::vector<SurfaceEdge> edges;
  std::vector<SurfaceTriangle> triangles;
  std::vector<double> part_reach;       // m
  std::vector<double> mean_point_area;  // of each part, m^2
};

// rest: positions of all vertices at rest. InputError that names the part and the vertices: triangles or edges that
// are given twice, have a vertex twice or no extent at rest; a vertex of two parts; a reach that is not positive, or
// longer than half of the part's mean edge; a width that is not positive where it is needed.
ContactSurface make_contact_surface(const std::vector<SurfacePart>& parts, const Vector& rest);

// The mean length of the edges of a part at rest, m; 0 when it has none.
double mean_edge(const SurfacePart& part, const Vector& rest);

}  // namespace phiflex
