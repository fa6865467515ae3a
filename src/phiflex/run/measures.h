// What a run measures beside its energies, a row per step in measures.csv: step,time and, as the scene's `output` asks,
//
//   measures   surface_area, mean_speed, contact_work
//   modes      lambda_1, overlap_1, lambda_2, ...
//   condition  condition_be, condition_midpoint
//   fields     means and peaks of strain and stress (run/element_fields.h)
//
// and, of every pneumatic chamber, NAME.volume and NAME.pressure.
//
// docs/run_folder.md says what they are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phiflex/base/archive.h"
#include "phiflex/linalg/identified_modes.h"
#include "phiflex/record/csv_table.h"
#include "phiflex/run/element_fields.h"
#include "phiflex/run/simulation.h"

namespace phiflex {

// Area of all triangles of the bodies' surfaces, x: of all vertices.
double surface_area(const Assembly& world, const Vector& x);
// Mean length of the velocities of all vertices.
double mean_speed(const Vector& v);

class Measures {
 public:
  // Whether the scene asks for any, or has chambers.
  static bool wanted(const SceneModel& world, const OutputSpec& output);
  // The first line of the table.
  static std::string header(const SceneModel& world, const OutputSpec& output);

  // fields: where the scene asks for any, else null; must outlive this object and be up to date at write().
  Measures(const std::filesystem::path& file, const SceneModel& world, const OutputSpec& output,
           const ElementFields* fields);
  Measures(const std::filesystem::path& file, const SceneModel& world, const OutputSpec& output,
           const ElementFields* fields, std::int64_t step, ArchiveReader& in);  // resumed

  // x, v: of all vertices.
  void write(const Simulation& simulation, const Vector& x, const Vector& v);
  void sync() { table_.sync(); }
  void save(ArchiveWriter& out) const;

 private:
  void add_tangent_measures(const Simulation& simulation);

  SceneModel world_;
  OutputSpec output_;
  const ElementFields* fields_;
  IdentifiedModes modes_;  // before the table: an archive that cannot be read leaves the table as it is
  CsvWriter table_;
  const DeformableModel* model_ = nullptr;  // whose tangent it is
  std::unique_ptr<AssembledTangent> tangent_;
  bool is_resumed_ = false;
  std::vector<double> numbers_;
};

}  // namespace phiflex
