// The encodings of a VTU data array: base64, headers and zlib blocks.
//
//   plain       n | data                           n: bytes of data
//   compressed  b | s | l | c_1 .. c_b | blocks    b blocks of s bytes once inflated, the last of l (0: s)
//
// n, b, s, l, c are unsigned integers of the header's width, in the file's byte order.
#pragma once

#include <bit>
#include <optional>
#include <string>
#include <string_view>

namespace phiflex {

enum class VtuCompression { none, zlib, zlib_fast };  // the last: written with less effort, read as zlib

struct VtuEncoding {
  std::endian byte_order = std::endian::little;
  std::size_t header_width = 4;  // bytes: 4 or 8
  VtuCompression compression = VtuCompression::none;
};

// The bytes that base64 text holds, at most `limit`; stops at the first character that is none of it.
// Padding may stand in the middle, where one encoded piece ends and the next begins.
std::string decode_base64(std::string_view text, std::size_t limit);
std::string encode_base64(std::string_view bytes);

// The array's data, from raw bytes or base64 text that begin with its header (and may go on after it). When
// they do not fit, or would be more than `limit` bytes, gives nothing and says why in `reason`.
std::optional<std::string> decode_vtu_raw(std::string_view bytes, const VtuEncoding& encoding,
                                          std::size_t limit, std::string& reason);
std::optional<std::string> decode_vtu_base64(std::string_view text, const VtuEncoding& encoding,
                                             std::size_t limit, std::string& reason);

// Header and data of an array, ready for the file: little endian, header width 8; base64 takes a third more than raw
// bytes.
std::string encode_vtu_base64(std::string_view data, VtuCompression compression);
std::string encode_vtu_raw(std::string_view data, VtuCompression compression);

}  // namespace phiflex
