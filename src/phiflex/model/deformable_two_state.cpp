#include "phiflex/model/deformable_two_state.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "phiflex/base/interruption.h"
#include "phiflex/linalg/way_within.h"

namespace phiflex {
namespace {

std::vector<Coupling> couplings_of_terms(const DeformableModel& model) {
  std::vector<Coupling> couplings;
  for (const TermPointer& term : model.terms()) term->add_couplings(couplings);
  return couplings;
}

// The same of the values of all ranks. Numbers that are not negative are ordered as their bits are: each round finds
// four of the 64 bits of the value, by counting the values below 15 bounds.
double ninetieth_percentile_of_all(const Team& team, const std::vector<double>& values) {
  const double count = sum(team, double(values.size()));
  if (count == 0) return 0;
  const double place = std::floor(9 * (count - 1) / 10);  // so many are not larger
  std::uint64_t found = 0;
  for (int shift = 60; shift >= 0; shift -= 4) {
    std::array<double, 15> below{};
    for (const double value : values)
      for (std::uint64_t digit = 1; digit < 16; ++digit)
        if (std::bit_cast<std::uint64_t>(std::abs(value)) < found + (digit << shift)) ++below[digit - 1];
    team.sum(below);
    std::uint64_t digit = 0;
    while (digit < 15 && below[digit] <= place) ++digit;
    found += digit << shift;
  }
  return std::bit_cast<double>(found);
}

// The value that nine tenths do not exceed; 0 of nothing. The values change places.
double ninetieth_percentile(const Team& team, std::vector<double>& values) {
  if (team.size() > 1) return ninetieth_percentile_of_all(team, values);
  if (values.empty()) return 0;
  const auto place = values.begin() + std::ptrdiff_t(9 * (values.size() - 1) / 10);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

DeformableTwoState::DeformableTwoState(const DeformableModel& model)
    : model_(model),
      K_(model.pattern()),
      free_bodies_(model.constraints(), couplings_of_terms(model), model.mass(), model.share()),
      moved_dx_(Vector::Zero(3 * model.vertices())),
      dx_(3 * model.vertices()),
      v_(3 * model.vertices()),
      x_mid_(3 * model.vertices()),
      f_(3 * model.vertices()),
      free_(model.dofs()),
      residual_(model.dofs()) {
  for (const ModelBody& body : model.description().bodies)
    for (const TermPointer& term : body.terms) add_part(*term, body.damping.beta);
  for (const TermPointer& term : model.description().shared_terms) add_part(*term, 0);
  for (const auto& obstacle : model.description().carried)
    carried_.emplace_back(*obstacle, model.constraints().free(), *model.pattern());
  has_penalties_ =
      !carried_.empty() || std::any_of(model.terms().begin(), model.terms().end(), [](const auto& term) {
        return term->account() == PotentialTerm::Account::contact && !term->has_blocks();
      });
  spin_.resize(std::size_t(elements_));
  strain_.resize(std::size_t(elements_));

  for (const auto& load : model.description().loads) {
    if (load->is_friction()) continue;  // obstacles have their own
    if (auto drag = load->make_drag_assembler(model.constraints().free(), *model.pattern()))
      drags_.push_back(std::move(drag));
    if (auto stiffness = load->make_stiffness(model.constraints().free(), *model.pattern()))
      load_stiffness_.push_back(std::move(stiffness));
  }
  if (!model.damping().has_alpha() && drags_.empty()) return;
  D_constant_ = std::make_unique<SparseMatrix>(model.pattern());
  model.damping().add_mass_matrix(model.mass(), *D_constant_);
  D_ = std::make_unique<SparseMatrix>(*D_constant_);
}

void DeformableTwoState::add_part(const PotentialTerm& term, double eta) {
  auto made = term.make_two_state(model_.constraints().free(), *model_.pattern());
  auto* ways = dynamic_cast<LimitsWays*>(made.get());
  parts_.push_back({std::move(made), eta, term.has_blocks(), ways, memory_size_, elements_});
  memory_size_ += parts_.back().term->memory_size();
  elements_ += parts_.back().term->elements();
}

void DeformableTwoState::begin(const State& now, double h, const Dial& dial) {
  now_ = &now;
  h_ = h;
  const ConstraintMap& map = model_.constraints();
  map.expand(now, x_, v_);
  map.moved_change(now.t, now.t + h, moved_dx_);
  const double* memory = dial.memory ? dial.memory->data() : nullptr;
  for (const Part& part : parts_)
    part.term->begin(x_, {h, part.eta, dial.chi, dial.ratio, memory ? memory + part.first_memory : nullptr});
  for (CarriedTwoState& obstacle : carried_) obstacle.begin(now.t, h, x_);
  room_ = carried_.empty() ? std::numeric_limits<double>::infinity() : 0;
  for (const Part& part : parts_)
    if (part.has_ways) room_ = std::min(room_, part.term->room());
  if (map.moves() && !within(moved_dx_, room_)) room_ = 0;
  remember_room();
}

// A new one is not taken where enough is left of the one that is known.
void DeformableTwoState::remember_room() {
  constexpr double kEnough = 0.5;
  if (!model_.has_contacts() || model_.constraints().moves() || !(room_ > 0)) {
    clear_ = 0;
    return;
  }
  if (clear_ > 0 && (now_->q - clear_q_).lpNorm<Eigen::Infinity>() <= kEnough * clear_) return;
  clear_ = room_;
  clear_q_ = now_->q;
}

void DeformableTwoState::add_potentials(Vector& f) {
  poll_for_interruption();
  free_in_force_ = stays_free();
  for (const Part& part : parts_)
    if (!(part.has_ways && free_in_force_)) part.term->add_force(dx_, f);
  for (CarriedTwoState& obstacle : carried_) obstacle.add_force(dx_, f);
}

void DeformableTwoState::spread(const Vector& w) {
  dx_ = moved_dx_;
  const std::vector<int>& vertex_of_row = model_.constraints().free().vertex_of_row;
  double largest = 0;
  for (std::size_t row = 0; row < vertex_of_row.size(); ++row) {
    const Eigen::Vector3d u = h_ * w.segment<3>(3 * Index(row));
    for (int i = 0; i < 3; ++i) largest = std::max(largest, std::abs(u[i]));
    dx_.segment<3>(3 * Index(vertex_of_row[row])) = u;
  }
  largest_ = largest;
  model_.constraints().fetch(h_, w, dx_);
  v_ = dx_ / h_;
  x_mid_ = x_ + 0.5 * dx_;
}

bool DeformableTwoState::hold_back(const Vector* from, Vector& w) {
  if (!all_finite(model_.team(), w)) return false;
  if (from) {
    spread(*from);
    from_ = dx_;
  } else {
    from_.setZero(dx_.size());
  }
  spread(w);
  dx_ -= from_;
  part_.assign(std::size_t(model_.vertices()), 1);
  for (const Part& part : parts_)
    if (part.ways) part.ways->limit_ways(from_, dx_, part_);
  const std::vector<int>& vertex_of_row = model_.constraints().free().vertex_of_row;
  bool held = false;
  for (std::size_t row = 0; row < vertex_of_row.size(); ++row) {
    const Index vertex = vertex_of_row[row];
    const double part = part_[std::size_t(vertex)];
    if (part == 1) continue;
    held = true;
    w.segment<3>(3 * Index(row)) = (from_.segment<3>(3 * vertex) + part * dx_.segment<3>(3 * vertex)) / h_;
  }
  return any(model_.team(), held);
}

void DeformableTwoState::add_loads(Vector& f) const {
  for (const auto& load : model_.description().loads)
    if (!load->is_friction()) load->add_force(middle(), f);
}

void DeformableTwoState::add_mass_damping(const Vector& w, Vector& f) {
  model_.damping().add_mass_part(-1, model_.mass(), w, f, free_);
}

void DeformableTwoState::force(const Vector& w, Vector& f) {
  spread(w);
  f_.setZero();
  add_potentials(f_);
  add_loads(f_);
  model_.constraints().gather(f_, f);
  add_mass_damping(w, f);  // (1)
}

void DeformableTwoState::linearize(const Vector& w, Definiteness definiteness) {
  poll_for_interruption();
  spread(w);
  K_.set_zero();
  for (const Part& part : parts_) part.term->add_tangent(dx_, definiteness, K_);
  for (CarriedTwoState& obstacle : carried_) obstacle.add_tangent(dx_, definiteness, K_);
  // Of loads in the middle of the step: -2 df/dx+ is their stiffness there.
  for (const auto& load : load_stiffness_) load->add_stiffness(middle(), definiteness, K_);
  if (drags_.empty()) return;
  D_->set(1, *D_constant_);
  for (const auto& drag : drags_) drag->add_drag(middle(), *D_);
}

const StencilBlocks* DeformableTwoState::blocks() {
  if (!model_.has_contacts()) return nullptr;
  blocks_.clear();
  for (const Part& part : parts_)
    if (!(part.has_ways && free_in_force_)) part.term->add_blocks(blocks_);
  for (const CarriedTwoState& obstacle : carried_) obstacle.add_blocks(blocks_);
  return &blocks_;
}

double DeformableTwoState::approach_rate(const State& at, double h) {
  if (!model_.has_contacts()) return 0;
  bool is_clear = clear_ > 0;
  if (is_clear) {
    dw_ = h * at.v;
    is_clear = way_within(at.q, dw_, clear_q_, clear_);
  }
  if (!any(model_.team(), !is_clear)) return 0;  // one rank may be, and another not
  model_.expand(at, x_mid_, v_);
  double rate = 0;
  for (const Part& part : parts_) rate = std::max(rate, part.term->approach_rate(x_mid_, v_, h));
  for (const CarriedTwoState& obstacle : carried_)
    rate = std::max(rate, obstacle.approach_rate(at.t, x_mid_, v_, h));
  return largest(model_.team(), rate);
}

StepWork DeformableTwoState::work(const Vector& w) {
  spread(w);
  StepWork work;
  f_.setZero();
  add_loads(f_);
  model_.constraints().gather(f_, residual_);
  work.external = h_ * w.dot(residual_);  // (3)
  if (model_.constraints().moves()) {
    f_.setZero();
    add_potentials(f_);
    if (model_.share()) model_.share()->clear_others(f_);
    for (int vertex : model_.constraints().moved_vertices())
      work.external -= dx_.segment<3>(3 * Index(vertex)).dot(f_.segment<3>(3 * Index(vertex)));
  }
  for (CarriedTwoState& obstacle : carried_) work.external += obstacle.work(dx_);
  residual_.setZero();
  add_mass_damping(w, residual_);
  work.dissipated = -h_ * w.dot(residual_);  // (4)
  for (const Part& part : parts_) {
    if (part.has_ways && stays_free()) continue;
    work.dissipated += part.term->dissipated(dx_);
    work.friction += part.term->friction(dx_);
  }
  for (CarriedTwoState& obstacle : carried_) {
    work.dissipated += obstacle.dissipated(dx_);
    work.friction += obstacle.friction(dx_);
  }
  std::array sums{work.external, work.dissipated, work.friction};
  model_.team().sum(sums);
  work.external = sums[0], work.dissipated = sums[1], work.friction = sums[2];
  return work;
}

bool DeformableTwoState::is_inside_out() const {
  return any(model_.team(), std::any_of(parts_.begin(), parts_.end(),
                                        [](const Part& part) { return part.term->is_inside_out(); }));
}

// The internal forces of a body have no resultant and no torque, so that only the others count; they depend
// on w, and so does the body's shape: hence the repetitions, each of which gains some digits.
void DeformableTwoState::correct_momenta(Vector& w) {
  if (free_bodies_.none()) return;
  constexpr int kRepeats = 3;
  free_bodies_.begin_removal(w, blocks());
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    spread(w);
    f_.setZero();
    for (const Part& part : parts_)
      if (!(part.has_ways && free_in_force_) && part.term->turns_bodies()) part.term->add_force(dx_, f_);
    for (CarriedTwoState& obstacle : carried_) obstacle.add_force(dx_, f_);
    add_loads(f_);
    model_.constraints().gather(f_, residual_);
    add_mass_damping(w, residual_);
    residual_ *= -0.5 * h_;
    dw_ = w - now_->v;
    model_.mass().apply(dw_, free_);
    residual_ += free_;
    free_bodies_.remove_rigid_part(x_mid_, residual_, model_.mass(), w);
  }
}

ElementRates DeformableTwoState::rates(const State& at) {
  model_.expand(at, x_mid_, v_);
  for (const Part& part : parts_) {
    const auto count = std::size_t(part.term->elements()), first = std::size_t(part.first_element);
    part.term->rates(x_mid_, v_, std::span(spin_).subspan(first, count),
                     std::span(strain_).subspan(first, count));
  }
  return {ninetieth_percentile(model_.team(), spin_), ninetieth_percentile(model_.team(), strain_)};
}

void DeformableTwoState::strain_change(const Vector& w, Vector& memory) {
  spread(w);
  memory.resize(memory_size_);
  for (const Part& part : parts_) part.term->strain_change(dx_, memory.data() + part.first_memory);
}

double DeformableTwoState::dial_energy(double chi, const Vector& memory) {
  double energy = 0;
  for (const Part& part : parts_) energy += part.term->dial_energy(chi, memory.data() + part.first_memory);
  return sum(model_.team(), energy);
}

}  // namespace phiflex
