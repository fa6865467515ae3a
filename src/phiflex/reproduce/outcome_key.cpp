// What an outcome depends on, as a hash: a result that was kept stands as long as its key is the same.
#include <algorithm>

#include "phiflex/base/files.h"
#include "phiflex/base/hash.h"
#include "phiflex/reproduce/reproduce.h"
#include "phiflex/reproduce/run_store.h"

namespace phiflex {

std::string outcome_key(const Experiment& experiment, const ReproduceOptions& options) {
  Hash hash;
  hash.add(read_file(experiment.folder / "experiment.json"));
  std::vector<std::string> scenes;
  for (const RunSpec& run : experiment.runs) scenes.push_back(run.scene);
  for (const ModesSpec& modes : experiment.modes) {
    scenes.push_back(modes.scene);
    scenes.push_back(modes.fine_scene);
  }
  for (const std::string& scene : scenes)
    if (std::filesystem::is_regular_file(experiment.folder / scene))
      hash.add(read_file(experiment.folder / scene));
  hash.add(name_of(options.variant));
  hash.add(static_cast<std::int64_t>(options.sweep));
  for (const std::string& one : options.overrides) hash.add(one);
  hash.add(options.meshes.empty() ? "no meshes" : "meshes");
  for (const MeshChoice& mesh : experiment.meshes) {
    if (options.meshes.empty()) break;
    if (mesh.file.find('{') == std::string::npos) {
      hash.add(file_mark(options.meshes / mesh.file));
      continue;
    }
    // Which file it names is known to the runs alone: every one that is there counts.
    std::vector<std::string> marks;
    for (const auto& entry : std::filesystem::directory_iterator(options.meshes))
      if (entry.is_regular_file())
        marks.push_back(entry.path().filename().string() + " " + file_mark(entry.path()));
    std::sort(marks.begin(), marks.end());
    for (const std::string& mark : marks) hash.add(mark);
  }
  hash.add(program_mark());
  return hash.hexadecimal();
}

}  // namespace phiflex
