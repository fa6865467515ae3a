// Embree works in single precision, so the stage is moved to the origin and scaled to about 1 first.
//
// Smooth normals on flat triangles make rays that start just behind a triangle's horizon hit its neighbours: dark
// teeth along the border of the shade. A ray therefore starts on the curved surface that the normals describe: the
// hit point is lifted to the tangent planes of the corners (i) and blended,
//
//   p' = p + sum_i b_i max(0, -(p - x_i).n_i) n_i          b_i: barycentric coordinates                    (1)
//
// (hanika2021terminator).
#include "phiflex/picture/tracer.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace phiflex {
namespace {

constexpr float kLeast = 2e-4f;    // rays begin this far from where they start, of the stage's radius
constexpr double kFarthest = 1e9;  // of the stage's radius; Embree aborts at numbers that are not

struct Float4 {
  float x, y, z, w;
};

}  // namespace

struct Tracer::World {
  const Stage& stage;
  RTCDevice device;
  RTCScene scene;
  unsigned tube_geometry = RTC_INVALID_GEOMETRY_ID;

  explicit World(const Stage& given) : stage(given) {
    // One thread builds the hierarchy and one instruction set walks it: where two triangles are hit at the same
    // distance, the order decides which is found.
    device = rtcNewDevice("threads=1,isa=avx2");
    if (device == nullptr)
      throw std::runtime_error("Embree does not start: error " + std::to_string(rtcGetDeviceError(nullptr)));
    scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    for (const Surface& surface : stage.surfaces) add(surface);
    if (!stage.tubes.empty()) add_tubes();
    rtcCommitScene(scene);
  }
  ~World() {
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  std::array<float, 3> to_unit(const Point3& x) const {
    const Point3 u = (1 / stage.radius) * (x - stage.middle);
    std::array<float, 3> out;
    for (std::size_t i = 0; i < 3; ++i)
      out[i] = std::isnan(u[i]) ? 0.0f : static_cast<float>(std::clamp(u[i], -kFarthest, kFarthest));
    return out;
  }

  unsigned attach(RTCGeometry geometry) {
    rtcCommitGeometry(geometry);
    const unsigned id = rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    return id;
  }

  template <class T>
  static T* buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t count) {
    void* data = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(T), count);
    if (data == nullptr && count > 0) throw std::bad_alloc();
    return static_cast<T*>(data);
  }

  void add(const Surface& surface) {
    const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertices = buffer<std::array<float, 3>>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3,
                                                  surface.vertices.size());
    for (const Point3& x : surface.vertices) *vertices++ = to_unit(x);
    auto* triangles = buffer<std::array<unsigned, 3>>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3,
                                                      surface.triangles.size());
    for (const auto& [a, b, c] : surface.triangles)
      *triangles++ = {static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c)};
    attach(geometry);
  }

  void add_tubes() {
    const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    auto* vertices =
        buffer<Float4>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, 2 * stage.tubes.size());
    auto* starts = buffer<unsigned>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, stage.tubes.size());
    for (std::size_t t = 0; t < stage.tubes.size(); ++t) {
      for (const Point3& end : stage.tubes[t].ends) {
        const auto [x, y, z] = to_unit(end);
        *vertices++ = {x, y, z, static_cast<float>(stage.tubes[t].radius / stage.radius)};
      }
      *starts++ = static_cast<unsigned>(2 * t);
    }
    tube_geometry = attach(geometry);
  }

  void describe_triangle(const RTCHit& found, const Point3& direction, Hit& hit) const {
    const Surface& surface = stage.surfaces[found.geomID];
    const auto& corners = surface.triangles[found.primID];
    const auto& normals = surface.normals[found.primID];
    const auto& colours = surface.colours[found.primID];
    const std::array<double, 3> b{1.0 - found.u - found.v, found.u, found.v};
    std::array<Point3, 3> x;
    Point3 point{}, smooth{};
    hit.colour = {};
    for (std::size_t i = 0; i < 3; ++i) {
      x[i] = surface.vertices[static_cast<std::size_t>(corners[i])];
      point = point + b[i] * x[i];
      smooth = smooth + b[i] * normals[i];
      hit.colour = hit.colour + b[i] * colours[i];
    }
    const Point3 flat = cross(x[1] - x[0], x[2] - x[0]);
    const double side = dot(flat, direction) > 0 ? -1 : 1;  // of a cloth both are seen
    hit.side = side > 0 ? Hit::Side::front : Hit::Side::back;
    const double length = norm(smooth);
    hit.normal = length > 0 ? (side / length) * smooth : -1.0 * direction;
    hit.start = point;
    for (std::size_t i = 0; i < 3; ++i) {  // (1)
      const Point3 n = side * normals[i];
      hit.start = hit.start + (b[i] * std::max(0.0, -dot(point - x[i], n))) * n;
    }
  }

  void describe_tube(const RTCHit& found, const Point3& point, const Point3& direction, Hit& hit) const {
    const Tube& tube = stage.tubes[found.primID];
    const double s = std::clamp(static_cast<double>(found.u), 0.0, 1.0);
    hit.colour = (1 - s) * tube.colours[0] + s * tube.colours[1];
    const Point3 normal{found.Ng_x, found.Ng_y, found.Ng_z};
    const double length = norm(normal);
    hit.normal = length > 0 ? (1 / length) * normal : -1.0 * direction;
    hit.side = Hit::Side::front;
    // Off the surface a little: where two rods meet at an angle, each reaches into the other.
    hit.start = point + (0.1 * tube.radius) * hit.normal;
  }
};

