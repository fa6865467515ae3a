#include "phiflex/run/scene_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "phiflex/model/grip_load.h"
#include "phiflex/run/grips_file.h"
#include "phiflex/run/load_table.h"
#include "phiflex/run/selection.h"

namespace phiflex {
namespace {

ActiveTime active_time(const TimeWindow& window) {
  return {window.from, window.until.value_or(std::numeric_limits<double>::infinity())};
}

Modulation modulation(const ForceInTime& in_time) {
  Modulation out{in_time.gust.amplitude, in_time.gust.frequency, {}};
  for (const ProfilePoint& point : in_time.profile) out.profile.push_back({point.time, point.factor});
  return out;
}

struct AddLoad {
  const Scene& scene;
  const std::string& pointer;
  ModelBuilder& builder;

  void operator()(const UniformForce& force) const {
    if (force.body)
      builder.add_load(builder.number_of(*force.body),
                       {.measure = VertexLoad::Measure::acceleration,
                        .value = vector3(force.acceleration),
                        .active = active_time(force.in_time.window),
                        .strength = modulation(force.in_time)},
                       pointer);
    else
      builder.add_acceleration(vector3(force.acceleration), active_time(force.in_time.window),
                               modulation(force.in_time));
  }

  void operator()(const PointForce& force) const {
    add(force, VertexLoad::Measure::each_vertex, force.force,
        force.where ? selected(*force.where, force.body, "/where")
                    : std::vector{builder.nearest_vertex(builder.number_of(force.body), vector3(*force.at))});
  }

  void operator()(const RegionForce& force) const {
    using Measure = VertexLoad::Measure;
    const std::vector<int> vertices = selected(force.where, force.body, "/where");
    if (force.force)
      add(force, Measure::shared_by_mass, *force.force, vertices);
    else if (force.acceleration)
      add(force, Measure::acceleration, *force.acceleration, vertices);
    else
      add(force, Measure::per_volume, *force.force_density, vertices);
  }

  void operator()(const PressureForce& force) const {
    const std::vector<int> vertices = selected(force.where, force.body, "/where");
    if (!vertices.empty())
      builder.add_pressure(builder.number_of(force.body), vertices, force.pressure,
                           force.follower == Switch::on, active_time(force.in_time.window),
                           modulation(force.in_time), pointer + "/where");
  }
  void operator()(const TractionForce& force) const {
    const std::vector<int> vertices = selected(force.where, force.body, "/where");
    if (!vertices.empty())
      builder.add_traction(builder.number_of(force.body), vertices, vector3(force.traction),
                           active_time(force.in_time.window), modulation(force.in_time), pointer + "/where");
  }
  void operator()(const TorqueForce& force) const {
    const std::vector<int> vertices = selected(force.where, force.body, "/where");
    if (!vertices.empty())
      builder.add_torque(builder.number_of(force.body), vertices, vector3(force.torque),
                         active_time(force.in_time.window), modulation(force.in_time), pointer + "/where");
  }

  void operator()(const MuscleForce& muscle) const {
    const int number = builder.number_of(muscle.body);
    const Body& body = builder.body(number);
    const std::size_t before = builder.problems().size();
    std::vector<int> elements;
    std::vector<Eigen::Vector3d> directions;
    if (body.solid()) elements = select_elements(muscle.where, body, pointer + "/where", builder.problems());
    if (muscle.field && body.solid()) {
      const auto spec = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                     [&](const BodySpec& other) { return other.name == muscle.body; });
      const std::vector<Point3> all =
          element_directions(body, *muscle.field, spec->transform, pointer + "/field", builder.problems());
      if (builder.problems().size() == before)
        for (const int e : elements) directions.push_back(vector3(all[std::size_t(e)]));
    } else {
      directions.push_back(vector3(muscle.direction.value_or(Triple{1, 0, 0})));
    }
    if (builder.problems().size() != before) return;
    Modulation activation;
    for (const ProfilePoint& point : muscle.activation)
      activation.profile.push_back({point.time, point.factor});
    builder.add_muscle(number, elements, std::move(directions), muscle.stress, active_time(muscle.window),
                       std::move(activation), pointer);
  }

