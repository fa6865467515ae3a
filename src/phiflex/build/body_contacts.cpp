// ModelBuilder: contact of bodies with each other and with themselves, and starts without contact energy.
//
// What starts within reach is set at its edge. With t_b the shift of body b as a whole, which strains nothing,
//
//   n.(t_a - t_b) >= dhat - d     for every pair of faces of two bodies nearer than dhat, n from b to a      (1)
//   n.t_a         >= dhat - e     for every vertex within the reach of a barrier                              (2)
//
// is solved by going through the inequalities again and again, each shifting the bodies that nothing holds. The
// normals are those of the start; so this is repeated kRounds times. Where pieces touch, d = 0, their feet give no
// direction: there n is the normal of the triangle of a point and a triangle, and, of two bodies that have none of
// these, of two edges that cross within both (at their ends edges touch along any diagonal).
//
// What is left without room: the surface of an obstacle is lowered for the vertices that are too near
// (energy/obstacle_term.h), the reach of two bodies is shortened.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <set>

#include "phiflex/build/model_builder.h"
#include "phiflex/build/setting_checks.h"
#include "phiflex/contact/surface_crossings.h"
#include "phiflex/energy/contact_term.h"
#include "phiflex/model/body_friction.h"

namespace phiflex {
namespace {

constexpr double kRounding = 1e-9;  // of the reach
constexpr double kAtTheEnd = 1e-6;  // of an edge: a foot there lies at its end
constexpr int kSweeps = 4000, kRounds = 3;

// (1), or (2) with b = -1.
struct Apart {
  int a, b;
  Eigen::Vector3d n;
  double need;  // m
};

// Shifts of the bodies; those that are held stay.
std::vector<Eigen::Vector3d> solve_apart(const std::vector<Apart>& all, const std::vector<char>& is_free) {
  std::vector<Eigen::Vector3d> t(is_free.size(), Eigen::Vector3d::Zero());
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool shifted = false;
    for (const Apart& c : all) {
      const bool a = is_free[std::size_t(c.a)] != 0, b = c.b >= 0 && is_free[std::size_t(c.b)] != 0;
      const Eigen::Vector3d other = c.b >= 0 ? t[std::size_t(c.b)] : Eigen::Vector3d(Eigen::Vector3d::Zero());
      const double missing = c.need - c.n.dot(t[std::size_t(c.a)] - other);
      if (!(missing > 1e-6 * c.need) || (!a && !b)) continue;
      if (a) t[std::size_t(c.a)] += (b ? 0.5 : 1.0) * missing * c.n;
      if (b) t[std::size_t(c.b)] -= (a ? 0.5 : 1.0) * missing * c.n;
      shifted = true;
    }
    if (!shifted) break;
  }
  return t;
}

struct Nearest {
  double e = std::numeric_limits<double>::infinity();  // m
  int vertex = -1;                                     // of the model
};

Nearest nearest_start(const Obstacle& obstacle, double time, const Vector& start) {
  const Path::Pose pose = obstacle.path.pose(time);
  Nearest nearest;
  for (const int vertex : obstacle.vertices) {
    const double e =
        distance_to(obstacle, pose, start.segment<3>(3 * Index(vertex))).distance - obstacle.thickness;
    if (e < nearest.e) nearest = {e, vertex};
  }
  return nearest;
}

Eigen::Vector3d centre_of(const Body& body, const Vector& x) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int v = 0; v < body.vertex_count(); ++v) sum += x.segment<3>(3 * Index(body.first_vertex + v));
  return sum / std::max(1, body.vertex_count());
}

// The direction between two pieces that touch at these feet, from the second to the first: normal to both. Zero where
// there is none, or where it is far from that of the bodies.
Eigen::Vector3d touching_normal(StencilKind kind, const StencilPoints& X, const Eigen::Vector4d& feet,
                                const Eigen::Vector3d& between) {
  Eigen::Vector3d n = Eigen::Vector3d::Zero();
  if (kind == StencilKind::point_triangle) n = (X.col(2) - X.col(1)).cross(X.col(3) - X.col(1));
  if (kind == StencilKind::edge_edge && feet.cwiseAbs().minCoeff() > kAtTheEnd)
    n = (X.col(1) - X.col(0)).cross(X.col(3) - X.col(2));
  const double size = n.norm();
  if (!(size > 0)) return n;
  n /= n.dot(between) < 0 ? -size : size;
  return n.dot(between) > 0.5 * between.norm() ? n : Eigen::Vector3d(Eigen::Vector3d::Zero());
}

}  // namespace

