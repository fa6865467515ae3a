#include "phiflex/run/run_summary.h"

#include "phiflex/run/version.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {

EnergyRow energy_row(const Simulation& simulation) {
  const LedgerRow& ledger = simulation.ledger();
  const State& now = simulation.state();
  const Momenta momenta = simulation.model().momenta(now);
  const auto triple = [](const Eigen::Vector3d& x) { return std::array{x[0], x[1], x[2]}; };
  return {simulation.step(),
          now.t,
          ledger.energies.kinetic,
          ledger.energies.elastic,
          ledger.energies.gravity,
          ledger.energies.contact,
          ledger.total(),
          ledger.external_work,
          ledger.dissipated,
          ledger.numerical_loss,
          ledger.contact_work,
          ledger.friction,
          simulation.modified_energy(),
          triple(momenta.linear),
          triple(momenta.angular),
          simulation.available_energy()};
}

void StepClock::add(std::int64_t step, double step_seconds) {
  if (step > 1 && steps++ == 0) seconds = 0;
  seconds += step_seconds;
}

RunSummary new_summary(const Scene& scene, const SceneModel& world, const Simulation& simulation) {
  RunSummary summary;
  summary.version = version();
  summary.scene = to_json(scene);
  summary.machine = this_machine();
  summary.vertices = world.vertices();
  summary.elements = world.tetrahedra() + world.triangles();
  summary.triangles = world.triangles();
  summary.springs = world.springs();
  summary.steps_planned = simulation.steps();
  summary.h = simulation.h();
  return summary;
}

void update_summary(const Simulation& simulation, const EnergySummary& energies, const StepClock& times,
                    double output_seconds, RunSummary& summary) {
  summary.method = simulation.method().name;
  summary.method_changes = simulation.method_changes();
  summary.steps = simulation.step();
  summary.work = simulation.work();
  summary.quality = simulation.quality();
  summary.output_seconds = output_seconds;
  summary.seconds_per_step = times.mean();
  summary.energy_first = energies.first();
  summary.energy_last = energies.last();
  summary.energy_available = energies.available();
  summary.external_work = simulation.ledger().external_work;
  summary.dissipated = simulation.ledger().dissipated;
  summary.contact_work = energies.contact_work();
  summary.friction = energies.friction();
  summary.energy_largest_relative_change = energies.largest_relative_change();
  summary.energy_worst_loss = energies.worst_loss();
  summary.energy_exchanged = energies.exchanged();
}

Progress progress_of(const Simulation& simulation, const EnergySummary& energies, const StepClock& times,
                     double output_seconds) {
  const std::int64_t step = simulation.step();
  const double with_output = times.mean() + output_seconds / double(std::max<std::int64_t>(1, step));
  return {.step = step,
          .steps = simulation.steps(),
          .time = simulation.state().t,
          .energy = simulation.ledger().total(),
          .numerical_loss = simulation.ledger().numerical_loss,
          .step_seconds = times.mean(),
          .seconds_left = with_output * double(simulation.steps() - step),
          .energy_exchanged = energies.exchanged()};
}

bool checkpoint_is_due(std::int64_t every, std::int64_t step, double seconds_since_last) {
  if (every > 0) return step % every == 0;
  constexpr std::int64_t default_steps = 100;
  constexpr double default_seconds = 30;
  return step % default_steps == 0 || seconds_since_last > default_seconds;
}

}  // namespace phiflex
