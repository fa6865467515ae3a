#include "phiflex/run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "phiflex/base/errors.h"
#include "phiflex/integrate/newton_options.h"
#include "phiflex/integrate/tangent_solver.h"
#include "phiflex/run/device_method.h"
#include "phiflex/scene/scene.h"
#include "phiflex/system/state.h"

namespace phiflex {
std::vector<std::string> method_warnings(const IntegratorSpec& spec, const MechanicalSystem& system) {
  const MethodEntry* method = find_integrator(spec.type);
  return method && method->warnings ? method->warnings(system, spec.options) : std::vector<std::string>{};
}

namespace {

// Throws InputError for methods that viscoelastic bodies are not for.
void check_method_for_memory(const DeformableModel& model, const std::string& method) {
  const MethodEntry* entry = find_integrator(method);
  if (model.has_memory() && entry && entry->info->fixed_linear_part)
    throw InputError(
        "", "/integrator/type",
        fmt::format("the force of viscoelastic bodies (`prony`) changes from step to step, and \"{}\" builds "
                    "on a linear part that stays: use another integrator, such as \"em\"",
                    method));
}

}  // namespace

Simulation::Simulation(const Scene& scene, const std::string& scene_file)
    : Simulation(scene, build_scene(scene, scene_file), step_count(scene.time)) {}

Simulation::Simulation(const Scene& scene, SceneModel world, std::int64_t steps)
    : scene_(std::make_shared<const Scene>(scene)),
      h_(scene.time.step),
      world_(std::move(world)),
      steps_(steps),
      model_(world_.make_model(world_.start_time())),
      eigenfit_(make_eigenfit(*scene_, world_, *model_, world_.start_time())),
      filters_(world_.make_filters(*model_)),
      now_(world_.initial_state(*model_)),
      next_(now_),
      ledger_(*model_, now_),
      energy_watch_(*model_, ledger_.row(), h_) {
  if (world_.has_projections()) impulses_.setZero(3 * Index(world_.vertices()));
  if (scene.output.measures == Switch::on) contact_work_.setZero(world_.vertices());
  scene_work_ = scene_work(world_, *model_);
  take_method(choose_method(scene.integrator, system(), scene_work_, h_), system());
  watch(now_);
}

const IntegratorSpec& Simulation::asked_integrator() const {
  return scene_->integrator;
}

const MechanicalSystem& Simulation::system() const {
  if (eigenfit_) return eigenfit_->system;
  return *model_;
}

void Simulation::take_method(MethodChoice choice, const MechanicalSystem& stepped) {
  in_file(world_.scene_file(), "/integrator", [&] {
    check_method_for_coarsening(*scene_, choice.spec.type);
    check_method_for_memory(*model_, choice.spec.type);
    const TangentOptions tangent = choice.spec.options.read<NewtonOptions>().tangent;
    if (tangent.solver == LinearSolver::multigrid && !stepped.has_positions())
      throw InputError(
          world_.scene_file(), "/integrator/solver",
          "a multigrid needs bodies in three dimensions; leave `solver` out, or take \"factorization\"");
    const MethodEntry* method = find_integrator(choice.spec.type);
    const auto reads = [&](const Option& option) { return option.key == std::string_view("factorization"); };
    if (method && std::any_of(method->options.begin(), method->options.end(), reads))
      if (const std::string conflict = solver_conflict(stepped, tangent); !conflict.empty())
        throw InputError(world_.scene_file(), "/integrator/factorization", conflict);
    integrator_ = make_method(choice, stepped);
  });
  choice_ = std::move(choice);
  factorized_memory_.clear();
  said_of_solver_ = solver_note();
}

// Where `auto` took the fitted method and that refuses the scene, such as one whose bending is below the rounding of
// its stretching, its plain form goes on.
std::unique_ptr<Integrator> Simulation::make_method(MethodChoice& choice,
                                                    const MechanicalSystem& stepped) const {
  if (scene_->device != Device::cpu) {
    const auto* model = dynamic_cast<const DeformableModel*>(&stepped);
    refuse_what_no_card_has(*scene_, world_, model ? *model : *model_);
    if (model && model->has_free_vertices())
      return make_device_method(world_, *model, choice.spec, scene_->gravity);
  }
  try {
    return make_integrator(choice.spec.type, stepped, choice.spec.options);
  } catch (const InputError& refusal) {
    if (asked_integrator().type != kAutoMethod || auto_role(choice.spec.type) != AutoRole::fitted_step) throw;
    const std::string plain = method_with(AutoRole::implicit_step);
    choice.spec = as_candidate(asked_integrator(), scene_work_, plain);
    choice.note = fmt::format("integrator auto: {}, because {}", plain, refusal.problems().front().message);
    return make_integrator(plain, stepped, choice.spec.options);
  }
}

std::string Simulation::solver_note() const {
  if (const std::string place = device_of(*integrator_); !place.empty())
    return fmt::format("steps are computed on {}", place);
  const KeptInverse* kept = integrator_->kept_inverse();
  if (!kept || kept->reason().empty()) return {};
  return fmt::format("linear solver: {}, because {}", kept->is_exact() ? "factorization" : "multigrid",
                     kept->reason());
}

void Simulation::say_of_solver() {
  std::string note = solver_note();
  if (note == said_of_solver_) return;
  messages_.warn(fmt::format("step {} (t = {:.6g} s): {}", step_ + 1, now_.t, note));
  said_of_solver_ = std::move(note);
}

EquilibriumReport Simulation::settle() {
  if (scene_->device != Device::cpu)
    throw InputError(
        world_.scene_file(), "/device",
        "equilibria are found on the CPU; expected \"cpu\", whose `phiflex settle` writes a state "
        "to start from");
  if (world_.has_projections())
    throw InputError(world_.scene_file(), "/settle",
                     "an obstacle projects at the ends of steps and has no force in equilibrium; expected "
                     "\"mode\": \"penalty\" in its contact");
  model_->slacken_branches();  // at rest for long
  const EquilibriumReport report = find_equilibrium(*model_, now_);
  work_ += report.work;
  model_->relax_branches(now_);
  if (report.status == StepStatus::ok) {
    next_ = now_;
    ledger_ = EnergyLedger(*model_, now_);
    energy_watch_ = EnergyWatch(*model_, ledger_.row(), h());
    watch(now_);
    return report;
  }
  const bool is_free = world_.active_constraints(now_.t) == 0;
  failure_ = fmt::format(
      "no equilibrium was found: {} after {} iterations, {}", describe(report.status), report.iterations,
      is_free ? fmt::format("{:.3g} N are left; no constraint holds the bodies", report.force)
              : fmt::format("which reached {:.3g} % of the loads", 100 * report.reached));
  return report;
}

void Simulation::set_memory(ArchiveReader& in) {
  model_->load_memory(in);
  ledger_ = EnergyLedger(*model_, now_);
  energy_watch_ = EnergyWatch(*model_, ledger_.row(), h());
}

bool Simulation::update_coarsening() {
  EigenFitCorrection& correction = eigenfit_->correction;
  const bool was_off = correction.is_off() && step_ > 0;  // from the start is news, too
  Work work;
  correction.update(now_, work);
  work_ += work;
  if (was_off || !correction.is_off()) return true;
  std::string words = fmt::format("step {} (t = {:.6g} s): eigenfit is switched off: {}", step_ + 1, now_.t,
                                  correction.reason());
  messages_.warn(words);
  if (scene_->coarsening->on_mismatch != OnMismatch::stop) return true;
  failure_ = std::move(words);
  return false;
}

StepStatus Simulation::advance() {
  if (!refusal_.empty()) {
    failure_ = fmt::format("step {}: {}: {}", step_ + 1, describe(StepStatus::refused), refusal_);
    return StepStatus::refused;
  }
  if (eigenfit_ && !update_coarsening()) return StepStatus::refused;
  model_->begin_step(now_, h());
  StepReport report;
  try {
    report = try_step();
    if (report.status != StepStatus::ok && may_change_method()) report = try_other_methods(report);
  } catch (...) {  // an interruption: the state is that of before
    model_->cancel_step();
    throw;
  }
  say_of_solver();
  if (!report.evaluator.empty()) ++quality_.evaluators[std::string(report.evaluator)];
  quality_.function_error = std::max(quality_.function_error, report.function_error);
  quality_.eigen_residual = std::max(quality_.eigen_residual, report.eigen_residual);
  StepStatus status = report.status;
  FilterReport contacts;
  if (status == StepStatus::ok) {
    if (model_->has_memory() && report.work.factorizations > 0) {
      ArchiveWriter memory;
      model_->save_memory(memory);
      factorized_memory_ = memory.bytes();
      factorized_from_ = now_;
    }
    const double relaxed = model_->end_step(next_);
    ledger_.advance(*model_, now_, next_, report, relaxed, known_energies_);
    if (!filters_.empty()) contacts = filter_contacts();
    if (contacts.changed() && !std::isfinite(model_->potential_energy(filtered_))) {
      ledger_.undo();
      model_->undo_step();
      status = StepStatus::not_finite;
      next_ = filtered_;
    }
  } else {
    model_->cancel_step();
  }
  if (status != StepStatus::ok) {
    std::string words =
        model_->diagnose(any(model_->team(), !next_.q.allFinite() || !next_.v.allFinite()) ? now_ : next_);
    failure_ = fmt::format("step {} (t = {:.6g} s): {}{}{}", step_ + 1, next_.t, describe(status),
                           words.empty() ? "" : ": ", words);
    add_advice();
    return status;
  }
  if (contacts.changed()) ledger_.filter(*model_, filtered_, contacts);
  status = check_energy();
  if (status != StepStatus::ok) {
    ledger_.undo();
    model_->undo_step();
    return status;
  }
  if (contacts.changed()) {
    if (contact_work_.size() > 0) add_contact_work();
    std::swap(next_, filtered_);
  }
  watch(next_);
  beyond_total_ = report.modified_energy.value_or(0);
  std::swap(now_, next_);
  ++step_;
  if (step_ < steps_ && may_change_method()) watch_method(report.work);
  if (step_ < steps_) release_constraints();
  return status;
}

void Simulation::set_velocities(const Vector& v) {
  model_->expand(now_, watched_x_, watched_v_);
  const double before = model_->kinetic_energy(now_);
  now_.v = model_->state(now_.t, watched_x_, v).v;
  ledger_.filter(*model_, now_, {.external = model_->kinetic_energy(now_) - before});
}

// At the start, for this model. What a state that has left its senses allows is no advice. 0: not known.
double Simulation::longest_stable_step() const {
  if (model_->dofs() == 0) return 0;
  Work unused;
  const double of_leapfrog = StableStep(*model_).at(world_.initial_state(*model_), unused);
  const double step = of_leapfrog * method().stability_limit / 2;
  return std::isfinite(step) ? step : 0;
}

void Simulation::add_advice() {
  const std::string robust = method_with(AutoRole::implicit_step);
  if (method().conditionally_stable) {
    const double step = longest_stable_step();
    failure_ +=
        fmt::format("; {} is stable only for h w_max < {:.3g}", method().name, method().stability_limit);
    if (step > 0 && step < h()) {
      failure_ += fmt::format(
          ", here for steps up to about {:.2g} s: take those (--step), or an implicit method such as {}",
          step, robust);
      return;
    }
  }
  failure_ += fmt::format(
      "; what may help: {}half the step ({:.3g} s), a stiffer material{}; `phiflex check` says how far "
      "bodies sag and how fast they vibrate",
      method().name == robust ? "" : fmt::format("the integrator {}, ", robust), h() / 2,
      scene_->contacts.empty() ? "" : ", softer contacts");
}

StepStatus Simulation::check_energy() {
  energy_watch_.add(step_ + 1, ledger_.row());
  const double available = energy_watch_.available();
  // EigenFit's correction does work that the coarse mesh's ledger does not know.
  if (energy_watch_.began() > 0 && !warned_of_energy_ && !eigenfit_) {
    warned_of_energy_ = true;
    messages_.warn(fmt::format(
        "step {} (t = {:.6g} s): {:.3g} J of energy have no source, {:.3g} % of the available energy (at the "
        "start, from gravity, forces and moved constraints): the method gains energy, or the step is too "
        "long",
        step_ + 1, next_.t, energy_watch_.gain() * available, 100 * energy_watch_.gain()));
  }
  if (!(energy_watch_.times_available() > scene_->limits.energy)) return StepStatus::ok;
  const std::int64_t began = energy_watch_.began() > 0 ? energy_watch_.began() : step_ + 1;
  failure_ = fmt::format(
      "step {} (t = {:.6g} s): {}: its energy, {:.3g} J, is more than {:.6g} times (`limits.energy`) the "
      "available energy, {:.3g} J; from step {} on more than {:.0f} % of the available energy had no source",
      step_ + 1, next_.t, describe(StepStatus::diverged), energy_watch_.times_available() * available,
      scene_->limits.energy, available, began, 100 * EnergyWatch::kWarning);
  add_advice();
  return StepStatus::diverged;
}

void Simulation::watch(const State& at) {
  if (world_.triangles() == 0 && !world_.has_splines()) return;
  model_->expand(at, watched_x_, watched_v_);
  quality_.largest_gap = std::max(quality_.largest_gap, world_.largest_gap(watched_x_));
  const std::int64_t outside = world_.outside_knots(watched_x_);
  if (outside == 0) return;
  if (quality_.steps_outside_knots == 0)
    messages_.warn(fmt::format(
        "t = {:.6g} s: {} tetrahedra are stretched beyond the knots of their spline material, where its "
        "curves go on straight; run.json counts the steps",
        at.t, outside));
  ++quality_.steps_outside_knots;
  quality_.most_outside_knots = std::max(quality_.most_outside_knots, outside);
}

FilterReport Simulation::filter_contacts() {
  filtered_ = next_;
  FilterReport report;
  for (std::size_t i = 0; i < filters_.size(); ++i) {
    report += filters_[i]->apply({h(), &now_, ledger_.lost_in_step()}, filtered_);
    if (i == 0 && world_.has_projections()) find_impulses();
  }
  work_.contacts_projected += report.projected;
  work_.contact_impulses += report.impulses;
  return report;
}

void Simulation::find_impulses() {
  const FreeVertices& free = model_->constraints().free();
  for (Index vertex = 0; vertex < impulses_.size() / 3; ++vertex) {
    const Index row = free.row_of_vertex[std::size_t(vertex)];
    impulses_.segment<3>(3 * vertex).setZero();
    if (row >= 0 && row < Index(free.vertex_of_row.size()))  // not a ghost's
      impulses_.segment<3>(3 * vertex) = model_->description().vertex_mass[vertex] *
                                         (filtered_.v.segment<3>(3 * row) - next_.v.segment<3>(3 * row));
  }
}

void Simulation::add_contact_work() {
  const FreeVertices& free = model_->constraints().free();
  for (Index vertex = 0; vertex < contact_work_.size(); ++vertex) {
    const int row = free.row_of_vertex[std::size_t(vertex)];
    if (row < 0) continue;
    const double before = next_.v.segment<3>(3 * Index(row)).squaredNorm();
    const double after = filtered_.v.segment<3>(3 * Index(row)).squaredNorm();
    contact_work_[vertex] += 0.5 * model_->description().vertex_mass[vertex] * (after - before);
  }
}

void Simulation::release_constraints() {
  if (world_.active_constraints(now_.t) == world_.active_constraints(now_.t - h())) return;
  std::unique_ptr<DeformableModel> model = world_.make_model(now_.t);
  try {
    std::unique_ptr<EigenFit> eigenfit = make_eigenfit(*scene_, world_, *model, now_.t);
    const MechanicalSystem& stepped =
        eigenfit ? static_cast<const MechanicalSystem&>(eigenfit->system) : *model;
    SceneWork work = scene_work(world_, *model);
    take_method(choose_method(asked_integrator(), stepped, work, h()), stepped);
    scene_work_ = work;
    method_watch_ = {};
    stable_step_.reset();
    eigenfit_ = std::move(eigenfit);
  } catch (const InputError& error) {  // this state can still be recorded; the next step fails
    refusal_ = error.what();
    return;
  }
  now_ = hand_over(*model_, now_, *model);
  model->take_memory(*model_);
  next_ = now_;
  ledger_.change_model(*model, now_);
  filters_ = world_.make_filters(*model);
  model_ = std::move(model);
}

void Simulation::save(ArchiveWriter& out) const {
  out.put(step_);
  out.put(now_.t);
  out.put(as_span(now_.q));
  out.put(as_span(now_.v));
  if (eigenfit_) eigenfit_->correction.save(out);
  if (asked_integrator().type == kAutoMethod) save_method(out);
  save_memory(out);
  integrator_->save(out);
  ledger_.save(out);
  energy_watch_.save(out);
  out.put(std::int64_t{warned_of_energy_});
  for (const WorkCount& count : work_counts) out.put(static_cast<std::int64_t>(work_.*count.member));
  for (const WorkPhase& phase : work_phases) out.put(work_.*phase.seconds);
  out.put(static_cast<std::int64_t>(quality_.evaluators.size()));
  for (const auto& [name, steps] : quality_.evaluators) {
    out.put(std::string_view(name));
    out.put(steps);
  }
  out.put(quality_.function_error);
  out.put(quality_.eigen_residual);
  out.put(quality_.largest_gap);
  out.put(quality_.steps_outside_knots);
  out.put(quality_.most_outside_knots);
  if (contact_work_.size() > 0) out.put(as_span(contact_work_));
}

void Simulation::save_memory(ArchiveWriter& out) const {
  if (!model_->has_memory()) return;
  model_->save_memory(out);
  out.put(std::string_view(factorized_memory_));
  if (!factorized_memory_.empty()) put_state(factorized_from_, out);
}

void Simulation::load_integrator(ArchiveReader& in) {
  if (!model_->has_memory()) return integrator_->load(in);
  model_->load_memory(in);
  factorized_memory_ = in.get_text();
  if (factorized_memory_.empty()) return integrator_->load(in);
  get_state(in, model_->dofs(), factorized_from_);
  ArchiveWriter memory;
  model_->save_memory(memory);
  ArchiveReader of_factorization(factorized_memory_), latest(memory.bytes());
  model_->load_memory(of_factorization);
  model_->begin_step(factorized_from_, h());
  integrator_->load(in);
  model_->load_memory(latest);
}

void Simulation::load(ArchiveReader& in) {
  messages_ = {};  // they were said before
  step_ = in.get_integer(0, steps_);
  const double t = in.get_double();
  if (t != time_of(step_)) throw ArchiveError("the time is not that of the step");
  const double model_time = step_ < steps_ ? t : t - h();  // the last state is not handed over
  model_ = world_.make_model(model_time);
  eigenfit_ = make_eigenfit(*scene_, world_, *model_, model_time);
  scene_work_ = scene_work(world_, *model_);
  stable_step_.reset();
  MethodChoice choice = choose_method(asked_integrator(), system(), scene_work_, h());
  filters_ = world_.make_filters(*model_);
  now_.t = t;
  now_.q.resize(model_->dofs());
  now_.v.resize(model_->dofs());
  in.get_doubles(as_span(now_.q));
  in.get_doubles(as_span(now_.v));
  if (!now_.q.allFinite() || !now_.v.allFinite()) throw ArchiveError("the state is not finite");
  next_ = now_;
  if (eigenfit_) eigenfit_->correction.load(in);
  if (asked_integrator().type == kAutoMethod) {
    const std::string type = load_method(in);
    if (type != choice.spec.type) choice.spec = as_candidate(asked_integrator(), scene_work_, type);
  }
  take_method(std::move(choice), system());
  load_integrator(in);
  said_of_solver_ = solver_note();
  ledger_.load(in, *model_, now_);
  energy_watch_.load(in);
  warned_of_energy_ = in.get_integer() != 0;
  for (const WorkCount& count : work_counts) work_.*count.member = static_cast<long>(in.get_integer());
  for (const WorkPhase& phase : work_phases) work_.*phase.seconds = in.get_double();
  quality_.evaluators.clear();
  for (std::int64_t left = in.get_integer(); left > 0; --left) {
    const std::string name = in.get_text();
    quality_.evaluators[name] = in.get_integer();
  }
  quality_.function_error = in.get_double();
  quality_.eigen_residual = in.get_double();
  quality_.largest_gap = in.get_double();
  quality_.steps_outside_knots = in.get_integer();
  quality_.most_outside_knots = in.get_integer();
  if (contact_work_.size() > 0) in.get_doubles(as_span(contact_work_));
}

}  // namespace phiflex