  void operator()(const ChamberForce& chamber) const {
    std::vector<int> vertices;
    if (chamber.surface) {
      vertices = selected(*chamber.surface, chamber.body, "/surface");
      if (vertices.empty()) return;
    }
    double pressure = 1;
    Modulation strength;
    if (const auto* points = std::get_if<std::vector<PressurePoint>>(&chamber.pressure))
      for (const PressurePoint& point : *points) strength.profile.push_back({point.time, point.pressure});
    else
      pressure = std::get<double>(chamber.pressure);
    builder.add_chamber(builder.number_of(chamber.body), vertices, pressure, active_time(chamber.window),
                        std::move(strength), pointer, chamber.name.value_or(""));
  }

  void operator()(const WindForce& wind) const {
    const std::optional<int> body = wind.body ? std::optional(builder.number_of(*wind.body)) : std::nullopt;
    builder.add_wind({vector3(wind.velocity), wind.gust.amplitude, wind.gust.frequency, wind.air_density,
                      wind.drag_coefficient},
                     active_time(wind.window), body, pointer);
  }

  void operator()(const StokesForce& fluid) const {
    const std::vector<int> vertices = selected(fluid.where, fluid.body, "/where");
    if (!vertices.empty())
      builder.add_stokes_fluid(builder.number_of(fluid.body), vertices, {fluid.viscosity, fluid.radius},
                               pointer);
  }

  void operator()(const MotorForce& motor) const {
    // Numbers beyond int are no vertices of any body.
    const auto vertex = [](std::int64_t number) {
      return static_cast<int>(std::min<std::int64_t>(number, std::numeric_limits<int>::max()));
    };
    builder.add_motor(builder.number_of(motor.body),
                      {{vertex(motor.axis[0]), vertex(motor.axis[1])},
                       selected(motor.rotor, motor.body, "/rotor"),
                       selected(motor.stator, motor.body, "/stator")},
                      motor.torque, active_time(motor.window), pointer);
  }

  void operator()(const GripsForce& force) const {
    builder.problems().collect(pointer + "/file", [&] {
      builder.add_load(std::make_shared<GripLoad>(read_grips(force.file, builder.bodies())));
    });
  }

  void operator()(const TableForce& force) const {
    builder.problems().collect(pointer + "/file", [&] {
      for (const LoadColumn& column : read_load_table(force.file))
        if (!add(force, column)) return;
    });
  }

  // On every body, or on a part of one; false: a problem was reported.
  bool add(const TableForce& force, const LoadColumn& column) const {
    using Measure = VertexLoad::Measure;
    if (!force.body && column.measure == Measure::shared_by_mass) {
      builder.problems().problem(pointer + "/file",
                                 "fx, fy, fz are the total force on a body; expected \"body\" beside it");
      return false;
    }
    for (std::size_t b = 0; b < builder.bodies().size(); ++b) {
      const Body& body = builder.bodies()[b];
      if (force.body && body.name != *force.body) continue;
      if (column.measure == Measure::per_volume && body.springs()) {
        builder.problems().problem(
            pointer + "/file",
            fmt::format("\"{}\" is made of springs and has no volume; expected ax, ay, az or fx, fy, fz",
                        body.name));
        return false;
      }
      std::vector<int> vertices;  // empty: all
      if (force.where) {
        vertices = select_vertices(*force.where, body, pointer + "/where", builder.problems());
        if (vertices.empty()) return false;  // a problem was reported
      }
      for (const Modulation::Point& point : column.strength.profile)
        builder.add_to_hash(std::array{point.time, point.factor});
      builder.add_load(
          static_cast<int>(b),
          {column.measure, column.direction, std::move(vertices), active_time(force.window), column.strength},
          pointer);
    }
    return true;
  }

  template <class Force>
  void add(const Force& force, VertexLoad::Measure measure, const Triple& value,
           std::vector<int> vertices) const {
    if (vertices.empty()) return;  // a problem was reported
    builder.add_load(builder.number_of(force.body),
                     {measure, vector3(value), std::move(vertices), active_time(force.in_time.window),
                      modulation(force.in_time)},
                     pointer);
  }
  std::vector<int> selected(const Where& where, const std::string& body, const char* key) const {
    return select_vertices(where, builder.body(builder.number_of(body)), pointer + key, builder.problems());
  }
};

}  // namespace

void add_force(const Scene& scene, const ForceSpec& force, const std::string& pointer,
               ModelBuilder& builder) {
  std::visit(AddLoad{scene, pointer, builder}, force);
}

}  // namespace phiflex
