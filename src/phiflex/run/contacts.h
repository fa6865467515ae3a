// The contacts of a scene: penalties as energies, obstacles that project and particles that keep their distance at
// the ends of steps.
#pragma once

#include <string>
#include <vector>

#include "phiflex/model/particle_filter.h"
#include "phiflex/model/projection_filter.h"
#include "phiflex/run/body.h"
#include "phiflex/scene/scene.h"

namespace phiflex {

struct Contacts {
  // An obstacle that may not be started in.
  struct Start {
    Obstacle obstacle;
    AtStart at_start;
    std::string pointer;  // /contacts/0
  };

  std::vector<TermPointer> terms;
  std::vector<std::shared_ptr<const CarriedObstacle>> carried;
  std::vector<std::shared_ptr<const Load>> friction;  // of penalties
  std::vector<Obstacle> obstacles;
  std::vector<ParticleContact> particles;
  std::vector<Start> starts;
  std::vector<std::string> notes;
};

// vertex_mass: of all vertices, kg; those without mass meet nothing.
Contacts make_contacts(const Scene& scene, const std::vector<Body>& bodies, const Vector& vertex_mass,
                       SceneProblems& problems);

// Free vertices that start inside an obstacle are problems, or are pushed to its surface and noted, as the scene
// chooses. start: positions of all vertices.
void leave_obstacles(const FreeVertices& free, Contacts& contacts, Vector& start, SceneProblems& problems);

}  // namespace phiflex
