#include "phiflex/exchange/export_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "phiflex/exchange/export_formats.h"
#include "phiflex/mesh/mesh_writers.h"
#include "phiflex/record/run_json.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of_body(const Json& run, int body) {
  const Json::json_pointer at("/scene/bodies/" + std::to_string(std::max(0, body)) + "/name");
  if (run.contains(at) && run[at].is_string()) return run[at].get<std::string>();
  return "body" + std::to_string(body);
}

}  // namespace

std::vector<Point3> ExportedBody::at(const VisibleFrame& frame) const {
  std::vector<Point3> positions;
  positions.reserve(vertices.size());
  for (const int v : vertices) positions.push_back(frame.positions[static_cast<std::size_t>(v)]);
  return positions;
}

std::vector<ExportedBody> exported_bodies(const MotionReader& motion) {
  const VisibleShape& shape = motion.shape();
  const Json run = read_run_json(motion.folder().run_json());
  std::map<int, ExportedBody> parts;
  const auto add = [&](const auto& elements, const std::vector<int>& bodies, auto member) {
    for (std::size_t e = 0; e < elements.size(); ++e) {
      ExportedBody& part = parts[bodies[e]];
      (part.rest.*member).push_back(elements[e]);
      part.vertices.insert(part.vertices.end(), elements[e].begin(), elements[e].end());
    }
  };
  add(shape.triangles, shape.triangle_body, &SurfaceMesh::triangles);
  add(shape.lines, shape.line_body, &SurfaceMesh::edges);
  std::vector<ExportedBody> made;
  for (auto& [body, part] : parts) {
    part.name = name_of_body(run, body);
    std::sort(part.vertices.begin(), part.vertices.end());
    part.vertices.erase(std::unique(part.vertices.begin(), part.vertices.end()), part.vertices.end());
    const auto renumber = [&vertices = part.vertices](auto& elements) {
      for (auto& element : elements)
        for (int& v : element)
          v = static_cast<int>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
    };
    renumber(part.rest.triangles);
    renumber(part.rest.edges);
    for (const int v : part.vertices) part.rest.vertices.push_back(shape.rest[static_cast<std::size_t>(v)]);
    made.push_back(std::move(part));
  }
  return made;
}

ExportedObstacles::ExportedObstacles(const MotionReader& motion) {
  const Json run = read_run_json(motion.folder().run_json());
  if (run.contains("scene")) solids_ = read_obstacles(run["scene"]).solids;
}

bool ExportedObstacles::moves() const {
  return std::any_of(solids_.begin(), solids_.end(),
                     [](const DrawnObstacle& solid) { return solid.path.moves(); });
}

std::vector<Point3> ExportedObstacles::at(double time) const {
  std::vector<Point3> points;
  for (const DrawnObstacle& solid : solids_) {
    const std::vector<Point3> moved = solid.at(time).vertices;
    points.insert(points.end(), moved.begin(), moved.end());
  }
  return points;
}

std::string ExportedObstacles::obj(double time) const {
  std::string text;
  int first = 0;
  for (std::size_t i = 0; i < solids_.size(); ++i) {
    SurfaceMesh points, faces;
    points.vertices = solids_[i].at(time).vertices;
    faces.triangles = solids_[i].shape.triangles;
    for (auto& triangle : faces.triangles)
      for (int& v : triangle) v += first;
    first += static_cast<int>(points.vertices.size());
    text += fmt::format("o obstacle{}\n", i) + format_obj(points) + format_obj(faces);
  }
  return text;
}

std::string obj_of_bodies(const VisibleShape& shape, const std::vector<ExportedBody>& parts,
                          const std::vector<Point3>& positions) {
  if (parts.size() < 2) return format_obj(mesh_of(shape, positions));
  SurfaceMesh points;
  points.vertices = positions;
  std::string text = format_obj(points);
  for (const ExportedBody& part : parts) {
    SurfaceMesh faces;
    faces.triangles = part.rest.triangles;
    faces.edges = part.rest.edges;
    const auto renumber = [&](auto& elements) {
      for (auto& element : elements)
        for (int& v : element) v = part.vertices[static_cast<std::size_t>(v)];
    };
    renumber(faces.triangles);
    renumber(faces.edges);
    text += "o " + part.name + "\n" + format_obj(faces);
  }
  return text;
}

}  // namespace phiflex
