// `auto` beside its candidates on varied scenes: counted work (run/step_prices.h), processor time of one thread, and
// the largest energy that the method took or gave, in per cent of the energy exchanged (docs/run_folder.md).
//
// Promised: the run succeeds where a candidate does, and its counted work is at most 1.5 times that of the cheapest
// candidate which is as accurate: that loses no more than `auto`, or than 1 %. Processor time is shown as it is.
// `bench_auto NAME` runs one scene, `bench_auto rates` measures what the prices are made of. The last ones need a
// collection of meshes in $PHIFLEX_MESHES.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "bench/thread_clock.h"
#include "phiflex/base/parallel.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/run/run.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/scene.h"

using namespace phiflex;

namespace {

constexpr double kMostWork = 1.5, kAccurate = 0.01;
constexpr double kMostSeconds = 40;  // of a run; longer ones are cut off and say so

struct Case {
  const char* name;
  const char* file;  // a folder of scenes/, or a mesh of the collection
  std::vector<std::string> set;
  int steps;
};

struct Result {
  std::string method;  // at the end
  bool ok = false, cut = false;
  int steps = 0;
  double counted = 0, seconds = 0, loss = 0;
  std::size_t changes = 0;
  Work work;
  std::string failure;
};

std::string scene_of_mesh(const std::string& mesh) {
  return R"({ "phiflex": 1, "time": { "step": 0.01, "end": 10 }, "bodies": [ { "name": "body", "mesh": { "file": ")" +
         mesh +
         R"(" }, "material": { "type": "stable-neo-hookean", "young": 1e5, "poisson": 0.45, "density": 1000 } } ] })";
}

Scene scene_of(const Case& of, const std::string& method, const char* meshes) {
  std::vector<std::string> set = of.set;
  set.push_back("integrator.type=" + method);
  std::vector<Problem> unused;
  if (std::strchr(of.file, '.') != nullptr)
    return parse_scene(scene_of_mesh(std::string(meshes) + "/" + of.file), "scene", read_options(set),
                       unused);
  return read_scene(std::string(PHIFLEX_SOURCE_DIR) + "/scenes/" + of.file + "/scene.json", read_options(set),
                    unused);
}

Result run(const Case& of, const std::string& method, const char* meshes) {
  Result result;
  Scene scene = scene_of(of, method, meshes);
  const SceneModel world = build_scene(scene, of.name);
  {
    const auto model = world.make_model(0);
    if (method == "em") scene.integrator = as_candidate(scene.integrator, scene_work(world, *model), "em");
  }
  Simulation simulation(scene, world, of.steps);
  const double start = bench::thread_seconds();
  double exchanged = simulation.ledger().energies.elastic, worst = 0;
  Work before;
  const DeformableModel* priced = nullptr;  // the model that the prices are of
  StepPrices prices;
  while (simulation.step() < of.steps) {
    const std::string stepped(simulation.method().name);
    if (priced != &simulation.model()) {
      priced = &simulation.model();
      prices = scene_work(world, *priced).prices;
      prices.know(KeptInverse(simulation.system().pattern(), LinearSolver::automatic));
    }
    const double begin = bench::thread_seconds();
    const StepStatus status = simulation.advance();
    result.seconds += bench::thread_seconds() - begin;
    if (status != StepStatus::ok) {
      result.failure = simulation.failure();
      break;
    }
    worst = std::max(worst, std::abs(simulation.ledger().numerical_loss));
    exchanged = std::max(exchanged, simulation.ledger().energies.kinetic);
    // Counts of this step.
    Work step;
    for (const WorkCount& count : work_counts)
      step.*count.member = simulation.work().*count.member - before.*count.member;
    before = simulation.work();
    result.counted += prices.counted(step, stepped == "verlet");
    if (bench::thread_seconds() - start > kMostSeconds) {
      result.cut = true;
      break;
    }
  }
  result.steps = int(simulation.step());
  result.ok = result.failure.empty();
  result.method = simulation.method().name;
  result.changes = simulation.method_changes().size();
  result.loss = exchanged > 0 ? worst / exchanged : 0;
  result.work = simulation.work();
  return result;
}

bool compare(const Case& of, const char* meshes, bool verbose) {
  const Result chosen = run(of, "auto", meshes);
  std::printf("%s, %d steps\n", of.name, of.steps);
  double best = std::numeric_limits<double>::infinity(), best_seconds = best;
  bool any = false;
  const auto print = [&](const char* name, const Result& r) {
    const double steps = std::max(1, r.steps);
    std::printf("  %-14s %5d steps %10.3f ms counted %10.3f ms processor  loss %8.3f %%%s%s\n", name, r.steps,
                1e-6 * r.counted / steps, 1e3 * r.seconds / steps, 100 * r.loss, r.cut ? "  (cut off)" : "",
                r.ok ? "" : ("  FAILED: " + r.failure.substr(0, 60)).c_str());
    if (verbose) {
      std::printf("     ");
      for (const WorkCount& count : work_counts)
        if (r.work.*count.member > 0)
          std::printf(" %s %.2f", count.name, double(r.work.*count.member) / steps);
      std::printf("\n");
    }
  };
  std::string name =
      "auto: " + chosen.method + (chosen.changes > 0 ? " (" + std::to_string(chosen.changes) + " ch.)" : "");
  print(name.c_str(), chosen);
  for (const char* method : {"verlet", "em", "si", "be"}) {
    const Result r = run(of, method, meshes);
    print(method, r);
    if (!r.ok || r.steps == 0) continue;
    any = true;
    if (r.loss > std::max(kAccurate, chosen.loss)) continue;
    best = std::min(best, r.counted / r.steps);
    best_seconds = std::min(best_seconds, r.seconds / r.steps);
  }
  const double ratio = chosen.counted / std::max(1, chosen.steps) / best;
  const bool kept = (chosen.ok || !any) && (!(best < 1e300) || ratio <= kMostWork);
  std::printf("  over the cheapest as accurate: counted work %.2f, processor time %.2f%s\n", ratio,
              chosen.seconds / std::max(1, chosen.steps) / best_seconds, kept ? "" : "  NOT KEPT");
  std::fflush(stdout);
  return kept;
}

