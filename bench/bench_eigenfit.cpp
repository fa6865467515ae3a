// Coarse meshes that move like fine ones: the position error of a plain coarse run, of DAC and of EigenFit against
// the run on the fine mesh, the largest over vertices and time, on the meshes of the thesis (PHIFLEX_MESHES, or the
// folder shared/meshes beside the project's); and what a step with EigenFit costs. `bench_eigenfit quick` takes small
// generated bodies, which need no files. `bench_eigenfit NAME` runs one case.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/race.h"
#include "phiflex/base/parallel.h"
#include "phiflex/linalg/cholesky.h"
#include "phiflex/mesh/tet_locator.h"

using namespace phiflex;
using bench::Runner;

namespace {

struct Case {
  std::string name;
  std::string scene;  // with the coarse mesh
  std::string fine;   // a mesh; empty: the coarse one, each tetrahedron divided into eight
  int steps;
  double most_of_plain;        // error of EigenFit over that of the plain coarse run
  double most_steps_of_plain;  // cost of a step
  int release = 0;             // the step after which ratios are computed again; it is not timed
  enum class Damping { kept, fitted } damping = Damping::kept;  // fit_damping of what is promised
};

std::string meshes() {
  if (const char* folder = std::getenv("PHIFLEX_MESHES")) return folder;
  return PHIFLEX_SOURCE_DIR "/../shared/meshes";
}

std::string file(const char* name) {
  return "{ \"file\": \"" + meshes() + "/" + name + "\" }";
}

std::string box(const char* cells) {
  return std::string(R"({ "generate": "box", "size": [1, 0.67, 0.33], "cells": )") + cells + " }";
}

// The path of shaken feet: amplitude [m] sin(2 pi t/0.3 s) along an axis for 0.3 s, then still.
std::string shake(double amplitude, char axis = 'x') {
  std::string path = "[";
  for (int frame = 0; frame <= 30; ++frame) {
    char point[160];
    const double offset = amplitude * std::sin(2 * M_PI * 0.01 * frame / 0.3);
    std::snprintf(point, sizeof point, "%s{ \"time\": %.2f, \"offset\": [%.9f, %.9f, %.9f] }",
                  frame ? ", " : "", 0.01 * frame, axis == 'x' ? offset : 0, axis == 'y' ? offset : 0,
                  axis == 'z' ? offset : 0);
    path += point;
  }
  return path + "]";
}

std::string scene(const std::string& integrator, const std::string& mesh, const std::string& material,
                  const std::string& more_of_body, const std::string& constraints, int steps) {
  return R"({ "phiflex": 1, "name": "coarse", "time": { "step": 0.01, "end": )" +
         std::to_string(0.01 * steps) + R"( }, "integrator": { "type": ")" + integrator +
         R"(" }, "bodies": [ { "name": "body", "mesh": )" + mesh + R"(, "material": )" + material +
         more_of_body + R"( } ], "constraints": )" + constraints + " }";
}

const std::string kDamping = R"(, "damping": { "stiffness": 0.01 })";
const std::string kHeldEnd =
    R"([ { "body": "body", "where": { "box": [[-1, -1, -1], [0.02, 2, 2]] }, "type": "fix" } ])";

std::string moved(const std::string& where, const std::string& path, const std::string& more = "") {
  return R"({ "body": "body", "where": )" + where + R"(, "type": "move", "path": )" + path + more + " }";
}
std::string below(double y) {
  return R"({ "half_space": { "point": [0, )" + std::to_string(y) + R"(, 0], "normal": [0, 1, 0] } })";
}

const std::string kLinearBar = R"({ "type": "linear", "young": 1e5, "poisson": 0.45, "density": 1000 })";
const std::string kArap = R"({ "type": "arap", "young": 2e6, "density": 1000 })";

