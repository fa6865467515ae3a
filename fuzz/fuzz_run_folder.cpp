// libFuzzer target: a run folder one file of which is the input, as the viewer, the report and resume read it. A letter
// picks the file; anything but an InputError or a FileError is a finding.
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/hash.h"
#include "phiflex/pages/live_run.h"
#include "phiflex/record/checkpoint.h"
#include "tests/record/fake_run.h"

namespace phiflex {
namespace {

// A whole run folder of three frames, and the place of each file that a letter stands for.
struct Folder {
  Folder() { write_checkpoint(run.checkpoints(), {.step = 2, .pieces = {{"run", "bytes"}}}); }

  testing::ScratchFolder scratch;
  RunFolder run = make_fake_run(scratch.path() / "run", {.steps = 2});
  char broken = 0;
  std::string good;  // the bytes of the broken file, when it was whole

  std::filesystem::path file(char letter) const {
    switch (letter) {
      case 'j':
        return run.run_json();
      case 'e':
        return run.energy_csv();
      case 'p':
        return run.probes_csv();
      case 'l':
        return run.frames_pvd();
      case 'f':
        return run.frame(0);
      case 'g':
        return run.frame(1);
      case 'c':
      case 'h':
        return run.checkpoints() / "step_000000000002.ckpt";
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

// The content of a checkpoint with the head that belongs to it: letters, version, size, hash.
std::string with_head(std::string_view content) {
  Hash hash;
  hash.add(content);
  const std::uint64_t numbers[] = {2, content.size(), hash.value()};
  return "PHIFLEXC" + std::string(reinterpret_cast<const char*>(numbers), sizeof numbers) +
         std::string(content);
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
  static Folder folder;
  if (size == 0 || folder.file(static_cast<char>(data[0])).empty()) return 0;
  const char letter = static_cast<char>(data[0]);
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  folder.put(letter, letter == 'h' ? with_head(bytes) : std::string(bytes));
  if (letter == 'c' || letter == 'h') {
    newest_complete_checkpoint(folder.run.checkpoints());
    return 0;
  }
  const ViewedRun viewed{.folder = folder.run, .name = "", .place = "run"};
  try_out([&] {
    LiveRun run(viewed);
    try_out([&] { run.status(); });
    try_out([&] { run.data(); });
    try_out([&] { run.chunk(0, 2); });
  });
  // As resume cuts a table back; what it leaves is put back by the next input.
  if (letter == 'e') try_out([&] { EnergyCsv(folder.run.energy_csv(), 1); });
  return 0;
}
