#include "phiflex/base/archive.h"

#include <cmath>
#include <cstring>

namespace phiflex {

// Each item: a letter for its kind, its size in bytes (8 bytes), its bytes.
void ArchiveWriter::append(char kind, const void* data, std::size_t size) {
  const std::uint64_t length = size;
  bytes_.push_back(kind);
  bytes_.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes_.append(static_cast<const char*>(data), size);
}
void ArchiveWriter::put(double value) {
  append('d', &value, sizeof value);
}
void ArchiveWriter::put(std::int64_t value) {
  append('i', &value, sizeof value);
}
void ArchiveWriter::put(std::string_view text) {
  append('s', text.data(), text.size());
}
void ArchiveWriter::put(std::span<const double> values) {
  append('v', values.data(), values.size_bytes());
}

std::string_view ArchiveReader::take(char kind) {
  std::uint64_t length = 0;
  if (bytes_.size() < 1 + sizeof length) throw ArchiveError("the archive ends too early");
  if (bytes_[0] != kind)
    throw ArchiveError(std::string("the archive holds '") + bytes_[0] + "' where '" + kind + "' is expected");
  std::memcpy(&length, bytes_.data() + 1, sizeof length);
  bytes_.remove_prefix(1 + sizeof length);
  if (length > bytes_.size()) throw ArchiveError("the archive ends too early");
  const std::string_view item = bytes_.substr(0, length);
  bytes_.remove_prefix(length);
  return item;
}

namespace {
template <class T>
T one_of(std::string_view item) {
  T value;
  if (item.size() != sizeof value) throw ArchiveError("the archive holds a number of a wrong size");
  std::memcpy(&value, item.data(), sizeof value);
  return value;
}
}  // namespace

double ArchiveReader::get_double() {
  return one_of<double>(take('d'));
}
double ArchiveReader::get_finite() {
  const double value = get_double();
  if (!std::isfinite(value)) throw ArchiveError("the archive holds a number that is not finite");
  return value;
}
std::int64_t ArchiveReader::get_integer() {
  return one_of<std::int64_t>(take('i'));
}
std::int64_t ArchiveReader::get_integer(std::int64_t low, std::int64_t high) {
  const std::int64_t value = get_integer();
  if (value < low || value > high)
    throw ArchiveError("the archive holds " + std::to_string(value) + " where a number from " +
                       std::to_string(low) + " to " + std::to_string(high) + " is expected");
  return value;
}
std::string ArchiveReader::get_text() {
  return std::string(take('s'));
}

std::vector<double> ArchiveReader::get_doubles() {
  const std::string_view item = take('v');
  if (item.size() % sizeof(double) != 0) throw ArchiveError("the archive holds an array of a wrong size");
  std::vector<double> values(item.size() / sizeof(double));
  if (!values.empty()) std::memcpy(values.data(), item.data(), item.size());
  return values;
}
void ArchiveReader::get_doubles(std::span<double> values) {
  const std::string_view item = take('v');
  if (item.size() != values.size_bytes()) throw ArchiveError("the archive holds an array of another size");
  if (!values.empty()) std::memcpy(values.data(), item.data(), item.size());
}

void ArchiveReader::finish() const {
  if (!at_end()) throw ArchiveError("the archive goes on after its end");
}

}  // namespace phiflex
