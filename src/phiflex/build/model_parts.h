// What a ModelBuilder collects and an Assembly keeps. Plain data; terms and loads are shared and never change.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "phiflex/base/messages.h"
#include "phiflex/build/body.h"
#include "phiflex/build/body_terms.h"
#include "phiflex/build/reactions.h"
#include "phiflex/model/chamber_load.h"
#include "phiflex/model/model_description.h"
#include "phiflex/model/particle_filter.h"
#include "phiflex/model/projection_filter.h"

namespace phiflex {

inline constexpr double kForever = std::numeric_limits<double>::infinity();

// A constraint that is released at some time.
struct TimedConstraint {
  VertexConstraint constraint;
  double until = kForever;  // s
  std::string name = {};    // of its reaction
};

// Materials may be replaced at a time: the terms of a body from that time on.
struct TimedTerms {
  double from = 0;  // s
  BodyTerms terms;
};

struct ModelParts {
  std::vector<Body> bodies;
  std::vector<std::vector<TimedTerms>> terms;  // of each body, by ascending time; at least one each
  ModelDescription description;                // without constraints; its bodies have the first terms
  Vector initial_velocity;                     // of all vertices, m/s
  double start_time = 0;                       // of the initial state, s
  std::vector<TimedConstraint> constraints;
  std::vector<Obstacle> obstacles;            // that project
  std::vector<ObstacleParts> obstacle_parts;  // of all, for their reactions
  std::vector<ParticleContact> particles;
  std::vector<std::shared_ptr<const ChamberLoad>> chambers;  // which are loads, too
  std::vector<double> more_of_hash;   // numbers of files that Assembly::hash() does not see elsewhere
  std::vector<std::string> contacts;  // what touches what, with its reach and stiffness, in sentences
  Messages
      messages;  // about the input, and what was changed while building, such as vertices pushed out of obstacles

  int vertices() const { return static_cast<int>(description.rest.size() / 3); }
};

// The description with the constraints that are active at t and the materials of that time.
ModelDescription description_at(const ModelParts& parts, double t);

}  // namespace phiflex
