#include "phiflex/mesh/zlib_bytes.h"

#include <gtest/gtest.h>

namespace phiflex {
namespace {

// Neither constant nor random, longer than a buffer of the reader.
std::string sample(std::size_t size) {
  std::string bytes(size, '\0');
  unsigned state = 1;
  for (char& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<char>(state >> 28);
  }
  return bytes;
}

TEST(ZlibBytes, ComeBackAsTheyWere) {
  for (const std::size_t size : {0u, 1u, 1000u, 262144u, 1000000u})
    for (const ZlibEffort effort : {ZlibEffort::fast, ZlibEffort::best}) {
      const std::string bytes = sample(size);
      EXPECT_EQ(decompress_zlib(compress_zlib(bytes, effort), size), bytes) << size;
    }
}

TEST(ZlibBytes, DamagedCutOffOrTooLongBytesAreRefused) {
  const std::string bytes = sample(5000), packed = compress_zlib(bytes);
  EXPECT_FALSE(decompress_zlib(packed, 4999));
  EXPECT_FALSE(decompress_zlib(packed.substr(0, packed.size() / 2), 5000));
  EXPECT_FALSE(decompress_zlib(packed + "x", 5000));
  EXPECT_FALSE(decompress_zlib("", 5000));
  EXPECT_FALSE(decompress_zlib("no zlib at all", 5000));
  std::string damaged = packed;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x40);
  EXPECT_FALSE(decompress_zlib(damaged, 5000));
  // A kilobyte that would become a gigabyte ends at the limit.
  EXPECT_FALSE(decompress_zlib(compress_zlib(std::string(1 << 22, 'a')), 1000));
}

}  // namespace
}  // namespace phiflex
