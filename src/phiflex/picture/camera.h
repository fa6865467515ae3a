// A perspective camera that is placed so that given points just fill the picture.
//
// In the camera's axes (right, up, towards the viewer), a point (x, y, z) is seen between the left and right edges
// from the place (c, d, D) when
//
//   |x - c| <= (D - z) tx,    |y - d| <= (D - z) ty        tx, ty: half the picture at distance 1          (1)
//
// which is linear in c, d and D: with  A = max(x + z tx),  B = max(-x + z tx)  the least D is (A + B)/(2 tx), at
// c = (A - B)/2.                                                                                           (2)
#pragma once

#include <span>
#include <vector>

#include "phiflex/mesh/vec3.h"

namespace phiflex {

struct View {
  double azimuth = 25;        // degrees about the vertical (y); 0: looking along -z, 90: along -x
  double elevation = 15;      // degrees above the horizon
  double zoom = 1;            // 2: everything twice as large
  double field_of_view = 20;  // degrees, across the shorter side
};

struct Ray {
  Point3 origin{}, direction{};  // of length 1
};

class Camera {
 public:
  // aspect: width over height. With no points it looks at the origin from a distance of 1 m.
  Camera(const View& view, std::span<const Point3> points, double aspect);

  // The picture's corner at the top left is (-1, 1), the one at the bottom right (1, -1).
  Ray ray(double x, double y) const;
  const Point3& right() const { return right_; }
  const Point3& up() const { return up_; }
  const Point3& towards() const { return towards_; }  // from the scene to the camera
  const Point3& place() const { return place_; }
  double distance() const { return distance_; }                         // to the middle of the points, m
  double size_of_unit(double height_in_pixels, const Point3& x) const;  // pixels that 1 m at x takes

  // The aspect at which the points fill the picture in both directions.
  static double best_aspect(const View& view, std::span<const Point3> points);

 private:
  void turn(const View& view);
  struct Fit {
    double c = 0, d = 0, across = 0, along = 0;  // D asked for by width and by height
  };
  Fit fit(std::span<const Point3> points) const;

  Point3 right_{}, up_{}, towards_{}, place_{};
  double half_width_ = 1, half_height_ = 1;  // tx, ty
  double distance_ = 1;
};

// The points of a growing cloud that lie farthest in many directions: enough to fit a camera to it.
class ExtremePoints {
 public:
  ExtremePoints();
  void add(std::span<const Point3> points);
  const std::vector<Point3>& points() const { return extremes_; }

 private:
  std::vector<Point3> directions_, extremes_;
};

}  // namespace phiflex
