// A scene in motion: the model, the integrator, the state, the ledger. No files: what is recorded is the
// caller's matter (run.h), so that benchmarks, comparisons and bindings drive the same object.
//
// Contacts act on the state at the end of a step (step_filter.h); the integrator is told. Constraints are
// released at step boundaries: the model and the integrator are then made anew and the state is handed over. The last
// state of a run is not handed over. Where the scene says "auto", the method may change at step boundaries
// (method_watch.h), and a step that fails is made by another one if one can.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "phiflex/base/archive.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/equilibrium.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/integrate/stable_step.h"
#include "phiflex/model/energy_ledger.h"
#include "phiflex/model/energy_watch.h"
#include "phiflex/model/step_filter.h"
#include "phiflex/record/run_json.h"
#include "phiflex/run/choose_method.h"
#include "phiflex/run/coarsening.h"
#include "phiflex/run/method_watch.h"
#include "phiflex/run/scene_model.h"

namespace phiflex {

struct Scene;  // scene/scene.h

// What a user should know of a method (not "auto") with these settings on this system, in sentences.
std::vector<std::string> method_warnings(const IntegratorSpec& spec, const MechanicalSystem& system);

class Simulation {
 public:
  // steps: how many will be made in all. world: built from the scene. The simulation keeps copies of both.
  Simulation(const Scene& scene, SceneModel world, std::int64_t steps);
  // Builds the scene and makes all of its steps.
  explicit Simulation(const Scene& scene, const std::string& scene_file = "scene");

  std::int64_t step() const { return step_; }
  std::int64_t steps() const { return steps_; }
  double h() const { return h_; }
  double time_of(std::int64_t step) const { return world_.start_time() + static_cast<double>(step) * h(); }
  const DeformableModel& model() const { return *model_; }
  // What steps: the model, or the model with EigenFit's correction.
  const MechanicalSystem& system() const;
  const EigenFit* eigenfit() const { return eigenfit_.get(); }
  // Warnings of the steps so far, in sentences that name the step.
  const Messages& messages() const { return messages_; }
  const MethodInfo& method() const { return integrator_->info(); }
  // Which linear solver steps, and why, where `auto` took another than a factorization or it was replaced; or on which
  // device. Empty: a factorization, as usual.
  std::string solver_note() const;
  const MethodChoice& choice() const { return choice_; }  // "auto" resolved, for the constraints of now
  const std::vector<MethodChange>& method_changes() const { return method_changes_; }
  const State& state() const { return now_; }
  const LedgerRow& ledger() const { return ledger_.row(); }
  double available_energy() const { return energy_watch_.available(); }        // model/energy_watch.h, J
  double modified_energy() const { return ledger().total() + beyond_total_; }  // E* of a damping dial, J
  // The work of contacts on each vertex since the start, by projection and impulses: the change of its kinetic energy,
  // J; empty unless the scene measures it.
  const Vector& contact_work() const { return contact_work_; }
  // Of projections out of obstacles in the latest step, N s, three numbers a vertex; empty where nothing projects.
  const Vector& projected_impulses() const { return impulses_; }
  const Work& work() const { return work_; }
  const StepQuality& quality() const { return quality_; }

  // Puts the bodies to their equilibrium under the loads of the state's time; velocities stay. To be called before the
  // first step. InputError where obstacles project, which are no forces. When it fails, failure() says why.
  EquilibriumReport settle();

  // The memory of viscoelastic bodies from a simulation of the same bodies, as DeformableModel::save_memory() wrote it.
  // To be called before the first step; without it they were at rest in their rest shape before. ArchiveError when it
  // is of others.
  void set_memory(ArchiveReader& in);

  // One step. When it fails, state and ledger are those of before, failure() says why in words, and the
  // simulation has come to its end.
  StepStatus advance();
  const std::string& failure() const { return failure_; }
  // Other velocities at the current state, of all vertices (m/s); held vertices keep theirs. The change of the kinetic
  // energy is booked as external work, and the integrator starts without its memory of earlier steps.
  void set_velocities(const Vector& v);

  // Bit for bit: loading into a simulation of the same scene continues as if nothing had happened.
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  FilterReport filter_contacts();  // of next_
  // Of the ledger's row for the current step. Warns once of energy without a source; `diverged` beyond the scene's
  // limit.
  StepStatus check_energy();
  double longest_stable_step() const;
  void add_advice();            // to failure_
  void watch(const State& at);  // what no integrator sees, into quality_
  void add_contact_work();      // of filtered_ over next_
  void find_impulses();         // of filtered_ over next_, into impulses_
  void release_constraints();
  // EigenFit's correction of the current step; false: it does not apply any more, and the scene asks to stop then.
  bool update_coarsening();
  void take_method(MethodChoice choice, const MechanicalSystem& system);
  std::unique_ptr<Integrator> make_method(MethodChoice& choice, const MechanicalSystem& stepped) const;
  const IntegratorSpec& asked_integrator() const;  // by the scene, which may leave the choice
  bool may_change_method() const;
  void say_of_solver();                             // a warning, where solver_note() has changed
  StepReport try_step();                            // to next_, whose energy is finite if it succeeds
  StepReport try_other_methods(StepReport failed);  // after try_step()
  void watch_method(const Work& step);              // after a step
  double price_of_other();                          // counted work of a step of the other method at now_
  void change_method(const std::string& type, const std::string& why);
  void save_method(ArchiveWriter& out) const;
  std::string load_method(ArchiveReader& in);  // the method of the step to come
  void save_memory(ArchiveWriter& out) const;
  void load_integrator(ArchiveReader& in);  // after what save_memory() put

  std::shared_ptr<const Scene> scene_;
  double h_;  // s
  SceneModel world_;
  std::int64_t steps_;
  std::unique_ptr<DeformableModel> model_;
  std::unique_ptr<EigenFit> eigenfit_;  // null: none
  SceneWork scene_work_;                // of the model
  MethodChoice choice_;
  MethodWatch method_watch_;
  std::unique_ptr<StableStep> stable_step_;  // of system(); null: not needed yet
  std::vector<MethodChange> method_changes_;
  std::unique_ptr<Integrator> integrator_;
  // Of viscoelastic bodies: their memory and the state where the step began in which the integrator's kept
  // factorization was made. A resumed run makes that of the same matrix. Empty: there is none.
  std::string factorized_memory_;
  State factorized_from_;
  std::vector<std::unique_ptr<StepFilter>> filters_;  // of the model
  State now_, next_;
  State filtered_;                          // next_ after its contacts, when there are any
  std::optional<Energies> known_energies_;  // of next_, after try_step(): where a device has summed them
  EnergyLedger ledger_;
  EnergyWatch energy_watch_;
  bool warned_of_energy_ = false;
  Vector contact_work_, impulses_;
  double beyond_total_ = 0;  // what the method's own energy holds after the latest step
  std::int64_t step_ = 0;
  Work work_;
  StepQuality quality_;
  Vector watched_x_, watched_v_;  // of all vertices
  Messages messages_;
  std::string said_of_solver_;  // solver_note(), when it was said last
  std::string failure_;
  std::string refusal_;  // of the method, to go on without the constraints that were released
};

}  // namespace phiflex
