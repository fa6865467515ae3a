// What a scene is in physical terms, before it is run: sizes, masses, frequencies, how far bodies sag, what it
// will take; and what is probably a mistake of units or of constraints. `phiflex check` prints it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace phiflex {

class SceneModel;
class Simulation;
struct Scene;

struct BodyPhysics {
  std::string name;
  std::array<double, 3> extent{};  // sides of the bounding box at rest, m
  double mass = 0;                 // kg
  std::int64_t vertices = 0, held = 0;
  std::string held_where;  // the box of the held vertices, in words; empty: none is held
  // Of the body alone with its constraints, Hz; absent: not found.
  std::optional<double> lowest_frequency;
  bool large = false;  // too large a mesh to find that quickly
  // How far its weight bends or squeezes it, m, in linear elasticity: with its constraints, or standing on the floor.
  // Absent: no gravity, or not found.
  std::optional<double> sag;
};

struct ScenePhysics {
  std::vector<BodyPhysics> bodies;
  std::int64_t steps = 0;
  // Rough; on this machine. As the first timed_steps took; 0: told from sizes. Steps that have to be divided later on
  // are not foreseen.
  double expected_seconds = 0;
  std::int64_t timed_steps = 0;
  bool contact_is_ahead =
      false;                  // something may touch, and did in less than half of the steps that were timed
  double expected_bytes = 0;  // of frames
  std::vector<std::string> warnings;
};

// The simulation's first steps may be made to time them: it is not to be used afterwards.
ScenePhysics scene_physics(const Scene& scene, const SceneModel& world, Simulation& simulation);

// Of these warnings those that cost next to nothing: units, sizes, bodies that nothing holds, probes. For `run`.
std::vector<std::string> doubts_about(const Scene& scene, const SceneModel& world, Simulation& simulation);

// "bar: 0.4 x 0.1 x 0.1 m, 4 kg; ..." in a sentence or two.
std::string describe(const BodyPhysics& body, double h, double gravity);

}  // namespace phiflex
