// The bodies of a run and its obstacles as objects of their own, for programs that animate objects one by one. Half
// spaces (floors, planes) have no end and are no objects.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"
#include "phiflex/picture/obstacles.h"
#include "phiflex/record/motion_reader.h"

namespace phiflex {

struct ExportedBody {
  std::string name;           // of the body
  std::vector<int> vertices;  // of the visible shape, ascending: the order of the body's own numbers
  SurfaceMesh rest;           // numbered by them
  std::vector<Point3> at(const VisibleFrame& frame) const;
};

// In the order of the bodies, those with something to see; also where there is one body alone.
std::vector<ExportedBody> exported_bodies(const MotionReader& motion);

// Solid obstacles, as the scene in run.json has them.
class ExportedObstacles {
 public:
  explicit ExportedObstacles(const MotionReader& motion);
  bool empty() const { return solids_.empty(); }
  bool moves() const;
  std::vector<Point3> at(double time) const;  // m; of all, one after the other
  std::string obj(double time) const;         // an OBJ with an object "obstacle0", "obstacle1", ... each

 private:
  std::vector<DrawnObstacle> solids_;
};

// An OBJ of the visible shape with an object for each body, if there are several.
std::string obj_of_bodies(const VisibleShape& shape, const std::vector<ExportedBody>& parts,
                          const std::vector<Point3>& positions);

}  // namespace phiflex