// -- What touches

void ModelBuilder::add_body_contact(BodyContactSettings settings, std::string place) {
  for (const auto& pair : settings.pairs)
    for (const int number : pair) body(number);
  if (place.empty()) place = "contact of bodies";
  check_settings(settings, place, problems_);
  pending_bodies_.push_back({std::move(settings), std::move(place)});
}

void ModelBuilder::prepare_body_contacts() {
  const int count = static_cast<int>(parts_.bodies.size());
  PartPairs covered(count, false, false);
  for (const PendingBodies& pending : pending_bodies_) {
    const BodyContactSettings& settings = pending.settings;
    BodyContacts contacts{&pending, {}, {}, nullptr, PartPairs(count, settings.between_all, false)};
    for (const auto& [a, b] : settings.pairs) contacts.pairs.set(a, b, true);
    for (int b = 0; b < count; ++b) {
      const bool is_sheet =
          parts_.bodies[std::size_t(b)].springs() && !parts_.bodies[std::size_t(b)].surface.empty();
      using Self = BodyContactSettings::Self;
      if (settings.self == Self::all || (settings.self == Self::sheets && is_sheet))
        contacts.pairs.set(b, b, true);
      const BodySkin& of = skin(std::size_t(b));
      contacts.parts.push_back(of.part);
      if (settings.distance) contacts.parts.back().reach = *settings.distance;
      contacts.modulus.push_back(settings.stiffness.value_or(of.barrier_modulus(gravity_.norm())));
    }
    for (int a = 0; a < count; ++a)
      for (int b = a; b < count; ++b) {
        if (!contacts.pairs.may_touch(a, b)) continue;
        if (covered.may_touch(a, b))
          problems_.problem(
              pending.place,
              fmt::format("the contact of bodies \"{}\" and \"{}\" is described twice; expected once",
                          parts_.bodies[std::size_t(a)].name, parts_.bodies[std::size_t(b)].name));
        covered.set(a, b, true);
      }
    try {
      contacts.surface = std::make_shared<const ContactSurface>(
          make_contact_surface(contacts.parts, parts_.description.rest));
    } catch (const InputError& error) {
      for (const Problem& of_part : error.problems())
        problems_.problem(pending.place, of_part.place.empty() ? of_part.message
                                                               : fmt::format("body \"{}\": {}", of_part.place,
                                                                             of_part.message));
      continue;
    }
    body_contacts_.push_back(std::move(contacts));
  }
}

void ModelBuilder::refuse_crossed_starts() {
  constexpr std::size_t most = 1000, named = 10;
  std::vector<std::vector<std::array<int, 4>>> tets;
  for (const Body& body : parts_.bodies)
    tets.push_back(body.solid() ? model_tets(body) : std::vector<std::array<int, 4>>());
  for (const BodyContacts& contacts : body_contacts_) {
    const ContactSurface& surface = *contacts.surface;
    std::vector<std::pair<int, int>> seen;
    const auto refuse = [&](int part, int other, const std::string& how) {
      const std::pair<int, int> pair = std::minmax(part, other);
      if (std::find(seen.begin(), seen.end(), pair) != seen.end() || seen.size() == named) return;
      seen.push_back(pair);
      problems_.problem(
          contacts.pending->place,
          fmt::format("bodies \"{}\" and \"{}\" start intersected: {}; expected bodies apart, or \"between\" "
                      "that leaves them out",
                      parts_.bodies[std::size_t(part)].name, parts_.bodies[std::size_t(other)].name, how));
    };
    for (const SurfaceCrossing& crossing :
         find_crossings(surface, contacts.pairs, parts_.description.start, most)) {
      const SurfaceEdge& edge = surface.edges[std::size_t(crossing.edge)];
      const SurfaceTriangle& triangle = surface.triangles[std::size_t(crossing.triangle)];
      const Body &a = parts_.bodies[std::size_t(edge.part)], &b = parts_.bodies[std::size_t(triangle.part)];
      refuse(edge.part, triangle.part,
             fmt::format(
                 "the edge of vertices {}, {} of \"{}\" passes through the triangle {}, {}, {} of \"{}\"",
                 edge.vertices[0] - a.first_vertex, edge.vertices[1] - a.first_vertex, a.name,
                 triangle.vertices[0] - b.first_vertex, triangle.vertices[1] - b.first_vertex,
                 triangle.vertices[2] - b.first_vertex, b.name));
    }
    for (const EnclosedPiece& piece :
         find_enclosed(surface, contacts.pairs, tets, parts_.description.start)) {
      const Body &a = parts_.bodies[std::size_t(piece.part)], &b = parts_.bodies[std::size_t(piece.inside)];
      std::string what = piece.vertices.size() == 1 ? "vertex" : "the middle of the triangle";
      for (const int vertex : piece.vertices)
        what += fmt::format("{}{}", vertex == piece.vertices[0] ? " " : ", ", vertex - a.first_vertex);
      refuse(piece.part, piece.inside, fmt::format("{} of \"{}\" lies inside \"{}\"", what, a.name, b.name));
    }
  }
}

