#include "phiflex/model/deformable_model.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <stdexcept>

#include "phiflex/base/errors.h"
#include "phiflex/base/interruption.h"
#include "phiflex/fem/mass.h"
#include "phiflex/linalg/pencil.h"
#include "phiflex/model/deformable_tangent.h"
#include "phiflex/model/deformable_two_state.h"
#include "phiflex/model/energy_ledger.h"
#include "phiflex/model/friction_kick.h"

namespace phiflex {

namespace {

void require(bool fits, const char* what) {
  if (!fits) throw std::invalid_argument(std::string("ModelDescription: ") + what);
}

ModelDescription checked(ModelDescription description) {
  const Index vertices = description.vertex_mass.size();
  require(description.dimension == 3 || (description.dimension == 2 && description.consistent.empty()),
          "a model has three dimensions, or two and lumped masses");
  require(description.rest.size() == 3 * vertices, "rest needs three numbers for each mass");
  require(description.start.size() == 0 || description.start.size() == 3 * vertices,
          "start has another size than rest");
  require((description.vertex_mass.array() >= 0).all() && description.vertex_mass.allFinite(),
          "a mass is negative or not finite");
  require(description.consistent.tets.size() == description.consistent.tet_masses.size() &&
              description.consistent.quadratic.size() == description.consistent.quadratic_masses.size(),
          "one mass for each consistent tetrahedron is needed");
  Index next = 0;
  for (const ModelBody& body : description.bodies) {
    require(body.first_vertex == next && body.vertex_count >= 0, "bodies must follow one another");
    next += body.vertex_count;
  }
  require(next == vertices, "bodies must cover all vertices");
  for (const VertexConstraint& hold : description.constraints)
    for (int vertex : hold.vertices) require(vertex >= 0 && vertex < vertices, "a held vertex is not there");
  return description;
}

std::vector<TermPointer> all_terms(const ModelDescription& description) {
  std::vector<TermPointer> terms;
  for (const ModelBody& body : description.bodies)
    terms.insert(terms.end(), body.terms.begin(), body.terms.end());
  terms.insert(terms.end(), description.shared_terms.begin(), description.shared_terms.end());
  return terms;
}

bool any_contacts(const ModelDescription& description, const std::vector<TermPointer>& terms) {
  const auto has_blocks = [](const auto& item) { return item->has_blocks(); };
  return std::any_of(terms.begin(), terms.end(), has_blocks) ||
         std::any_of(description.carried.begin(), description.carried.end(), has_blocks);
}

// The largest k_v/m_v of the penalties (PotentialTerm::add_untouched_stiffness), 1/s^2.
double untouched_stiffness_of(const ModelDescription& description, const std::vector<TermPointer>& terms,
                              const FreeVertices& free) {
  Vector k = Vector::Zero(description.vertex_mass.size());
  for (const TermPointer& term : terms) term->add_untouched_stiffness(k);
  for (const auto& obstacle : description.carried) obstacle->term().add_untouched_stiffness(k);
  double largest = 0;
  for (const int vertex : free.vertex_of_row)
    if (const double mass = description.vertex_mass[vertex]; mass > 0)
      largest = std::max(largest, k[vertex] / mass);
  return description.share ? phiflex::largest(description.share->team(), largest) : largest;
}

// Every pair of free vertices that shares a block of K, D or M.
std::shared_ptr<const SparsityPattern> make_pattern(const ModelDescription& description,
                                                    const FreeVertices& free,
                                                    std::shared_ptr<const Halo> halo) {
  std::vector<Coupling> couplings;
  for (const TermPointer& term : all_terms(description)) term->add_couplings(couplings);
  for (const auto& load : description.loads) load->add_couplings(couplings);
  const auto couple = [&](const auto& tets) {
    for (const auto& tet : tets)
      for (std::size_t a = 0; a < tet.size(); ++a)
        for (std::size_t b = a + 1; b < tet.size(); ++b) couplings.push_back({tet[a], tet[b]});
  };
  couple(description.consistent.tets);
  couple(description.consistent.quadratic);

  std::vector<Coupling> rows;
  rows.reserve(couplings.size());
  for (const auto& [a, b] : couplings) {
    for (int vertex : {a, b})
      require(description.vertex_mass[vertex] > 0, "a vertex that a term couples has no mass");
    const int row = free.row_of_vertex[a], col = free.row_of_vertex[b];
    if (row >= 0 && col >= 0) rows.push_back({row, col});
  }
  return std::make_shared<SparsityPattern>(description.dimension, static_cast<int>(free.vertex_of_row.size()),
                                           std::move(rows), std::move(halo));
}

std::unique_ptr<MassMatrix> make_mass(const ModelDescription& description, const FreeVertices& free,
                                      std::shared_ptr<const SparsityPattern> pattern) {
  Vector lumped(pattern->rows());
  const int dimension = description.dimension;
  for (std::size_t row = 0; row < free.vertex_of_row.size(); ++row)
    lumped.segment(dimension * Index(row), dimension)
        .setConstant(description.vertex_mass[free.vertex_of_row[row]]);
  const ConsistentMass& consistent = description.consistent;
  if (description.share) return std::make_unique<MassMatrix>(std::move(lumped), description.share->team());
  if (consistent.empty()) return std::make_unique<MassMatrix>(std::move(lumped));

  const auto clear = [&](const auto& tets) {
    for (const auto& tet : tets)
      for (int vertex : tet)
        if (const int row = free.row_of_vertex[vertex]; row >= 0) lumped.segment<3>(3 * Index(row)).setZero();
  };
  clear(consistent.tets);
  clear(consistent.quadratic);
  SparseMatrix M(std::move(pattern));
  add_consistent_mass(consistent.tets, consistent.tet_masses, free.row_of_vertex, M);
  add_consistent_mass(consistent.quadratic, consistent.quadratic_masses, free.row_of_vertex, M);
  M.add_to_diagonal(1, lumped);
  return std::make_unique<MassMatrix>(std::move(M));
}

}  // namespace

double largest_side(const Vector& positions) {
  double largest = 0;
  for (Index axis = 0; axis < 3 && positions.size() > 0; ++axis) {
    const auto coordinates = positions(Eigen::seq(axis, Eigen::last, 3));
    largest = std::max(largest, coordinates.maxCoeff() - coordinates.minCoeff());
  }
  return largest;
}

DeformableModel::DeformableModel(ModelDescription description)
    : description_(checked(std::move(description))),
      map_(description_),
      terms_(all_terms(description_)),
      extent_(description_.share ? description_.share->extent : largest_side(description_.rest)),
      has_contacts_(any_contacts(description_, terms_)),
      untouched_stiffness_(untouched_stiffness_of(description_, terms_, map_.free())),
      damping_(description_, map_.free()),
      workspaces_(3 * map_.vertices(), map_.dofs()) {
  pattern_ = make_pattern(description_, map_.free(), map_.halo());
  mass_ = make_mass(description_, map_.free(), pattern_);
  has_free_vertices_ = any(team(), map_.dofs() > 0);
}

DeformableModel::~DeformableModel() = default;

double DeformableModel::total_mass() const {
  if (!share()) return description_.vertex_mass.sum();
  double owned = 0;
  for (std::size_t v = 0; v < share()->owned.size(); ++v)
    if (share()->owned[v]) owned += description_.vertex_mass[Index(v)];
  return sum(team(), owned);
}

State DeformableModel::state(double t, const Vector& x, const Vector& v) const {
  State at;
  map_.restrict_to_free(t, x, v, at);
  return at;
}

void DeformableModel::expand(const State& at, Vector& x, Vector& v) const {
  map_.expand(at, x, v);
}

void DeformableModel::positions(const State& at, Vector& x) const {
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  map_.gather(w->x, x);
}

Energies DeformableModel::energies(const State& at) const {
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  Energies energies;
  energies.kinetic = kinetic_energy(at);
  for (const TermPointer& term : terms_) {
    const double energy = term->energy(w->x);
    switch (term->account()) {
      case PotentialTerm::Account::elastic:
        energies.elastic += energy;
        break;
      case PotentialTerm::Account::gravity:
        energies.gravity += energy;
        break;
      case PotentialTerm::Account::contact:
        energies.contact += energy;
        break;
    }
  }
  for (const auto& obstacle : description_.carried) energies.contact += obstacle->energy(at.t, w->x);
  std::array potentials{energies.elastic, energies.gravity, energies.contact};
  team().sum(potentials);
  energies.elastic = potentials[0], energies.gravity = potentials[1], energies.contact = potentials[2];
  return energies;
}

double DeformableModel::potential_energy(const State& at) const {
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  double energy = 0;
  for (const TermPointer& term : terms_) energy += term->energy(w->x);
  for (const auto& obstacle : description_.carried) energy += obstacle->energy(at.t, w->x);
  return sum(team(), energy);
}

void DeformableModel::add_potential_forces(double t, const Vector& x, Vector& f) const {
  for (const TermPointer& term : terms_) term->add_force(x, f);
  for (const auto& obstacle : description_.carried) obstacle->add_force(t, x, f);
}

void DeformableModel::force(const State& at, Vector& f) const {
  force(at, true, f);
}

void DeformableModel::force_without_friction(const State& at, Vector& f) const {
  force(at, false, f);
}

void DeformableModel::force(const State& at, bool with_friction, Vector& f) const {
  poll_for_interruption();
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  w->f.setZero();
  add_potential_forces(at.t, w->x, w->f);
  for (const auto& load : description_.loads)
    if (with_friction || !load->is_friction()) load->add_force({at.t, w->x, w->v}, w->f);
  damping_.add_stiffness_part(-1, w->x, w->v, w->f, w->z);
  map_.gather(w->f, f);
  damping_.add_mass_part(-1, *mass_, at.v, f, w->free);
}

void DeformableModel::force_rate(const Motion& at, Vector& g) const {
  WorkspacePool::Lease w(workspaces_);
  w->f.setZero();
  if (map_.moves()) {
    map_.moved_velocities(at.t, w->v);
    w->y.setZero();
    for (const TermPointer& term : terms_) term->add_stiffness_product(at.x, w->v, w->y);
    for (const auto& load : description_.loads) load->add_stiffness_product(at, w->v, w->y);
    w->f -= w->y;
  }
  for (const auto& obstacle : description_.carried) obstacle->add_force_rate(at.t, at.x, w->f);
  for (const auto& load : description_.loads) load->add_force_rate(at, w->f);
  map_.gather(w->f, g);
}

double DeformableModel::free_way(const State& from, const State& to) const {
  if (!has_contacts_) return 1;
  if (any(team(), !from.q.allFinite() || !to.q.allFinite())) return 0;
  WorkspacePool::Lease w(workspaces_);
  map_.expand(from, w->x, w->v);
  if (map_.moves()) {
    map_.expand(to, w->y, w->v);
    w->y -= w->x;
  } else {
    const std::vector<int>& vertex_of_row = map_.free().vertex_of_row;
    w->y.setZero();
    for (std::size_t row = 0; row < vertex_of_row.size(); ++row)
      w->y.segment<3>(3 * Index(vertex_of_row[row])) =
          to.q.segment<3>(3 * Index(row)) - from.q.segment<3>(3 * Index(row));
  }
  double part = 1;
  for (const TermPointer& term : terms_)
    if (term->has_blocks()) part = std::min(part, term->free_way(w->x, w->y));
  for (const auto& obstacle : description_.carried)
    if (obstacle->has_blocks()) part = std::min(part, obstacle->free_way(from.t, w->x, to.t, w->y));
  return -largest(team(), -part);
}

void DeformableModel::contact_blocks(double t, const Vector& x, StencilBlocks& blocks) const {
  blocks.clear();
  for (const TermPointer& term : terms_)
    if (term->has_blocks()) term->add_blocks(x, map_.free(), blocks);
  for (const auto& obstacle : description_.carried)
    if (obstacle->has_blocks()) obstacle->add_blocks(t, x, map_.free(), blocks);
}

double DeformableModel::contact_stiffness(const State& at) const {
  if (!has_contacts_) return 0;
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  contact_blocks(at.t, w->x, w->blocks);
  return contact_norm(w->blocks, *mass_, w->free);
}

double DeformableModel::contact_drag(const State& at) const {
  const auto& loads = description_.loads;
  if (std::none_of(loads.begin(), loads.end(), [](const auto& load) { return load->has_drag_blocks(); }))
    return 0;
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  w->blocks.clear();
  for (const auto& load : loads) load->add_drag_blocks({at.t, w->x, w->v}, map_.free(), w->blocks);
  return contact_norm(w->blocks, *mass_, w->free);
}

std::unique_ptr<WorkMeter> DeformableModel::work_meter() const {
  const auto rubs = [](const auto& load) { return load->is_friction(); };
  if (description_.carried.empty() &&
      std::none_of(description_.loads.begin(), description_.loads.end(), rubs))
    return nullptr;
  return std::make_unique<LedgerMeter>(*this);
}

std::unique_ptr<FrictionKick> DeformableModel::friction_kick() const {
  return ModelFrictionKick::can(*this) ? std::make_unique<ModelFrictionKick>(*this) : nullptr;
}

std::unique_ptr<AssembledTangent> DeformableModel::assembled_tangent(Definiteness definiteness) const {
  return std::make_unique<DeformableTangent>(*this, definiteness);
}

std::unique_ptr<AssembledTangent> DeformableModel::stiff_tangent(Definiteness definiteness) const {
  if (std::none_of(terms_.begin(), terms_.end(), [](const auto& term) { return term->has_soft_stiffness(); }))
    return nullptr;
  return std::make_unique<DeformableTangent>(*this, definiteness, ImplicitPart::stiff);
}

std::unique_ptr<TwoStateForce> DeformableModel::two_state_force() const {
  if (map_.dimension() != 3) return nullptr;  // its terms have none
  return std::make_unique<DeformableTwoState>(*this);
}

Momenta DeformableModel::momenta(const State& at) const {
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  mass_->apply(at.v, w->free);
  Momenta momenta;
  for (std::size_t row = 0; row < map_.free().vertex_of_row.size(); ++row) {
    Eigen::Vector3d p = Eigen::Vector3d::Zero();
    for (int i = 0; i < map_.dimension(); ++i) p[i] = w->free[map_.dimension() * Index(row) + i];
    const Eigen::Vector3d x = w->x.segment<3>(3 * Index(map_.free().vertex_of_row[row]));
    momenta.linear += p;
    momenta.angular += x.cross(p);
  }
  team().sum({momenta.linear.data(), 3});
  team().sum({momenta.angular.data(), 3});
  return momenta;
}

void DeformableModel::external_forces(const State& at, Vector& e) const {
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  e.setZero(w->x.size());
  for (const auto& load : description_.loads) load->add_force({at.t, w->x, w->v}, e);
  if (map_.moves()) {
    w->f.setZero();
    add_potential_forces(at.t, w->x, w->f);
    for (int vertex : map_.moved_vertices())
      e.segment<3>(3 * Index(vertex)) = -w->f.segment<3>(3 * Index(vertex));
  }
  if (share()) share()->clear_others(e);
}

bool DeformableModel::friction_forces(const State& at, Vector& f, double& mover_power) const {
  const auto& loads = description_.loads;
  if (std::none_of(loads.begin(), loads.end(), [](const auto& load) { return load->is_friction(); }))
    return false;
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  f.setZero(w->x.size());
  mover_power = 0;
  for (const auto& load : loads)
    if (load->is_friction()) {
      load->add_force({at.t, w->x, w->v}, f);
      mover_power += load->mover_power({at.t, w->x, w->v});
    }
  mover_power = sum(team(), mover_power);
  if (share()) share()->clear_others(f);
  return true;
}

void DeformableModel::vertex_forces(const State& at, Vector& f) const {
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  f.setZero(w->x.size());
  add_potential_forces(at.t, w->x, f);
  for (const auto& load : description_.loads) load->add_force({at.t, w->x, w->v}, f);
  damping_.add_stiffness_part(-1, w->x, w->v, f, w->z);
}

double DeformableModel::obstacle_power(const State& at, Side side) const {
  if (description_.carried.empty()) return 0;
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  double power = 0;
  for (const auto& obstacle : description_.carried) power += obstacle->power(at.t, w->x, side);
  return sum(team(), power);
}

std::string DeformableModel::diagnose(const State& at) const {
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  if (share()) return share()->diagnose(at.t, w->x, w->v);
  for (const ModelBody& body : description_.bodies)
    for (int vertex = 0; vertex < body.vertex_count; ++vertex) {
      const Index place = 3 * (Index(body.first_vertex) + vertex);
      const bool position = w->x.segment<3>(place).allFinite(), velocity = w->v.segment<3>(place).allFinite();
      if (!position || !velocity)
        return fmt::format("body \"{}\": the {} of vertex {} is not finite", body.name,
                           position ? "velocity" : "position", vertex);
    }
  for (const ModelBody& body : description_.bodies)
    for (const TermPointer& term : body.terms)
      if (const std::string reason = term->diagnose(w->x); !reason.empty())
        return fmt::format("body \"{}\": {}", body.name, reason);
  for (const TermPointer& term : description_.shared_terms)
    if (std::string reason = term->diagnose(w->x); !reason.empty()) return reason;
  return {};
}

void DeformableModel::begin_step(const State& now, double h) {
  if (!has_memory()) return;
  WorkspacePool::Lease w(workspaces_);
  map_.expand(now, w->x, w->v);
  for (const auto& branches : description_.branches) branches->begin_step(w->x, h);
  ++force_version_;
}

double DeformableModel::end_step(const State& next) {
  if (!has_memory()) return 0;
  WorkspacePool::Lease w(workspaces_);
  map_.expand(next, w->x, w->v);
  double dissipated = 0;
  for (const auto& branches : description_.branches) dissipated += branches->end_step(w->x);
  ++force_version_;
  return dissipated;
}

void DeformableModel::cancel_step() {
  if (!has_memory()) return;
  for (const auto& branches : description_.branches) branches->cancel_step();
  ++force_version_;
}

void DeformableModel::undo_step() {
  if (!has_memory()) return;
  for (const auto& branches : description_.branches) branches->undo_step();
  ++force_version_;
}

void DeformableModel::slacken_branches() {
  if (!has_memory()) return;
  for (const auto& branches : description_.branches) branches->slacken();
  ++force_version_;
}

void DeformableModel::relax_branches(const State& at) {
  if (!has_memory()) return;
  WorkspacePool::Lease w(workspaces_);
  map_.expand(at, w->x, w->v);
  for (const auto& branches : description_.branches) branches->relax_at(w->x);
  ++force_version_;
}

void DeformableModel::save_memory(ArchiveWriter& out) const {
  for (const auto& branches : description_.branches) branches->save(out);
}

void DeformableModel::load_memory(ArchiveReader& in) {
  for (const auto& branches : description_.branches) branches->load(in);
}

void DeformableModel::take_memory(const DeformableModel& from) {
  if (from.description_.branches.size() != description_.branches.size())
    throw std::invalid_argument("DeformableModel::take_memory: other bodies");
  for (std::size_t i = 0; i < description_.branches.size(); ++i)
    description_.branches[i]->take(*from.description_.branches[i]);
  if (has_memory()) ++force_version_;
}

State hand_over(const DeformableModel& from, const State& at, const DeformableModel& to) {
  Vector x, v;
  from.constraints().expand(at, x, v, Side::before);
  return to.state(at.t, x, v);
}

int nearest_vertex(const Vector& rest, int first, int count, const Eigen::Vector3d& point) {
  int nearest = first;
  for (int vertex = first; vertex < first + count; ++vertex) {
    const auto distance = [&](int v) { return (rest.segment<3>(3 * Index(v)) - point).squaredNorm(); };
    if (distance(vertex) < distance(nearest)) nearest = vertex;
  }
  return nearest;
}

}  // namespace phiflex
