#include "phiflex/live/live_command.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "phiflex/base/errors.h"
#include "phiflex/record/json_file.h"

namespace phiflex {
namespace {

using CommandJson = nlohmann::ordered_json;
using Kind = LiveCommand::Kind;

struct CommandWord {
  const char* word;
  Kind kind;
  const char*
      keys;  // one letter each: n number, v view, t vertices and weights, p point, r radius, o on, x value, y more, s text
};
constexpr CommandWord command_words[] = {{"ack", Kind::ack, "n"},
                                         {"grip", Kind::grip, "nvtp"},
                                         {"move", Kind::move, "np"},
                                         {"release", Kind::release, "n"},
                                         {"pin", Kind::pin, "t"},
                                         {"ball", Kind::ball, "opx"},
                                         {"pause", Kind::pause, "o"},
                                         {"step", Kind::step, ""},
                                         {"reset", Kind::reset, ""},
                                         {"gravity", Kind::gravity, ""},
                                         {"set_gravity", Kind::set_gravity, "p"},
                                         {"set_step", Kind::set_step, "x"},
                                         {"set_damping", Kind::set_damping, "sxy"},
                                         {"set_stiffness", Kind::set_stiffness, "sx"},
                                         {"set_integrator", Kind::set_integrator, "vs"},
                                         {"set_dial", Kind::set_dial, "vx"},
                                         {"set_strength", Kind::set_strength, "x"},
                                         {"set_pace", Kind::set_pace, "x"},
                                         {"record", Kind::record, "o"},
                                         {"save", Kind::save, ""},
                                         {"open", Kind::open, "n"},
                                         {"gallery", Kind::gallery, ""},
                                         {"look", Kind::look, "o"}};

[[noreturn]] void refuse_command(const std::string& why) {
  throw InputError("message", "", why);
}

const CommandJson& entry_of(const CommandJson& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) refuse_command(fmt::format("\"{}\" is missing", key));
  return *found;
}

double number_of(const CommandJson& json, const char* key) {
  if (!json.is_number()) refuse_command(fmt::format("\"{}\" is no number", key));
  const double value = json.get<double>();
  if (!(std::abs(value) <= 1e15)) refuse_command(fmt::format("\"{}\" is out of range", key));
  return value;
}

std::int64_t integer_of(const CommandJson& json, const char* key, double low, double high) {
  const double value = number_of(json, key);
  if (value != std::floor(value) || value < low || value > high)
    refuse_command(fmt::format("\"{}\" is no whole number from {} to {}", key, low, high));
  return static_cast<std::int64_t>(value);
}

const CommandJson& triple_of(const CommandJson& json, const char* key) {
  if (!json.is_array() || json.size() != 3) refuse_command(fmt::format("\"{}\" is no list of three", key));
  return json;
}

}  // namespace

LiveCommand parse_command(std::string_view message) {
  if (message.size() > kLargestCommand)
    refuse_command(
        fmt::format("{} bytes are too many; at most {} are allowed", message.size(), kLargestCommand));
  const CommandJson json = parse_json_text(std::string(message), "message");
  if (!json.is_object()) refuse_command("expected an object {\"do\": ...}");
  const CommandJson& word = entry_of(json, "do");
  if (!word.is_string()) refuse_command("\"do\" is no text");
  const CommandWord* known = nullptr;
  for (const CommandWord& one : command_words)
    if (word.get<std::string>() == one.word) known = &one;
  if (!known) refuse_command("\"do\" is no command that is known");
  LiveCommand command;
  command.kind = known->kind;
  for (const char letter : std::string_view(known->keys)) switch (letter) {
      case 'n':
        command.number = integer_of(entry_of(json, "number"), "number", 0, 1e15);
        break;
      case 'v':
        command.view = int(integer_of(entry_of(json, "view"), "view", -1, 1e6));
        break;
      case 'o':
        if (!entry_of(json, "on").is_boolean()) refuse_command("\"on\" is neither true nor false");
        command.on = json["on"].get<bool>();
        break;
      case 'x':
        command.value = number_of(entry_of(json, "value"), "value");
        break;
      case 'y':
        command.more = number_of(entry_of(json, "more"), "more");
        break;
      case 's':
        if (!entry_of(json, "text").is_string()) refuse_command("\"text\" is no text");
        command.text = json["text"].get<std::string>();
        break;
      case 'p':
        for (std::size_t i = 0; i < 3; ++i)
          command.point[Eigen::Index(i)] = number_of(triple_of(entry_of(json, "point"), "point")[i], "point");
        break;
      case 't': {
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          command.vertices[i] =
              int(integer_of(triple_of(entry_of(json, "vertices"), "vertices")[i], "vertices", 0, 2e9));
          command.weights[i] = number_of(triple_of(entry_of(json, "weights"), "weights")[i], "weights");
          if (!(command.weights[i] >= -1e-6)) refuse_command("\"weights\" are below 0");
          sum += command.weights[i];
        }
        if (!(std::abs(sum - 1) < 1e-3)) refuse_command("the sum of \"weights\" is not 1");
        for (double& weight : command.weights) weight /= sum;
        break;
      }
      default:
        break;
    }
  if (json.contains("stamp")) command.stamp = number_of(json["stamp"], "stamp");
  return command;
}

}  // namespace phiflex
