// ModelBuilder: obstacles, by penalty, projection or barrier, and bodies that start inside them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/build/model_builder.h"
#include "phiflex/build/setting_checks.h"
#include "phiflex/contact/contact_forces.h"
#include "phiflex/energy/floor_term.h"
#include "phiflex/energy/obstacle_term.h"
#include "phiflex/model/constraint_map.h"
#include "phiflex/model/obstacle_friction.h"

namespace phiflex {

void ModelBuilder::add_obstacle(std::shared_ptr<const SolidShape> shape, ObstacleSettings settings,
                                std::string place) {
  if (settings.body) body(*settings.body);
  if (place.empty()) place = fmt::format("obstacle {}", pending_obstacles_.size());
  check_settings(settings, place, problems_);
  pending_obstacles_.push_back({std::move(shape), std::move(settings), std::nullopt, std::move(place)});
}

void ModelBuilder::add_floor(double height, ObstacleSettings settings, std::string place) {
  add_obstacle(std::make_shared<PlaneSolid>(Eigen::Vector3d(0, height, 0), Eigen::Vector3d::UnitY()),
               std::move(settings), std::move(place));
  pending_obstacles_.back().floor_height = height;
}

void ModelBuilder::add_particles(std::vector<int> bodies, double distance, double friction) {
  for (const int number : bodies) body(number);
  pending_particles_.push_back({std::move(bodies), distance, friction});
}

std::vector<bool> ModelBuilder::held_forever() const {
  std::vector<bool> held(std::size_t(parts_.vertices()), false);
  for (const TimedConstraint& timed : parts_.constraints)
    if (timed.until == kForever)
      for (const int v : timed.constraint.vertices) held[std::size_t(v)] = true;
  return held;
}

const BodySkin& ModelBuilder::skin(std::size_t body) {
  skins_.resize(parts_.bodies.size());
  if (!skins_[body])
    skins_[body] = skin_of(parts_.bodies[body], parts_.description.rest, parts_.description.vertex_mass);
  return *skins_[body];
}

void ModelBuilder::finish_obstacle(const PendingObstacle& pending) {
  const ObstacleSettings& settings = pending.settings;
  if (settings.mode == ContactMode::barrier) {
    add_barriers(pending);
    return;
  }
  Obstacle obstacle{pending.shape, settings.motion.value_or(Path()), with_mass(settings.body),
                    settings.thickness, settings.friction};
  const bool projects = settings.mode == ContactMode::project;
  if (projects || settings.at_start)
    starts_.push_back({obstacle, settings.at_start.value_or(AtStart::error), pending.place});
  if (projects)
    parts_.obstacles.push_back(std::move(obstacle));
  else
    finish_penalty(pending, std::move(obstacle));
}

void ModelBuilder::finish_penalty(const PendingObstacle& pending, Obstacle obstacle) {
  const ObstacleSettings& settings = pending.settings;
  if (settings.stiffness && pending.floor_height && !settings.body && settings.thickness == 0 &&
      settings.friction == 0 && !settings.motion) {
    contact_terms_.push_back(
        std::make_shared<FloorTerm>(parts_.vertices(), *pending.floor_height, *settings.stiffness));
    return;
  }
  std::vector<double> weights(obstacle.vertices.size(), settings.stiffness.value_or(0));
  if (!settings.stiffness) {
    obstacle.vertices.clear();
    weights.clear();
    for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
      if (settings.body && std::size_t(*settings.body) != b) continue;
      const std::vector<int>& vertices = skin(b).vertices;
      obstacle.vertices.insert(obstacle.vertices.end(), vertices.begin(), vertices.end());
      for (std::size_t i = 0; i < vertices.size(); ++i) weights.push_back(skin(b).penalty_stiffness(i));
    }
  }
  constexpr double slip_speed = 0.01;
  const ObstacleLaw law{.thickness = obstacle.thickness,
                        .friction = {settings.friction, settings.slip_speed.value_or(slip_speed)}};
  add_obstacle_term(obstacle, law, std::move(weights), std::vector<double>(obstacle.vertices.size(), 0.0));
}

