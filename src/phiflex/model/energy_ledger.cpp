#include "phiflex/model/energy_ledger.h"

#include <cmath>

namespace phiflex {

EnergyLedger::EnergyLedger(const DeformableModel& model, const State& at) {
  look(model, at);
  first_total_ = row_.total();
}

namespace {

// Whether (1) and (2) need the way of all vertices. Where nothing acts along it, six vectors are spared.
bool needs_way(const DeformableModel& model) {
  return !model.description().loads.empty() || model.constraints().moves() || model.damping().has_beta();
}

}  // namespace

void EnergyLedger::look(const DeformableModel& model, const State& at, const std::optional<Energies>& known) {
  if (needs_way(model)) {
    model.expand(at, x_, v_);
    model.external_forces(at, e_);
  }
  rubs_ = model.friction_forces(at, r_, mover_power_);
  row_.energies = known ? *known : model.energies(at);
}

void EnergyLedger::advance(const DeformableModel& model, const State& now, const State& next,
                           const StepReport& report, double relaxed, const std::optional<Energies>& known) {
  before_ = row_;
  x_.swap(x_now_);
  e_.swap(e_now_);
  r_.swap(r_now_);
  std::swap(mover_power_, mover_power_now_);
  std::swap(carried_, carried_now_);
  carried_.known = false;
  look(model, next, known);
  if (const auto& exact = report.step_work) {
    row_.external_work += exact->external;
    row_.dissipated += exact->dissipated;
    row_.friction += exact->friction;
  } else {
    add_quadratures(model, now, next, report);
  }
  row_.dissipated += relaxed;
  close();
}

void EnergyLedger::add_quadratures(const DeformableModel& model, const State& now, const State& next,
                                   const StepReport& report) {
  const double h = next.t - now.t;
  friction_of_movers_ = 0;
  if (needs_way(model)) {
    dx_ = x_ - x_now_;
    row_.external_work += 0.5 * sum(model.team(), dx_.dot(e_now_ + e_));  // (1)
  }
  row_.external_work +=
      0.5 * h * (model.obstacle_power(now, Side::after) + model.obstacle_power(next, Side::before));

  if (rubs_) {  // e holds r
    const double taken =
        0.5 * h * (mover_power_now_ + mover_power_) - 0.5 * sum(model.team(), dx_.dot(r_now_ + r_));
    row_.external_work += taken;
    row_.friction += taken;  // (5)
    double by_vertices = 0;
    for (int vertex : model.constraints().moved_vertices())
      by_vertices += dx_.segment<3>(3 * Index(vertex))
                         .dot(r_now_.segment<3>(3 * Index(vertex)) + r_.segment<3>(3 * Index(vertex)));
    friction_of_movers_ = 0.5 * h * (mover_power_now_ + mover_power_) - 0.5 * sum(model.team(), by_vertices);
  }
  const RayleighDamping& damping = model.damping();
  if (damping.none()) return;
  if (damping.has_beta()) {
    y_.setZero(dx_.size());
    z_.resize(dx_.size());
  }
  dq_ = next.q - now.q;
  alpha_dq_.setZero(dq_.size());
  for (const DampingPoint& point : report.damping)
    if (point.at) add_damping_at(model, point);  // (6)
  bool booked = report.damping[0].at != nullptr;
  if (booked && report.damping_memory) booked = add_memory(model, now, *report.damping_memory);
  if (!booked) add_average_damping(model, now, next);  // (2)
  if (damping.has_beta()) {
    if (model.share()) model.share()->clear_others(y_);
    row_.dissipated += dot(model.team(), dx_, y_);
    if (model.share()) {
      double by_movers = 0;
      for (int vertex : model.constraints().moved_vertices())
        by_movers += dx_.segment<3>(3 * Index(vertex)).dot(y_.segment<3>(3 * Index(vertex)));
      row_.external_work += sum(model.team(), by_movers);
      return add_mass_damping(model);
    }
    for (int vertex : model.constraints().moved_vertices())
      row_.external_work += dx_.segment<3>(3 * Index(vertex)).dot(y_.segment<3>(3 * Index(vertex)));
  }
  add_mass_damping(model);
}

void EnergyLedger::add_mass_damping(const DeformableModel& model) {
  if (model.damping().has_alpha()) row_.dissipated += dot(model.team(), dq_, alpha_dq_);
}

void EnergyLedger::add_average_damping(const DeformableModel& model, const State& now, const State& next) {
  const RayleighDamping& damping = model.damping();
  const double h = next.t - now.t;
  if (damping.has_beta()) {
    damping.add_stiffness_part(0.5 / h, x_now_, dx_, y_, z_);
    damping.add_stiffness_part(0.5 / h, x_, dx_, y_, z_);
  }
  damping.add_mass_part(1 / h, model.mass(), dq_, alpha_dq_, mass_dq_);
}

void EnergyLedger::add_damping_at(const DeformableModel& model, const DampingPoint& point) {
  const RayleighDamping& damping = model.damping();
  if (damping.has_beta()) {
    model.expand(*point.at, x_point_, v_point_);
    damping.add_stiffness_part(point.weight, x_point_, v_point_, y_, z_);
  }
  damping.add_mass_part(point.weight, model.mass(), point.at->v, alpha_dq_, mass_dq_);
}

bool EnergyLedger::add_memory(const DeformableModel& model, const State& now, const DampingMemory& memory) {
  y_.swap(carried_.y);  // the sums, while y_ and alpha_dq_ take z
  alpha_dq_.swap(carried_.alpha_dq);
  y_.setZero(carried_.y.size());
  alpha_dq_.setZero(carried_.alpha_dq.size());
  if (memory.starts) {
    add_damping_at(model, {&now, 1});
  } else if (memory.kept != 0 || memory.before != 0) {
    if (!carried_now_.known || carried_now_.alpha_dq.size() != alpha_dq_.size()) return false;
    y_ = carried_now_.y;
    alpha_dq_ = carried_now_.alpha_dq;
  }
  carried_.known = true;
  carried_.y += memory.kept * y_;
  carried_.alpha_dq += memory.kept * alpha_dq_;
  y_ = memory.before * y_ + memory.after * carried_.y;  // (7)
  alpha_dq_ = memory.before * alpha_dq_ + memory.after * carried_.alpha_dq;
  return true;
}

void EnergyLedger::undo() {
  row_ = before_;
  std::swap(carried_, carried_now_);
  x_.swap(x_now_);
  e_.swap(e_now_);
  r_.swap(r_now_);
  std::swap(mover_power_, mover_power_now_);
}

void EnergyLedger::change_model(const DeformableModel& model, const State& at) {
  const double before = row_.total();
  look(model, at);
  row_.external_work += row_.total() - before;
  close();
}

void EnergyLedger::filter(const DeformableModel& model, const State& at, const FilterReport& report) {
  const double before = row_.total(), lost = lost_in_step();
  look(model, at);
  row_.external_work += report.external;
  row_.friction += report.friction;
  const double given = row_.total() - before - report.external + report.friction;
  row_.contact_work += given - std::clamp(given, 0., lost);  // (4)
  close();
}

void EnergyLedger::close() {
  row_.numerical_loss = first_total_ + row_.external_work + row_.contact_work - row_.dissipated -
                        row_.friction - row_.total();  // (3)
}

bool LedgerMeter::ends_in(const State& from) const {
  if (!ledger_) return false;
  return !any(model_.team(), !(from.q.size() == end_.q.size() && from.q == end_.q && from.v == end_.v)) &&
         std::abs(from.t - end_.t) <= 1e-12 * std::abs(end_.t);
}

// The energies are those of nothing, and sums begin anew: a resumed run has the same bits.
StepWork LedgerMeter::between(const State& from, const State& to) {
  if (!ledger_) {
    ledger_.emplace(model_, from);
  } else if (!ends_in(from)) {
    ledger_->look(model_, from, Energies{});
  }
  ledger_->row_ = {};
  ledger_->advance(model_, from, to, {}, 0, Energies{});
  end_ = to;
  const LedgerRow& row = ledger_->row();
  return {row.external_work, row.dissipated, row.friction};
}

void EnergyLedger::save(ArchiveWriter& out) const {
  out.put(first_total_);
  out.put(row_.external_work);
  out.put(row_.dissipated);
  out.put(row_.contact_work);
  out.put(row_.friction);
  out.put(std::int64_t{carried_.known});
  if (!carried_.known) return;
  out.put(as_span(carried_.y));
  out.put(as_span(carried_.alpha_dq));
}

void EnergyLedger::load(ArchiveReader& in, const DeformableModel& model, const State& at) {
  first_total_ = in.get_double();
  row_.external_work = in.get_double();
  row_.dissipated = in.get_double();
  row_.contact_work = in.get_double();
  row_.friction = in.get_double();
  carried_.known = in.get_integer(0, 1) != 0;
  if (carried_.known) {
    carried_.y.resize(model.damping().has_beta() ? model.description().rest.size() : 0);
    in.get_doubles(as_span(carried_.y));
    carried_.alpha_dq.resize(model.dofs());
    in.get_doubles(as_span(carried_.alpha_dq));
  }
  look(model, at);
  close();
}

}  // namespace phiflex
