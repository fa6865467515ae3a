// A model built in code: a box of tetrahedra beside a rope of springs, released at half a second above a floor.
#include <phiflex/engine.h>

#include <cmath>
#include <cstdio>

int main() {
  using namespace phiflex;
  try {
    ModelBuilder builder;
    TetMesh mesh = generate_box({{0.2, 0.1, 0.1}, {4, 2, 2}});  // or read_tet_mesh("body.msh")
    const int box =
        builder.add_solid({.name = "box",
                           .mesh = std::move(mesh),
                           .material = {"stable-neo-hookean", {{"young", 1e5}, {"poisson", 0.45}}, 1000},
                           .damping = {0, 0.001}});
    const int rope = builder.add_springs({.name = "rope",
                                          .network = generate_rope({.from = {-0.1, 0.4, 0.05},
                                                                    .to = {0.3, 0.4, 0.05},
                                                                    .segments = 8,
                                                                    .strength = {.value = 200},
                                                                    .linear_density = 0.1})});
    builder.hold(rope, {0, 8});
    std::vector<int> left;  // vertices of the box at x = 0
    for (int v = 0; v < builder.body(box).vertex_count(); ++v)
      if (builder.body(box).rest()[v][0] < 1e-9) left.push_back(v);
    builder.hold(box, left, {}, 0.5);  // released at 0.5 s
    builder.set_gravity({0, -9.81, 0});
    builder.add_load(box,
                     {.measure = VertexLoad::Measure::acceleration, .value = {0, 0, 2}, .active = {0, 0.3}});
    builder.add_floor(-0.5, {.mode = ContactMode::penalty, .stiffness = 2e4});
    const Assembly assembly = builder.build();  // InputError with everything that is wrong

    const double h = 0.005;
    std::unique_ptr<DeformableModel> model = assembly.make_model(0);
    std::unique_ptr<Integrator> integrator = make_integrator("be", *model, {});
    State now = assembly.initial_state(*model), next = now;
    for (int step = 1; step <= 200; ++step) {
      if (const StepReport report = integrator->step(now, h, next); report.status != StepStatus::ok) {
        std::printf("step %d: %s\n", step, std::string(describe(report.status)).c_str());
        return 1;
      }
      std::swap(now, next);
      // A released constraint is another model: the state is handed over.
      if (assembly.active_constraints(now.t) != assembly.active_constraints(now.t - h)) {
        std::unique_ptr<DeformableModel> released = assembly.make_model(now.t);
        now = next = hand_over(*model, now, *released);
        integrator = make_integrator("be", *released, {});
        model = std::move(released);
      }
    }

    Vector x, v;
    model->expand(now, x, v);
    const Index lowest = 3 * Index(assembly.bodies()[std::size_t(box)].first_vertex) + 1;
    const Energies energies = model->energies(now);
    std::printf("%ld degrees of freedom; box at y = %.3f m; kinetic %.3f J, elastic %.3f J, contact %.3f J\n",
                long(model->dofs()), x[lowest], energies.kinetic, energies.elastic, energies.contact);
    // Half a second of free fall is 1.2 m: the box lies on the floor at -0.5 m, or bounces above it.
    return std::isfinite(energies.total()) && x[lowest] > -0.6 && x[lowest] < 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