Tracer::Tracer(const Stage& stage) : world_(std::make_unique<World>(stage)) {}
Tracer::~Tracer() = default;

bool Tracer::closest(const Ray& ray, Hit& hit) const {
  const auto [x, y, z] = world_->to_unit(ray.origin);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit query{};
  query.ray.org_x = x;
  query.ray.org_y = y;
  query.ray.org_z = z;
  query.ray.dir_x = static_cast<float>(ray.direction[0]);
  query.ray.dir_y = static_cast<float>(ray.direction[1]);
  query.ray.dir_z = static_cast<float>(ray.direction[2]);
  query.ray.tnear = 0;
  query.ray.tfar = std::numeric_limits<float>::infinity();
  query.ray.mask = ~0u;
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(world_->scene, &context, &query);
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
  hit.distance = query.ray.tfar * world_->stage.radius;
  const Point3 point = ray.origin + hit.distance * ray.direction;
  if (query.hit.geomID == world_->tube_geometry)
    world_->describe_tube(query.hit, point, ray.direction, hit);
  else
    world_->describe_triangle(query.hit, ray.direction, hit);
  return true;
}

unsigned Tracer::blocked(const Point3& from, std::span<const Point3> directions) const {
  const auto [x, y, z] = world_->to_unit(from);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay8 rays{};
  alignas(32) std::array<int, kPacket> valid{};
  for (std::size_t i = 0; i < std::min(kPacket, directions.size()); ++i) {
    valid[i] = -1;
    rays.org_x[i] = x;
    rays.org_y[i] = y;
    rays.org_z[i] = z;
    rays.dir_x[i] = static_cast<float>(directions[i][0]);
    rays.dir_y[i] = static_cast<float>(directions[i][1]);
    rays.dir_z[i] = static_cast<float>(directions[i][2]);
    rays.tnear[i] = kLeast;
    rays.tfar[i] = std::numeric_limits<float>::infinity();
    rays.mask[i] = ~0u;
  }
  rtcOccluded8(valid.data(), world_->scene, &context, &rays);
  unsigned mask = 0;
  for (std::size_t i = 0; i < kPacket; ++i)
    if (valid[i] != 0 && rays.tfar[i] < 0) mask |= 1u << i;
  return mask;
}

}  // namespace phiflex
