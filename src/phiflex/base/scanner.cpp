#include "phiflex/base/scanner.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace phiflex {
namespace {

constexpr std::size_t kMostProblems = 10;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  return text;
}

}  // namespace

std::string in_quotes(std::string_view word) {
  constexpr std::size_t kLongest = 40;
  std::string out = "'";
  for (char c : word.substr(0, kLongest)) {
    if (c >= ' ' && c < 127)
      out += c;
    else
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return out + (word.size() > kLongest ? "...'" : "'");
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

bool parse_real(std::string_view text, double& value) {
  text = without_plus(text);
  const char* end = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), end, value);
  // A number too large for a double is read as infinite, which the callers refuse as not finite.
  return result.ec != std::errc::invalid_argument && result.ptr == end && !text.empty();
}

bool parse_integer(std::string_view text, std::int64_t& value) {
  text = without_plus(text);
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

void Scanner::skip_blanks() {
  while (position_ < bytes_.size()) {
    const char c = bytes_[position_];
    if (is_blank(c) || c == separator_) {
      ++position_;
    } else if (comment_ != 0 && c == comment_) {
      const std::size_t end = bytes_.find('\n', position_);
      position_ = end == std::string_view::npos ? bytes_.size() : end;
    } else {
      return;
    }
  }
}

bool Scanner::at_end() {
  skip_blanks();
  return position_ == bytes_.size();
}

bool Scanner::at_line_end() {
  while (position_ < bytes_.size() && bytes_[position_] != '\n' &&
         (is_blank(bytes_[position_]) || bytes_[position_] == separator_))
    ++position_;
  return position_ == bytes_.size() || bytes_[position_] == '\n' ||
         (comment_ != 0 && bytes_[position_] == comment_);
}

std::string_view Scanner::peek_word() {
  skip_blanks();
  std::size_t end = position_;
  while (end < bytes_.size() && !is_blank(bytes_[end]) && bytes_[end] != separator_) ++end;
  return bytes_.substr(position_, end - position_);
}

std::string_view Scanner::word(const char* what) {
  const std::string_view found = peek_word();
  token_ = position_;
  if (found.empty()) fail(fmt::format("the file ends where {} is expected", what));
  position_ += found.size();
  return found;
}

std::string_view Scanner::line() {
  token_ = position_;
  const std::size_t end = std::min(bytes_.find('\n', position_), bytes_.size());
  std::string_view text = bytes_.substr(position_, end - position_);
  position_ = std::min(end + 1, bytes_.size());
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

bool Scanner::skip_word(std::string_view expected) {
  const std::string_view found = peek_word();
  if (!same_word(found, expected)) return false;
  token_ = position_;
  position_ += found.size();
  return true;
}

double Scanner::real(const char* what) {
  const std::string_view text = word(what);
  double value = 0;
  if (!parse_real(text, value))
    fail(fmt::format("{} is not a number; {} is expected", in_quotes(text), what));
  return value;
}

std::int64_t Scanner::integer(const char* what) {
  const std::string_view text = word(what);
  std::int64_t value = 0;
  if (!parse_integer(text, value))
    fail(fmt::format("{} is not a whole number; {} is expected", in_quotes(text), what));
  return value;
}

std::int64_t Scanner::integer_between(const char* what, std::int64_t low, std::int64_t high) {
  const std::int64_t value = integer(what);
  if (value < low || value > high) fail(fmt::format("{} is {}; allowed: {} to {}", what, value, low, high));
  return value;
}

double Scanner::coordinate() {
  return checked_coordinate(real("a coordinate"));
}

double Scanner::checked_coordinate(double value) {
  if (!std::isfinite(value)) report(fmt::format("a coordinate is {}; it must be finite", value));
  return value;
}

double Scanner::binary_coordinate() {
  return checked_coordinate(binary<double>("a coordinate"));
}

int Scanner::index(const char* what, std::int64_t base, std::size_t count) {
  return checked_index(integer(what), what, base, count);
}

int Scanner::checked_index(std::int64_t value, const char* what, std::int64_t base, std::size_t count) {
  const std::int64_t last = base + static_cast<std::int64_t>(count) - 1;
  if (count == 0) fail(fmt::format("{} is {}, but there are no vertices", what, value));
  if (value < base || value > last) {
    report(fmt::format("{} is {}; allowed: {} to {}", what, value, base, last));
    return 0;
  }
  return static_cast<int>(value - base);
}

std::size_t Scanner::count(const char* what, std::size_t least_bytes) {
  return checked_count(integer(what), what, least_bytes);
}

std::size_t Scanner::checked_count(std::int64_t value, const char* what, std::size_t least_bytes) {
  if (value < 0) fail(fmt::format("{} is {}; it must not be negative", what, value));
  if (value > std::numeric_limits<int>::max())
    fail(fmt::format("{} is {}; at most {} are allowed", what, value, std::numeric_limits<int>::max()));
  // The last item of a text needs no blank after it.
  if (static_cast<std::size_t>(value) > (remaining() + 1) / least_bytes)
    fail(fmt::format("{} is {}, but only {} bytes follow: the count is wrong or the file is cut off", what,
                     value, remaining()));
  return static_cast<std::size_t>(value);
}

void Scanner::require(std::size_t size, const char* what) {
  if (size > remaining()) {
    token_ = position_;
    fail(fmt::format("the file ends where {} is expected ({} bytes needed, {} left)", what, size,
                     remaining()));
  }
}

void Scanner::skip_bytes(std::size_t size, const char* what) {
  require(size, what);
  position_ += size;
}

std::string Scanner::place() const {
  if (place_unit_ == PlaceUnit::byte) return fmt::format("byte {}", token_);
  const auto end = bytes_.begin() + static_cast<std::ptrdiff_t>(token_);
  return fmt::format("line {}", 1 + std::count(bytes_.begin(), end, '\n'));
}

void Scanner::report(const std::string& message) {
  problems_.push_back({file_, place(), message});
  if (problems_.size() >= kMostProblems) finish();
}

void Scanner::fail(const std::string& message) {
  problems_.push_back({file_, place(), message});
  throw InputError(problems_);
}

void Scanner::finish() const {
  if (!problems_.empty()) throw InputError(problems_);
}

}  // namespace phiflex
