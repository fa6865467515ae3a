#include "phiflex/run/scene_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "phiflex/mesh/bounds.h"
#include "phiflex/model/modulation.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/run/selection.h"

namespace phiflex {
namespace {

// "17_y" -> 17, 1; a vertex of -1: not such a name.
struct Coordinate {
  int vertex = -1;
  int direction = 0;
};
Coordinate coordinate_of(const std::string& name) {
  if (name.size() < 3 || name[name.size() - 2] != '_') return {};
  const std::size_t direction = std::string_view("xyz").find(name.back());
  int vertex = -1;
  const char* stop = name.data() + name.size() - 2;
  const auto [end, error] = std::from_chars(name.data(), stop, vertex);
  if (error != std::errc{} || end != stop || vertex < 0 || direction == std::string_view::npos) return {};
  return {vertex, static_cast<int>(direction)};
}

class MotionFile {
 public:
  MotionFile(const std::filesystem::path& path, const Body& body)
      : file_(path.string()), table_(read_csv(path, UnendedLine::read)) {
    const std::vector<double>* times = table_.column("time");
    if (!times) fail("line 1", "has no column \"time\"; expected time,<vertex>_x,<vertex>_y,<vertex>_z,...");
    if (std::count(table_.names.begin(), table_.names.end(), "time") > 1)
      fail("line 1", "\"time\" is there twice");
    if (times->empty()) fail("line 1", "has no row; expected positions for at least one time");
    for (std::size_t row = 0; row < times->size(); ++row)
      if (!std::isfinite((*times)[row]) || (row > 0 && (*times)[row] <= (*times)[row - 1]))
        fail(fmt::format("line {}", row + 2), "expected times that ascend from row to row");
    times_ = *times;
    find_columns(body);
  }

  // The vertices of the body that the file moves, and their motion.
  std::pair<std::vector<int>, std::shared_ptr<const RecordedMotion>> motion(const Body& body, double start,
                                                                            double end) const {
    if (!reached(times_.back(), end))
      fail(fmt::format("line {}", times_.size() + 1),
           fmt::format("the motion ends at {} s, before the constraint does, at {} s", times_.back(), end));
    if (!reached(start, times_.front()))
      fail("line 2",
           fmt::format("the motion begins at {} s, after the scene, at {} s", times_.front(), start));
    std::vector<int> vertices;
    std::vector<Vector> positions(times_.size(), Vector(3 * Index(columns_.size())));
    for (const auto& [vertex, columns] : columns_) {
      const Index at = 3 * static_cast<Index>(vertices.size());
      vertices.push_back(vertex);
      for (int i = 0; i < 3; ++i)
        for (std::size_t row = 0; row < times_.size(); ++row) {
          positions[row][at + i] = (*columns[std::size_t(i)])[row];
          if (!std::isfinite(positions[row][at + i]))
            fail(fmt::format("line {}", row + 2), fmt::format("vertex {} is at no finite place", vertex));
        }
      if (body.plane()) check_plane(body, vertex, *columns[2]);
    }
    return {std::move(vertices), std::make_shared<RecordedMotion>(times_, std::move(positions))};
  }

 private:
  // z of a vertex of a plane body, to the rounding of a text file.
  void check_plane(const Body& body, int vertex, const std::vector<double>& z) const {
    const Bounds bounds = bounds_of(body.rest());
    const double plane = body.rest()[std::size_t(vertex)][2];
    const double tolerance = 1e-9 * std::max({bounds.length(0), bounds.length(1), std::abs(plane)});
    for (std::size_t row = 0; row < z.size(); ++row)
      if (std::abs(z[row] - plane) > tolerance)
        fail(fmt::format("line {}", row + 2), fmt::format("vertex {} is led to z = {:.6g}, out of the plane "
                                                          "of body \"{}\", z = {:.6g}; expected a motion "
                                                          "within z = const",
                                                          vertex, z[row], body.name, plane));
  }

