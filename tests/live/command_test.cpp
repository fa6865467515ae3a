// What a page may ask for, and how everything else is refused.
#include <gtest/gtest.h>

#include <random>

#include "phiflex/base/errors.h"
#include "phiflex/live/live_command.h"

namespace phiflex {
namespace {

using Kind = LiveCommand::Kind;

TEST(LiveCommand, ReadsAGrip) {
  const LiveCommand command = parse_command(
      R"({"do": "grip", "number": 7, "view": 1, "vertices": [3, 4, 5], "weights": [0.25, 0.25, 0.5], "point": [1, 2, 3], "stamp": 12.5})");
  EXPECT_EQ(command.kind, Kind::grip);
  EXPECT_EQ(command.number, 7);
  EXPECT_EQ(command.view, 1);
  EXPECT_EQ(command.vertices, (std::array{3, 4, 5}));
  EXPECT_EQ(command.weights, (std::array{0.25, 0.25, 0.5}));
  EXPECT_EQ(command.point, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(command.stamp, 12.5);
}

TEST(LiveCommand, RefusesInWordsWhatIsNoCommand) {
  for (const char* message : {"",
                              "{",
                              "[]",
                              "17",
                              "\"grip\"",
                              R"({"do": 3})",
                              R"({"do": "explode"})",
                              R"({"do": "join"})",
                              R"({"do": "grip"})",
                              R"({"do": "move", "number": 1.5, "point": [0, 0, 0]})",
                              R"({"do": "move", "number": -1, "point": [0, 0, 0]})",
                              R"({"do": "move", "number": 1, "point": [0, 0]})",
                              R"({"do": "move", "number": 1, "point": [0, "a", 0]})",
                              R"({"do": "move", "number": 1, "point": [0, 1e300, 0]})",
                              R"({"do": "move", "number": 1, "point": [0, 1e999, 0]})",
                              R"({"do": "pause", "on": 1})",
                              R"({"do": "set_step"})",
                              R"({"do": "pin", "vertices": [0, 0, 0], "weights": [0.5, 0, 0]})",
                              R"({"do": "pin", "vertices": [0, 0, 0], "weights": [2, -1, 0]})",
                              R"({"do": "set_integrator", "view": 0, "text": 5})"})
    EXPECT_THROW(parse_command(message), InputError) << message;
  EXPECT_THROW(parse_command(R"({"do": "step", "more": ")" + std::string(kLargestCommand, 'a') + "\"}"),
               InputError);
  EXPECT_THROW(parse_command(std::string(10000, '[')), InputError);
}

TEST(LiveCommand, DamagedMessagesAreRefusedOrStillCommands) {
  const std::string good =
      R"({"do": "grip", "number": 7, "view": 1, "vertices": [3, 4, 5], "weights": [0.25, 0.25, 0.5], "point": [1, 2, 3]})";
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string message = good;
    for (int changes = 1 + trial % 3; changes > 0; --changes)
      message[random() % message.size()] = char(random() % 256);
    try {
      parse_command(message);
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace phiflex