// -- The start

void ModelBuilder::refuse_deep_starts() {
  for (const Barrier& barrier : barriers_) {
    if (barrier.pending->settings.at_start == AtStart::push) continue;
    const Nearest nearest = nearest_start(barrier.obstacle, parts_.start_time, parts_.description.start);
    if (nearest.e >= -barrier.reach) continue;
    const Body& of = parts_.bodies[std::size_t(barrier.body)];
    problems_.problem(barrier.pending->place,
                      fmt::format("vertex {} of body \"{}\" starts {:.3g} m inside this obstacle; expected "
                                  "bodies outside, or \"at_start\": \"push\"",
                                  nearest.vertex - of.first_vertex, of.name, -nearest.e));
  }
}

std::vector<char> ModelBuilder::unheld_bodies() const {
  std::vector<char> is_free(parts_.bodies.size(), 1);
  std::vector<char> held(std::size_t(parts_.vertices()), 0);
  for (const TimedConstraint& timed : parts_.constraints)
    for (const int v : timed.constraint.vertices) held[std::size_t(v)] = 1;
  for (std::size_t b = 0; b < parts_.bodies.size(); ++b)
    for (int v = 0; v < parts_.bodies[b].vertex_count(); ++v)
      if (held[std::size_t(parts_.bodies[b].first_vertex + v)]) is_free[b] = 0;
  return is_free;
}

// function(body a, body b, normal from b to a, distance, reach) for the pieces of two bodies that are within reach.
template <class Function>
void ModelBuilder::for_each_near_pair(const BodyContacts& contacts, Function function) const {
  const Vector& start = parts_.description.start;
  const std::vector<char> movable(std::size_t(parts_.vertices()), 1);
  PartPairs pairs = contacts.pairs;
  for (int b = 0; b < static_cast<int>(parts_.bodies.size()); ++b) pairs.set(b, b, false);
  ContactCandidates candidates(contacts.surface, pairs, parts_.description.rest, movable, contacts.slack());
  candidates.cover(start, Vector::Zero(start.size()));
  std::vector<int> part_of(std::size_t(parts_.vertices()), -1);
  for (const SurfacePoint& point : contacts.surface->points) part_of[std::size_t(point.vertex)] = point.part;
  struct Near {
    int a, b;
    StencilKind kind;
    bool touching;
    Eigen::Vector3d n;
    double d, reach;
  };
  std::vector<Near> all;
  std::set<std::pair<int, int>> by_triangles;  // bodies that touch with points on triangles
  for (const ContactStencil& stencil : candidates.stencils()) {
    StencilPoints X = StencilPoints::Zero();
    for (int i = 0; i < vertex_count(stencil.kind); ++i)
      X.col(i) = start.segment<3>(3 * Index(stencil.vertices[std::size_t(i)]));
    const Eigen::Matrix3d E = stencil_edges(stencil.kind, X);
    const Feet feet = nearest_feet<3>(stencil.kind, E);
    const Eigen::Vector3d r = E * feet.z;
    const double d = r.norm();
    if (!(d < (1 - kRounding) * stencil.reach)) continue;
    const int a = part_of[std::size_t(stencil.vertices[0])],
              b = part_of[std::size_t(stencil.vertices[std::size_t(first_side(stencil.kind))])];
    const bool touching = !(d > 1e-6 * stencil.reach);
    const Eigen::Vector3d n = !touching
                                  ? Eigen::Vector3d(r / d)
                                  : touching_normal(stencil.kind, X, feet.y,
                                                    centre_of(parts_.bodies[std::size_t(a)], start) -
                                                        centre_of(parts_.bodies[std::size_t(b)], start));
    if (touching && stencil.kind == StencilKind::point_triangle && !n.isZero(0))
      by_triangles.insert(std::minmax(a, b));
    all.push_back({a, b, stencil.kind, touching, n, d, stencil.reach});
  }
  for (Near& near : all) {
    if (near.touching && near.kind == StencilKind::edge_edge &&
        by_triangles.contains(std::minmax(near.a, near.b)))
      near.n.setZero();
    function(near.a, near.b, near.n, near.d, near.reach);
  }
}