// As an energy, with its friction, which energy-momentum steps take from the term itself.
void ModelBuilder::add_obstacle_term(const Obstacle& obstacle, const ObstacleLaw& law,
                                     std::vector<double> weights, std::vector<double> lowered) {
  auto term = std::make_shared<ObstacleTerm>(obstacle.shape, obstacle.vertices, law, std::move(weights),
                                             std::move(lowered));
  if (law.friction.coefficient > 0)
    friction_.push_back(std::make_shared<ObstacleFriction>(term, obstacle.path));
  if (obstacle.path.moves())
    parts_.description.carried.push_back(std::make_shared<CarriedObstacle>(std::move(term), obstacle.path));
  else
    contact_terms_.push_back(std::move(term));
}

// -- Barriers

void ModelBuilder::add_barriers(const PendingObstacle& pending) {
  const ObstacleSettings& settings = pending.settings;
  const std::vector<bool> held = held_forever();
  for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
    if (settings.body && std::size_t(*settings.body) != b) continue;
    const BodySkin& of = skin(b);
    const double reach = settings.distance.value_or(of.reach());
    const double modulus = settings.stiffness.value_or(of.barrier_modulus(gravity_.norm()));
    if (!(reach > 0) || !(modulus > 0)) {
      problems_.problem(
          pending.place,
          fmt::format("the barrier before body \"{}\" has a reach of {:.3g} m and a modulus of {:.3g} Pa, by "
                      "its mesh and material; expected more than 0: give \"distance\" and \"stiffness\"",
                      of.part.name, reach, modulus));
      continue;
    }
    if (reach > of.edge)
      problems_.messages().warn(
          fmt::format("the reach of {:.3g} m is longer than the mean edge of body \"{}\", {:.3g} m: "
                      "bodies will hover far from this obstacle",
                      reach, of.part.name, of.edge));
    Barrier barrier{
        &pending,
        int(b),
        {pending.shape, settings.motion.value_or(Path()), {}, settings.thickness, settings.friction},
        reach,
        modulus,
        {},
        {}};
    for (std::size_t i = 0; i < of.vertices.size(); ++i) {
      if (held[std::size_t(of.vertices[i])]) continue;
      barrier.obstacle.vertices.push_back(of.vertices[i]);
      barrier.weights.push_back(modulus * reach * of.areas[i]);
    }
    barrier.lowered.assign(barrier.weights.size(), 0.0);
    if (settings.at_start) {
      Obstacle wanted = barrier.obstacle;
      if (*settings.at_start == AtStart::push) wanted.thickness += reach;
      starts_.push_back({std::move(wanted), *settings.at_start, pending.place});
    }
    barriers_.push_back(std::move(barrier));
  }
}

void ModelBuilder::describe_barriers() {
  for (const PendingObstacle& pending : pending_obstacles_) {
    int count = 0, body = -1;
    double least = 0, most = 0, modulus = 0;
    for (const Barrier& barrier : barriers_) {
      if (barrier.pending != &pending) continue;
      body = barrier.body;
      least = count == 0 ? barrier.reach : std::min(least, barrier.reach);
      most = std::max(most, barrier.reach);
      modulus = std::max(modulus, barrier.modulus);
      ++count;
    }
    if (count == 0) continue;
    parts_.contacts.push_back(fmt::format(
        "{}: a barrier before {}, reach {}, modulus {}{:.3g} Pa{}", pending.place,
        count == 1 ? fmt::format("body \"{}\"", parts_.bodies[std::size_t(body)].name)
                   : fmt::format("{} bodies", count),
        least > 0.999 * most ? fmt::format("{:.3g} m", most) : fmt::format("{:.3g} to {:.3g} m", least, most),
        count == 1 ? "" : "up to ", modulus,
        pending.settings.friction > 0 ? fmt::format(", friction {:g}", pending.settings.friction) : ""));
  }
}

