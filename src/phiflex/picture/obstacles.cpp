#include "phiflex/picture/obstacles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "phiflex/base/errors.h"
#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/mesh/generators.h"
#include "phiflex/mesh/mesh_io.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;
constexpr double kRadians = std::numbers::pi / 180;

Eigen::Vector3d vector_of(const Point3& x) {
  return {x[0], x[1], x[2]};
}
Point3 point_of(const Eigen::Vector3d& x) {
  return {x[0], x[1], x[2]};
}

struct Rotation {
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  double angle = 0;  // rad
  Eigen::Matrix3d matrix() const { return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(); }
};

// [axis, degrees], of the key "rotate".
Rotation rotation_of(const Json& holder) {
  if (!holder.contains("rotate")) return {};
  const Json& list = holder["rotate"];
  return {vector_of(list.at(0).get<Point3>()), kRadians * list.at(1).get<double>()};
}

Path path_of(const Json& contact) {
  if (!contact.contains("motion") || !contact["motion"].is_object()) return {};
  const Json& motion = contact["motion"];
  std::vector<PathKnot> knots;
  for (const Json& key : motion.value("keys", Json::array())) {
    const Rotation turn = rotation_of(key);
    knots.push_back(
        {key.at("time").get<double>(), vector_of(key.value("translate", Point3{})), turn.axis, turn.angle});
  }
  std::vector<PathSwing> swings;
  for (const Json& sine : motion.value("sine", Json::array())) {
    const Rotation turn = rotation_of(sine);
    swings.push_back({vector_of(sine.value("translate", Point3{})), turn.angle * turn.axis.normalized(),
                      sine.at("frequency").get<double>(), kRadians * sine.value("phase", 0.0),
                      sine.value("from", 0.0), sine.value("until", std::numeric_limits<double>::infinity())});
  }
  const bool smooth =
      motion.contains("smooth") && motion["smooth"].is_boolean() && motion["smooth"].get<bool>();
  return Path(std::move(knots), smooth ? PathForm::smooth : PathForm::linear,
              vector_of(motion.value("pivot", Point3{})), std::move(swings));
}

template <class Map>
void move_vertices(SurfaceMesh& mesh, const Map& map) {
  for (Point3& x : mesh.vertices) x = point_of(map(vector_of(x)));
}

// A sphere drawn apart by `length` along x, from -length/2 to length/2: 0 is a sphere.
SurfaceMesh capsule(double radius, double length) {
  constexpr int around = 96, along = 48;  // even, so that half of the rings go to either side
  SurfaceMesh mesh;
  for (int i = 0; i <= along; ++i) {
    const double polar = std::numbers::pi * i / along, shift = (i <= along / 2 ? -0.5 : 0.5) * length;
    const int copies = i == along / 2 && length > 0 ? 2 : 1;
    for (int copy = 0; copy < copies; ++copy)
      for (int j = 0; j < around; ++j) {
        const double turn = 2 * std::numbers::pi * j / around;
        mesh.vertices.push_back({shift + copy * length - radius * std::cos(polar),
                                 radius * std::sin(polar) * std::cos(turn),
                                 radius * std::sin(polar) * std::sin(turn)});
      }
  }
  const int rings = static_cast<int>(mesh.vertices.size()) / around;
  for (int i = 0; i + 1 < rings; ++i)
    for (int j = 0; j < around; ++j) {
      const int a = i * around + j, b = i * around + (j + 1) % around, c = a + around, d = b + around;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({b, d, c});
    }
  return mesh;
}

SurfaceMesh box(const Point3& size) {
  return extract_surface(generate_box({.size = size, .cells = {1, 1, 1}}));
}

SurfaceMesh mesh_of(const Json& spec) {
  if (spec.contains("file")) {
    AnyMesh any = read_mesh(spec["file"].get<std::string>());
    if (const auto* tets = std::get_if<TetMesh>(&any)) return extract_surface(*tets);
    return std::get<SurfaceMesh>(std::move(any));
  }
  GeneratorArguments arguments;
  for (const auto& [key, value] : spec.items())
    if (value.is_number())
      arguments[key] = {value.get<double>()};
    else if (value.is_array())
      arguments[key] = value.get<std::vector<double>>();
  return extract_surface(generate_mesh(spec.at("generate").get<std::string>(), arguments));
}

