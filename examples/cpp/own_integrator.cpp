// An integrator of one's own: velocity Verlet, from what MechanicalSystem offers to every method,
//
//   v_half = v + h/2 M^-1 f(t, q, v)                                                                      (1)
//   q+ = q + h v_half                                                                                     (2)
//   v+ = v_half + h/2 M^-1 f(t + h, q+, v_half)                                                           (3)
//
// compared with the library's `verlet`, which makes the same steps for forces that do not depend on the velocity.
#include <phiflex/engine.h>

#include <cmath>
#include <cstdio>

using namespace phiflex;

class OwnVerlet final : public Integrator {
 public:
  explicit OwnVerlet(const MechanicalSystem& system)
      : system_(system) {}  // the system must outlive the method

  const MethodInfo& info() const override {
    static constexpr MethodInfo info{.name = "own-verlet",
                                     .summary = "velocity Verlet, written by a user of the library",
                                     .order = 2,
                                     .symplectic = true,
                                     .conditionally_stable = true,
                                     .stability_limit = 2,
                                     .reversible = true,
                                     .citation = ""};
    return info;
  }

  // Reads `now`, writes `next`; on failure the caller keeps `now`.
  StepReport step(const State& now, double h, State& next) override {
    StepReport report;
    system_.force(now, f_);
    system_.mass().solve(f_, a_);
    half_ = now.v + 0.5 * h * a_;  // (1)
    next.t = now.t + h;
    next.q = now.q + h * half_;  // (2)
    next.v = half_;
    system_.force(next, f_);
    system_.mass().solve(f_, a_);
    next.v = half_ + 0.5 * h * a_;  // (3)
    report.work.force_evaluations += 2;
    if (!next.q.allFinite() || !next.v.allFinite()) report.status = StepStatus::not_finite;
    return report;
  }

 private:
  const MechanicalSystem& system_;
  Vector f_, a_, half_;
};

int main() {
  try {
    ModelBuilder builder;
    const int bar =
        builder.add_solid({.name = "bar",
                           .mesh = generate_box({{0.4, 0.1, 0.1}, {8, 2, 2}}),
                           .material = {"neo-hookean", {{"young", 1e5}, {"poisson", 0.3}}, 1000}});
    std::vector<int> left;
    for (int v = 0; v < builder.body(bar).vertex_count(); ++v)
      if (builder.body(bar).rest()[v][0] < 1e-9) left.push_back(v);
    builder.hold(bar, left);
    builder.set_gravity({0, -9.81, 0});
    const Assembly assembly = builder.build();
    const std::unique_ptr<DeformableModel> model = assembly.make_model(0);

    OwnVerlet own(*model);
    const std::unique_ptr<Integrator> built_in = make_integrator("verlet", *model, {});
    State a = assembly.initial_state(*model), b = a, next = a;
    const double h = 2e-4;
    for (int step = 0; step < 500; ++step) {
      if (own.step(a, h, next).status != StepStatus::ok) return 1;
      std::swap(a, next);
      if (built_in->step(b, h, next).status != StepStatus::ok) return 1;
      std::swap(b, next);
    }
    const double difference = (a.q - b.q).norm() / a.q.norm();
    std::printf("after %.1f s: |q| = %.4f m, relative difference from `verlet` %.1e\n", a.t, a.q.norm(),
                difference);
    return difference < 1e-9 && a.q.norm() > 0.01 ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