void ModelBuilder::start_without_contact() {
  const std::size_t before = problems_.size();
  refuse_deep_starts();
  refuse_crossed_starts();
  if (problems_.size() != before || (barriers_.empty() && body_contacts_.empty())) return;
  Vector& start = parts_.description.start;
  const std::vector<char> is_free = unheld_bodies();
  std::vector<Nearest> first;
  for (const Barrier& barrier : barriers_)
    first.push_back(nearest_start(barrier.obstacle, parts_.start_time, start));
  std::set<std::pair<int, int>> near_bodies;
  std::vector<Eigen::Vector3d> moved(parts_.bodies.size(), Eigen::Vector3d::Zero());
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Apart> all;
    for (const Barrier& barrier : barriers_) {
      const Path::Pose pose = barrier.obstacle.path.pose(parts_.start_time);
      for (const int vertex : barrier.obstacle.vertices) {
        const SurfaceDistance near = distance_to(barrier.obstacle, pose, start.segment<3>(3 * Index(vertex)));
        const double need = barrier.reach - (near.distance - barrier.obstacle.thickness);
        if (need > kRounding * barrier.reach) all.push_back({barrier.body, -1, near.normal, need});
      }
    }
    for (const BodyContacts& contacts : body_contacts_)
      for_each_near_pair(contacts, [&](int a, int b, const Eigen::Vector3d& n, double d, double reach) {
        if (round == 0) near_bodies.insert({a, b});
        if (!n.isZero(0)) all.push_back({a, b, n, reach - d});
      });
    if (all.empty()) break;
    const std::vector<Eigen::Vector3d> shifts = solve_apart(all, is_free);
    for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
      const Body& of = parts_.bodies[b];
      for (int v = of.first_vertex; v < of.first_vertex + of.vertex_count(); ++v)
        start.segment<3>(3 * Index(v)) += shifts[b];
      moved[b] += shifts[b];
    }
  }
  // What is moved may have been moved into what lies behind it.
  if (std::any_of(moved.begin(), moved.end(), [](const Eigen::Vector3d& shift) { return !shift.isZero(0); }))
    refuse_crossed_starts();
  if (problems_.size() != before) return;
  for (std::size_t n = 0; n < barriers_.size(); ++n)
    lower_surface(barriers_[n], first[n].e, first[n].vertex, moved);
  bool shortened = false;  // by more than what moving apart leaves
  for (BodyContacts& contacts : body_contacts_) {
    const std::vector<double> reach = contacts.surface->part_reach;
    shorten_reach(contacts);
    for (std::size_t part = 0; part < reach.size(); ++part)
      shortened = shortened || contacts.surface->part_reach[part] < (1 - 1e-3) * reach[part];
  }
  double farthest = 0;  // from each other
  for (const auto& [a, b] : near_bodies)
    farthest = std::max(farthest, (moved[std::size_t(a)] - moved[std::size_t(b)]).norm());
  if (farthest > 0 || shortened)
    messages().note(fmt::format(
        "bodies that started within the reach of their contact {}{}{}: they start without contact energy",
        farthest > 0 ? fmt::format("were moved apart, by up to {:.3g} m", farthest) : "",
        farthest > 0 && shortened ? ", and " : "", shortened ? "have a shorter reach now" : ""));
}

void ModelBuilder::lower_surface(Barrier& barrier, double first, int vertex,
                                 const std::vector<Eigen::Vector3d>& moved) {
  const Body& of = parts_.bodies[std::size_t(barrier.body)];
  const Path::Pose pose = barrier.obstacle.path.pose(parts_.start_time);
  double deepest = 0, least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < barrier.lowered.size(); ++i) {
    const auto x = parts_.description.start.segment<3>(3 * Index(barrier.obstacle.vertices[i]));
    const double e = distance_to(barrier.obstacle, pose, x).distance - barrier.obstacle.thickness;
    if (e < barrier.reach) barrier.lowered[i] = barrier.reach - e;
    least = std::min(least, e);
    deepest = std::max(deepest, barrier.lowered[i]);
  }
  if (first >= barrier.reach) return;
  const double way = moved[std::size_t(barrier.body)].isZero(0) ? 0 : least - first;
  std::string done;
  if (way > 0) done = fmt::format("was moved by {:.3g} m, away from it", way);
  if (deepest > 1e-3 * barrier.reach)
    done += fmt::format("{}finds its surface up to {:.3g} m deeper", done.empty() ? "" : " and ", deepest);
  if (done.empty()) return;
  messages().note(fmt::format(
      "body \"{}\" started {:.3g} m from the obstacle {} (vertex {}), within its reach of {:.3g} m, and {}: "
      "it starts without contact energy",
      of.name, first, barrier.pending->place, vertex - of.first_vertex, barrier.reach, done));
}