SurfaceMesh solid_of(const std::string& type, const Json& contact) {
  SurfaceMesh mesh;
  if (type == "sphere") {
    mesh = capsule(contact.at("radius").get<double>(), 0);
    const Eigen::Vector3d center = vector_of(contact.at("center").get<Point3>());
    move_vertices(mesh, [&](const Eigen::Vector3d& x) { return Eigen::Vector3d(center + x); });
  } else if (type == "capsule") {
    const Eigen::Vector3d from = vector_of(contact.at("from").get<Point3>()),
                          to = vector_of(contact.at("to").get<Point3>());
    mesh = capsule(contact.at("radius").get<double>(), (to - from).norm());
    // The rotation from the x axis, along which the capsule was made, to `to - from`.
    const Eigen::Vector3d along = (to - from).normalized(), axis = Eigen::Vector3d::UnitX().cross(along);
    const double sine = axis.norm();
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(std::atan2(sine, along.x()),
                          sine > 0 ? Eigen::Vector3d(axis / sine) : Eigen::Vector3d::UnitZ())
            .toRotationMatrix();
    move_vertices(mesh,
                  [&](const Eigen::Vector3d& x) { return Eigen::Vector3d(0.5 * (from + to) + turn * x); });
  } else if (type == "box") {
    const auto size = contact.at("size").get<Point3>();
    mesh = box(size);
    const Eigen::Vector3d center = vector_of(contact.at("center").get<Point3>()),
                          half = 0.5 * vector_of(size);
    const Eigen::Matrix3d turn = rotation_of(contact).matrix();
    move_vertices(mesh,
                  [&](const Eigen::Vector3d& x) { return Eigen::Vector3d(center + turn * (x - half)); });
  } else if (type == "surface") {
    mesh = mesh_of(contact.at("mesh"));
    const Json transform = contact.value("transform", Json::object());
    const double scale = transform.value("scale", 1.0);
    const Eigen::Matrix3d turn = rotation_of(transform).matrix();
    const Eigen::Vector3d shift = vector_of(transform.value("translate", Point3{}));
    move_vertices(mesh,
                  [&](const Eigen::Vector3d& x) { return Eigen::Vector3d(shift + turn * (scale * x)); });
  }
  mesh.edges.clear();
  return mesh;
}

Surface grey(const SurfaceMesh& mesh) {
  Surface surface{mesh.vertices, mesh.triangles, {}, {}};
  surface.normals = CreaseNormals(surface.vertices, surface.triangles).at(surface.vertices);
  const Colour colour = from_srgb(0xb4bac2);
  surface.colours.assign(surface.triangles.size(), {colour, colour, colour});
  return surface;
}

void read_contact(const Json& contact, DrawnObstacles& out) {
  const std::string type = contact.at("type").get<std::string>();
  const Path path = path_of(contact);
  if (type == "floor" || type == "plane") {
    DrawnHalfSpace half{contact.value("point", Point3{0, contact.value("height", 0.0), 0}),
                        contact.value("normal", Point3{0, 1, 0}), path};
    const bool level = (out.turn * vector_of(half.normal))[1] > 0.99999 * norm(half.normal);
    const double height = (out.turn * vector_of(half.point))[1];
    if (level && !path.moves())
      out.floor = std::min(height, out.floor.value_or(height));
    else
      out.half_spaces.push_back(std::move(half));
  } else if (SurfaceMesh shape = solid_of(type, contact); !shape.triangles.empty()) {
    out.solids.push_back({std::move(shape), path, out.turn});
  }
}

using Polygon = std::vector<Eigen::Vector3d>;