void ModelBuilder::make_barrier_terms() {
  constexpr double slip_speed = 1e-3;
  describe_barriers();
  for (Barrier& barrier : barriers_) {
    const ObstacleSettings& settings = barrier.pending->settings;
    const ObstacleLaw law{.kind = ObstacleLaw::Kind::barrier,
                          .thickness = settings.thickness,
                          .reach = barrier.reach,
                          .rest = usual_rest_dial(gravity_.norm(), barrier.reach),
                          .friction = {settings.friction, settings.slip_speed.value_or(slip_speed)}};
    const std::size_t terms = contact_terms_.size(), carried = parts_.description.carried.size(),
                      loads = friction_.size();
    add_obstacle_term(barrier.obstacle, law, std::move(barrier.weights), std::move(barrier.lowered));
    // An obstacle's reaction is the sum over the bodies that it stops.
    ObstacleParts& made = parts_.obstacle_parts[std::size_t(barrier.pending - pending_obstacles_.data())];
    const auto append_new = [](const auto& from, std::size_t first, auto& to) {
      to.insert(to.end(), from.begin() + std::ptrdiff_t(first), from.end());
    };
    append_new(contact_terms_, terms, made.terms);
    append_new(parts_.description.carried, carried, made.carried);
    append_new(friction_, loads, made.friction);
  }
}

namespace {

struct Inside {
  int count = 0;
  double deepest = 0;  // m
};

// The free vertices inside an obstacle at the start; with `push` they are put to its surface.
Inside start_inside(const Obstacle& obstacle, double time, const FreeVertices& free, bool push,
                    Vector& start) {
  const Path::Pose pose = obstacle.path.pose(time);
  const auto positions = start.reshaped(3, start.size() / 3);
  const double extent = (positions.rowwise().maxCoeff() - positions.rowwise().minCoeff()).maxCoeff();
  Inside inside;
  for (const int vertex : obstacle.vertices) {
    if (free.row_of_vertex[std::size_t(vertex)] < 0) continue;
    auto x = start.segment<3>(3 * Index(vertex));
    const SurfaceDistance near = distance_to(obstacle, pose, x);
    const double depth = obstacle.thickness - near.distance;
    if (!(depth > 1e-9 * (extent + x.norm()))) continue;  // touching is allowed, up to rounding
    ++inside.count;
    inside.deepest = std::max(inside.deepest, depth);
    if (push) x += depth * near.normal;
  }
  return inside;
}

}  // namespace

// Free vertices that start inside an obstacle are problems, or are pushed to its surface and noted.
void ModelBuilder::leave_obstacles() {
  if (starts_.empty()) return;
  const double time = parts_.start_time;
  const ConstraintMap map(description_at(parts_, time));
  Vector& start = parts_.description.start;
  const auto refuse = [&](const Start& begins, const Inside& inside, const char* expected) {
    problems_.problem(begins.place,
                      fmt::format("{} vertices start inside this obstacle, up to {:.3g} m deep; expected {}",
                                  inside.count, inside.deepest, expected));
  };
  bool refused = false;
  for (const Start& begins : starts_) {
    if (begins.at_start == AtStart::push) continue;
    const Inside inside = start_inside(begins.obstacle, time, map.free(), false, start);
    if (inside.count == 0) continue;
    refuse(begins, inside, "bodies outside, or \"at_start\": \"push\"");
    refused = true;
  }
  if (refused) return;

  // What one obstacle pushes out may come to lie in another: as at the ends of steps, all are repeated.
  std::vector<Inside> pushed(starts_.size());
  bool again = true;
  for (int pass = 0; again && pass < ProjectionFilter::kPasses; ++pass) {
    again = false;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      if (starts_[i].at_start != AtStart::push) continue;
      const Inside inside = start_inside(starts_[i].obstacle, time, map.free(), true, start);
      pushed[i].count = std::max(pushed[i].count, inside.count);
      pushed[i].deepest = std::max(pushed[i].deepest, inside.deepest);
      again = again || inside.count > 0;
    }
  }
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    if (pushed[i].count > 0)
      messages().note(
          fmt::format("{} vertices started inside the obstacle {} and were pushed out, by up to {:.3g} m",
                      pushed[i].count, starts_[i].place, pushed[i].deepest));
    if (const Inside inside = start_inside(starts_[i].obstacle, time, map.free(), false, start);
        inside.count > 0)
      refuse(starts_[i], inside, "room beside the obstacles that push them there");
  }
}

}  // namespace phiflex
