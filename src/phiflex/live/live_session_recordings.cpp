// What a session writes: recordings of its views, and their scenes.
#include <fmt/format.h>

#include <cctype>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/live/live_session.h"
#include "phiflex/live/scene_edits.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {
namespace {

constexpr std::size_t kReports = 4;  // that are written at the same time as the run goes on

// A name of a view as a name of a file.
std::string file_name(const std::string& view) {
  std::string name;
  for (const char c : view) name += std::isalnum(static_cast<unsigned char>(c)) || c == '.' ? c : '-';
  return name;
}

}  // namespace

std::filesystem::path LiveSession::next_folder(const char* what) const {
  const std::filesystem::path root =
      setup_.output.empty() ? std::filesystem::path("out") / ("live-" + title()) : setup_.output;
  for (int n = 1;; ++n) {
    std::filesystem::path folder = root / fmt::format("{}-{:03}", what, n);
    std::error_code error;
    if (!std::filesystem::exists(folder, error)) return folder;
  }
}

void LiveSession::record(bool on) {
  if (on == records_) return;
  if (!on) {
    end_recordings(RunStatus::done, "");
    tell_settings();
    return;
  }
  const std::filesystem::path folder = next_folder("recording");
  RunControl control = setup_.control;
  if (control.finished)
    control.finished = [this](const RunFolder& of) {
      if (reports_.size() >= kReports) {
        reports_.front().join();
        reports_.erase(reports_.begin());
      }
      reports_.emplace_back([this, write = setup_.control.finished, of] {
        // One after the other: a report takes several times the memory of its frames.
        const std::lock_guard alone(one_report_);
        try {
          write(of);
        } catch (const std::exception&) {  // `phiflex report` writes it again, and says what is wrong
        }
      });
    };
  records_ = true;
  recording_ = folder.string();
  try {
    for (std::size_t view = 0; view < engines_.size(); ++view) {
      const std::string name = fmt::format("{}-{}", view + 1, file_name(engines_[view].name()));
      Messages messages;
      messages.note(fmt::format("recorded by phiflex live, view {}", engines_[view].name()));
      engines_[view].record(folder / name, control, messages);
    }
  } catch (...) {
    records_ = false;
    for (LiveEngine& engine : engines_) engine.end_recording(RunStatus::failed, "another view has none");
    tell_settings();
    throw;
  }
  log(fmt::format("records into {}", recording_));
  tell_settings();
}

void LiveSession::end_recordings(RunStatus status, const std::string& reason) {
  if (!records_) return;
  records_ = false;
  std::int64_t steps = 0;
  bool complete = true;
  for (LiveEngine& engine : engines_) {
    try {
      const std::optional<RunSummary> summary = engine.end_recording(status, reason);
      if (!summary) continue;
      steps = summary->steps;
      audience_.tell({{"kind", "recorded"},
                      {"view", engine.name()},
                      {"folder", recording_},
                      {"steps", summary->steps},
                      {"hash", summary->hash}});
    } catch (const FileError& error) {  // the disk is full, or the folder is gone; the others may be whole
      complete = false;
      log(fmt::format("the recording of {} has failed: {}", engine.name(), error.what()), "bad");
    }
  }
  if (complete)
    log(fmt::format("recorded {} steps into {}; `phiflex run` of a scene.json there repeats them", steps,
                    recording_));
}

void LiveSession::save() {
  const std::filesystem::path folder = next_folder("saved");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder.string(), "cannot make the folder: " + error.message());
  std::string names;
  for (std::size_t view = 0; view < engines_.size(); ++view) {
    const std::filesystem::path file =
        folder / fmt::format("{}-{}.json", view + 1, file_name(engines_[view].name()));
    write_file_atomically(file, scene_file_text(engines_[view].scene()));
    names += (names.empty() ? "" : ", ") + file.string();
  }
  log("saved " + names);
  audience_.tell({{"kind", "saved"}, {"folder", folder.string()}});
}

}  // namespace phiflex
