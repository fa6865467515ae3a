// Bytes in zlib's format (RFC 1950), whole.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace phiflex {

enum class ZlibEffort { fast = 1, usual = 6, best = 9 };

std::string compress_zlib(std::string_view bytes, ZlibEffort effort = ZlibEffort::usual);

// Nothing when the bytes are damaged, are followed by others, or hold more than `limit`.
std::optional<std::string> decompress_zlib(std::string_view bytes, std::size_t limit);

}  // namespace phiflex