Case twisted_bar(const std::string& coarse, const std::string& fine, const char* name) {
  return {name,
          scene("midpoint", coarse, kLinearBar,
                kDamping + R"(, "initial": { "twist": { "axis": "x", "angle": 45 } })", kHeldEnd, 300),
          fine,
          300,
          0.2,
          1.3};
}

Case armadillo(const char* name, bool released) {
  const std::string left = R"({ "box": [[-1, -1, -1], [0.4, 0.07, 2]] })",
                    right = R"({ "box": [[0.4, -1, -1], [2, 0.07, 2]] })";
  const std::string feet =
      released ? moved(left, shake(0.05), R"(, "until": 0.3)") + ", " + moved(right, shake(0.05))
               : moved(below(0.07), shake(0.05));
  return {name,
          scene("si", file("armadillo_tet_5k.mesh"), kArap, kDamping, "[" + feet + "]", 200),
          file("armadillo_tet_54k.mesh"),
          200,
          0.5,
          1.3,
          released ? 30 : 0};
}

Case skater() {
  return {"skater",
          scene("si", file("skater_tet_10k.mesh"), kArap, kDamping,
                "[" + moved(below(-0.53), shake(0.05)) + "]", 200),
          file("skater_tet_42k.node"),
          200,
          0.5,
          1.3};
}

// Stiff as bone but for the elbow; the shoulder is shaken. Two meshes of files part bone and elbow at the centres of
// their own tetrahedra: they are two bodies. Divided into eight the coarse mesh is the same body.
Case arm(const std::string& name, const std::string& path, const std::string& damping,
         const std::string& fine) {
  const std::string material = R"({ "type": "neo-hookean", "young": 1e8, "poisson": 0.45, "density": 1000 })";
  const std::string soft =
      R"(, "regions": [ { "where": { "box": [[-0.15, -1, -1], [0.15, 1, 1]] }, "material": { "young": 2e4 } } ])";
  const std::string shoulder = R"({ "box": [[-2, -1, -1], [-0.85, 1, 1]] })";
  return {
      name,
      scene("si", file("arm_tet_9k.node"), material, damping + soft, "[" + moved(shoulder, path) + "]", 200),
      fine,
      200,
      0.5,
      1.3};
}

Case soft_cantilever() {
  const std::string material = R"({ "type": "arap", "young": 2e5, "density": 1000 })";
  return {"shaken box",
          scene("si", box("[6, 4, 2]"), material, kDamping,
                "[" + moved(R"({ "box": [[-1, -1, -1], [0.02, 2, 2]] })", shake(0.03, 'y')) + "]", 100),
          box("[12, 8, 4]"),
          100,
          0.5,
          1.3,
          0,
          Case::Damping::fitted};
}

// Displacements of the coarse mesh at the vertices of the fine one.
class Carried {
 public:
  Carried(const SceneModel& coarse, const SceneModel& fine) : coarse_(coarse), fine_(fine) {
    const TetMesh& mesh = coarse.bodies()[0].solid()->mesh;
    const TetLocator locator(mesh.vertices, mesh.tets);
    for (const Point3& x : fine.bodies()[0].rest()) places_.push_back(locator.locate(x));
  }
  // Largest distance of a fine vertex from where the coarse mesh has it.
  double error(const Vector& x, const Vector& x_fine) const {
    double largest = 0;
    for (std::size_t v = 0; v < places_.size(); ++v) {
      const auto& tet = coarse_.bodies()[0].solid()->mesh.tets[std::size_t(places_[v].tet)];
      Eigen::Vector3d u = fine_.rest().segment<3>(3 * Index(v)) - x_fine.segment<3>(3 * Index(v));
      for (int a = 0; a < 4; ++a)
        u += places_[v].weights[a] *
             (x.segment<3>(3 * Index(tet[a])) - coarse_.rest().segment<3>(3 * Index(tet[a])));
      largest = std::max(largest, u.norm());
    }
    return largest;
  }

