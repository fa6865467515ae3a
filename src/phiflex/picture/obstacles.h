// The obstacles of a run's scene as triangles, at any time. From run.json; an obstacle that cannot be drawn
// is left out, without a message.
#pragma once

#include <Eigen/Core>
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
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  // of the picture, after the path
  Surface at(double time) const;
};

struct DrawnHalfSpace {
  Point3 point{}, normal{0, 1, 0};
  Path path;
};

struct DrawnObstacles {
  std::vector<DrawnObstacle> solids;
  std::vector<DrawnHalfSpace> half_spaces;
  std::optional<double> floor;  // height of the lowest level plane that stays where it is, after the turn
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  // of the half spaces
  // The borders of the half spaces where the motion is: of each a square, less what lies inside of another one or below
  // the floor, so that several make a bowl or a room. A half space that `eye` is in would hide everything and is left
  // out.
  std::vector<Surface> borders_at(double time, const Point3& middle, double radius, const Point3& eye) const;
};

// The rotation that makes "up", the axis which gravity points against most, the y axis; y is up where there is none.
// The least such rotation, whose entries are -1, 0 and 1. scene: as in run.json.
Eigen::Matrix3d upright_turn(const nlohmann::ordered_json& scene);

// Turned. scene: as in run.json.
DrawnObstacles read_obstacles(const nlohmann::ordered_json& scene,
                              const Eigen::Matrix3d& turn = Eigen::Matrix3d::Identity());

}  // namespace phiflex
