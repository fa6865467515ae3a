// libFuzzer target: what every method saves, with entries of the archive changed, left out or doubled, is loaded and
// makes a step, or is an ArchiveError. The input is a list of edits, so that archives stay archives: a byte for the
// method, one for its evaluator, then 11 bytes for each edit (which entry, what to do, with which eight bytes).
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "phiflex/base/archive.h"
#include "phiflex/base/errors.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
#include "phiflex/matfun/catalogue.h"
#include "tests/integrate/test_systems.h"

namespace phiflex {
namespace {

constexpr int masses = 4;
constexpr double h = 0.02;

struct Entry {
  char kind;
  std::string bytes;
};

std::vector<Entry> entries_of(std::string_view archive) {
  std::vector<Entry> entries;
  while (!archive.empty()) {
    std::uint64_t length = 0;
    std::memcpy(&length, archive.data() + 1, sizeof length);
    entries.push_back({archive[0], std::string(archive.substr(9, length))});
    archive.remove_prefix(9 + length);
  }
  return entries;
}

std::string archive_of(const std::vector<Entry>& entries) {
  std::string archive;
  for (const Entry& entry : entries) {
    const std::uint64_t length = entry.bytes.size();
    archive.push_back(entry.kind);
    archive.append(reinterpret_cast<const char*>(&length), sizeof length);
    archive += entry.bytes;
  }
  return archive;
}

// Numbers of substeps up to 10,000 are allowed. 2,000 of them take 2.5 s under the sanitizers; so less is taken here.
std::string shorter_step(std::string_view number) {
  std::int64_t value = 0;
  std::memcpy(&value, number.data(), sizeof value);
  if (value > 100 && value <= 10000) value %= 100;
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

void edit(std::size_t which, std::uint8_t what, std::string_view number, std::vector<Entry>& entries) {
  if (entries.empty()) return;
  const std::size_t at = which % entries.size();
  Entry& entry = entries[at];
  switch (what % 6) {
    case 0:
    case 1:  // another number, in place of one of an array
      if (entry.bytes.size() >= number.size())
        entry.bytes.replace(which / entries.size() % (entry.bytes.size() / 8) * 8, number.size(),
                            shorter_step(number));
      break;
    case 2:
      entries.erase(entries.begin() + std::ptrdiff_t(at));
      break;
    case 3:
      entries.insert(entries.begin() + std::ptrdiff_t(at), Entry(entry));
      break;
    case 4:
      entry.bytes.resize(entry.bytes.size() / 16 * 8);
      break;
    default:
      entry.bytes += number;
  }
}

struct Saved {
  std::vector<Entry> entries;
  State state;
};

// A method with the options that the two letters stand for; null where there is none of the kind.
std::unique_ptr<Integrator> make(const MechanicalSystem& system, std::uint8_t method,
                                 std::uint8_t evaluator) {
  const auto methods = integrator_catalogue();
  const auto evaluators = evaluator_catalogue();
  IntegratorOptions options;
  const std::size_t choice = evaluator % (evaluators.size() + 2);
  if (choice >= 2) options.set("evaluator", std::string(evaluators[choice - 2].info->name));
  if (choice == 1) options.set("error_tolerance", 1e-3);
  try {
    return methods[method % methods.size()].make(system, options);
  } catch (const std::exception&) {  // refused before anything is loaded
    return nullptr;
  }
}

// After three steps; nothing when the method refuses the system.
const std::optional<Saved>& saved(const MechanicalSystem& system, std::uint8_t method,
                                  std::uint8_t evaluator) {
  static std::map<std::pair<int, int>, std::optional<Saved>> known;
  const auto [found, is_new] = known.try_emplace({method, evaluator});
  if (!is_new) return found->second;
  const std::unique_ptr<Integrator> integrator = make(system, method, evaluator);
  State now = testing::lively_state(masses), next;
  for (int step = 0; integrator && step < 3; ++step) {
    if (integrator->step(now, h, next).status != StepStatus::ok) return found->second;
    std::swap(now, next);
  }
  if (!integrator) return found->second;
  ArchiveWriter out;
  integrator->save(out);
  found->second = Saved{entries_of(out.bytes()), now};
  return found->second;
}

}  // namespace
}  // namespace phiflex

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phiflex;
  static const testing::SpringNetwork system =
      testing::chain(masses, testing::End::fixed, testing::cubic_law(200, 300));
  if (size < 2) return 0;
  const std::optional<Saved>& good = saved(system, data[0], data[1]);
  if (!good) return 0;
  std::vector<Entry> entries = good->entries;
  constexpr std::size_t edit_bytes = 11, most_edits = 8;
  for (std::size_t at = 2, edits = 0; at + edit_bytes <= size && edits < most_edits;
       at += edit_bytes, ++edits)
    edit(std::size_t{data[at]} << 8 | data[at + 1], data[at + 2],
         {reinterpret_cast<const char*>(data) + at + 3, std::size_t{8}}, entries);
  const std::unique_ptr<Integrator> integrator = make(system, data[0], data[1]);
  const std::string archive = archive_of(entries);
  State next;
  try {
    ArchiveReader in(archive);
    integrator->load(in);
    in.finish();
    static_cast<void>(integrator->step(good->state, h, next));
  } catch (const ArchiveError&) {
  }
  return 0;
}
