#include "phiflex/mpi/part.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "phiflex/energy/floor_term.h"
#include "phiflex/energy/gravity_term.h"
#include "phiflex/energy/obstacle_term.h"
#include "phiflex/integrate/newton_options.h"
#include "phiflex/model/constraint_map.h"
#include "phiflex/model/deformable_model.h"
#include "phiflex/model/obstacle_friction.h"
#include "phiflex/mpi/part_load.h"
#include "phiflex/mpi/rank_halo.h"
#include "phiflex/mpi/uncounted_term.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

// The connected sets of all vertices, numbered by their lowest vertex.
class Components {
 public:
  explicit Components(int vertices) : parent_(std::size_t(vertices)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  void join(int a, int b) {
    a = root(a), b = root(b);
    parent_[std::size_t(std::max(a, b))] = std::min(a, b);
  }
  // The number of each vertex' set; returns how many there are.
  int number(std::vector<int>& of) {
    of.resize(parent_.size());
    int count = 0;
    for (std::size_t v = 0; v < parent_.size(); ++v) {
      const int lowest = root(int(v));
      of[v] = lowest == int(v) ? count++ : of[std::size_t(lowest)];
    }
    return count;
  }

 private:
  int root(int v) {
    while (parent_[std::size_t(v)] != v)
      v = parent_[std::size_t(v)] = parent_[std::size_t(parent_[std::size_t(v)])];
    return v;
  }
  std::vector<int> parent_;
};

class RankShare final : public Share {
 public:
  struct Exchange {  // with one rank, in numbers of this rank's vertices, ascending
    std::vector<int> send, receive;
  };
  RankShare(const SceneModel& whole, const Part& part, const MpiTeam& team)
      : whole_(whole), part_(part), team_(team) {}
  std::map<int, Exchange> exchanges;

  const Team& team() const override { return team_; }
  std::shared_ptr<const Halo> make_halo(const FreeVertices& free) const override {
    const int rows = int(free.vertex_of_row.size());
    std::vector<Neighbour> neighbours;
    int ghosts = 0;
    for (const auto& [rank, exchange] : exchanges) {
      Neighbour other{rank, {}, {}};
      for (const int v : exchange.send)
        if (const int row = free.row_of_vertex[std::size_t(v)]; row >= 0) other.send.push_back(row);
      for (const int v : exchange.receive)
        if (const int row = free.row_of_vertex[std::size_t(v)]; row >= 0) other.receive.push_back(row - rows);
      ghosts += int(other.receive.size());
      if (!other.send.empty() || !other.receive.empty()) neighbours.push_back(std::move(other));
    }
    return std::make_shared<RankHalo>(rows, ghosts, std::move(neighbours));
  }
  // Rank 0 has the whole scene with its numbers of vertices and elements.
  std::string diagnose(double t, const Vector& x, const Vector& v) const override {
    const Vector all_x = part_.gather(x), all_v = part_.gather(v);
    std::string words;
    if (team_.rank() == 0) words = diagnose_whole(t, all_x, all_v);
    team_.broadcast(words);
    return words;
  }

 private:
  std::string diagnose_whole(double t, const Vector& x, const Vector& v) const {
    const ModelDescription description = whole_.description(t);
    for (const ModelBody& body : description.bodies)
      for (int vertex = 0; vertex < body.vertex_count; ++vertex) {
        const Index place = 3 * (Index(body.first_vertex) + vertex);
        const bool position = x.segment<3>(place).allFinite(), velocity = v.segment<3>(place).allFinite();
        if (!position || !velocity)
          return fmt::format("body \"{}\": the {} of vertex {} is not finite", body.name,
                             position ? "velocity" : "position", vertex);
      }
    for (const ModelBody& body : description.bodies)
      for (const TermPointer& term : body.terms)
        if (const std::string reason = term->diagnose(x); !reason.empty())
          return fmt::format("body \"{}\": {}", body.name, reason);
    for (const TermPointer& term : description.shared_terms)
      if (std::string reason = term->diagnose(x); !reason.empty()) return reason;
    return {};
  }

