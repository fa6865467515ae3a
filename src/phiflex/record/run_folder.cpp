#include "phiflex/record/run_folder.h"

#include <fmt/format.h>

#include <regex>
#include <system_error>

#include "phiflex/base/errors.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

// Files that a run makes, drafts of a killed write (".part" and a process number) among them.
const char* const files_of_a_run =
    R"((run\.json|energy\.csv|probes\.csv|measures\.csv|frames\.pvd|report\.html)(\.part\d+)?)";
const char* const frame_files = R"(frame_\d{6,}\.vtu(\.part\d+)?)";
const char* const checkpoint_files = R"(step_\d{12}\.ckpt(\.part\d+)?)";

void remove_files_named(const fs::path& folder, const char* pattern) {
  const std::regex names(pattern);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (!entry.is_directory() && std::regex_match(entry.path().filename().string(), names))
      fs::remove(entry.path());
}

// As above, and the folder itself when nothing else is in it.
void remove_files_and_folder(const fs::path& folder, const char* pattern) {
  if (!fs::is_directory(folder)) return;
  remove_files_named(folder, pattern);
  if (fs::is_empty(folder)) fs::remove(folder);
}

}  // namespace

std::string RunFolder::frame_name(long number) {
  return fmt::format("frame_{:06}.vtu", number);
}

FolderNotEmpty::FolderNotEmpty(const fs::path& folder)
    : std::runtime_error(folder.string() +
                         ": the results folder is not empty; choose another or use it anyway with --force") {}

RunFolder prepare_run_folder(const fs::path& root, ExistingFolder existing) {
  const RunFolder folder{root};
  try {
    if (fs::exists(root) && !fs::is_directory(root))
      throw FileError(root.string(), "is a file, a folder is needed");
    fs::create_directories(root);
    if (!fs::is_empty(root)) {
      if (existing == ExistingFolder::refuse) throw FolderNotEmpty(root);
      remove_files_named(root, files_of_a_run);
      remove_files_and_folder(folder.frames(), frame_files);
      remove_files_and_folder(folder.checkpoints(), checkpoint_files);
    }
  } catch (const fs::filesystem_error& error) {
    throw FileError(error.path1().empty() ? root.string() : error.path1().string(),
                    "cannot prepare the results folder: " + error.code().message());
  }
  return folder;
}

void remove_frames(const RunFolder& folder) {
  try {
    fs::remove(folder.frames_pvd());
    remove_files_and_folder(folder.frames(), frame_files);
  } catch (const fs::filesystem_error& error) {
    throw FileError(error.path1().string(), "cannot remove: " + error.code().message());
  }
}

RunFolder open_run_folder(const fs::path& root) {
  std::error_code error;
  const RunFolder folder{root};
  if (!fs::exists(root, error)) throw FileError(root.string(), "no such folder");
  if (!fs::is_directory(root, error)) throw FileError(root.string(), "is a file, a results folder is needed");
  if (!fs::exists(folder.run_json(), error))
    throw FileError(root.string(), "holds no run.json: not a results folder");
  return folder;
}

}  // namespace phiflex
