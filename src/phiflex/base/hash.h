// xxHash64 of bytes fed piece by piece: one number that tells two runs, files or worlds apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace phiflex {

class Hash {
 public:
  Hash();
  ~Hash();
  Hash(const Hash&) = delete;
  Hash& operator=(const Hash&) = delete;

  void add(const void* bytes, std::size_t count);
  void add(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  void add(std::span<const double> numbers) { add(numbers.data(), numbers.size_bytes()); }
  void add(double number) { add(&number, sizeof number); }
  void add(std::int64_t number) { add(&number, sizeof number); }

  std::uint64_t value() const;
  std::string hexadecimal() const;  // 16 digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phiflex
