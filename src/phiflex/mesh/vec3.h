// The little vector algebra that meshes need, on Point3.
#pragma once

#include <cmath>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

inline Point3 operator+(const Point3& a, const Point3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Point3 operator-(const Point3& a, const Point3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Point3 operator*(double s, const Point3& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
inline double dot(const Point3& a, const Point3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Point3 cross(const Point3& a, const Point3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double norm(const Point3& a) {
  return std::sqrt(dot(a, a));
}

}  // namespace phiflex
