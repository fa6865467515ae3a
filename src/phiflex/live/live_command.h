// What a page asks of a live session: one JSON object a message, {"do": word, ...}. docs/live.md lists them.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace phiflex {

struct LiveCommand {
  enum class Kind {
    ack,      // number: the frame that was shown
    join,     // not from messages: a client has come
    leave,    // the same: it has gone
    grip,     // number: of the grip; view, vertices, weights: of the picked point; point: where it was seen
    move,     // number, point
    release,  // number
    pin,      // vertices[0]
    ball,     // on, point, value: radius in m
    pause,    // on
    step,     //
    reset,    //
    gravity,  // on or off, whichever it is not
    set_gravity,     // point: m/s^2
    set_step,        // value: s
    set_damping,     // text: body or empty; value: 1/s, more: s
    set_stiffness,   // text: body or empty; value: factor
    set_integrator,  // view, text: NAME[:key=value...]
    set_dial,        // view or -1, value
    set_strength,    // value: factor of the hand
    set_pace,        // value: seconds of the scene in a second
    record,          // on
    save,            //
    open,            // number: of the gallery
    gallery,         // back to it
    look             // on: strain energies are wanted
  };
  Kind kind = Kind::step;
  std::uint64_t client = 0;
  std::int64_t number = 0;
  int view = 0;
  std::array<int, 3> vertices{};  // of the drawn shape
  std::array<double, 3> weights{1, 0, 0};
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  double value = 0, more = 0;
  double stamp = 0;  // ms, of the client's clock; it comes back with the frame that shows the effect
  bool on = false;
  std::string text = {};
};

// Longer messages are refused.
inline constexpr std::size_t kLargestCommand = 16 * 1024;

// InputError, in words, when the message is no command. Numbers of views and vertices are checked by the session.
LiveCommand parse_command(std::string_view message);

}  // namespace phiflex