// The mean of repeats over a tenth of a second, in units of prices: ns.
template <class Call>
double measured(Call&& call) {
  call();
  int repeats = 0;
  const double start = bench::thread_seconds();
  while (bench::thread_seconds() - start < 0.1) {
    call();
    ++repeats;
  }
  return 1e9 * (bench::thread_seconds() - start) / repeats;
}

// What the prices are made of, beside measured times: how the rates of step_prices.cpp were found.
void compare_rates(const Case& of, const char* meshes) {
  const Scene scene = scene_of(of, "em", meshes);
  const SceneModel world = build_scene(scene, of.name);
  const auto model = world.make_model(0);
  const State state = world.initial_state(*model);
  const StepPrices prices = scene_work(world, *model).prices;
  Vector f, w = state.v;
  const double force = measured([&] { model->force(state, f); });
  double two_state = 0;
  if (const auto pair = model->two_state_force()) {
    pair->begin(state, scene.time.step, {});
    two_state = measured([&] { pair->force(w, f); });
  }
  const auto tangent = model->assembled_tangent(Definiteness::exact);
  const double assembly = measured([&] { tangent->update(state); });
  std::printf(
      "%-30s %6d tetrahedra %6d springs %6d vertices  ns: force %9.0f (price %9.0f)  two-state %9.0f (%9.0f) "
      " assembly %9.0f (%9.0f)\n",
      of.name, world.tetrahedra(), world.springs(), world.vertices(), force, prices.force, two_state,
      prices.two_state, assembly, prices.assembly);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  set_thread_count(1);
  set_blas_threads(1);
  const char* meshes = std::getenv("PHIFLEX_MESHES");
  const bool verbose = std::getenv("PHIFLEX_COUNTS") != nullptr;
  const std::vector<Case> cases{
      {"bar-drop", "bar-drop", {}, 100},
      {"bar-drop, 1e7 Pa", "bar-drop", {"bodies.0.material.young=1e7"}, 100},
      {"hanging-ball", "hanging-ball", {}, 100},
      {"wind-on-slab", "wind-on-slab", {}, 100},
      {"twisted-bar", "twisted-bar", {}, 100},
      {"jelly-cube", "jelly-cube", {}, 250},
      {"bouncing-ball", "bouncing-ball", {}, 150},
      {"rope", "rope", {}, 120},
      {"rope, undamped", "rope", {"bodies.0.damping.stiffness=0"}, 120},
      {"cloth-on-sphere", "cloth-on-sphere", {}, 120},
      {"flag-in-wind", "flag-in-wind", {}, 40},
      {"girders", "girders", {}, 100},
      {"bar-drop, viscoelastic",
       "bar-drop",
       {R"(bodies.0.material.prony=[{"ratio":0.5,"time":0.01},{"ratio":1,"time":0.1}])"},
       100},
      {"spring-bunny", "spring-bunny", {}, 100},
      {"hair", "hair", {}, 40},
      {"newtons-cradle", "newtons-cradle", {}, 40},
      // Springs that only their mass damps.
      {"mixed-stiffness-cloth", "mixed-stiffness-cloth", {}, 60},
      {"rope-and-cloth", "rope-and-cloth", {}, 60},
      {"cloth-shaken", "cloth-shaken", {}, 60},
      {"spring-bunny, damped by mass", "spring-bunny", {R"(bodies.0.damping={"mass":0.5})"}, 60},
      {"armadillo, 4,902 tetrahedra", "armadillo_tet_5k.mesh", {}, 60},
      {"armadillo, 13,371, held feet",
       "armadillo_tet_13k.mesh",
       {R"(constraints=[{"body":"body","type":"fix","where":{"box":[[-1,-1,-1],[2,0.12,2]]}}])"},
       40},
      {"skater, 9,584, held feet",
       "skater_tet_10k.mesh",
       {R"(constraints=[{"body":"body","type":"fix","where":{"box":[[-1,-1,-1],[1,-0.5,1]]}}])"},
       40},
  };
  bool all = true;
  const bool rates = argc > 1 && std::strcmp(argv[1], "rates") == 0;
  for (const Case& one : cases) {
    if (argc > 1 && !rates && std::strstr(one.name, argv[1]) == nullptr) continue;
    if (std::strchr(one.file, '.') != nullptr && !meshes) {
      std::printf("%s: skipped, since $PHIFLEX_MESHES is not set\n", one.name);
      continue;
    }
    if (rates)
      compare_rates(one, meshes);
    else
      all = compare(one, meshes, verbose) && all;
  }
  return all ? 0 : 1;
}