  const SceneModel& whole_;
  const Part& part_;
  const MpiTeam& team_;
};

Vector rows_of(const Vector& all, const std::vector<int>& vertices, int numbers) {
  if (all.size() == 0) return {};
  Vector of(numbers * Index(vertices.size()));
  for (std::size_t i = 0; i < vertices.size(); ++i)
    of.segment(numbers * Index(i), numbers) = all.segment(numbers * Index(vertices[i]), numbers);
  return of;
}

// Some elements of a solid body on the vertices [first, last) of this rank's model.
Body some_elements(const Body& whole, const std::vector<int>& elements, const std::vector<int>& vertices,
                   const std::vector<int>& local, int first, int last) {
  const SolidBody& from = *whole.solid();
  Body body{whole.name, SolidBody{}};
  SolidBody& solid = *body.solid();
  for (int v = first; v < last; ++v)
    solid.mesh.vertices.push_back(
        from.mesh.vertices[std::size_t(vertices[std::size_t(v)] - whole.first_vertex)]);
  const auto renumbered = [&](auto nodes) {
    for (int& v : nodes) v = local[std::size_t(v + whole.first_vertex)] - first;
    return nodes;
  };
  for (const int e : elements) {
    solid.mesh.tets.push_back(renumbered(from.mesh.tets[std::size_t(e)]));
    if (!from.quadratic.empty()) solid.quadratic.push_back(renumbered(from.quadratic[std::size_t(e)]));
    solid.materials.elements.push_back(from.materials.elements[std::size_t(e)]);
    if (!whole.region.empty()) body.region.push_back(whole.region[std::size_t(e)]);
  }
  solid.materials.curves = from.materials.curves;
  solid.mass = from.mass;
  solid.mean_volume = from.mean_volume;
  body.damping = whole.damping;
  body.first_vertex = first;
  return body;
}

// function(element, nodes) for the elements of a body, nodes by the numbers of the whole.
template <class Function>
void each_element(const Body& body, Function function) {
  const SolidBody& solid = *body.solid();
  const auto visit = [&](const auto& elements) {
    for (std::size_t e = 0; e < elements.size(); ++e) {
      auto nodes = elements[e];
      for (int& v : nodes) v += body.first_vertex;
      function(int(e), nodes);
    }
  };
  if (solid.quadratic.empty())
    visit(solid.mesh.tets);
  else
    visit(solid.quadratic);
}

}  // namespace

