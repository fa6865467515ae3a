// A short fuzzing run without a fuzzer: the seeds, changed at random but reproducibly. Anything but a mesh
// or an InputError ends the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "fuzz/mesh_input.h"
#include "phiflex/base/files.h"
#include "tests/effort.h"

namespace phiflex {
namespace {

std::vector<std::string> read_seeds() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(PHIFLEX_SOURCE_DIR "/fuzz/seeds/mesh"))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) seeds.push_back(read_file(path));
  return seeds;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(std::string input, const std::string& other) {
    for (int changes = below(4); changes >= 0; --changes) {
      if (input.size() < 4) return input;
      const int at = 1 + below(static_cast<int>(input.size()) - 1);  // the parser's letter stays
      const int length = std::min<int>(1 + below(24), static_cast<int>(input.size()) - at);
      switch (below(7)) {
        case 0:
          input[at] = static_cast<char>(below(256));
          break;
        case 1:
          input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
          break;
        case 2:
          input.resize(at);
          break;
        case 3:
          input.erase(at, length);
          break;
        case 4:
          input.insert(at, input.substr(at, length));
          break;
        case 5:
          input.insert(at, other.substr(below(static_cast<int>(other.size())), length));
          break;
        default:
          input.replace(at, 1, numbers_[below(static_cast<int>(numbers_.size()))]);
          break;
      }
    }
    return input;
  }
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

 private:
  std::mt19937 random_;
  std::vector<std::string> numbers_ = {
      "-1",  "0", "4000000000", "9223372036854775807", "-9223372036854775808", "nan", "inf", "1e400",
      "0.5", " ", "\n",         std::string(1, '\0')};
};

TEST(MeshParsers, TheSeedsThemselvesAreAccepted) {
  for (const std::string& seed : read_seeds())
    EXPECT_NO_THROW(parse_selected(seed[0], seed.substr(1))) << seed;
}

// The same files on every machine, 150,000 of them.
TEST(MeshParsers, SurviveRandomlyDamagedFiles) {
  const std::vector<std::string> seeds = read_seeds();
  ASSERT_GT(seeds.size(), 20u);
  Mutator mutator(20260101);
  for (int round = 0; round < samples(6000); ++round)
    for (const std::string& seed : seeds)
      exercise_mesh_parser(mutator.mutate(seed, seeds[mutator.below(static_cast<int>(seeds.size()))]));
}

TEST(MeshParsers, SurviveFilesCutAtEveryByte) {
  for (const std::string& seed : read_seeds())
    for (std::size_t length = 1; length <= seed.size(); ++length)
      exercise_mesh_parser(seed.substr(0, length));
}

}  // namespace
}  // namespace phiflex
