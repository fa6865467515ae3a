#include "phiflex/mesh/tetrahedralize.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/text.h"
#include "phiflex/mesh/mesh_check.h"
#include "phiflex/mesh/mesh_formats.h"
#include "phiflex/mesh/mesh_info.h"

extern char** environ;

namespace phiflex {
namespace {

namespace fs = std::filesystem;

// A folder of our own that vanishes with us.
class PrivateFolder {
 public:
  PrivateFolder() {
    std::string name = (fs::temp_directory_path() / "phiflex-tetgen-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw FileError(name, std::strerror(errno));
    path_ = name;
  }
  ~PrivateFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string format_smesh(const SurfaceMesh& surface) {
  std::string text;
  append(text, "{} 3 0 0\n", surface.vertices.size());
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
    const auto& [x, y, z] = surface.vertices[v];
    append(text, "{} {} {} {}\n", v, x, y, z);
  }
  append(text, "{} 0\n", surface.triangles.size());
  for (const auto& [a, b, c] : surface.triangles) append(text, "3 {} {} {}\n", a, b, c);
  return text + "0\n0\n";
}

void require_fillable(const SurfaceMesh& surface, const std::string& file) {
  if (surface.triangles.empty())
    throw InputError(file, "", "there are no triangles; a closed surface is needed");
  const MeshInfo info = mesh_info(surface);
  std::vector<Problem> problems;
  const auto refuse = [&](std::size_t count, const char* what) {
    if (count > 0)
      problems.push_back({file, "", fmt::format("{} {}; a closed surface is needed", count, what)});
  };
  refuse(info.surface.border_edges, "edges have only one triangle");
  refuse(info.surface.nonmanifold_edges, "edges have more than two triangles");
  refuse(info.not_finite, "vertices are not finite");
  if (!problems.empty()) throw InputError(std::move(problems));
}

struct Outcome {
  int exit_status = 0;
  bool timed_out = false;
};

Outcome run_program(const std::vector<std::string>& command, const fs::path& log, int max_seconds) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw FileError(command[0], std::strerror(error));

  Outcome outcome;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(max_seconds);
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      outcome.timed_out = true;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  outcome.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

// The end of the program's output.
std::string last_words(const fs::path& log) {
  constexpr std::size_t kLength = 600;
  std::string text = fs::exists(log) ? read_file(log) : "";
  if (text.size() > kLength) text = "..." + text.substr(text.size() - kLength);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

TetMesh tetrahedralize(const SurfaceMesh& surface, const std::string& file,
                       const TetrahedralizeOptions& options) {
  if (!(options.radius_edge_ratio > 1) || !(options.max_volume >= 0) || !std::isfinite(options.max_volume) ||
      !std::isfinite(options.radius_edge_ratio) || options.max_seconds < 1)
    throw std::invalid_argument(
        "tetrahedralize: the radius-edge ratio must exceed 1, the volume must not be negative");
  require_fillable(surface, file);
  const PrivateFolder folder;
  write_file_atomically(folder.path() / "surface.smesh", format_smesh(surface));

  // p: fill a surface; z: count from 0; B: no boundary marks; J: keep unused vertices; q, a: quality and
  // volume bounds; Y: keep the surface; F: no file of faces.
  std::string switches = fmt::format("-pzBJFq{:f}", options.radius_edge_ratio);
  if (options.max_volume > 0) switches += fmt::format("a{:.17g}", options.max_volume);
  if (options.keep_surface) switches += "Y";
  const fs::path log = folder.path() / "log";
  // Through stdbuf line by line: a refusal aborts the program, and with it what it has
  // said but not yet put out.
  const Outcome outcome =
      run_program({"stdbuf", "-oL", options.program, switches, (folder.path() / "surface.smesh").string()},
                  log, options.max_seconds);
  const fs::path node = folder.path() / "surface.1.node", ele = folder.path() / "surface.1.ele";
  if (outcome.timed_out)
    throw InputError(file, "",
                     fmt::format("{} was stopped after {} seconds", options.program, options.max_seconds));
  // 126 and 127 are stdbuf's codes for a program that it cannot start.
  if (outcome.exit_status == 126 || outcome.exit_status == 127)
    throw FileError(options.program, "cannot be run (Debian's package tetgen has it): " + last_words(log));
  if (outcome.exit_status != 0 || !fs::exists(node) || !fs::exists(ele))
    throw InputError(file, "",
                     fmt::format("{} refused the surface (status {}); it says:\n{}", options.program,
                                 outcome.exit_status, last_words(log)));
  TetMesh mesh = parse_tetgen(read_file(node), "the .node file of " + options.program, read_file(ele),
                              "the .ele file of " + options.program)
                     .tet;
  fix_orientation(mesh);  // ours to decide: the tetrahedra are new
  return mesh;
}

}  // namespace phiflex
