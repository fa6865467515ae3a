// Rays against a stage. The one place that knows Embree.
#pragma once

#include <memory>
#include <span>

#include "phiflex/picture/camera.h"
#include "phiflex/picture/stage.h"

namespace phiflex {

struct Hit {
  double distance = 0;
  Point3 normal{};  // for shading, towards where the ray came from
  Point3 start{};   // where rays from here begin: on the smooth surface that the normals describe
  Colour colour{};
  enum class Side { front, back } side = Side::front;
};

class Tracer {
 public:
  // The same rays give the same bits whatever the number of threads. The stage must outlive the tracer.
  explicit Tracer(const Stage& stage);
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  bool closest(const Ray& ray, Hit& hit) const;

  // Which of at most 8 directions from a point meet something: bit i for direction i.
  static constexpr std::size_t kPacket = 8;
  unsigned blocked(const Point3& from, std::span<const Point3> directions) const;

 private:
  struct World;
  std::unique_ptr<World> world_;
};

}  // namespace phiflex
