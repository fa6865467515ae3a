#include "phiflex/model/energy_ledger.h"

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

void EnergyLedger::look(const DeformableModel& model, const State& at) {
  if (needs_way(model)) {
    model.expand(at, x_, v_);
    model.external_forces(at, e_);
  }
  row_.energies = model.energies(at);
}

void EnergyLedger::advance(const DeformableModel& model, const State& now, const State& next,
                           const std::optional<StepWork>& exact) {
  before_ = row_;
  x_.swap(x_now_);
  e_.swap(e_now_);
  look(model, next);
  if (exact) {
    row_.external_work += exact->external;
    row_.dissipated += exact->dissipated;
  } else {
    add_quadratures(model, now, next);
  }
  close();
}

void EnergyLedger::add_quadratures(const DeformableModel& model, const State& now, const State& next) {
  const double h = next.t - now.t;
  if (needs_way(model)) {
    dx_ = x_ - x_now_;
    row_.external_work += 0.5 * dx_.dot(e_now_ + e_);  // (1)
  }
  row_.external_work +=
      0.5 * h * (model.obstacle_power(now, Side::after) + model.obstacle_power(next, Side::before));

  const RayleighDamping& damping = model.damping();
  if (damping.has_beta()) {
    y_.setZero(dx_.size());
    z_.resize(dx_.size());
    damping.add_stiffness_part(0.5 / h, x_now_, dx_, y_, z_);
    damping.add_stiffness_part(0.5 / h, x_, dx_, y_, z_);
    row_.dissipated += dx_.dot(y_);  // (2)
    for (int vertex : model.constraints().moved_vertices())
      row_.external_work += dx_.segment<3>(3 * Index(vertex)).dot(y_.segment<3>(3 * Index(vertex)));
  }
  if (damping.has_alpha()) {
    dq_ = next.q - now.q;
    alpha_dq_.setZero(dq_.size());
    damping.add_mass_part(1 / h, model.mass(), dq_, alpha_dq_, mass_dq_);
    row_.dissipated += dq_.dot(alpha_dq_);
  }
}

void EnergyLedger::undo() {
  row_ = before_;
  x_.swap(x_now_);
  e_.swap(e_now_);
}

void EnergyLedger::change_model(const DeformableModel& model, const State& at) {
  const double before = row_.total();
  look(model, at);
  row_.external_work += row_.total() - before;
  close();
}

void EnergyLedger::filter(const DeformableModel& model, const State& at, double external) {
  const double before = row_.total();
  look(model, at);
  row_.external_work += external;
  row_.dissipated += external - (row_.total() - before);  // (4)
  close();
}

void EnergyLedger::close() {
  row_.numerical_loss = first_total_ + row_.external_work - row_.dissipated - row_.total();  // (3)
}

void EnergyLedger::save(ArchiveWriter& out) const {
  out.put(first_total_);
  out.put(row_.external_work);
  out.put(row_.dissipated);
}

void EnergyLedger::load(ArchiveReader& in, const DeformableModel& model, const State& at) {
  first_total_ = in.get_double();
  row_.external_work = in.get_double();
  row_.dissipated = in.get_double();
  look(model, at);
  close();
}

}  // namespace phiflex