Part::Part(const SceneModel& whole, const Scene& scene, std::vector<int> owner, const MpiTeam& team)
    : whole_(whole), team_(team), owner_(std::move(owner)) {
  const ModelParts& all = whole.parts();
  const int rank = team.rank();
  auto share = std::make_shared<RankShare>(whole, *this, team);

  // -- Which elements and vertices
  std::vector<char> seen(owner_.size(), 0);
  for (std::size_t v = 0; v < owner_.size(); ++v) {
    seen[v] = owner_[v] == rank;
    owned_ += seen[v];
  }
  std::map<int, std::vector<std::pair<int, bool>>> shared;  // with a rank: vertex, and whether it is sent
  Components components(int(owner_.size()));
  std::vector<std::vector<int>> counted(all.bodies.size()), others(all.bodies.size());
  for (std::size_t b = 0; b < all.bodies.size(); ++b)
    each_element(all.bodies[b], [&](int e, const auto& nodes) {
      bool touches = false;
      for (const int v : nodes) {
        touches = touches || owner_[std::size_t(v)] == rank;
        components.join(nodes[0], v);
      }
      if (!touches) return;
      const int lowest = *std::min_element(nodes.begin(), nodes.end());
      (owner_[std::size_t(lowest)] == rank ? counted : others)[b].push_back(e);
      for (const int v : nodes) {
        seen[std::size_t(v)] = 1;
        if (owner_[std::size_t(v)] == rank) {
          for (const int w : nodes)
            if (owner_[std::size_t(w)] != rank) shared[owner_[std::size_t(w)]].push_back({v, true});
        } else {
          shared[owner_[std::size_t(v)]].push_back({v, false});
        }
      }
    });
  local_.assign(owner_.size(), -1);
  for (std::size_t v = 0; v < owner_.size(); ++v)
    if (seen[v]) {
      local_[v] = int(vertices_.size());
      vertices_.push_back(int(v));
    }
  for (auto& [other, list] : shared) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (const auto& [v, sent] : list)
      (sent ? share->exchanges[other].send : share->exchanges[other].receive)
          .push_back(local_[std::size_t(v)]);
  }
  neighbours_ = int(shared.size());
  std::vector<int> component;
  share->components = components.number(component);
  for (const int v : vertices_) {
    share->owned.push_back(owner_[std::size_t(v)] == rank);
    share->component.push_back(component[std::size_t(v)]);
  }
  share->extent = largest_side(whole.rest());

  // -- The model of them
  ModelParts parts;
  ModelDescription& description = parts.description;
  description.rest = rows_of(all.description.rest, vertices_, 3);
  description.start = rows_of(all.description.start, vertices_, 3);
  description.vertex_mass = rows_of(all.description.vertex_mass, vertices_, 1);
  description.vertex_weight = rows_of(all.description.vertex_weight, vertices_, 1);
  // One rank alone is a serial run, unless the scene asks for the solver of several.
  const LinearSolver solver = scene.integrator.options.read<NewtonOptions>().tangent.solver;
  if (team.size() > 1 || solver == LinearSolver::multigrid) description.share = share;
  parts.initial_velocity = rows_of(all.initial_velocity, vertices_, 3);
  parts.start_time = all.start_time;
  for (std::size_t b = 0; b < all.bodies.size(); ++b) {
    const Body& body = all.bodies[b];
    const auto place = [&](int v) {
      return int(std::lower_bound(vertices_.begin(), vertices_.end(), v) - vertices_.begin());
    };
    const int first = place(body.first_vertex), last = place(body.first_vertex + body.vertex_count());
    Body mine = some_elements(body, counted[b], vertices_, local_, first, last);
    mine.first_element = int(elements_.size());
    const Body beside = some_elements(body, others[b], vertices_, local_, first, last);
    BodyTerms terms, of_mine = make_terms(mine, description.rest);
    terms.terms = std::move(of_mine.terms);
    terms.elastic = std::move(of_mine.elastic);  // and what densities of its elements need
    terms.dilatation = std::move(of_mine.dilatation);
    for (const TermPointer& term : make_terms(beside, description.rest).terms)
      terms.terms.push_back(make_uncounted_term(term));
    if (terms.terms.empty()) terms.terms.push_back(make_uncounted_term(nullptr));
    description.bodies.push_back({body.name, first, last - first, terms.terms, body.damping});
    parts.terms.push_back({{0, std::move(terms)}});
    parts.bodies.push_back(std::move(mine));
    for (const int e : counted[b]) elements_.push_back(body.first_element + e);
    evaluated_ += std::int64_t(counted[b].size() + others[b].size());
  }
  add_shared_terms(scene, *share, parts);
  for (const TimedConstraint& timed : all.constraints) {
    TimedConstraint mine{{{}, timed.constraint.path, nullptr}, timed.until, timed.name};
    for (const int v : timed.constraint.vertices)
      if (local_[std::size_t(v)] >= 0) mine.constraint.vertices.push_back(local_[std::size_t(v)]);
    parts.constraints.push_back(std::move(mine));
  }
  model_ = std::make_unique<SceneModel>(Assembly(std::move(parts)), whole.scene_file(),
                                        std::vector<SceneModel::Probe>{});
}