 private:
  const SceneModel& coarse_;
  const SceneModel& fine_;
  std::vector<TetLocator::Place> places_;
};

Vector positions(const Runner& runner) {
  Vector x, v;
  runner.simulation().model().expand(runner.simulation().state(), x, v);
  return x;
}

struct Outcome {
  double error = 0, late = 0;  // largest, and largest of the second half
  double seconds = 0;          // of a step
};

bool report(const Case& task) {
  const bool divided = task.fine.empty();
  Runner fine(task.scene, divided ? std::vector<std::string>{} : std::vector{"bodies.0.mesh=" + task.fine},
              task.steps, divided ? 1 : 0);
  std::vector<Vector> truth = {positions(fine)};
  while (int(truth.size()) <= task.steps && fine.advance()) truth.push_back(positions(fine));
  const std::string fitted =
      divided ? R"(, "fine": { "refine": 1 } })" : R"(, "fine": { "mesh": )" + task.fine + " } }";
  Runner plain(task.scene, {}, task.steps);
  Runner dac(task.scene, {R"(coarsening={ "type": "dac")" + fitted}, task.steps);
  Runner eigenfit(task.scene, {R"(coarsening={ "type": "eigenfit")" + fitted}, task.steps);
  Runner with_damping(task.scene, {R"(coarsening={ "type": "eigenfit", "fit_damping": true)" + fitted},
                      task.steps);
  const Carried carried(plain.world(), fine.world());
  std::array<Runner*, 4> runners = {&plain, &dac, &eigenfit, &with_damping};
  std::array<Outcome, 4> outcomes;
  const std::size_t promised = task.damping == Case::Damping::fitted ? 3 : 2;
  double motion = 0;
  for (std::size_t step = 1; step < truth.size(); ++step) {
    for (std::size_t i = 0; i < runners.size(); ++i) {
      const bool timed = step > 1 && int(step) != task.release;
      if (!runners[i]->advance(timed ? Runner::Clock::runs : Runner::Clock::waits)) continue;
      const double error = carried.error(positions(*runners[i]), truth[step]);
      outcomes[i].error = std::max(outcomes[i].error, error);
      if (2 * step > truth.size()) outcomes[i].late = std::max(outcomes[i].late, error);
    }
    for (Index v = 0; v < truth[step].size(); v += 3)
      motion = std::max(motion, (truth[step] - fine.world().rest()).segment<3>(v).norm());
  }
  std::printf("\n%s: %d and %d tetrahedra, %s, %zu steps, the fine mesh moves by up to %.3g m\n",
              task.name.c_str(), plain.tetrahedra(), fine.tetrahedra(),
              plain.simulation().choice().spec.type.c_str(), truth.size() - 1, motion);
  std::printf("  %s\n", eigenfit.simulation().eigenfit()->note.c_str());
  for (const std::string& notice : eigenfit.simulation().messages().warnings())
    std::printf("  %s\n", notice.c_str());
  const char* names[] = {"plain", "dac", "eigenfit", "fit_damping"};
  std::printf("  %-11s %12s %9s %14s %9s %10s\n", "", "error [m]", "of plain", "2nd half [m]", "of plain",
              "ms/step");
  for (std::size_t i = 0; i < runners.size(); ++i) {
    outcomes[i].seconds = runners[i]->seconds_per_step();
    std::printf("  %-11s %12.4g %9.3f %14.4g %9.3f %10.3g%s\n", names[i], outcomes[i].error,
                outcomes[i].error / outcomes[0].error, outcomes[i].late, outcomes[i].late / outcomes[0].late,
                1e3 * outcomes[i].seconds, runners[i]->ok() ? "" : "  failed");
  }
  const Work &work = runners[promised]->simulation().work(), &of_plain = plain.simulation().work();
  const auto per_step = [&](long count) { return double(count) / double(truth.size() - 1); };
  std::printf(
      "  a step with EigenFit: %.2f sweeps of modes, %.1f solves (plain: %.1f), %.2f factorizations (%.2f)\n",
      per_step(work.mode_sweeps), per_step(work.solves), per_step(of_plain.solves),
      per_step(work.factorizations), per_step(of_plain.factorizations));
  const double cost = outcomes[promised].seconds / outcomes[0].seconds;
  std::printf("  a step with EigenFit costs %.2f of a plain one; a fine one %.1f\n", cost,
              fine.seconds_per_step() / outcomes[0].seconds);
  const bool near =
      runners[promised]->ok() && outcomes[promised].error <= task.most_of_plain * outcomes[0].error;
  const bool cheap = cost <= task.most_steps_of_plain;
  const auto word = [](bool kept) { return kept ? "kept" : "NOT KEPT"; };
  std::printf("  promised%s: error at most %.2f of plain: %s; cost at most %.2f: %s\n",
              promised == 3 ? " with fit_damping" : "", task.most_of_plain, word(near),
              task.most_steps_of_plain, word(cheap));
  std::fflush(stdout);
  return near && cheap;
}

