// What a step cost: counts of every kind of work, and seconds by phase.
// Counts are reproducible; seconds are for information and never decide anything.
#pragma once

#include <chrono>

namespace phiflex {

struct Work {
  long force_evaluations = 0;
  long assemblies = 0;
  long factorizations = 0;
  long solves = 0;              // with a factorization: forward and backward substitution
  long stiffness_products = 0;  // products with K or with a M + b D + c K
  long cg_iterations = 0;
  long krylov_vectors = 0;
  long substeps = 0;     // of matrix functions
  long inner_steps = 0;  // of steps divided by their error, by how far they turn, or by stability
  long mode_sweeps = 0;
  long newton_iterations = 0;
  long line_search_steps = 0;
  long projected_hessians = 0;  // steps or iterations that fell back to the projected stiffness
  long raised_hessians = 0;     // multiples of the mass added until a matrix could be factorized
  long halved_steps = 0;
  long rejected_steps = 0;
  long backward_euler_steps = 0;  // the last resort of methods that keep the energy
  long contacts_projected = 0;    // vertices pushed out of obstacles at the ends of steps
  long contact_impulses = 0;      // between pairs of particles

  double assembly_seconds = 0;
  double factorization_seconds = 0;
  double solve_seconds = 0;
  double modes_seconds = 0;
  double matfun_seconds = 0;

  Work& operator+=(const Work& other);
};

// Every count and every phase with its name, in a fixed order: the one list for sums, files and reports.
struct WorkCount {
  const char* name;
  long Work::*member;
};
inline constexpr WorkCount work_counts[] = {
    {"force_evaluations", &Work::force_evaluations},
    {"assemblies", &Work::assemblies},
    {"factorizations", &Work::factorizations},
    {"solves", &Work::solves},
    {"stiffness_products", &Work::stiffness_products},
    {"cg_iterations", &Work::cg_iterations},
    {"krylov_vectors", &Work::krylov_vectors},
    {"substeps", &Work::substeps},
    {"inner_steps", &Work::inner_steps},
    {"mode_sweeps", &Work::mode_sweeps},
    {"newton_iterations", &Work::newton_iterations},
    {"line_search_steps", &Work::line_search_steps},
    {"projected_hessians", &Work::projected_hessians},
    {"raised_hessians", &Work::raised_hessians},
    {"halved_steps", &Work::halved_steps},
    {"rejected_steps", &Work::rejected_steps},
    {"backward_euler_steps", &Work::backward_euler_steps},
    {"contacts_projected", &Work::contacts_projected},
    {"contact_impulses", &Work::contact_impulses},
};
struct WorkPhase {
  const char* name;
  double Work::*seconds;
};
inline constexpr WorkPhase work_phases[] = {
    {"assembly", &Work::assembly_seconds}, {"factorization", &Work::factorization_seconds},
    {"solve", &Work::solve_seconds},       {"modes", &Work::modes_seconds},
    {"matfun", &Work::matfun_seconds},
};

// Adds the seconds of its own life to a phase.
class PhaseTimer {
 public:
  explicit PhaseTimer(double& seconds) : seconds_(seconds), start_(Clock::now()) {}
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;
  ~PhaseTimer() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point start_;
};

}  // namespace phiflex
