// The sum of all contact stencils that are within reach: as a potential of the positions x, and as the force of a step
// from x to x + dx (stencil_energy.h, stencil_two_state.h, stencil_friction.h).
//
//   W(x) = sum over stencils of kappa dhat A m beta                                                         (1)
//
// with the signed areas A of contact_surface.h. Most of a signed sum cancels: a point above an edge of a flat surface
// has two triangles and minus the edge at one distance. Stencils of a point whose feet, at both ends of the step,
// depend on the same vertices have the same energy there; they are replaced by one of them, that of the smallest face,
// with the sum of their areas, or left out where the sum is 0. Energy, resultant and torque stay exact, for each is
// exact by itself. What is left is positive, but for the inner edges of concave corners.
//
// Stencils are judged in parallel and summed in the order of contact_candidates.h: the same bits for any number of
// threads, and whenever the candidates were found.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "phiflex/contact/contact_candidates.h"
#include "phiflex/contact/known_distances.h"
#include "phiflex/contact/stencil_friction.h"
#include "phiflex/contact/stencil_two_state.h"
#include "phiflex/linalg/stencil_blocks.h"

namespace phiflex {

struct ContactLaw {
  double modulus = 0;    // kappa, Pa
  RestDial rest;         // what slow contacts lose
  FrictionLaw friction;  // coefficient 0: none
};

// What contacts did along a step, J.
struct ContactWork {
  double energy_change = 0;  // of (1)
  double dial = 0;           // taken by the rest dial
  double friction = 0;       // taken by friction
};

class ContactForces {
 public:
  ContactForces(ContactCandidates candidates, const ContactLaw& law);

  // -- The potential at x, of all vertices. After look(x) the others answer for that x.
  void look(const Vector& x);
  double energy() const;            // (1), J; +infinity where something touches
  void add_force(Vector& f) const;  // -dW/dx
  // B += (4) of stencil_energy.h without what is negative, over the vertices of the model.
  void add_blocks(StencilBlocks& blocks) const;
  // y += K dx with the exact second derivative.
  void add_stiffness_product(const Vector& dx, Vector& y) const;
  // Friction at that x with the velocities v of all vertices: (2) of stencil_friction.h of a step v of 1 s, with the
  // pressure P = 2 |W m beta'| |r|/dhat^2 of the potential. B += what majorizes -df/dv.
  void add_friction(const Vector& x, const Vector& v, Vector& f) const;
  void add_friction_blocks(const Vector& x, const Vector& v, StencilBlocks& blocks) const;
  bool rubs() const { return law_.friction.coefficient > 0; }

  // -- The step of length h from x, which must stay valid until the next begin(), to x + dx. After step(dx) the others
  // answer for that dx.
  void begin(const Vector& x, double h);
  // After begin(): a step in which no coordinate changes by more meets nothing, and all ways within it are free; m.
  double room() const { return room_; }
  void step(const Vector& dx);
  // step(dx) where dx is within the room, and nothing touches; false: it is not, and nothing is done.
  bool step_within_room(const Vector& dx);
  void add_step_force(Vector& f) const;  // contact and friction, N
  ContactWork step_work() const;         // exact: dx'f = -energy_change - dial - friction
  // B += (6) of stencil_two_state.h without what is negative, and what majorizes (4) of stencil_friction.h.
  void add_step_blocks(StencilBlocks& blocks) const;

  // The part of the way x + t dx that keeps all stencils apart (free_way.h). A way of many edges has many candidates:
  // cut corrections that are far too long before asking.
  double free_way(const Vector& x, const Vector& dx);
  // Lowers part[v] of every vertex of a stencil that x + t dx would bring nearer than kHeld of its distance (of its
  // reach, if it starts outside; free_way.h) to the part of the way after which it is there. A guess for a solver,
  // vertex by vertex: where vertices go different parts, free_way() has to be asked for the way that comes of it.
  void limit_ways(const Vector& x, const Vector& dx, std::vector<double>& part);
  // The largest  -n.(V y)/dhat  of the stencils that come within reach in a time h, if they go on at this speed: how fast
  // they approach, over the reach; 1/s, 0 when there are none. v: velocities of all vertices, m/s.
  double approach_rate(const Vector& x, const Vector& v, double h);
  // The smallest distance of the stencils looked at last, over its reach; infinity when none is within reach.
  double nearest() const;
  std::size_t active() const { return active_.size(); }
  // A stencil whose pieces have no distance, of those looked at last; null: there is none.
  const ContactStencil* touching() const;
  const ContactCandidates& candidates() const { return candidates_; }

 private:
  struct Active {
    ContactStencil stencil;
    StencilLaw law;
    Eigen::Matrix3d E, dE;
    StencilShape start, end;  // of the potential: start alone
  };

  // active_ of the candidates for which judge(number, item) is true; item.stencil is set.
  void collect(FunctionRef<bool(std::size_t, Active&)> judge);
  void cancel_signs();
  StencilLaw law_of(const ContactStencil& stencil) const;
  void gather(const ContactStencil& stencil, const Vector& x, StencilPoints& X) const;
  void remember_start();
  StencilFriction friction_of(const Active& item, const StencilStep& step) const;
  StencilFriction friction_at(const Active& item, const Vector& x, const Vector& v) const;
  std::array<int, 4> friction_vertices(const ContactStencil& stencil) const;

  ContactCandidates candidates_;
  ContactLaw law_;
  const Vector* x_ = nullptr;  // the start of the step
  double h_ = 0, room_ = 0;
  Vector dx_, end_, nowhere_;
  std::vector<double> start_distance_;  // of every candidate, or a bound above its reach, m
  long start_search_ = -1;              // the search that found them
  KnownDistances known_;                // of ends of steps, and of ways
  std::vector<Active> active_;
  std::vector<std::vector<Active>> found_;  // by each task
  bool of_step_ = false;                    // active_ belongs to step(), else to look()
  std::vector<std::array<int, 6>> keys_;
  std::vector<char> merged_;
  std::vector<StencilStep> steps_;          // of active_
  std::vector<StencilFriction> frictions_;  // of active_; empty without friction
  std::vector<double> free_;                // by each task, or of each stencil
};

}  // namespace phiflex