  void find_columns(const Body& body) {
    for (std::size_t c = 0; c < table_.names.size(); ++c) {
      const std::string& name = table_.names[c];
      if (name == "time" || name == "step") continue;
      const Coordinate of = coordinate_of(name);
      if (of.vertex < 0)
        fail("line 1", fmt::format("\"{}\" is no column of a motion; expected <vertex>_x, _y or _z", name));
      if (of.vertex >= body.vertex_count())
        fail("line 1", fmt::format("vertex {} is not there: body \"{}\" has {} vertices", of.vertex,
                                   body.name, body.vertex_count()));
      const std::vector<double>*& column = columns_[of.vertex][std::size_t(of.direction)];
      if (column) fail("line 1", fmt::format("\"{}\" is there twice", name));
      column = &table_.columns[c];
    }
    if (columns_.empty())
      fail("line 1", "moves no vertex; expected columns <vertex>_x, <vertex>_y, <vertex>_z");
    for (const auto& [vertex, columns] : columns_)
      if (std::find(columns.begin(), columns.end(), nullptr) != columns.end())
        fail("line 1",
             fmt::format("vertex {} needs all three of {}_x, {}_y and {}_z", vertex, vertex, vertex, vertex));
  }
  [[noreturn]] void fail(const std::string& place, const std::string& message) const {
    throw InputError(file_, place, message);
  }

  std::string file_;
  CsvTable table_;
  std::vector<double> times_;
  std::map<int, std::array<const std::vector<double>*, 3>> columns_;  // of each vertex
};

std::vector<PathSwing> swings(const std::vector<SineSpec>& sines) {
  std::vector<PathSwing> out;
  for (const SineSpec& sine : sines)
    out.push_back({vector3(sine.translate),
                   sine.rotate.angle * kRadiansPerDegree * vector3(sine.rotate.axis).normalized(),
                   sine.frequency, sine.phase * kRadiansPerDegree, sine.from,
                   sine.until.value_or(std::numeric_limits<double>::infinity())});
  return out;
}

struct AddHold {
  const TimeSpec& time;
  const std::string& pointer;
  ModelBuilder& builder;

  void operator()(const FixConstraint& fix) const { hold(fix, {}); }
  void operator()(const MoveConstraint& move) const {
    std::vector<PathKnot> knots;
    for (const PathPoint& point : move.path) knots.push_back({point.time, vector3(point.offset)});
    hold(move, Path(std::move(knots), PathForm::linear, Eigen::Vector3d::Zero(), swings(move.sine)));
  }
  void operator()(const FrameConstraint& frame) const { hold(frame, make_path(frame.motion)); }
  void operator()(const MotionConstraint& constraint) const {
    const int number = builder.number_of(constraint.body);
    const Body& body = builder.body(number);
    builder.problems().collect(pointer, [&] {
      auto [vertices, motion] =
          MotionFile(constraint.file, body)
              .motion(body, start_of(time), std::min(time.end, constraint.until.value_or(time.end)));
      builder.hold_recorded(number, std::move(vertices), std::move(motion),
                            constraint.until.value_or(kForever), pointer, constraint.name.value_or(""));
    });
  }

  template <class Constraint>
  void hold(const Constraint& constraint, Path path) const {
    const int number = builder.number_of(constraint.body);
    builder.hold(
        number,
        select_vertices(constraint.where, builder.body(number), pointer + "/where", builder.problems()),
        std::move(path), constraint.until.value_or(kForever), pointer, constraint.name.value_or(""));
  }
};

}  // namespace

Path make_path(const RigidMotionSpec& motion) {
  if (motion.key_step) {
    auto track = std::make_shared<PathTrack>();
    track->times = {motion.keys.front().time, *motion.key_step};
    for (const FrameKey& key : motion.keys) track->offsets.values.push_back(vector3(key.translate));
    return Path(std::shared_ptr<const PathTrack>(std::move(track)));
  }
  std::vector<PathKnot> knots;
  for (const FrameKey& key : motion.keys)
    knots.push_back(
        {key.time, vector3(key.translate), vector3(key.rotate.axis), key.rotate.angle * kRadiansPerDegree});
  return Path(std::move(knots), motion.smooth == Switch::on ? PathForm::smooth : PathForm::linear,
              vector3(motion.pivot), swings(motion.sine));
}

void add_constraint(const ConstraintSpec& constraint, const TimeSpec& time, const std::string& pointer,
                    ModelBuilder& builder) {
  std::visit(AddHold{time, pointer, builder}, constraint);
}

}  // namespace phiflex
