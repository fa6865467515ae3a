// The recorders of a run: energy ledger, probes, reactions, measures and frames, fed after every step.
#pragma once

#include <memory>
#include <vector>

#include "phiflex/base/archive.h"
#include "phiflex/record/energy_csv.h"
#include "phiflex/record/frames.h"
#include "phiflex/record/named_tables.h"
#include "phiflex/record/run_folder.h"
#include "phiflex/run/element_fields.h"
#include "phiflex/run/measures.h"
#include "phiflex/run/simulation.h"
#include "phiflex/scene/output_spec.h"

namespace phiflex {

enum class Frames;  // run.h

// The first lines of the tables that a run of this scene writes: probes.csv, energy.csv, measures.csv, reactions.csv.
std::vector<std::string> table_headers(const SceneModel& world, const OutputSpec& output);

// The forces of contact on the vertices, for the frames (docs/run_folder.md):
//
//   f = -dW/dx + friction(t, x, v) + p / h                                                                  (1)
//
// W: barriers and penalties, between bodies and with obstacles, also moving ones; friction: of obstacles; p: the
// impulses of projections in the step of length h that ended in the state. The friction between bodies and the impulses
// between particles act within a step and are not in it.
class ContactForceField {
 public:
  static bool wanted(const OutputSpec& output);
  // x: positions of all vertices at the simulation's state. Three numbers a vertex, N.
  const Vector& update(const Simulation& simulation, const Vector& x);

 private:
  Vector f_, friction_;
};

class Recording {
 public:
  // A fresh recording; write() the initial state first.
  Recording(const RunFolder& folder, const SceneModel& world, const OutputSpec& output, Frames frames);
  // Goes on after the step at which `in` was saved; what was recorded later is removed.
  Recording(const RunFolder& folder, const SceneModel& world, const OutputSpec& output, Frames frames,
            std::int64_t step, ArchiveReader& in);

  void write(const Simulation& simulation);
  void sync();  // waits until all that was written is on the disk: survives a loss of power
  void save(ArchiveWriter& out) const;

  const EnergySummary& energy() const { return summary_; }
  long frames() const { return frames_ ? frames_->frames() : 0; }

 private:
  void write_reactions(const Simulation& simulation);

  SceneModel world_;
  std::int64_t every_;
  std::unique_ptr<EnergyCsv> energy_;
  std::unique_ptr<ProbesCsv> probes_;
  Reactions reactions_;
  std::unique_ptr<ReactionsCsv> reactions_csv_;        // null: nothing holds or stops the bodies
  std::unique_ptr<ElementFields> fields_;              // null: the scene asks for none
  std::unique_ptr<ContactForceField> contact_forces_;  // the same
  std::unique_ptr<Measures> measures_;
  std::unique_ptr<FrameWriter> frames_;
  EnergySummary summary_;
  Vector x_, v_, u_;
  std::vector<Point3> positions_;
  std::vector<double> densities_, wrenches_;
};

}  // namespace phiflex
