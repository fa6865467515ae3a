#include "phiflex/study/modes_run.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <system_error>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/own_files.h"
#include "phiflex/integrate/modes_at_rest.h"
#include "phiflex/integrate/newton_options.h"
#include "phiflex/mesh/vtu_writer.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/run/run.h"
#include "phiflex/run/scene_model.h"
#include "phiflex/scene/scene.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

constexpr double kVisible = 0.1;  // of the bodies' diagonal: the largest displacement in a file
constexpr double kZero = 1e-12;   // of |M^-1 K|: below, lambda is rounding

void clear_modes_folder(const fs::path& folder, ExistingFolder existing) {
  try {
    if (fs::exists(folder) && !fs::is_directory(folder))
      throw FileError(folder.string(), "is a file, a folder is needed");
    fs::create_directories(folder);
    if (fs::is_empty(folder)) return;
    if (existing == ExistingFolder::refuse) throw FolderNotEmpty(folder);
    remove_own_files(folder, {"modes.csv", "modes.pvd", "mode_###.vtu"});
  } catch (const fs::filesystem_error& error) {
    throw FileError(error.path1().empty() ? folder.string() : error.path1().string(),
                    "cannot prepare the results folder: " + error.code().message());
  }
}

NaturalMode natural_mode(double lambda, double residual, double norm) {  // (1)
  NaturalMode mode = {.lambda = lambda, .residual = residual};
  if (std::abs(lambda) <= kZero * norm) {
    mode.kind = ModeKind::rigid;
  } else if (lambda < 0) {
    mode.kind = ModeKind::unstable;
  } else {
    mode.omega = std::sqrt(lambda);
    mode.frequency = mode.omega / (2 * std::numbers::pi);
  }
  return mode;
}

std::string file_name(std::size_t number) {
  return fmt::format("mode_{:03}.vtu", number);
}

void write_table(const fs::path& path, const std::vector<NaturalMode>& modes) {
  std::string text = "mode,lambda,omega,frequency_hz,residual\n";
  for (std::size_t i = 0; i < modes.size(); ++i) {
    text += std::to_string(i + 1);
    for (const double number : {modes[i].lambda, modes[i].omega, modes[i].frequency, modes[i].residual}) {
      text += ',';
      append_number(text, number);
    }
    text += '\n';
  }
  write_file_atomically(path, text);
}

double diagonal_of(const std::vector<Point3>& points) {
  Eigen::AlignedBox3d box;
  for (const Point3& p : points) box.extend(Eigen::Vector3d(p[0], p[1], p[2]));
  return points.empty() ? 0 : box.diagonal().norm();
}

void write_shapes(const fs::path& folder, const SceneModel& world, const DeformableModel& model,
                  const Matrix& U) {
  const FrameGeometry geometry = world.frame_geometry();
  const double visible = kVisible * diagonal_of(geometry.rest);
  State at{0, Vector::Zero(model.dofs()), Vector::Zero(model.dofs())};
  Vector rest, shape, v;
  model.expand(at, rest, v);
  std::string list =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (Index i = 0; i < U.cols(); ++i) {
    at.q = U.col(i);
    model.expand(at, shape, v);
    shape -= rest;  // held vertices are at rest
    double largest = 0;
    for (Index k = 0; k + 2 < shape.size(); k += 3) largest = std::max(largest, shape.segment<3>(k).norm());
    if (largest > 0) shape *= visible / largest;
    const std::string name = file_name(std::size_t(i) + 1);
    write_vtu_file(folder / name,
                   {.points = flat(geometry.rest),
                    .cells = &geometry.cells,
                    .point_data = {{"displacement", 3, as_span(shape), {}}},
                    .cell_data = {{"region", 1, {}, geometry.region}, {"body", 1, {}, geometry.body}}});
    list += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", i + 1, name);
  }
  list += "  </Collection>\n</VTKFile>\n";
  write_file_atomically(folder / "modes.pvd", list);
}

// Everything but the time it takes.
void compute_and_write(const Scene& scene, const std::string& scene_file, const ModesRunOptions& options,
                       ModesSummary& summary) {
  const SceneModel world = build_scene(scene, scene_file);
  const std::unique_ptr<DeformableModel> model = world.make_model(0);
  const Index dofs = model->dofs();
  if (options.count > dofs)
    throw InputError(
        scene_file, "",
        fmt::format("has {} free degrees of freedom; {} modes are more than that", dofs, options.count));
  clear_modes_folder(options.folder, options.existing);

  summary.vertices = world.vertices();
  summary.degrees_of_freedom = dofs;
  summary.messages.warn(world.messages().warnings());
  const LinearSolver solver = scene.integrator.options.read<NewtonOptions>().tangent.solver;
  const auto [status, modes, norm] = modes_at_rest(*model, options.count, {.solver = solver}, summary.work);
  summary.status = status;
  if (!modes.solver_reason.empty()) summary.messages.note("modes: " + modes.solver_reason);
  if (modes.count() == 0) return;
  for (Index i = 0; i < modes.count(); ++i)
    summary.modes.push_back(natural_mode(modes.lambda[i], modes.residual[i], norm));
  write_table(options.folder / "modes.csv", summary.modes);
  write_shapes(options.folder, world, *model, modes.U);
}

}  // namespace

const char* name_of(ModeKind kind) {
  switch (kind) {
    case ModeKind::rigid:
      return "rigid";
    case ModeKind::unstable:
      return "unstable";
    case ModeKind::elastic:
      break;
  }
  return "elastic";
}

ModesSummary run_modes(const Scene& scene, const std::string& scene_file, const ModesRunOptions& options) {
  RunControl control;
  control.threads = options.threads;
  use_threads(control);
  ModesSummary summary;
  {
    const PhaseTimer timer(summary.seconds);
    compute_and_write(scene, scene_file, options, summary);
  }
  return summary;
}

}  // namespace phiflex
