// Binary file contents for tests.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace phiflex {

template <class T>
std::string bytes_of(T value, std::endian order = std::endian::little) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  if (order != std::endian::native) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

template <class T>
std::string bytes_of(std::initializer_list<T> values, std::endian order = std::endian::little) {
  std::string bytes;
  for (const T value : values) bytes += bytes_of(value, order);
  return bytes;
}

}  // namespace phiflex
