// Plain bytes for what must survive a restart: numbers and arrays of numbers, in the order they were put.
// A reader that asks for more than there is, or for another kind of thing, gets an ArchiveError. Nothing is allocated
// by a number that an archive holds: it may have been forged.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace phiflex {

class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ArchiveWriter {
 public:
  void put(double value);
  void put(std::int64_t value);
  void put(std::string_view text);
  void put(std::span<const double> values);
  const std::string& bytes() const { return bytes_; }

 private:
  void append(char kind, const void* data, std::size_t size);
  std::string bytes_;
};

class ArchiveReader {
 public:
  explicit ArchiveReader(std::string_view bytes) : bytes_(bytes) {}
  double get_double();
  double get_finite();  // a double that is finite
  std::int64_t get_integer();
  std::int64_t get_integer(std::int64_t low, std::int64_t high);  // from low to high
  std::string get_text();
  std::vector<double> get_doubles();
  void get_doubles(std::span<double> values);  // the stored array must have this very size
  bool at_end() const { return bytes_.empty(); }
  void finish() const;  // everything must have been asked for

 private:
  std::string_view take(char kind);
  std::string_view bytes_;
};

}  // namespace phiflex
