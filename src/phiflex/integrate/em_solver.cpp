#include "phiflex/integrate/em_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "phiflex/integrate/chord_force.h"
#include "phiflex/integrate/evaluate.h"
#include "phiflex/integrate/tangent_solver.h"
#include "phiflex/system/state.h"

namespace phiflex {
namespace {

constexpr int kMostIterations = 30, kMostFactorizations = 4;
constexpr int kPatience = 12;    // iterations on a factorization before a fresh one
constexpr double kGrowth = 2;    // of |d| over the smallest: such growth is not Anderson's own unsteadiness
constexpr double kQuiet = 0.01;  // weight of |w| in (3)
constexpr double kEnergyFloor = 1e-8;  // in (3)
constexpr int kMostHalvings = 10;      // of an update that leaves the domain
constexpr double kFreePart = 0.9;      // of a free way
constexpr int kMostCuts = 6;           // in a row
constexpr double kLongest = 0.1;       // of the extent, or as far as the step itself: no correction is longer
constexpr double kContactTolerance = 1e-2;  // of (6)
constexpr int kMostContactIterations = 100;
constexpr double kLargestBeta = 0.5;  // of (5)
constexpr double kUncorrected = 0.1;  // of etol: what may stay where (5) cannot be
constexpr double kRounding = 1e-13;   // of w'M w: an energy error that is no reason to give up exact momenta
constexpr double kInContact = 0.2;    // of etol
constexpr double kSameStep = 0.1;     // a factorization serves steps that differ by less than this
constexpr double kUnused = 1e-6;      // ImplicitMatrix solves nothing here, it preconditions
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

EmSolver::EmSolver(const MechanicalSystem& system, const EmOptions& options)
    : system_(system),
      team_(system.mass().team()),
      tolerance_(options.em_tolerance),
      energy_tolerance_(options.energy_tolerance),
      may_project_(options.newton.tangent.project_hessian),
      position_floor_(position_floor(system)),
      force_(make_two_state_force(system)),
      holder_(dynamic_cast<HoldsBack*>(force_.get())),
      matrix_(system.mass(), system.pattern(), RefactorPolicy::automatic, kUnused,
              solver_for(system, options.newton.tangent)),
      anderson_(system.dofs(), team_),
      beside_(team_) {
  tangent_ = system.assembled_tangent(Definiteness::exact);
  if (!tangent_->low_rank()) tangent_.reset();
}

StepStatus EmSolver::solve(const EmStep& step, const Vector& start, Vector& w, Work& work) {
  repeated_ = 0;
  force_->begin(step.now, step.h, step.dial);
  room_ = std::min(force_->room(), 0.5 * kLongest * system_.extent());
  if (system_.has_contacts()) room_ = -largest(team_, -room_);
  w_.setZero(start.size());  // q+ = q: inside the domain, if now is
  trial_ = start;
  cuts_ = 0;
  touches_ = false;
  StepStatus status = start_at_trial(step, work);
  if (status != StepStatus::ok) return status;
  int factorizations = 0, since = 0;
  if (matrix_.has_factorization() && std::abs(factorized_.h - step.h) <= kSameStep * step.h) {
    warp(step);
  } else {
    status = factorize(step, work);
    if (status != StepStatus::ok) return status;
    factorizations = 1;
  }
  anderson_.restart();
  double smallest = kInfinity, size_before = kInfinity;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    ++work.newton_iterations;
    find_direction(step, work);
    const double size = norm(d_);
    if (!std::isfinite(size)) return StepStatus::not_finite;
    if (converged(step, size, size_before)) {
      correct(step, iteration > 0, w, work);
      return StepStatus::ok;
    }
    const bool grows = size > kGrowth * smallest;
    if (grows || ++since > kPatience) {
      const bool of_contacts = grows && touches_;
      if (!of_contacts && factorizations == kMostFactorizations) return StepStatus::not_converged;
      if (grows) {
        trial_ = 0.5 * (w_ + best_w_);
        status = move_to_trial(step, work);
        if (status != StepStatus::ok) return status;
      }
      if (!of_contacts) {
        status = factorize(step, work);
        if (status != StepStatus::ok) return status;
        ++factorizations;
        if (!touches_) ++repeated_;
      }
      since = 0;
      anderson_.restart();
      smallest = size_before = kInfinity;
      continue;
    }
    if (size < smallest) {
      smallest = size;
      best_w_ = w_;
    }
    size_before = size;
    anderson_.advance(w_, d_, r_, trial_);
    status = move_to_trial(step, work);
    if (status != StepStatus::ok) return status;
  }
  return StepStatus::not_converged;
}

// As move_to_trial, from the state at the beginning: held vertices and obstacles move along the way.
StepStatus EmSolver::start_at_trial(const EmStep& step, Work& work) {
  bool free = true;
  for (int halving = 0; halving <= kMostHalvings; ++halving) {
    if (halving > 0) ++work.line_search_steps;
    in_room_ = system_.has_contacts() && in_room(step, trial_);
    double part = in_room_ ? 1 : free_way(step, step.now, trial_);
    if (part < 1 && halving == 0 && holder_ && holder_->hold_back(nullptr, trial_))
      part = free_way(step, step.now, trial_);
    free = part == 1;
    if (free && evaluate(step, work)) {
      w_.swap(trial_);
      r_.swap(r_trial_);
      return StepStatus::ok;
    }
    trial_ *= free ? 0.5 : kFreePart * part;
  }
  return free ? StepStatus::not_finite : StepStatus::not_free;
}

double EmSolver::free_way(const EmStep& step, const State& from, const Vector& w) {
  if (!system_.has_contacts()) return 1;
  to_.t = step.now.t + step.h;
  to_.q = step.now.q + step.h * w;
  to_.v = w;
  return system_.free_way(from, to_);
}

double EmSolver::free_way(const EmStep& step, const Vector& from, const Vector& w) {
  if (!system_.has_contacts()) return 1;
  from_.t = step.now.t + step.h;
  from_.q = step.now.q + step.h * from;
  from_.v = from;
  return free_way(step, from_, w);
}

bool EmSolver::limit_trial(const EmStep& step, Work& work) {
  if (!system_.has_contacts()) return true;
  in_room_ = in_room_ && in_room(step, trial_);
  if (in_room_) return true;
  if (!all_finite(team_, trial_)) return true;  // the force says so
  const auto longest_of = [&](const Vector& x) {
    return step.h * largest(team_, x.lpNorm<Eigen::Infinity>());
  };
  difference_ = trial_ - w_;
  const double way = longest_of(difference_), longest = std::max(kLongest * system_.extent(), longest_of(w_));
  if (const double part = longest / way; part < 1) {
    difference_ *= part;
    trial_ = w_ + difference_;
  }
  double free = free_way(step, w_, trial_);
  cuts_ = free < 1 ? cuts_ + 1 : 0;
  if (cuts_ == 0) return true;
  ++work.line_search_steps;
  anderson_.restart();  // what led here does not tell of the other side of the contact
  if (holder_ && holder_->hold_back(&w_, trial_)) {
    free = free_way(step, w_, trial_);
    difference_ = trial_ - w_;
  }
  if (free < 1) trial_ = w_ + kFreePart * free * difference_;
  return cuts_ < kMostCuts;
}

// w_ and r_ to trial_, which is drawn back towards w_ until the way to it is free, its force is finite and (8) holds.
StepStatus EmSolver::move_to_trial(const EmStep& step, Work& work) {
  if (!limit_trial(step, work)) return StepStatus::not_free;
  for (int halving = 0; halving <= kMostHalvings; ++halving) {
    if (halving > 0) {
      ++work.line_search_steps;
      trial_ = 0.5 * (trial_ + w_);
    }
    if (!evaluate(step, work)) continue;
    if (halving < kMostHalvings && force_->is_inside_out() && size_of(r_trial_) > size_of(r_))
      continue;  // (8)
    w_.swap(trial_);
    r_.swap(r_trial_);
    return StepStatus::ok;
  }
  return StepStatus::not_finite;
}

double EmSolver::size_of(const Vector& r) {
  system_.mass().solve(r, difference_);
  return dot(team_, r, difference_);
}

bool EmSolver::evaluate(const EmStep& step, Work& work) {
  ++work.force_evaluations;
  force_->force(trial_, f_);
  if (step.fit) {
    if (step.dial.chi != 0) {
      difference_ = step.h * trial_;
      step.fit->remove_dial(step.dial.chi, step.dial.ratio, step.fit_before, difference_, f_);
    }
    step.fit->apply(trial_, difference_);
    difference_ -= step.now.v;
    step.fit->apply_with_mass(difference_, r_trial_);
  } else {
    difference_ = trial_ - step.now.v;
    system_.mass().apply(difference_, r_trial_);
  }
  r_trial_ -= step.h / 2 * f_;  // (1)
  return all_finite(team_, r_trial_);
}

bool EmSolver::converged(const EmStep& step, double size, double size_before) {
  const bool energy = energy_error(step, w_, r_) <= (touches_ ? kInContact : 1);  // (3)
  if (step.h * size <= position_floor_) return energy || size > size_before / 2;  // (4)
  difference_ = w_ - step.now.v;
  return energy && size <= tolerance_ * (norm(difference_) + kQuiet * norm(w_));  // (3)
}

double EmSolver::energy_error(const EmStep& step, const Vector& w, const Vector& r) const {
  const double allowed =
      energy_tolerance_ * (system_.mass().dot(w, w) + kEnergyFloor * step.largest_energy);  // (3)
  const double error = 2 * std::abs(dot(team_, w, r));
  return error > 0 ? error / allowed : 0;
}

// The iterate before, and its r, are in trial_ and r_trial_ if there is one.
void EmSolver::correct(const EmStep& step, bool has_before, Vector& w, Work& work) {
  w = w_;
  r_end_ = r_;
  const bool corrected = has_before && follow_secant(w_, r_, trial_, r_trial_, w, r_end_);
  if (!corrected && energy_error(step, w_, r_) > kUncorrected)
    has_before = correct_by_another_iterate(step, w, work);
  Look look = Look::if_contacts_push;
  if (!step.fit) {
    settle_momenta(w, r_end_);
    if (!force_->has_contact_forces() && energy_error(step, w, r_end_) > kUncorrected) {
      look = Look::always;
      if (has_before) follow_settled_secant(w);  // (7)
    }
  }
  if (equal(team_, w, w_) || may_replace_iterate(step, w, look, work)) return;
  w = w_;
  if (!step.fit) force_->correct_momenta(w);
  if (!equal(team_, w, w_) && !may_replace_iterate(step, w, Look::always, work)) w = w_;
}

bool EmSolver::follow_secant(const Vector& w, const Vector& r, const Vector& w_before, const Vector& r_before,
                             Vector& to, Vector& r_to) {
  difference_ = w - w_before;
  std::array products{w.dot(r), difference_.dot(r), difference_.dot(r_before), w.dot(r_before)};
  team_.sum(products);
  const double e = products[0], along = products[1], c = along - products[2], b = along + e - products[3],
               square = b * b - 4 * e * c;
  if (!(square >= 0)) return false;
  const double beta = -2 * e / (b + std::copysign(std::sqrt(square), b));  // (5), the root nearer to 0
  if (!(std::abs(beta) <= kLargestBeta)) return false;
  to = w + beta * difference_;
  r_to = r + beta * (r - r_before);
  return true;
}

void EmSolver::follow_settled_secant(Vector& w) {
  settled_ = w_;
  r_settled_ = r_;
  settle_momenta(settled_, r_settled_);
  settle_momenta(trial_, r_trial_);
  if (follow_secant(settled_, r_settled_, trial_, r_trial_, w, r_end_)) settle_momenta(w, r_end_);
}

// Rigid motions do not change the forces within bodies: r changes by M times what w does.
void EmSolver::settle_momenta(Vector& w, Vector& r) {
  difference_ = w;
  force_->correct_momenta(w);
  difference_ = w - difference_;
  system_.mass().apply(difference_, f_);
  r += f_;
}

bool EmSolver::may_replace_iterate(const EmStep& step, const Vector& w, Look look, Work& work) {
  if (!(in_room_ && in_room(step, w)) && free_way(step, w_, w) < 1) return false;
  if (look == Look::if_contacts_push && !force_->has_contact_forces()) return true;
  const double allowed = std::max({kUncorrected, energy_error(step, w_, r_), kRounding / energy_tolerance_});
  trial_ = w;
  return evaluate(step, work) && energy_error(step, trial_, r_trial_) <= allowed;
}

bool EmSolver::correct_by_another_iterate(const EmStep& step, Vector& w, Work& work) {
  const double before = energy_error(step, w_, r_);
  anderson_.advance(w_, d_, r_, trial_);
  if (move_to_trial(step, work) != StepStatus::ok) return false;
  if (!(energy_error(step, w_, r_) < before)) {
    w_.swap(trial_);
    r_.swap(r_trial_);
    return true;
  }
  w = w_;
  r_end_ = r_;
  follow_secant(w_, r_, trial_, r_trial_, w, r_end_);
  return true;
}

void EmSolver::find_direction(const EmStep& step, Work& work) {
  const auto inverse = [&](const Vector& r, Vector& z) {
    matrix_.precondition(r, z, work);
    if (tangent_) add_low_rank_inverse(step.h, r, z);
    if (step.fit) step.fit->add_inverse(r, z);
  };
  const StencilBlocks* contacts = force_->blocks();
  touches_ = contacts && any(team_, !contacts->empty());
  if (!touches_) {
    inverse(r_, d_);
    d_ = -d_;  // (2)
    return;
  }
  if (matrix_.kept().is_outer()) {  // its inverse is an iteration itself: one for both
    const SolveStatus status = matrix_.precondition_beside(*contacts, step.h * step.h / 4, r_, d_,
                                                           kContactTolerance, kMostContactIterations, work);
    if (status != SolveStatus::ok) d_.setConstant(std::numeric_limits<double>::quiet_NaN());
    d_ = -d_;
    return;
  }
  const BesideSolver::Status status = beside_.solve(inverse, *contacts, step.h * step.h / 4, r_,
                                                    kContactTolerance, kMostContactIterations, d_);
  work.cg_iterations += beside_.iterations();
  if (status == BesideSolver::Status::ok || status == BesideSolver::Status::not_converged)
    d_ = -d_;  // (6)
  else
    d_.setConstant(std::numeric_limits<double>::quiet_NaN());
}

void EmSolver::add_low_rank_inverse(double h, const Vector& r, Vector& z) {
  const LowRank& low = *tangent_->low_rank();
  if (low.empty()) return;
  modal_.noalias() = low.U.transpose() * r;
  for (Index i = 0; i < low.count(); ++i) {
    const double g = 1 + h / 2 * low.damping[i] + h * h / 4 * low.lambda[i];
    const double corrected = g + h / 2 * low.damping_scale[i] + h * h / 4 * low.scale[i];
    modal_[i] *= g > 0 && corrected > 0 ? 1 / corrected - 1 / g : 0;
  }
  z.noalias() += low.U * modal_;
}

void EmSolver::warp(const EmStep& step) {
  place_middle(step.now, step.h, w_, middle_);
  system_.rotations(factorized_.middle, middle_, R_);
  matrix_.warp(R_);
}

// At w_, where the force was evaluated last.
StepStatus EmSolver::factorize(const EmStep& step, Work& work) {
  factorized_.now = step.now;
  factorized_.h = step.h;
  factorized_.chi = step.dial.chi;
  factorized_.ratio = step.dial.ratio;
  if (step.dial.memory) {
    factorized_.memory = *step.dial.memory;
  } else {
    factorized_.memory.resize(0);
  }
  factorized_.w = w_;
  place_middle(step.now, step.h, w_, factorized_.middle);
  SolveStatus status = factorize_as(Definiteness::exact, work);
  if (status == SolveStatus::not_positive_definite && may_project_) {
    ++work.projected_hessians;
    status = factorize_as(Definiteness::projected, work);
  }
  return to_step_status(status);
}

SolveStatus EmSolver::factorize_as(Definiteness definiteness, Work& work) {
  factorized_.definiteness = definiteness;
  {
    const PhaseTimer timer(work.assembly_seconds);
    ++work.assemblies;
    force_->linearize(factorized_.w, definiteness);
    if (matrix_.needs_positions()) {
      system_.positions(factorized_.middle, positions_);
      matrix_.set_positions(positions_);
    }
    matrix_.set({1, factorized_.h / 2, factorized_.h * factorized_.h / 4}, force_->D(), force_->K());
    if (definiteness == Definiteness::projected) matrix_.expect_definite();
  }
  return matrix_.refactor(work);
}

void EmSolver::place_middle(const State& now, double h, const Vector& w, State& middle) {
  middle.t = now.t + h / 2;
  middle.q = now.q + h / 2 * w;
  middle.v = w;
}

double EmSolver::norm(const Vector& x) const {
  return std::sqrt(system_.mass().dot(x, x));
}

void EmSolver::save(ArchiveWriter& out) const {
  matrix_.save_structure(out);
  out.put(std::int64_t{matrix_.has_factorization()});
  if (!matrix_.has_factorization()) return;
  put_state(factorized_.now, out);
  for (const double number : {factorized_.h, factorized_.chi, factorized_.ratio}) out.put(number);
  out.put(as_span(factorized_.memory));
  out.put(as_span(factorized_.w));
  out.put(std::int64_t{factorized_.definiteness == Definiteness::projected});
}

void EmSolver::load(ArchiveReader& in) {
  matrix_.drop_factorization();
  matrix_.load_structure(in);
  if (in.get_integer() == 0) return;
  get_state(in, system_.dofs(), factorized_.now);
  for (double* number : {&factorized_.h, &factorized_.chi, &factorized_.ratio}) *number = in.get_double();
  const std::vector<double> memory = in.get_doubles();
  factorized_.memory = Eigen::Map<const Vector>(memory.data(), Index(memory.size()));
  if (factorized_.memory.size() != 0 && factorized_.memory.size() != force_->memory_size())
    throw ArchiveError("the dial's memory is of another system");
  factorized_.w.resize(system_.dofs());
  in.get_doubles(as_span(factorized_.w));
  const bool projected = in.get_integer() != 0;
  place_middle(factorized_.now, factorized_.h, factorized_.w, factorized_.middle);
  const Vector* before = factorized_.memory.size() > 0 ? &factorized_.memory : nullptr;
  force_->begin(factorized_.now, factorized_.h, {factorized_.chi, factorized_.ratio, before});
  force_->force(factorized_.w, f_);
  Work not_of_a_step;
  if (factorize_as(projected ? Definiteness::projected : Definiteness::exact, not_of_a_step) !=
      SolveStatus::ok)
    throw ArchiveError("the kept factorization cannot be made again: the archive is of another system");
}

}  // namespace phiflex
