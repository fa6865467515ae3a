// The layout of a run folder: the one place that knows the names of its files.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace phiflex {

struct RunFolder {
  std::filesystem::path root;

  std::filesystem::path run_json() const { return root / "run.json"; }
  std::filesystem::path energy_csv() const { return root / "energy.csv"; }
  std::filesystem::path probes_csv() const { return root / "probes.csv"; }
  std::filesystem::path measures_csv() const { return root / "measures.csv"; }
  std::filesystem::path reactions_csv() const { return root / "reactions.csv"; }
  std::filesystem::path frames_pvd() const { return root / "frames.pvd"; }
  std::filesystem::path frames() const { return root / "frames"; }
  std::filesystem::path frame(long number) const { return frames() / frame_name(number); }
  std::filesystem::path surfaces() const { return root / "surfaces"; }
  std::filesystem::path surface(long body) const {
    return surfaces() / surface_name(body);
  }  // that a body carries
  std::filesystem::path checkpoints() const { return root / "checkpoint"; }
  std::filesystem::path report_html() const { return root / "report.html"; }
  std::filesystem::path lock() const { return root / "run.lock"; }  // folder_lock.h

  static std::string frame_name(long number);  // frame_000000.vtu
  static std::string surface_name(long body);  // body_000000.obj
};

// The folder holds something and the user did not say to use it anyway. The command maps it to exit code 2.
class FolderNotEmpty : public std::runtime_error {
 public:
  explicit FolderNotEmpty(const std::filesystem::path& folder);
};

enum class ExistingFolder { refuse, reuse };

// Makes the folder, parents included. With `refuse`, throws FolderNotEmpty when anything is in it but a lock. FileError
// when the place cannot be made or is a file.
RunFolder make_run_folder(const std::filesystem::path& root, ExistingFolder existing);

// To be called by the owner of the folder's lock. With `refuse`, throws FolderNotEmpty as above; with `reuse`, removes
// what an earlier run left there (only files that a run makes) and nothing else. A link is removed, not what it leads
// to.
void clear_run_folder(const RunFolder& folder, ExistingFolder existing);

// Both, with the lock held in between: FileError when a run is going on there.
RunFolder prepare_run_folder(const std::filesystem::path& root, ExistingFolder existing);

// Removes the frames and their list, and nothing else. FileError.
void remove_frames(const RunFolder& folder);

// Removes the drafts that a killed run left of files it was writing. To be called by the owner of the folder's lock.
void remove_drafts(const RunFolder& folder);

// A run that goes on in a folder cuts its tables and removes later frames: FileError when one of the places where it
// does so is a link, and would lead it elsewhere.
void refuse_links(const RunFolder& folder);

// A run folder to read or resume: FileError when it is missing or holds no run.json.
RunFolder open_run_folder(const std::filesystem::path& root);

}  // namespace phiflex
