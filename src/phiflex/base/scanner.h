// A cursor over the bytes of a file of numbers (meshes, matrices), for text and binary.
//
// Every failure names the file, the line (or byte) of what was read last, the value and what is allowed.
// Problems that do not stop the reading are collected with report(); the tenth, fail() or finish() throws
// them all at once.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "phiflex/base/errors.h"

namespace phiflex {

class Scanner {
 public:
  enum class PlaceUnit { line, byte };

  Scanner(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  const std::string& file() const { return file_; }
  void set_comment(char mark) { comment_ = mark; }      // ignored from there to the end of the line
  void set_separator(char mark) { separator_ = mark; }  // counts as a blank, e.g. the comma of Vega
  void set_place_unit(PlaceUnit unit) { place_unit_ = unit; }
  void set_byte_order(std::endian order) { swap_bytes_ = order != std::endian::native; }

  // Where we are.
  std::size_t position() const { return position_; }
  std::size_t remaining() const { return bytes_.size() - position_; }
  std::string_view rest() const { return bytes_.substr(position_); }
  void move_to(std::size_t position) { position_ = position; }
  void mark(std::size_t position) { token_ = position; }  // the place that messages name

  // Text: words between blanks. `what` says in messages what was expected.
  bool at_end();                 // nothing but blanks and comments is left
  bool at_line_end();            // the same for this line
  std::string_view peek_word();  // empty at the end
  std::string_view word(const char* what);
  std::string_view line();  // up to the end of the line, which is passed
  void skip_line() { line(); }
  bool skip_word(std::string_view expected);  // passes the next word if it is this one
  double real(const char* what);              // may be nan or inf
  std::int64_t integer(const char* what);
  std::int64_t integer_between(const char* what, std::int64_t low, std::int64_t high);
  double coordinate();  // reports a number that is not finite
  // A vertex index counted from `base`; reports what is out of range and then gives 0, so that reading can
  // go on; fails when there are no vertices.
  int index(const char* what, std::int64_t base, std::size_t count);
  // Number of items that follow; fails when they cannot fit in what is left at `least_bytes` each.
  std::size_t count(const char* what, std::size_t least_bytes);

  // Binary, in the byte order set.
  template <class T>
  T binary(const char* what) {
    require(sizeof(T), what);
    token_ = position_;
    T value;
    std::memcpy(&value, bytes_.data() + position_, sizeof(T));
    position_ += sizeof(T);
    return swap_bytes_ ? swapped(value) : value;
  }
  double binary_coordinate();                        // a double; reports one that is not finite
  void require(std::size_t size, const char* what);  // fails when fewer bytes are left
  void skip_bytes(std::size_t size, const char* what);

  // Checks of values that were already read; places are those of the last word or binary value.
  std::size_t checked_count(std::int64_t value, const char* what, std::size_t least_bytes);
  int checked_index(std::int64_t value, const char* what, std::int64_t base, std::size_t count);
  double checked_coordinate(double value);

  void report(const std::string& message);
  [[noreturn]] void fail(const std::string& message);
  void finish() const;  // throws what was reported

  template <class T>
  static T swapped(T value) {
    std::array<unsigned char, sizeof(T)> raw;
    std::memcpy(raw.data(), &value, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(raw[i], raw[sizeof(T) - 1 - i]);
    std::memcpy(&value, raw.data(), sizeof(T));
    return value;
  }

 private:
  void skip_blanks();
  std::string place() const;

  std::string_view bytes_;
  std::string file_;
  std::size_t position_ = 0;
  std::size_t token_ = 0;  // where the last word or binary value began
  char comment_ = 0, separator_ = ' ';
  bool swap_bytes_ = std::endian::native != std::endian::little;
  PlaceUnit place_unit_ = PlaceUnit::line;
  std::vector<Problem> problems_;
};

// A word of a file as it may stand in a message: printable and short.
std::string in_quotes(std::string_view word);

// Words compared without regard to case.
bool same_word(std::string_view a, std::string_view b);

// The whole of `text` as a number; false when it is none.
bool parse_real(std::string_view text, double& value);
bool parse_integer(std::string_view text, std::int64_t& value);

}  // namespace phiflex
