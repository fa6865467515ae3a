#include "phiflex/run/recording.h"

#include <algorithm>
#include <limits>

#include "phiflex/run/run.h"
#include "phiflex/run/run_summary.h"

namespace phiflex {

std::vector<std::string> table_headers(const SceneModel& world, const OutputSpec& output) {
  std::vector<std::string> headers;
  if (!world.probe_names().empty()) headers.push_back(probes_header(world.probe_names()));
  headers.emplace_back(energy_header);
  if (Measures::wanted(world, output)) headers.push_back(Measures::header(world, output));
  if (const Reactions reactions = world.make_reactions(); !reactions.names().empty())
    headers.push_back(reactions_header(reactions.names()));
  return headers;
}

bool ContactForceField::wanted(const OutputSpec& output) {
  return std::count(output.fields.begin(), output.fields.end(), OutputField::contact_force) > 0;
}

const Vector& ContactForceField::update(const Simulation& simulation, const Vector& x) {
  const DeformableModel& model = simulation.model();
  const State& now = simulation.state();
  f_.setZero(x.size());
  for (const TermPointer& term : model.terms())
    if (term->account() == PotentialTerm::Account::contact) term->add_force(x, f_);  // (1)
  for (const auto& obstacle : model.description().carried) obstacle->add_force(now.t, x, f_);
  double unused_power = 0;
  if (model.friction_forces(now, friction_, unused_power)) f_ += friction_;
  const Vector& impulses = simulation.projected_impulses();
  if (impulses.size() == f_.size() && simulation.step() > 0) f_ += impulses / simulation.h();
  return f_;
}

Recording::Recording(const RunFolder& folder, const SceneModel& world, const OutputSpec& output,
                     Frames frames)
    : world_(world),
      every_(output.every),
      energy_(std::make_unique<EnergyCsv>(folder.energy_csv())),
      reactions_(world.make_reactions()) {
  if (!reactions_.names().empty())
    reactions_csv_ = std::make_unique<ReactionsCsv>(folder.reactions_csv(), reactions_.names());
  if (!world.probe_names().empty())
    probes_ = std::make_unique<ProbesCsv>(folder.probes_csv(), world.probe_names());
  if (ElementFields::wanted(output)) fields_ = std::make_unique<ElementFields>(world, output);
  if (ContactForceField::wanted(output)) contact_forces_ = std::make_unique<ContactForceField>();
  if (Measures::wanted(world, output))
    measures_ = std::make_unique<Measures>(folder.measures_csv(), world, output, fields_.get());
  if (frames == Frames::written && !output.formats.empty())
    frames_ = std::make_unique<FrameWriter>(folder, world.frame_geometry());
}

Recording::Recording(const RunFolder& folder, const SceneModel& world, const OutputSpec& output,
                     Frames frames, std::int64_t step, ArchiveReader& in)
    : world_(world), every_(output.every), reactions_(world.make_reactions()) {
  // The archive first: one that cannot be read leaves the tables as they are.
  const long written = static_cast<long>(in.get_integer(0, std::numeric_limits<std::int32_t>::max()));
  summary_.load(in);
  if (ElementFields::wanted(output)) fields_ = std::make_unique<ElementFields>(world, output);
  if (ContactForceField::wanted(output)) contact_forces_ = std::make_unique<ContactForceField>();
  if (Measures::wanted(world, output))
    measures_ = std::make_unique<Measures>(folder.measures_csv(), world, output, fields_.get(), step, in);
  energy_ = std::make_unique<EnergyCsv>(folder.energy_csv(), step);
  if (!reactions_.names().empty())
    reactions_csv_ = std::make_unique<ReactionsCsv>(folder.reactions_csv(), reactions_.names(), step);
  if (!world.probe_names().empty())
    probes_ = std::make_unique<ProbesCsv>(folder.probes_csv(), world.probe_names(), step);
  if (frames == Frames::written && !output.formats.empty())
    frames_ = std::make_unique<FrameWriter>(folder, world.frame_geometry(), written);
}

void Recording::write(const Simulation& simulation) {
  const State& now = simulation.state();
  const EnergyRow row = energy_row(simulation);
  energy_->write(row);
  summary_.add(row);
  if (reactions_csv_) write_reactions(simulation);

  const bool frame_is_due = frames_ && simulation.step() % every_ == 0;
  if (!probes_ && !measures_ && !frame_is_due) return;
  simulation.model().expand(now, x_, v_);
  if (fields_) fields_->update(simulation.model(), now.t, x_);
  if (measures_) measures_->write(simulation, x_, v_);
  if (probes_) {
    world_.probe_positions(x_, positions_);
    probes_->write(simulation.step(), now.t, positions_);
  }
  if (frame_is_due) {
    u_ = x_ - world_.rest();
    world_.strain_energy_densities(now.t, x_, densities_, &simulation.model());
    std::vector<VtuArray> of_cells, of_points;
    if (simulation.contact_work().size() > 0)
      of_points.push_back({"contact_work", 1, as_span(simulation.contact_work()), {}});
    if (contact_forces_)
      of_points.push_back({"contact_force", 3, as_span(contact_forces_->update(simulation, x_)), {}});
    if (fields_) fields_->add_frame_arrays(of_cells, of_points);
    frames_->write(now.t, as_span(u_), as_span(v_), densities_, of_cells, of_points);
  }
}

void Recording::write_reactions(const Simulation& simulation) {
  const double h = simulation.step() > 0 ? simulation.h() : 0;
  wrenches_.clear();
  for (const Wrench& wrench :
       reactions_.update(simulation.model(), simulation.state(), h, simulation.projected_impulses())) {
    wrenches_.insert(wrenches_.end(), wrench.force.begin(), wrench.force.end());
    wrenches_.insert(wrenches_.end(), wrench.torque.begin(), wrench.torque.end());
  }
  reactions_csv_->write(simulation.step(), simulation.state().t, wrenches_);
}

void Recording::sync() {
  energy_->sync();
  if (reactions_csv_) reactions_csv_->sync();
  if (probes_) probes_->sync();
  if (measures_) measures_->sync();
  if (frames_) frames_->sync();
}

void Recording::save(ArchiveWriter& out) const {
  out.put(static_cast<std::int64_t>(frames()));
  summary_.save(out);
  if (measures_) measures_->save(out);
}

}  // namespace phiflex