// Gravity and obstacles act on each vertex for itself: on the rank that owns it. Terms that have none are there, too,
// so that all ranks ask the same of their models.
void Part::add_shared_terms(const Scene& scene, const Share& share, ModelParts& parts) const {
  const ModelParts& all = whole_.parts();
  ModelDescription& description = parts.description;
  const auto number = [&](int v) {
    return owner_[std::size_t(v)] == team_.rank() ? local_[std::size_t(v)] : -1;
  };
  const auto owned_of = [&](const std::vector<int>& vertices) {
    std::vector<int> owned;
    for (const int v : vertices)
      if (number(v) >= 0) owned.push_back(number(v));
    return owned;
  };
  std::map<const ObstacleTerm*, std::shared_ptr<ObstacleTerm>> known;
  const auto mine = [&](const ObstacleTerm& term) {
    std::shared_ptr<ObstacleTerm>& made = known[&term];
    if (!made) made = term.restricted_to(number);
    return made;
  };
  for (const TermPointer& term : all.description.shared_terms) {
    if (const auto* obstacle = dynamic_cast<const ObstacleTerm*>(term.get())) {
      description.shared_terms.push_back(mine(*obstacle));
    } else if (const auto* floor = dynamic_cast<const FloorTerm*>(term.get())) {
      if (team_.size() == 1) {
        description.shared_terms.push_back(term);
        continue;
      }
      std::vector<int> owned(vertices_.size());
      std::iota(owned.begin(), owned.end(), 0);
      std::erase_if(owned, [&](int v) { return !share.owned[std::size_t(v)]; });
      description.shared_terms.push_back(std::make_shared<ObstacleTerm>(
          std::make_shared<PlaneSolid>(Eigen::Vector3d(0, floor->height(), 0), Eigen::Vector3d::UnitY()),
          std::move(owned), 0, floor->stiffness()));
    } else if (dynamic_cast<const GravityTerm*>(term.get())) {
      const Vector& weight =
          description.vertex_weight.size() > 0 ? description.vertex_weight : description.vertex_mass;
      std::vector<double> weights(weight.begin(), weight.end());
      for (std::size_t v = 0; v < weights.size(); ++v)
        if (!share.owned[v]) weights[v] = 0;
      description.shared_terms.push_back(
          std::make_shared<GravityTerm>(std::move(weights), scene.gravity, description.rest));
    }  // others were refused
  }
  for (const auto& carried : all.description.carried)
    description.carried.push_back(std::make_shared<CarriedObstacle>(mine(carried->term()), carried->path()));
  for (const auto& load : all.description.loads) {
    if (const auto* friction = dynamic_cast<const ObstacleFriction*>(load.get()))
      description.loads.push_back(
          std::make_shared<ObstacleFriction>(mine(friction->obstacle()), friction->path()));
    else
      description.loads.push_back(make_part_load(load, vertices_, all.description.start));
  }
  for (const Obstacle& obstacle : all.obstacles) {
    parts.obstacles.push_back(obstacle);
    parts.obstacles.back().vertices = owned_of(obstacle.vertices);
  }
}

Vector Part::gather(const Vector& x) const {
  Vector mine(3 * Index(owned_));
  Index to = 0;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    if (owner_[std::size_t(vertices_[i])] == team_.rank()) {
      mine.segment<3>(to) = x.segment<3>(3 * Index(i));
      to += 3;
    }
  std::vector<int> counts(std::size_t(team_.size()), 0);
  for (const int rank : owner_) counts[std::size_t(rank)] += 3;
  const std::vector<double> all = team_.gather(as_span(mine), counts);
  if (team_.rank() != 0) return {};
  std::vector<Index> next(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), next.begin(), Index(0));
  Vector whole(3 * Index(owner_.size()));
  for (std::size_t v = 0; v < owner_.size(); ++v) {
    Index& from = next[std::size_t(owner_[v])];
    for (int i = 0; i < 3; ++i) whole[3 * Index(v) + i] = all[std::size_t(from + i)];
    from += 3;
  }
  return whole;
}

Vector Part::gather_free(double t, const Vector& x) const {
  const ConstraintMap map(whole_.description(t));
  const std::vector<int>& free = map.free().vertex_of_row;
  std::vector<int> counts(std::size_t(team_.size()), 0);
  for (const int v : free) counts[std::size_t(owner_[std::size_t(v)])] += 3;
  const std::vector<double> all = team_.gather(as_span(x), counts);
  if (team_.rank() != 0) return {};
  std::vector<Index> next(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), next.begin(), Index(0));
  Vector whole(3 * Index(free.size()));
  for (std::size_t row = 0; row < free.size(); ++row) {
    Index& from = next[std::size_t(owner_[std::size_t(free[row])])];
    for (int i = 0; i < 3; ++i) whole[3 * Index(row) + i] = all[std::size_t(from + i)];
    from += 3;
  }
  return whole;
}

std::vector<Point3> Part::positions(const std::vector<int>& vertices, const Vector& x) const {
  std::vector<double> numbers(3 * vertices.size(), 0.0);
  for (std::size_t p = 0; p < vertices.size(); ++p)
    if (owner_[std::size_t(vertices[p])] == team_.rank())
      for (std::size_t i = 0; i < 3; ++i)
        numbers[3 * p + i] = x[3 * Index(local_[std::size_t(vertices[p])]) + Index(i)];
  team_.sum(numbers);
  std::vector<Point3> points(vertices.size());
  for (std::size_t p = 0; p < vertices.size(); ++p)
    points[p] = {numbers[3 * p], numbers[3 * p + 1], numbers[3 * p + 2]};
  return points;
}

}  // namespace phiflex
