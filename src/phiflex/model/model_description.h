// What a DeformableModel is made of, as plain data. Vertices are numbered over all bodies, one body after the
// other; vectors hold three numbers for every vertex unless they say otherwise.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phiflex/energy/potential_term.h"
#include "phiflex/energy/prony_term.h"
#include "phiflex/fem/tet_batches.h"
#include "phiflex/linalg/vector.h"
#include "phiflex/model/body_damping.h"
#include "phiflex/model/carried_obstacle.h"
#include "phiflex/model/load.h"
#include "phiflex/model/path.h"
#include "phiflex/model/recorded_motion.h"
#include "phiflex/model/share.h"

namespace phiflex {

using TermPointer = std::shared_ptr<const PotentialTerm>;

struct ModelBody {
  std::string name;
  int first_vertex = 0;
  int vertex_count = 0;
  std::vector<TermPointer> terms;  // the body's own stiffness (elastic, springs): this is what beta damps
  BodyDamping damping;
};

// Tetrahedra whose mass is spread consistently (fem/mass.h); a vertex in none of them has a lumped mass.
struct ConsistentMass {
  std::vector<Tet> tets;           // vertices of the model
  std::vector<double> tet_masses;  // kg
  std::vector<QuadraticTet> quadratic;
  std::vector<double> quadratic_masses;  // kg
  bool empty() const { return tets.empty() && quadratic.empty(); }
};

// Vertices whose motion is prescribed: along a path, which by default stays where it starts, or as recorded.
struct VertexConstraint {
  std::vector<int> vertices;
  Path path;
  std::shared_ptr<const RecordedMotion> record = nullptr;  // of these vertices, in this order
};

struct ModelDescription {
  // 2: nothing leaves its plane z = const; free vertices have two degrees of freedom, x and y.
  int dimension = 3;
  Vector rest;   // positions of the rest shape, m
  Vector start;  // positions at t = 0, from which constraints count; empty: the rest shape
  // One number a vertex, kg: its lumped mass, also where the mass is consistent; 0: unused.
  Vector vertex_mass;
  // One number a vertex, kg: what a uniform acceleration of 1 m/s^2 presses on it with. It differs from the mass
  // where quadratic elements have a consistent one (fem/mass.h); empty: it does not.
  Vector vertex_weight;
  ConsistentMass consistent;      // empty: all masses are lumped
  std::vector<ModelBody> bodies;  // in the order of their vertices, covering all of them
  std::vector<TermPointer>
      shared_terms;  // not a body's own, never damped: gravity, contact, viscoelastic branches
  // Those of shared_terms whose force depends on the past. They belong to one model alone: it changes them between
  // steps.
  std::vector<std::shared_ptr<PronyTerm>> branches;
  std::vector<std::shared_ptr<const CarriedObstacle>> carried;  // penalty obstacles that move
  std::vector<std::shared_ptr<const Load>> loads;
  std::vector<VertexConstraint> constraints;  // a vertex in several of them follows the last
  std::shared_ptr<const Share> share;         // with other ranks; null: the model is whole
};

}  // namespace phiflex
