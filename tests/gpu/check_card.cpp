// Compares a card with the serial back end, which test_cuda compares with the engine: every law's force, energy,
// products and steps of verlet, si, em, be, midpoint and ere on a small bar, and the multigrid on a larger one. Exit
// code 0: they agree; 1: they do not; 77: there is no card that can be used.
//
// A plain program, because it also runs on machines that have nothing but a card and nvcc (docs/gpu.md).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "phiflex/cuda/card_body.h"
#include "phiflex/material/all_laws.h"
#include "phiflex/material/described_law.h"
#include "tests/cuda/plain_box.h"
#include "tests/cuda/plain_series.h"

namespace phiflex::device {
namespace {

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    squares += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(squares / size);
}

int failures = 0;
void expect(const char* law, const char* what, double relative, double most) {
  const bool good = relative <= most;
  failures += !good;
  std::printf("%-22s %-34s %9.1e  at most %.0e%s\n", law, what, relative, most, good ? "" : "  <-- DIFFERS");
}

struct Results {
  std::vector<double> force, exact, projected, x_verlet, x_stable, x_si, v_si, x_em, v_em, x_be, v_be,
      x_midpoint, v_midpoint, x_ere, v_ere;
  DeviceEnergy energy;
  double em_loss = 0;  // of the energy, relative
  bool ok = true;
};
Results compute(DeviceBody& body, const DeviceTets& bar, double dissipation) {
  const std::vector<double> x = twisted(bar, 40);
  std::vector<double> v(x.size()), p(x.size());
  for (std::size_t q = 0; q < x.size(); ++q) {
    v[q] = 0.1 * std::sin(0.7 * double(q));
    p[q] = std::sin(12.9898 * double(q));
  }
  Results r;
  for (std::vector<double>* list :
       {&r.force, &r.exact, &r.projected, &r.x_verlet, &r.x_stable, &r.x_si, &r.v_si, &r.x_em, &r.v_em,
        &r.x_be, &r.v_be, &r.x_midpoint, &r.v_midpoint, &r.x_ere, &r.v_ere})
    list->resize(x.size());
  const auto start = [&] {
    body.set_state(x, v);
    body.set_time(0);
  };
  start();
  body.elastic_force(r.force);
  r.energy = body.energy();
  body.assemble(false);
  body.product(p, r.exact);
  body.assemble(true);
  body.product(p, r.projected);
  std::vector<double> ignored(x.size());
  r.ok &= body.step_verlet(1e-3, 10).status == DeviceStatus::ok;
  body.state(r.x_verlet, ignored);
  start();
  r.ok &= body.step_verlet(5e-3, 0).status == DeviceStatus::ok;
  body.state(r.x_stable, ignored);
  start();
  for (int step = 0; step < 3; ++step) r.ok &= body.step_si(0.01, 1e-8).status == DeviceStatus::ok;
  body.state(r.x_si, r.v_si);
  start();
  const double before = body.energy().total();
  for (int step = 0; step < 3; ++step)
    r.ok &= body.step_em(0.01, {.em_tolerance = 1e-8, .energy_tolerance = 1e-8, .dissipation = dissipation})
                .status == DeviceStatus::ok;
  body.state(r.x_em, r.v_em);
  r.em_loss = 1 - body.energy().total() / before;
  for (const bool midpoint : {false, true}) {
    start();
    for (int step = 0; step < 3; ++step)
      r.ok &= body.step_newton(0.01, {.midpoint = midpoint, .newton_tolerance = 1e-10}).status ==
              DeviceStatus::ok;
    body.state(midpoint ? r.x_midpoint : r.x_be, midpoint ? r.v_midpoint : r.v_be);
  }
  // Last, so that its memory is what a restart is made from.
  start();
  PlainSeries series;
  for (int step = 0; step < 3; ++step)
    r.ok &= body.step_ere(2e-3, {.tolerance = 1e-8}, series).status == DeviceStatus::ok;
  body.state(r.x_ere, r.v_ere);
  return r;
}

void compare(const char* law, const DeviceTets& bar, double dissipation) {
  const Results serial = compute(*make_serial_body(bar), bar, dissipation);
  const auto on_card = make_card_body(bar);
  const Results card = compute(*on_card, bar, dissipation), again = compute(*on_card, bar, dissipation);
  expect(law, "force", difference(card.force, serial.force), 1e-12);
  expect(law, "elastic energy", std::abs(card.energy.elastic / serial.energy.elastic - 1), 1e-12);
  expect(law, "kinetic energy", std::abs(card.energy.kinetic / serial.energy.kinetic - 1), 1e-12);
  // Blocks are rounded to float, from numbers that differ in their last digits.
  expect(law, "product, exact", difference(card.exact, serial.exact), 1e-7);
  expect(law, "product, projected", difference(card.projected, serial.projected), 1e-7);
  expect(law, "positions after verlet", difference(card.x_verlet, serial.x_verlet), 1e-12);
  expect(law, "positions after stable verlet", difference(card.x_stable, serial.x_stable), 1e-11);
  expect(law, "positions after three si", difference(card.x_si, serial.x_si), 1e-7);
  expect(law, "velocities after three si", difference(card.v_si, serial.v_si), 1e-5);
  expect(law, "positions after three em", difference(card.x_em, serial.x_em), 1e-7);
  expect(law, "velocities after three em", difference(card.v_em, serial.v_em), 1e-5);
  // Residuals are in double, so that float changes the way alone.
  expect(law, "positions after three be", difference(card.x_be, serial.x_be), 1e-9);
  expect(law, "velocities after three be", difference(card.v_be, serial.v_be), 1e-7);
  expect(law, "positions after three midpoint", difference(card.x_midpoint, serial.x_midpoint), 1e-9);
  expect(law, "velocities after three midpoint", difference(card.v_midpoint, serial.v_midpoint), 1e-7);
  // Of ere K makes the step itself.
  expect(law, "positions after three ere", difference(card.x_ere, serial.x_ere), 1e-7);
  expect(law, "velocities after three ere", difference(card.v_ere, serial.v_ere), 1e-5);
  if (dissipation == 1) expect(law, "energy that em loses", std::abs(card.em_loss), 1e-7);
  const bool same =
      card.force == again.force && card.exact == again.exact && card.x_verlet == again.x_verlet &&
      card.x_stable == again.x_stable && card.x_si == again.x_si && card.v_si == again.v_si &&
      card.x_em == again.x_em && card.v_em == again.v_em && card.x_be == again.x_be &&
      card.v_be == again.v_be && card.x_midpoint == again.x_midpoint && card.v_midpoint == again.v_midpoint &&
      card.x_ere == again.x_ere && card.v_ere == again.v_ere && card.energy.elastic == again.energy.elastic;
  expect(law, "other bits in a second run", same ? 0 : 1, 0);
  expect(law, "steps that failed", serial.ok && card.ok ? 0 : 1, 0);
  // What is saved takes another body to the same bits.
  const auto other = make_card_body(bar);
  const std::vector<double> x = twisted(bar, 40);
  other->set_state(x, std::vector<double>(x.size(), 0.0));  // held vertices, whose places are not saved
  PlainSeries series;
  bool continues = other->restore(on_card->saved());
  for (DeviceBody* body : {on_card.get(), other.get()}) {
    body->set_time(0.1);
    continues &= body->step_ere(2e-3, {}, series).status == DeviceStatus::ok;
    for (int step = 0; step < 2; ++step)
      continues &= body->step_em(0.01, {.dissipation = dissipation}).status == DeviceStatus::ok;
  }
  continues &= other->restore(on_card->saved());
  for (DeviceBody* body : {on_card.get(), other.get()}) {
    body->set_time(0.1);
    continues &= body->step_em(0.01, {.dissipation = dissipation}).status == DeviceStatus::ok;
  }
  expect(law, "other bits after a restart", continues && on_card->saved() == other->saved() ? 0 : 1, 0);
}

// A law with the numbers of its examples, ten times softer: some 1e5 Pa. The catalogue's own list needs more than nvcc.
void compare_law(const MaterialInfo& law) {
  std::vector<double> numbers;
  for (const ParameterInfo& parameter : law.parameters) {
    if (parameter.kind == ParameterKind::curve) return;  // not on devices
    const double factor = std::string_view(parameter.unit) == "Pa" ? 0.1 : 1;
    for (int k = 0; k < parameter.count(); ++k) numbers.push_back(factor * parameter.example[std::size_t(k)]);
  }
  const std::string name(law.name);
  DeviceTets bar = plain_bar(5, name, numbers, 1000);
  bar.gravity = {0, -9.81, 0};
  bar.preconditioner = DevicePreconditioner::diagonal;
  compare(name.c_str(), bar, 1);
}
// Gravity, a load that changes, damping, and a held end that is moved.
DeviceTets driven(DeviceTets bar) {
  std::vector<double> forces(bar.rest.size());
  for (std::size_t q = 0; q < forces.size(); ++q) forces[q] = 1e-3 * std::sin(0.3 * double(q));
  bar.loads.push_back({.forces = forces,
                       .factor = [](double t) { return std::sin(40 * t); },
                       .rate = [](double t) { return 40 * std::cos(40 * t); }});
  bar.alpha.assign(bar.masses.size(), 2);
  bar.beta.assign(bar.tets.size(), 1e-3);
  bar.damps_current = true;
  std::vector<double> start;
  for (std::size_t v = 0; v < bar.held.size(); ++v)
    if (bar.held[v]) {
      bar.motion.vertices.push_back(int(v));
      start.insert(start.end(), bar.rest.begin() + std::ptrdiff_t(3 * v),
                   bar.rest.begin() + std::ptrdiff_t(3 * v + 3));
    }
  bar.motion.at = [start](double t, std::span<double> x, std::span<double> v) {
    for (std::size_t q = 0; q < x.size(); ++q) {
      x[q] = start[q] + (q % 3 == 1 ? 0.01 * std::sin(20 * t) : 0);
      v[q] = q % 3 == 1 ? 0.2 * std::cos(20 * t) : 0;
    }
  };
  return bar;
}

template <class... Law>
void compare_each(const std::tuple<Law...>*) {
  (compare_law(described_law<Law>()), ...);
}

int check() {
  try {
    std::printf("%s\n", describe_card().c_str());
  } catch (const std::runtime_error& error) {
    std::printf("skipped: %s\n", error.what());
    return 77;
  }
  compare_each(static_cast<const Laws*>(nullptr));
  DeviceTets pulled = driven(plain_bar(5, "neo-hookean", {1e5, 0.4}, 1000));
  pulled.gravity = {0, -9.81, 0};
  compare("load, damping, motion", pulled, 0.9);
  // Once more with the multigrid and the dial, on a bar with a level between the mesh and the dense inverse.
  DeviceTets bar = plain_bar(12, "neo-hookean", {1e5, 0.4}, 1000);
  bar.gravity = {0, -9.81, 0};
  bar.preconditioner = DevicePreconditioner::multigrid;
  compare("multigrid, dial", bar, 0.8);
  std::printf(failures == 0 ? "the card agrees\n" : "%d comparisons differ\n", failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace phiflex::device

int main() {
  try {
    return phiflex::device::check();
  } catch (const std::exception& error) {
    std::printf("failed: %s\n", error.what());
    return 1;
  }
}