// The plane that bounds a half space.
struct Border {
  Eigen::Vector3d point, normal;
  double above(const Eigen::Vector3d& x) const { return normal.dot(x - point); }
  Polygon square(const Eigen::Vector3d& middle, double half) const {
    const Eigen::Vector3d centre = middle - above(middle) * normal;
    const Eigen::Vector3d a = (std::abs(normal[1]) < 0.9 ? normal.cross(Eigen::Vector3d::UnitY())
                                                         : Eigen::Vector3d::UnitX().cross(normal))
                                  .normalized() *
                              half;
    const Eigen::Vector3d b = normal.cross(a);
    return {centre - a - b, centre + a - b, centre + a + b, centre - a + b};
  }
};

// The part of a convex polygon that lies outside of a half space.
Polygon clipped(const Polygon& polygon, const Border& border) {
  Polygon kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Eigen::Vector3d &x = polygon[i], &next = polygon[(i + 1) % polygon.size()];
    const double here = border.above(x), there = border.above(next);
    if (here >= 0) kept.push_back(x);
    if ((here < 0) != (there < 0)) kept.push_back(x + here / (here - there) * (next - x));
  }
  return kept;
}

}  // namespace

Surface DrawnObstacle::at(double time) const {
  SurfaceMesh moved = shape;
  const Path::Pose pose = path.pose(time);
  move_vertices(moved, [&](const Eigen::Vector3d& x) { return Eigen::Vector3d(turn * pose.place(x)); });
  return grey(moved);
}

std::vector<Surface> DrawnObstacles::borders_at(double time, const Point3& middle, double radius,
                                                const Point3& eye) const {
  std::vector<Border> borders;
  for (const DrawnHalfSpace& half : half_spaces) {
    const Path::Pose pose = half.path.pose(time);
    borders.push_back(
        {turn * pose.place(vector_of(half.point)), (turn * pose.R * vector_of(half.normal)).normalized()});
  }
  const std::size_t drawn = borders.size();
  if (floor) borders.push_back({{0, *floor, 0}, Eigen::Vector3d::UnitY()});
  std::vector<Surface> surfaces;
  for (std::size_t i = 0; i < drawn; ++i) {
    if (borders[i].above(vector_of(eye)) < 0) continue;
    Polygon polygon = borders[i].square(vector_of(middle), 1.2 * radius);
    for (std::size_t other = 0; other < borders.size(); ++other)
      if (other != i) polygon = clipped(polygon, borders[other]);
    if (polygon.size() < 3) continue;
    SurfaceMesh mesh;
    for (const Eigen::Vector3d& x : polygon) mesh.vertices.push_back(point_of(x));
    for (int k = 2; k < static_cast<int>(polygon.size()); ++k) mesh.triangles.push_back({0, k - 1, k});
    surfaces.push_back(grey(mesh));
  }
  return surfaces;
}

Eigen::Matrix3d upright_turn(const Json& scene) {
  Point3 pull{};
  try {
    if (scene.is_object()) pull = scene.value("gravity", Point3{});
  } catch (const nlohmann::json::exception&) {  // of another version
  }
  Eigen::Index axis = 0;
  if (!(vector_of(pull).cwiseAbs().maxCoeff(&axis) > 0)) return Eigen::Matrix3d::Identity();
  const Eigen::Vector3d up = (pull[std::size_t(axis)] > 0 ? -1.0 : 1.0) * Eigen::Vector3d::Unit(axis);
  if (up[1] < 0) return Eigen::Vector3d(1, -1, -1).asDiagonal();
  const Eigen::Vector3d v = up.cross(Eigen::Vector3d::UnitY());  // of length 0 or 1: a quarter turn
  Eigen::Matrix3d cross;
  cross << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return Eigen::Matrix3d::Identity() + cross + cross * cross;
}

DrawnObstacles read_obstacles(const Json& scene, const Eigen::Matrix3d& turn) {
  DrawnObstacles out;
  out.turn = turn;
  if (!scene.is_object() || !scene.contains("contacts") || !scene["contacts"].is_array()) return out;
  for (const Json& contact : scene["contacts"]) {
    try {
      read_contact(contact, out);
    } catch (const nlohmann::json::exception&) {  // a kind of another version
    } catch (const std::invalid_argument&) {
    } catch (const InputError&) {
    } catch (const FileError&) {
    }
  }
  return out;
}

}  // namespace phiflex
