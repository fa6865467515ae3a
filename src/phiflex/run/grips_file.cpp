#include "phiflex/run/grips_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/json_file.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kGripsKey = "phiflex_grips";

class GripsReader {
 public:
  GripsReader(const std::filesystem::path& path, const std::vector<Body>& bodies)
      : file_(path.string()), json_(read_json_file(path)), bodies_(bodies) {}

  std::shared_ptr<const GripTable> read() const {
    if (!json_.is_object() || !json_.contains(kGripsKey) || json_[kGripsKey] != 1)
      fail("", "is no file of grips; expected one that `phiflex live` recorded");
    auto table = std::make_shared<GripTable>();
    table->times = {number(json_, "start", ""), number(json_, "step", "")};
    if (!(table->times.h > 0)) fail("/step", "expected a number > 0");
    const Json& grips = list(json_, "grips", "");
    for (std::size_t i = 0; i < grips.size(); ++i)
      table->grips.push_back(grip(grips[i], fmt::format("/grips/{}", i)));
    return table;
  }

 private:
  Grip grip(const Json& json, const std::string& place) const {
    if (!json.is_object()) fail(place, "expected an object");
    if (!json.contains("body") || !json["body"].is_string())
      fail(place + "/body", "expected the name of a body");
    const std::string name = json["body"];
    const auto body =
        std::find_if(bodies_.begin(), bodies_.end(), [&](const Body& b) { return b.name == name; });
    if (body == bodies_.end()) fail(place + "/body", fmt::format("there is no body \"{}\"", name));
    Grip grip;
    for (const double v : numbers(json, "vertices", place)) {
      if (!(v >= 0 && v < body->vertex_count() && v == std::floor(v)))
        fail(place + "/vertices", fmt::format("vertex {} is not there: body \"{}\" has {} vertices", v, name,
                                              body->vertex_count()));
      grip.vertices.push_back(body->first_vertex + static_cast<int>(v));
    }
    grip.weights = numbers(json, "weights", place);
    grip.offsets = points(json, "offsets", place);
    if (grip.weights.size() != grip.vertices.size() || grip.offsets.size() != grip.vertices.size())
      fail(place,
           fmt::format("{} vertices have {} weights and {} offsets; expected one of each for every vertex",
                       grip.vertices.size(), grip.weights.size(), grip.offsets.size()));
    const double first = number(json, "first", place);
    if (!(std::abs(first) <= 1e15 && first == std::floor(first)))
      fail(place + "/first", fmt::format("{} is no number of a step", first));
    grip.track.first = static_cast<std::int64_t>(first);
    const std::vector<Eigen::Vector3d> at = points(json, "points", place);
    const std::vector<double> strength = numbers(json, "strength", place);
    if (at.empty() || strength.size() != at.size())
      fail(place, fmt::format("{} points have {} strengths; expected at least one, and as many of both",
                              at.size(), strength.size()));
    for (std::size_t n = 0; n < at.size(); ++n) {
      if (!(strength[n] >= 0)) fail(place + "/strength", "expected numbers >= 0");
      grip.track.values.emplace_back(at[n][0], at[n][1], at[n][2], strength[n]);
    }
    for (const double w : grip.weights)
      if (!(w >= 0)) fail(place + "/weights", "expected numbers >= 0");
    return grip;
  }

  const Json& list(const Json& json, const char* key, const std::string& place) const {
    if (!json.contains(key) || !json[key].is_array()) fail(place + "/" + key, "expected a list");
    return json[key];
  }
  double finite(const Json& json, const std::string& place) const {
    if (!json.is_number() || !std::isfinite(json.get<double>())) fail(place, "expected a number");
    return json.get<double>();
  }
  double number(const Json& json, const char* key, const std::string& place) const {
    if (!json.contains(key)) fail(place + "/" + key, "missing");
    return finite(json[key], place + "/" + key);
  }
  std::vector<double> numbers(const Json& json, const char* key, const std::string& place) const {
    std::vector<double> all;
    for (const Json& one : list(json, key, place)) all.push_back(finite(one, place + "/" + key));
    return all;
  }
  std::vector<Eigen::Vector3d> points(const Json& json, const char* key, const std::string& place) const {
    std::vector<Eigen::Vector3d> all;
    for (const Json& one : list(json, key, place)) {
      if (!one.is_array() || one.size() != 3) fail(place + "/" + key, "expected points [x, y, z]");
      all.emplace_back(finite(one[0], place + "/" + key), finite(one[1], place + "/" + key),
                       finite(one[2], place + "/" + key));
    }
    return all;
  }
  [[noreturn]] void fail(const std::string& place, const std::string& message) const {
    throw InputError(file_, place, message);
  }

  std::string file_;
  Json json_;
  const std::vector<Body>& bodies_;
};

Json list_of(const Eigen::Vector3d& p) {
  return {p[0], p[1], p[2]};
}

}  // namespace

std::shared_ptr<const GripTable> read_grips(const std::filesystem::path& path,
                                            const std::vector<Body>& bodies) {
  return GripsReader(path, bodies).read();
}

void write_grips(const std::filesystem::path& path, const GripTable& table, const std::vector<Body>& bodies) {
  Json json = {
      {kGripsKey, 1}, {"start", table.times.start}, {"step", table.times.h}, {"grips", Json::array()}};
  for (const Grip& grip : table.grips) {
    const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const Body& b) {
      return grip.vertices.front() >= b.first_vertex &&
             grip.vertices.front() < b.first_vertex + b.vertex_count();
    });
    Json one = {{"body", body->name},       {"vertices", Json::array()}, {"weights", grip.weights},
                {"offsets", Json::array()}, {"first", grip.track.first}, {"points", Json::array()},
                {"strength", Json::array()}};
    for (const int v : grip.vertices) one["vertices"].push_back(v - body->first_vertex);
    for (const Eigen::Vector3d& offset : grip.offsets) one["offsets"].push_back(list_of(offset));
    for (const Eigen::Vector4d& value : grip.track.values) {
      one["points"].push_back(list_of(value.head<3>()));
      one["strength"].push_back(value[3]);
    }
    json["grips"].push_back(std::move(one));
  }
  write_file_atomically(path, json.dump());
}

}  // namespace phiflex