// A soft bar, twisted far and let go: its modes are no longer those at rest, and the run says so and goes on without
// the correction. What that would have been worth is seen with `ignore`.
struct Crossing {
  const char* name;
  std::string coarse, fine, more_of_body, constraints, more;
  const char* material;
  int steps;
  enum class Safeguard { steps_aside, is_silent } safeguard;
  double least_of_plain;  // error of EigenFit without its safeguard over that of the plain run
};

std::string twisted(int angle) {
  return R"(, "initial": { "twist": { "axis": "x", "angle": )" + std::to_string(angle) + " } }";
}

std::string bar(const char* cells) {
  return std::string(R"({ "generate": "box", "size": [1, 0.2, 0.2], "cells": )") + cells + " }";
}

bool report_crossing(const Crossing& task) {
  const std::string material =
      R"({ "type": "neo-hookean", "density": 1000, )" + std::string(task.material) + " }";
  std::string soft = scene("si", task.coarse, material, task.more_of_body, task.constraints, task.steps);
  soft.replace(soft.rfind('}'), 1, task.more + " }");
  const std::string fitted = R"(coarsening={ "type": "eigenfit", "fine": { "mesh": )" + task.fine + " }";
  Runner fine(soft, {"bodies.0.mesh=" + task.fine}, task.steps), plain(soft, {}, task.steps),
      unguarded(soft, {fitted + R"(, "on_mismatch": "ignore" })"}, task.steps),
      guarded(soft, {fitted + " }"}, task.steps);
  const Carried carried(plain.world(), fine.world());
  double of_plain = 0, of_unguarded = 0, of_guarded = 0;
  int done = 0;
  for (; done < task.steps && fine.advance() && plain.advance() && guarded.advance(); ++done) {
    const Vector truth = positions(fine);
    of_plain = std::max(of_plain, carried.error(positions(plain), truth));
    of_guarded = std::max(of_guarded, carried.error(positions(guarded), truth));
    if (unguarded.advance())
      of_unguarded = std::max(of_unguarded, carried.error(positions(unguarded), truth));
  }
  const std::vector<std::string> notices = guarded.simulation().messages().warnings();
  std::printf(
      "\n%s: %d steps, error of plain %.3g m; of EigenFit without its safeguard %.2f of that%s, with it "
      "%.2f\n  %s\n",
      task.name, done, of_plain, of_unguarded / of_plain, unguarded.ok() ? "" : " until it failed",
      of_guarded / of_plain, notices.empty() ? "the safeguard saw nothing" : notices[0].c_str());
  const bool as_said = (task.safeguard == Crossing::Safeguard::steps_aside) == !notices.empty() &&
                       (!unguarded.ok() || of_unguarded >= task.least_of_plain * of_plain);
  if (!as_said) std::printf("  NOT AS EXPECTED\n");
  std::fflush(stdout);
  return as_said;
}

