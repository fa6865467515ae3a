// The obstacles of a run's scene as triangles, at any time. Read from run.json without rigour: an obstacle that
// cannot be drawn is left out.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"
#include "phiflex/model/path.h"
#include "phiflex/picture/stage.h"

namespace phiflex {

struct DrawnObstacle {
  SurfaceMesh shape;  // where it is at the start
  Path path;
  Surface at(double time) const;
};

// Half spaces are drawn as a square where the motion is.
struct DrawnHalfSpace {
  Point3 point{}, normal{0, 1, 0};
  Path path;
  Surface at(double time, const Point3& middle, double radius) const;
};

struct DrawnObstacles {
  std::vector<DrawnObstacle> solids;
  std::vector<DrawnHalfSpace> half_spaces;
  std::optional<double> floor;  // height of the lowest level plane that stays where it is
};

// scene: as in run.json.
DrawnObstacles read_obstacles(const nlohmann::ordered_json& scene);

}  // namespace phiflex
