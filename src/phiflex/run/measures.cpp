#include "phiflex/run/measures.h"

#include <Eigen/Geometry>
#include <limits>
#include <optional>

#include "phiflex/linalg/condition.h"

namespace phiflex {
namespace {

std::string header_with(const SceneModel& world, const OutputSpec& output, const ElementFields* fields) {
  std::string text = "step,time";
  if (output.measures == Switch::on) text += ",surface_area,mean_speed,contact_work";
  for (std::int64_t i = 1; i <= output.modes; ++i)
    text += ",lambda_" + std::to_string(i) + ",overlap_" + std::to_string(i);
  if (output.condition == Switch::on) text += ",condition_be,condition_midpoint";
  if (fields)
    for (const std::string& name : fields->columns()) text += "," + csv_field(name);
  for (const auto& chamber : world.chambers())
    for (const char* of : {".volume", ".pressure"}) text += "," + csv_field(chamber->name() + of);
  return text;
}

IdentifiedModes loaded_modes(const OutputSpec& output, ArchiveReader& in) {
  IdentifiedModes modes(output.modes);
  modes.load(in);
  return modes;
}

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double surface_area(const Assembly& world, const Vector& x) {
  double area = 0;
  for (const Body& body : world.bodies()) {
    const auto at = [&](int vertex) -> Eigen::Vector3d {
      return x.segment<3>(3 * Index(body.first_vertex + vertex));
    };
    for (const auto& [a, b, c] : body.surface) area += 0.5 * (at(b) - at(a)).cross(at(c) - at(a)).norm();
  }
  return area;
}

double mean_speed(const Vector& v) {
  double sum = 0;
  for (Index i = 0; i + 2 < v.size(); i += 3) sum += v.segment<3>(i).norm();
  return v.size() > 0 ? 3 * sum / static_cast<double>(v.size()) : 0;
}

bool Measures::wanted(const SceneModel& world, const OutputSpec& output) {
  return !world.chambers().empty() || output.measures == Switch::on || output.modes > 0 ||
         output.condition == Switch::on || ElementFields::wanted(output);
}

std::string Measures::header(const SceneModel& world, const OutputSpec& output) {
  std::optional<ElementFields> fields;
  if (ElementFields::wanted(output)) fields.emplace(world, output);
  return header_with(world, output, fields ? &*fields : nullptr);
}

Measures::Measures(const std::filesystem::path& file, const SceneModel& world, const OutputSpec& output,
                   const ElementFields* fields)
    : world_(world),
      output_(output),
      fields_(fields),
      modes_(output.modes),
      table_(file, header_with(world, output, fields)) {}

Measures::Measures(const std::filesystem::path& file, const SceneModel& world, const OutputSpec& output,
                   const ElementFields* fields, std::int64_t step, ArchiveReader& in)
    : world_(world),
      output_(output),
      fields_(fields),
      modes_(loaded_modes(output, in)),
      table_(file, header_with(world, output, fields), step),
      is_resumed_(true) {}

void Measures::save(ArchiveWriter& out) const {
  modes_.save(out);
}

void Measures::write(const Simulation& simulation, const Vector& x, const Vector& v) {
  numbers_.assign(1, simulation.state().t);
  if (output_.measures == Switch::on)
    numbers_.insert(numbers_.end(),
                    {surface_area(world_, x), mean_speed(v), simulation.contact_work().sum()});
  if (output_.modes > 0 || output_.condition == Switch::on) add_tangent_measures(simulation);
  if (fields_) fields_->append_measures(numbers_);
  for (const auto& chamber : world_.chambers())
    numbers_.insert(numbers_.end(), {chamber->volume(x), chamber->pressure(simulation.state().t)});
  table_.write_row(simulation.step(), numbers_);
}

void Measures::add_tangent_measures(const Simulation& simulation) {
  const DeformableModel& model = simulation.model();
  if (model_ != &model) {  // constraints were released: other unknowns, other modes
    if (model_ != nullptr || !is_resumed_) modes_.forget();
    model_ = &model;
    tangent_ = model.assembled_tangent(Definiteness::exact);
  }
  const bool can = model.dofs() > 0;
  if (can) tangent_->update(simulation.state());
  Work unused;
  if (output_.modes > 0) {
    const bool found =
        can && modes_.update(AssembledPencil(tangent_->K(), model.mass()), unused) == ModesStatus::ok;
    for (Index i = 0; i < output_.modes; ++i) {
      const bool is_there = found && i < modes_.lambda().size();
      numbers_.push_back(is_there ? modes_.lambda()[i] : kNotKnown);
      numbers_.push_back(is_there ? modes_.overlap()[i] : kNotKnown);
    }
  }
  if (output_.condition != Switch::on) return;
  const double h = simulation.h();
  for (const double c : {h * h, h * h / 4})
    numbers_.push_back(can ? estimate_condition(tangent_->K(), model.mass(), c).value_or(kNotKnown)
                           : kNotKnown);
}

}  // namespace phiflex
