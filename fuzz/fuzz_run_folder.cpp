// libFuzzer target: a run folder one file of which is the input, as the viewer, the report and resume read it. A letter
// picks the file; anything but an InputError or a FileError is a finding.
#include <unistd.h>

#include <array>
#include <cstdint>
#include <fstream>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/hash.h"
#include "phiflex/pages/live_run.h"
#include "phiflex/pages/viewer_data.h"
#include "phiflex/record/checkpoint.h"
#include "phiflex/record/named_tables.h"
#include "tests/record/fake_run.h"

namespace phiflex {
namespace {

// Two run folders, one with tables and a checkpoint, one with two frames, and the place of each file that a letter
// stands for. Both are small and have only what is looked at, for they are read again at every execution; run.json
// takes longest.
struct Folders {
  Folders() {
    write_checkpoint(tables.checkpoints(), {.step = 2, .pieces = {{"run", "bytes"}}});
    checkpoint = read_file(file('c'));
    ReactionsCsv(tables.reactions_csv(), {"floor"}).write(0, 0, std::array<double, 6>{});
    for (const RunFolder& run : {tables, motion}) write(run.run_json(), "{}");
  }

  testing::ScratchFolder scratch;
  RunFolder tables = make_fake_run(scratch.path() / "tables", {.steps = 2, .frames = false});
  RunFolder motion =
      make_fake_run(scratch.path() / "motion",
                    {.steps = 1, .cells = {1, 1, 1}, .probes = false, .springs = false, .fields = true});
  std::string checkpoint;
  char broken = 0;
  std::string good;  // the bytes of the broken file, when it was whole

  std::filesystem::path file(char letter) const {
    switch (letter) {
      case 'j':
        return tables.run_json();
      case 'e':
        return tables.energy_csv();
      case 'p':
        return tables.probes_csv();
      case 'r':
        return tables.reactions_csv();
      case 'c':
      case 'h':
        return tables.checkpoints() / "step_000000000002.ckpt";
      case 'l':
        return motion.frames_pvd();
      case 'f':
        return motion.frame(0);
      case 'g':
        return motion.frame(1);
      default:
        return {};
    }
  }
  static void write(const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }
  void put(char letter, std::string_view bytes) {
    if (broken != letter) {
      if (broken != 0) write(file(broken), good);
      good = read_file(file(letter));
      broken = letter;
    }
    write(file(letter), bytes);
  }
};

// Content with the head that belongs to it: letters and version of a checkpoint, size, hash.
std::string with_head(std::string_view checkpoint, std::string_view content) {
  Hash hash;
  hash.add(content);
  const std::uint64_t numbers[] = {content.size(), hash.value()};
  return std::string(checkpoint.substr(0, 16)) +
         std::string(reinterpret_cast<const char*>(numbers), sizeof numbers) + std::string(content);
}

template <class Action>
void try_out(const Action& action) {
  try {
    action();
  } catch (const InputError&) {
  } catch (const FileError&) {
  }
}

}  // namespace
}  // namespace phiflex

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phiflex;
  static Folders folders;
  if (size == 0 || folders.file(static_cast<char>(data[0])).empty()) return 0;
  const char letter = static_cast<char>(data[0]);
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  folders.put(letter, letter == 'h' ? with_head(folders.checkpoint, bytes) : std::string(bytes));
  if (letter == 'c' || letter == 'h') {
    newest_complete_checkpoint(folders.tables.checkpoints());
    return 0;
  }
  const bool is_motion = letter == 'l' || letter == 'f' || letter == 'g';
  try_out([&] {
    LiveRun run({.folder = is_motion ? folders.motion : folders.tables, .name = "", .place = "run"});
    if (!is_motion) try_out([&] { run.status(); });
    try_out([&] { body_names(run.data()["run"]); });
    if (is_motion) try_out([&] { run.chunk(0, 1); });
  });
  // As resume cuts a table back; what it leaves is put back by the next input.
  if (letter == 'e') try_out([&] { EnergyCsv(folders.tables.energy_csv(), 1); });
  return 0;
}