std::vector<Crossing> crossings() {
  using enum Crossing::Safeguard;
  const std::string gravity_along = R"(, "gravity": [9.81, 0, 0])", gravity = R"(, "gravity": [0, -9.81, 0])";
  const std::string pulled =
      R"([ { "body": "body", "where": { "box": [[-1, -1, -1], [0.001, 2, 2]] }, "type": "fix" }, )" +
      moved(R"({ "box": [[0.999, -1, -1], [2, 2, 2]] })",
            R"([ { "time": 0, "offset": [0, 0, 0] }, { "time": 0.3, "offset": [0.6, 0, 0] } ])") +
      "]";
  const std::string wide = box("[9, 6, 3]"), wide_fine = box("[18, 12, 6]"), slender = bar("[10, 2, 2]"),
                    slender_fine = bar("[20, 4, 4]");
  const char *nearly_incompressible = R"("young": 1e4, "poisson": 0.45)",
             *softest = R"("young": 1e4, "poisson": 0.4)";
  return {
      {"soft box twisted by 180 degrees", wide, wide_fine, twisted(180), kHeldEnd, "", nearly_incompressible,
       60, is_silent, 0},
      {"soft box twisted by 240 degrees", wide, wide_fine, twisted(240), kHeldEnd, "", nearly_incompressible,
       60, steps_aside, 0},
      {"soft bar twisted by 720 degrees", slender, slender_fine, twisted(720), kHeldEnd, "", softest, 100,
       steps_aside, 0.95},
      {"soft bar twisted by 810 degrees", slender, slender_fine, twisted(810), kHeldEnd, "", softest, 100,
       steps_aside, 0.95},
      // What no matching of shapes can see: shapes that stay, and a stiffness that is no longer theirs but tension's.
      {"soft bar that hangs and swings", slender, slender_fine, R"(, "initial": { "velocity": [0, 1, 0] })",
       kHeldEnd, gravity_along, R"("young": 3e4, "poisson": 0.4)", 100, is_silent, 1},
      {"soft bar pulled to 1.6 of its length", slender, slender_fine, "", pulled, gravity,
       R"("young": 1e5, "poisson": 0.4)", 100, is_silent, 1},
  };
}

}  // namespace

int main(int argc, char** argv) {
  set_thread_count(1);
  set_blas_threads(1);
  const std::string asked = argc > 1 ? argv[1] : "";
  std::vector<Case> cases;
  if (asked == "quick") {
    cases = {twisted_bar(box("[6, 4, 2]"), box("[12, 8, 4]"), "twisted box"), soft_cantilever()};
  } else if (!std::filesystem::exists(meshes() + "/bar_tet_73k.mesh")) {
    std::printf("skipped: no meshes in %s (set PHIFLEX_MESHES, or ask for `quick`)\n", meshes().c_str());
    return 0;
  } else {
    cases = {twisted_bar(file("bar_tet_5k.mesh"), file("bar_tet_73k.mesh"), "bar"),
             armadillo("armadillo", false),
             armadillo("released", true),
             skater(),
             arm("arm across", shake(0.02, 'y'), kDamping, ""),
             arm("arm aside", shake(0.02, 'z'), kDamping, ""),
             arm("arm along, undamped", shake(0.02), "", ""),
             arm("arm along", shake(0.02), kDamping, ""),
             arm("arm across, little", shake(0.002, 'y'), kDamping, ""),
             arm("arm of two bodies", shake(0.02), kDamping, file("arm_tet_19k.node"))};
  }
  bool kept = true;
  for (const Case& task : cases)
    if (asked.empty() || asked == "quick" || asked == task.name) kept = report(task) && kept;
  if (asked.empty() || asked == "quick" || asked == "crossing")
    for (const Crossing& task : crossings()) kept = report_crossing(task) && kept;
  return kept ? 0 : 1;
}
