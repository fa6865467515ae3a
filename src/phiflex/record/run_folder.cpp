#include "phiflex/record/run_folder.h"

#include <fmt/format.h>

#include <system_error>

#include "phiflex/base/errors.h"
#include "phiflex/base/own_files.h"
#include "phiflex/record/folder_lock.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

// Files that a run makes.
const std::vector<std::string_view> files_of_a_run = {
    "run.json", "energy.csv", "probes.csv", "measures.csv", "reactions.csv", "frames.pvd", "report.html"};
const std::vector<std::string_view> frame_files = {"frame_######.vtu"};
const std::vector<std::string_view> surface_files = {"body_######.obj"};
const std::vector<std::string_view> checkpoint_files = {"step_############.ckpt"};
// Of phiflex-mpi (src/phiflex/mpi/pieces.h, distributed_run.h).
const std::vector<std::string_view> rank_folders = {"rank_#####"}, frame_folders = {"frame_######"};
const std::vector<std::string_view> piece_lists = {"frames.pvd"}, piece_frames = {"frame_######.pvtu"},
                                    pieces = {"rank_#####.vtu"};

bool is_folder(const fs::path& path) {
  return fs::symlink_status(path).type() == fs::file_type::directory;
}

// The files, and the folder itself when nothing else is in it; of a link, the link.
void remove_files_and_folder(const fs::path& folder, const std::vector<std::string_view>& patterns) {
  if (fs::is_symlink(folder)) fs::remove(folder);
  if (!is_folder(folder)) return;
  remove_own_files(folder, patterns);
  if (fs::is_empty(folder)) fs::remove(folder);
}

// The same of the folders in it that have such names.
void remove_folders(const fs::path& folder, const std::vector<std::string_view>& names,
                    const std::vector<std::string_view>& patterns) {
  if (!is_folder(folder)) return;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (is_own_file(entry.path().filename().string(), names, OwnFiles::files_and_drafts) &&
        is_folder(entry.path()))
      found.push_back(entry.path());
  for (const fs::path& each : found) remove_files_and_folder(each, patterns);
}

// Nothing is in it, or only a lock.
bool is_free(const RunFolder& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.root))
    if (entry.path().filename() != folder.lock().filename()) return false;
  return true;
}

[[noreturn]] void refuse_folder(const fs::filesystem_error& error, const fs::path& root, const char* action) {
  throw FileError(error.path1().empty() ? root.string() : error.path1().string(),
                  std::string(action) + ": " + error.code().message());
}

}  // namespace

std::string RunFolder::frame_name(long number) {
  return fmt::format("frame_{:06}.vtu", number);
}
std::string RunFolder::surface_name(long body) {
  return fmt::format("body_{:06}.obj", body);
}

FolderNotEmpty::FolderNotEmpty(const fs::path& folder)
    : std::runtime_error(folder.string() +
                         ": the results folder is not empty; choose another or use it anyway with --force") {}

RunFolder make_run_folder(const fs::path& root, ExistingFolder existing) {
  const RunFolder folder{root};
  try {
    if (fs::exists(root) && !fs::is_directory(root))
      throw FileError(root.string(), "is a file, a folder is needed");
    fs::create_directories(root);
    if (existing == ExistingFolder::refuse && !is_free(folder)) throw FolderNotEmpty(root);
  } catch (const fs::filesystem_error& error) {
    refuse_folder(error, root, "cannot prepare the results folder");
  }
  return folder;
}

void clear_run_folder(const RunFolder& folder, ExistingFolder existing) {
  try {
    if (is_free(folder)) return;
    if (existing == ExistingFolder::refuse) throw FolderNotEmpty(folder.root);
    remove_own_files(folder.root, files_of_a_run);
    remove_files_and_folder(folder.frames(), frame_files);
    remove_files_and_folder(folder.surfaces(), surface_files);
    remove_folders(folder.checkpoints(), rank_folders, checkpoint_files);
    remove_files_and_folder(folder.checkpoints(), checkpoint_files);
    remove_folders(folder.root / "pieces" / "frames", frame_folders, pieces);
    remove_files_and_folder(folder.root / "pieces" / "frames", piece_frames);
    remove_files_and_folder(folder.root / "pieces", piece_lists);
  } catch (const fs::filesystem_error& error) {
    refuse_folder(error, folder.root, "cannot prepare the results folder");
  }
}

RunFolder prepare_run_folder(const fs::path& root, ExistingFolder existing) {
  const RunFolder folder = make_run_folder(root, existing);
  const FolderLock lock(folder);
  clear_run_folder(folder, existing);
  return folder;
}

void remove_frames(const RunFolder& folder) {
  try {
    fs::remove(folder.frames_pvd());
    remove_files_and_folder(folder.frames(), frame_files);
  } catch (const fs::filesystem_error& error) {
    refuse_folder(error, folder.root, "cannot remove");
  }
}

void remove_drafts(const RunFolder& folder) {
  try {
    remove_own_files(folder.root, files_of_a_run, OwnFiles::drafts);
    remove_own_files(folder.frames(), frame_files, OwnFiles::drafts);
    remove_own_files(folder.surfaces(), surface_files, OwnFiles::drafts);
    remove_own_files(folder.checkpoints(), checkpoint_files, OwnFiles::drafts);
  } catch (const fs::filesystem_error& error) {
    refuse_folder(error, folder.root, "cannot remove");
  }
}

void refuse_links(const RunFolder& folder) {
  for (const fs::path& place :
       {folder.energy_csv(), folder.probes_csv(), folder.measures_csv(), folder.reactions_csv(),
        folder.frames_pvd(), folder.frames(), folder.checkpoints()}) {
    std::error_code error;
    if (fs::is_symlink(place, error))
      throw FileError(place.string(),
                      "is a link; a run goes on only with its own files: put what it leads to in its place");
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
