#include "phiflex/run/device_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "phiflex/base/problem_list.h"
#include "phiflex/base/text.h"
#include "phiflex/base/unavailable.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/em_options.h"
#include "phiflex/integrate/exponential_options.h"
#include "phiflex/integrate/newton_options.h"
#include "phiflex/integrate/step_memory.h"
#include "phiflex/material/catalogue.h"
#include "phiflex/model/nodal_load.h"
#include "phiflex/run/device_motion.h"
#include "phiflex/run/device_series.h"

namespace phiflex {
namespace {

std::atomic<CardMaker> card_in_use{nullptr};

// A method of cards, with those of its settings that cards know.
struct CardMethod {
  std::string_view name;
  std::vector<std::string_view> settings;
  std::unique_ptr<Integrator> (*make)(const IntegratorSpec&, const SceneModel&, const DeformableModel&,
                                      const std::array<double, 3>& gravity);
};
const std::vector<CardMethod>& card_methods();

const CardMethod* find_card_method(std::string_view name) {
  for (const CardMethod& method : card_methods())
    if (method.name == name) return &method;
  return nullptr;
}

constexpr std::string_view kCardEvaluator = "chebyshev";

// `auto` is what a scene has that says nothing: on a card the only one there is.
void refuse_evaluator(const IntegratorSpec& spec, ProblemList& problems) {
  const std::string type = spec.options.read<ExponentialOptions>().settings().type;
  if (type != kCardEvaluator && type != "auto")
    problems.problem(
        "/integrator/evaluator",
        fmt::format("a graphics card has no evaluator \"{}\" of matrix functions; expected \"{}\", or none",
                    type, kCardEvaluator));
}

}  // namespace

std::string_view known_name(const std::string& type) {
  const MethodEntry* entry = find_integrator(type);
  return entry ? entry->info->name : std::string_view(type);
}

void use_card(CardMaker maker) {
  card_in_use = maker;
}

CardMaker card() {
  return card_in_use;
}

void refuse_method_of_card(const IntegratorSpec& spec, ProblemList& problems) {
  const CardMethod* method = find_card_method(known_name(spec.type));
  if (!method) {
    std::vector<std::string> names;
    for (const CardMethod& known : card_methods()) names.push_back(fmt::format("\"{}\"", known.name));
    problems.problem("/integrator/type",
                     fmt::format("a graphics card has no steps of \"{}\"{}; expected one of {}", spec.type,
                                 spec.type == "auto" ? ", which chooses by what steps cost on the CPU" : "",
                                 joined(names, ", ")));
    return;
  }
  for (const std::string& key : option_keys(*find_integrator(spec.type)))
    if (spec.options.find(key) &&
        std::find(method->settings.begin(), method->settings.end(), key) == method->settings.end())
      problems.problem(
          "/integrator/" + key,
          fmt::format("a graphics card makes its steps of \"{}\" without this setting; expected none",
                      method->name));
  if (method->name == "ere") refuse_evaluator(spec, problems);
}

namespace {

StepStatus status_of(device::DeviceStatus status) {
  switch (status) {
    case device::DeviceStatus::ok:
      return StepStatus::ok;
    case device::DeviceStatus::not_finite:
      return StepStatus::not_finite;
    case device::DeviceStatus::not_positive_definite:
      return StepStatus::not_positive_definite;
    case device::DeviceStatus::not_converged:
      return StepStatus::not_converged;
    case device::DeviceStatus::not_stable:
      return StepStatus::not_stable;
    case device::DeviceStatus::function_not_evaluated:
      return StepStatus::function_not_evaluated;
  }
  throw std::logic_error("a status of a device's step that is not known");
}

Work work_of(const device::DeviceStep& step) {
  Work work;
  work.assemblies = step.assemblies;
  work.cg_iterations = step.iterations;
  work.newton_iterations = step.newton_iterations;
  work.line_search_steps = step.line_search_steps;
  work.projected_hessians = step.projected ? 1 : 0;
  work.raised_hessians = step.raised;
  work.stiffness_products = step.products;
  work.halved_steps = step.halved_steps;
  work.rejected_steps = step.rejected_steps;
  work.inner_steps = step.substeps > 1 ? step.substeps : 0;
  return work;
}

// The value of an option of a method, or its default.
OptionValue value_of(const IntegratorSpec& spec, std::string_view key) {
  const MethodEntry* entry = find_integrator(spec.type);
  for (const Option& option : entry->options) {
    if (option.key != key) continue;
    const OptionValue* given = spec.options.find(key);
    const OptionValue& value = given ? *given : option.fallback;
    option.check(value);
    return value;
  }
  throw std::logic_error("a method without the option " + std::string(key));
}
double number_of(const IntegratorSpec& spec, std::string_view key) {
  const OptionValue value = value_of(spec, key);
  const auto* whole = std::get_if<std::int64_t>(&value);
  return whole ? static_cast<double>(*whole) : std::get<double>(value);
}
bool flag_of(const IntegratorSpec& spec, std::string_view key) {
  return std::get<bool>(value_of(spec, key));
}

device::DeviceTets tets_of(const SceneModel& world, const DeformableModel& model) {
  const ModelDescription& description = model.description();
  const std::vector<int>& rows = model.constraints().free().row_of_vertex;
  device::DeviceTets tets;
  tets.rest.assign(description.rest.begin(), description.rest.end());
  tets.masses.assign(description.vertex_mass.begin(), description.vertex_mass.end());
  for (const int row : rows) tets.held.push_back(row < 0);
  for (const Body& body : world.bodies()) {
    const std::vector<Tet> of_body = model_tets(body);
    tets.tets.insert(tets.tets.end(), of_body.begin(), of_body.end());
    const bool is_damped = body.damping.acts();
    if (is_damped) {
      tets.alpha.resize(tets.masses.size());
      tets.beta.resize(tets.tets.size() - of_body.size());
      std::fill_n(tets.alpha.begin() + body.first_vertex, body.vertex_count(), body.damping.alpha);
      tets.damps_current |= body.damping.beta != 0 && body.damping.stiffness == DampedStiffness::current;
    }
    if (is_damped || !tets.beta.empty()) tets.beta.resize(tets.tets.size(), body.damping.beta);
    for (const ElementMaterial& material : body.solid()->materials.elements) {
      tets.law = material.law;
      tets.parameters.insert(tets.parameters.end(), material.parameters.begin(), material.parameters.end());
    }
  }
  return tets;
}

// Loads that change in the same way are one there.
std::vector<device::DeviceLoad> loads_of(const DeformableModel& model) {
  std::vector<std::shared_ptr<const NodalLoad>> first;  // of each
  std::vector<device::DeviceLoad> loads;
  for (const auto& given : model.description().loads) {
    const auto load = std::dynamic_pointer_cast<const NodalLoad>(given);
    const auto same = std::find_if(first.begin(), first.end(), [&](const auto& known) {
      return known->active() == load->active() && known->modulation() == load->modulation();
    });
    const auto place = std::size_t(same - first.begin());
    if (same == first.end()) {
      first.push_back(load);
      loads.push_back({.forces = std::vector<double>(3 * std::size_t(model.vertices()), 0.0),
                       .factor = [load](double t) { return load->factor(t); },
                       .rate = [load](double t) { return load->rate(t); }});
    }
    for (std::size_t i = 0; i < load->vertices().size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        loads[place].forces[3 * std::size_t(load->vertices()[i]) + k] += load->forces()[Index(3 * i + k)];
  }
  return loads;
}

// A method of the catalogue whose steps are made on a device.
class DeviceMethod : public Integrator {
 public:
  const MethodInfo& info() const final { return info_; }
  std::string device() const { return body_->device(); }
  const Energies& energies() const { return energies_; }

  StepReport step(const State& now, double h, State& next) final {
    StepReport report;
    if (!memory_.ends_in(now, h)) put(now);
    body_->set_time(now.t);
    const device::DeviceStep step = advance(h);
    report.status = status_of(step.status);
    report.work = work_of(step);
    if (report.status != StepStatus::ok) return report;
    next.t = now.t + h;
    next.q.resize(now.q.size());
    next.v.resize(now.v.size());
    body_->free_state(as_span(next.q), as_span(next.v));
    next.q -= rest_;
    memory_.keep(next, h);
    const device::DeviceEnergy energy = body_->energy();
    energies_ = {.kinetic = energy.kinetic, .elastic = energy.elastic, .gravity = energy.gravity};
    say(step, now, next, report);
    return report;
  }
  // The positions on the device are not those of the state to the last bit: they are not displacements.
  void save(ArchiveWriter& out) const final {
    memory_.save(out);
    if (memory_.known()) out.put(std::span<const double>(body_->saved()));
  }
  void load(ArchiveReader& in) final {
    memory_.load(in, rest_.size());
    if (!memory_.known()) return;
    State end{0, Vector::Zero(rest_.size()), Vector::Zero(rest_.size())};
    put(end);  // held vertices, whose places are not saved
    if (!body_->restore(in.get_doubles())) throw ArchiveError("what a device had is not of this scene");
  }

 protected:
  DeviceMethod(const IntegratorSpec& spec, const SceneModel& world, const DeformableModel& model,
               std::array<double, 3> gravity)
      : info_(*find_integrator(spec.type)->info), model_(model) {
    const CardMaker make = card();
    if (!make)
      throw Unavailable(
          "this phiflex has no kernels for graphics cards: build it where nvcc is (-DPHIFLEX_CUDA=ON)");
    device::DeviceTets tets = tets_of(world, model);
    if (tets.tets.size() > std::size_t(std::numeric_limits<int>::max()) / 12)
      throw InputError("", "/bodies",
                       fmt::format("a graphics card has no bodies of {} tetrahedra; expected at most {}",
                                   tets.tets.size(), std::numeric_limits<int>::max() / 12));
    tets.gravity = gravity;
    tets.loads = loads_of(model);
    tets.motion = motion_of(model);
    body_ = make(tets);
    model_.constraints().gather(model_.description().rest, rest_);
  }
  device::DeviceBody& body() { return *body_; }

 private:
  virtual device::DeviceStep advance(double h) = 0;
  virtual void say(const device::DeviceStep&, const State&, const State&, StepReport&) {}
  void put(const State& at) {
    model_.expand(at, x_, v_);
    body_->set_state(as_span(x_), as_span(v_));
  }

  MethodInfo info_;
  const DeformableModel& model_;
  std::unique_ptr<device::DeviceBody> body_;
  Energies energies_;
  StepMemory memory_;  // the state that the body on the device has
  Vector rest_;        // of the free vertices, m
  Vector x_, v_;       // of all vertices
};

class DeviceEm final : public DeviceMethod {
 public:
  DeviceEm(const IntegratorSpec& spec, const SceneModel& world, const DeformableModel& model,
           std::array<double, 3> gravity)
      : DeviceMethod(spec, world, model, gravity),
        options_{.em_tolerance = number_of(spec, "em_tolerance"),
                 .energy_tolerance = number_of(spec, "energy_tolerance"),
                 .dissipation = number_of(spec, "dissipation"),
                 .substeps = static_cast<int>(number_of(spec, "substeps"))} {
    body().reserve_em(options_);
  }

 private:
  device::DeviceStep advance(double h) override { return body().step_em(h, options_); }
  void say(const device::DeviceStep& step, const State&, const State&, StepReport& report) override {
    report.step_work = StepWork{.external = step.external_work, .dissipated = step.dissipated};
    if (options_.dissipation != 1) report.modified_energy = step.modified_energy;
  }
  device::DeviceEmOptions options_;
};

class DeviceSi final : public DeviceMethod {
 public:
  DeviceSi(const IntegratorSpec& spec, const SceneModel& world, const DeformableModel& model,
           std::array<double, 3> gravity)
      : DeviceMethod(spec, world, model, gravity), tolerance_(number_of(spec, "linear_tolerance")) {}

 private:
  device::DeviceStep advance(double h) override { return body().step_si(h, tolerance_); }
  void say(const device::DeviceStep&, const State& now, const State& next, StepReport& report) override {
    damped_at_ = {now.t, now.q, next.v};
    report.damping = {{{&damped_at_, 1}}};
  }
  State damped_at_;  // of the latest step
  double tolerance_;
};

// `be` and `midpoint`.
class DeviceNewton final : public DeviceMethod {
 public:
  DeviceNewton(const IntegratorSpec& spec, const SceneModel& world, const DeformableModel& model,
               std::array<double, 3> gravity)
      : DeviceMethod(spec, world, model, gravity) {
    const NewtonOptions given = spec.options.read<NewtonOptions>();
    options_ = {.midpoint = info().name == "midpoint",
                .newton_tolerance = given.newton_tolerance,
                .newton_limit = given.newton_limit,
                .project_hessian = given.tangent.project_hessian,
                .raise_diagonal = given.hessian_correction == HessianCorrection::diagonal,
                .halve_step = given.halve_step};
    body().reserve_newton();
  }

 private:
  device::DeviceStep advance(double h) override { return body().step_newton(h, options_); }
  void say(const device::DeviceStep& step, const State& now, const State& next, StepReport& report) override {
    if (step.halved_steps > 0) return;
    damped_at_ = next;
    if (options_.midpoint) damped_at_ = {(now.t + next.t) / 2, (now.q + next.q) / 2, (now.v + next.v) / 2};
    report.damping = {{{&damped_at_, 1}}};
  }
  State damped_at_;  // of the latest step
  device::DeviceNewtonOptions options_;
};

class DeviceEre final : public DeviceMethod {
 public:
  DeviceEre(const IntegratorSpec& spec, const SceneModel& world, const DeformableModel& model,
            std::array<double, 3> gravity)
      : DeviceMethod(spec, world, model, gravity) {
    const ExponentialOptions given = spec.options.read<ExponentialOptions>();
    options_ = {.tolerance = given.settings().tolerance.value_or(given.tolerance),
                .project_hessian = flag_of(spec, "project_hessian")};
    body().reserve_ere();
  }

 private:
  device::DeviceStep advance(double h) override { return body().step_ere(h, options_, series_); }
  void say(const device::DeviceStep& step, const State&, const State&, StepReport& report) override {
    report.evaluator = kCardEvaluator;
    report.function_error = step.function_error;
  }
  device::DeviceEreOptions options_;
  HostSeries series_;
};

class DeviceVerlet final : public DeviceMethod {
 public:
  DeviceVerlet(const IntegratorSpec& spec, const SceneModel& world, const DeformableModel& model,
               std::array<double, 3> gravity)
      : DeviceMethod(spec, world, model, gravity), substeps_(static_cast<int>(number_of(spec, "substeps"))) {}

 private:
  device::DeviceStep advance(double h) override { return body().step_verlet(h, substeps_); }
  int substeps_;
};

template <class Method>
std::unique_ptr<Integrator> make_on_card(const IntegratorSpec& spec, const SceneModel& world,
                                         const DeformableModel& model, const std::array<double, 3>& gravity) {
  return std::make_unique<Method>(spec, world, model, gravity);
}

const std::vector<CardMethod>& card_methods() {
  static const std::vector<std::string_view> newton = {"newton_tolerance", "newton_limit", "project_hessian",
                                                       "hessian_correction", "halve_step"};
  static const std::vector<CardMethod> methods = {
      {"em", {"em_tolerance", "energy_tolerance", "dissipation", "substeps"}, make_on_card<DeviceEm>},
      {"si", {"linear_tolerance"}, make_on_card<DeviceSi>},
      {"be", newton, make_on_card<DeviceNewton>},
      {"midpoint", newton, make_on_card<DeviceNewton>},
      {"ere", {"evaluator", "tolerance", "project_hessian"}, make_on_card<DeviceEre>},
      {"verlet", {"substeps"}, make_on_card<DeviceVerlet>}};
  return methods;
}

}  // namespace

std::unique_ptr<Integrator> make_device_method(const SceneModel& world, const DeformableModel& model,
                                               const IntegratorSpec& spec,
                                               const std::array<double, 3>& gravity) {
  if (const CardMethod* method = find_card_method(known_name(spec.type)))
    return method->make(spec, world, model, gravity);
  throw std::logic_error("a method that no device has was not refused: " + spec.type);
}

std::optional<Energies> energies_on_device(const Integrator& method) {
  const auto* on_device = dynamic_cast<const DeviceMethod*>(&method);
  return on_device ? std::optional(on_device->energies()) : std::nullopt;
}

std::string device_of(const Integrator& method) {
  const auto* on_device = dynamic_cast<const DeviceMethod*>(&method);
  return on_device ? on_device->device() : std::string();
}

}  // namespace phiflex