// Of bodies that could not be moved apart.
void ModelBuilder::shorten_reach(BodyContacts& contacts) {
  std::vector<std::pair<int, int>> refused;
  bool shortened = false;
  for_each_near_pair(contacts, [&](int a, int b, const Eigen::Vector3d&, double d, double reach) {
    if (d > 0.01 * reach) {
      for (const int part : {a, b}) {
        double& own = contacts.parts[std::size_t(part)].reach;
        own = std::min(own, (1 - kRounding) * d);
      }
      shortened = true;
    } else if (const std::pair<int, int> pair = std::minmax(a, b);
               std::find(refused.begin(), refused.end(), pair) == refused.end()) {
      refused.push_back(pair);
      problems_.problem(
          contacts.pending->place,
          fmt::format("bodies \"{}\" and \"{}\" start {:.3g} m apart and cannot be moved apart; expected a "
                      "distance, or \"between\" that leaves them out",
                      parts_.bodies[std::size_t(a)].name, parts_.bodies[std::size_t(b)].name, d));
    }
  });
  if (shortened)
    contacts.surface =
        std::make_shared<const ContactSurface>(make_contact_surface(contacts.parts, parts_.description.rest));
}

// -- The terms

double ModelBuilder::BodyContacts::slack() const {
  double longest = 0;
  for (const double reach : surface->part_reach) longest = std::max(longest, reach);
  return 2 * longest;
}

// The softer of two bodies decides: a term for all pairs of one modulus.
void ModelBuilder::make_contact_terms() {
  constexpr double slip_speed = 1e-3;
  const int count = static_cast<int>(parts_.bodies.size());
  std::vector<char> movable(std::size_t(parts_.vertices()), 1);
  for (const TimedConstraint& timed : parts_.constraints)
    if (timed.until == kForever && !timed.constraint.path.moves() && !timed.constraint.record)
      for (const int v : timed.constraint.vertices) movable[std::size_t(v)] = 0;
  for (const BodyContacts& contacts : body_contacts_) {
    const BodyContactSettings& settings = contacts.pending->settings;
    std::vector<double> moduli = contacts.modulus;
    std::sort(moduli.begin(), moduli.end());
    moduli.erase(std::unique(moduli.begin(), moduli.end()), moduli.end());
    for (const double modulus : moduli) {
      PartPairs pairs(count, false, false);
      bool any = false;
      for (int a = 0; a < count; ++a)
        for (int b = a; b < count; ++b)
          if (contacts.pairs.may_touch(a, b) &&
              std::min(contacts.modulus[std::size_t(a)], contacts.modulus[std::size_t(b)]) == modulus) {
            pairs.set(a, b, true);
            any = true;
          }
      if (!any) continue;
      ContactLaw law;
      law.modulus = modulus;
      law.rest = usual_rest_dial(gravity_.norm(), 0.5 * contacts.slack());
      law.friction = {settings.friction, settings.slip_speed.value_or(slip_speed)};
      double least = contacts.slack();
      for (const double reach : contacts.surface->part_reach) least = std::min(least, reach);
      parts_.contacts.push_back(fmt::format(
          "{}: bodies meet each other or themselves by barriers, reach {:.3g} m or more, modulus {:.3g} Pa{}",
          contacts.pending->place, least, modulus,
          settings.friction > 0 ? fmt::format(", friction {:g}", settings.friction) : ""));
      const auto term =
          std::make_shared<ContactTerm>(ContactCandidates(contacts.surface, std::move(pairs),
                                                          parts_.description.rest, movable, contacts.slack()),
                                        law);
      contact_terms_.push_back(term);
      if (term->rubs()) friction_.push_back(std::make_shared<BodyFriction>(term));
    }
  }
}

}  // namespace phiflex
