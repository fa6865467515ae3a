#include "phiflex/mesh/vtu_data.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "phiflex/base/scanner.h"

namespace phiflex {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t kBlock = 32768;  // VTK's own block size
// zlib cannot shrink data further than this: more is promised by mistake or malice.
constexpr std::size_t kMostInflation = 1100;

constexpr std::array<int, 256> make_digits() {
  std::array<int, 256> digits{};
  for (int& digit : digits) digit = -1;
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int>(i);
  return digits;
}
constexpr std::array<int, 256> kDigits = make_digits();

std::uint64_t header_value(std::string_view bytes, std::size_t i, const VtuEncoding& encoding) {
  const bool swap = encoding.byte_order != std::endian::native;
  if (encoding.header_width == 8) {
    std::uint64_t value;
    std::memcpy(&value, bytes.data() + 8 * i, 8);
    return swap ? Scanner::swapped(value) : value;
  }
  std::uint32_t value;
  std::memcpy(&value, bytes.data() + 4 * i, 4);
  return swap ? Scanner::swapped(value) : value;
}

// Bytes from the header's first to the data's last, as far as `bytes` (a beginning of them) tells; nothing
// when they do not tell yet. `available` is how many there can be at most.
struct Extent {
  std::uint64_t header = 0, total = 0;
};
std::optional<Extent> find_extent(std::string_view bytes, std::uint64_t available,
                                  const VtuEncoding& encoding, std::string& reason) {
  const std::size_t w = encoding.header_width;
  if (bytes.size() < w) {
    reason = "its header is cut off";
    return std::nullopt;
  }
  const std::uint64_t first = header_value(bytes, 0, encoding);
  if (encoding.compression == VtuCompression::none) {
    if (first > available || first + w > available) {
      reason = fmt::format("it promises {} bytes, {} follow", first, available - w);
      return std::nullopt;
    }
    return Extent{w, w + first};
  }
  if (first == 0) return Extent{w, w};  // no blocks: no more header either
  if (first > available / w || (first + 3) * w > bytes.size()) {
    reason = fmt::format("it promises {} compressed blocks, which do not fit", first);
    return std::nullopt;
  }
  Extent extent{(first + 3) * w, (first + 3) * w};
  for (std::uint64_t b = 0; b < first; ++b) {
    const std::uint64_t size = header_value(bytes, 3 + b, encoding);
    if (size > available || extent.total + size > available) {
      reason = fmt::format("its compressed block {} of {} bytes does not fit", b, size);
      return std::nullopt;
    }
    extent.total += size;
  }
  return extent;
}

std::string too_large(std::size_t limit) {
  return fmt::format("with it the file takes more than {} MB of memory, which is too much here", limit >> 20);
}

std::optional<std::string> inflate_blocks(std::string_view bytes, const VtuEncoding& encoding,
                                          std::size_t limit, std::string& reason) {
  const std::uint64_t blocks = header_value(bytes, 0, encoding);
  if (blocks == 0) return std::string();
  const std::uint64_t size = header_value(bytes, 1, encoding), last = header_value(bytes, 2, encoding);
  std::string out;
  std::size_t at = (blocks + 3) * encoding.header_width;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const std::uint64_t packed = header_value(bytes, 3 + b, encoding);
    const std::uint64_t unpacked = b + 1 == blocks && last != 0 ? last : size;
    if (unpacked > packed * kMostInflation) {
      reason = fmt::format("its block {} promises {} bytes from {}", b, unpacked, packed);
      return std::nullopt;
    }
    const std::size_t begin = out.size();
    if (unpacked > limit - begin) {
      reason = too_large(limit);
      return std::nullopt;
    }
    out.resize(begin + unpacked);
    uLongf got = static_cast<uLongf>(unpacked);
    const int status =
        ::uncompress(reinterpret_cast<Bytef*>(out.data() + begin), &got,
                     reinterpret_cast<const Bytef*>(bytes.data() + at), static_cast<uLong>(packed));
    if (status != Z_OK || got != unpacked) {
      reason = fmt::format("its compressed block {} is damaged", b);
      return std::nullopt;
    }
    at += packed;
  }
  return out;
}

}  // namespace

std::string decode_base64(std::string_view text, std::size_t limit) {
  std::string out;
  out.reserve(std::min(limit, text.size() / 4 * 3 + 3));
  std::array<int, 4> group{};
  std::size_t filled = 0;
  const auto flush = [&](std::size_t digits) {  // n digits hold n - 1 bytes
    const int bits = (group[0] << 18) | (group[1] << 12) | (group[2] << 6) | group[3];
    const char bytes[3] = {static_cast<char>(bits >> 16), static_cast<char>(bits >> 8),
                           static_cast<char>(bits)};
    out.append(bytes, digits - 1);
    group = {};
    filled = 0;
  };
  std::size_t at = 0;
  while (at < text.size() && out.size() < limit) {
    // Four digits at once, which is nearly always what follows.
    if (filled == 0 && at + 4 <= text.size()) {
      for (std::size_t k = 0; k < 4; ++k) group[k] = kDigits[static_cast<unsigned char>(text[at + k])];
      if ((group[0] | group[1] | group[2] | group[3]) >= 0) {
        flush(4);
        at += 4;
        continue;
      }
      group = {};
    }
    const char c = text[at++];
    const int digit = kDigits[static_cast<unsigned char>(c)];
    if (digit >= 0) {
      group[filled++] = digit;
      if (filled == 4) flush(4);
    } else if (c == '=') {
      if (filled > 1) flush(filled);
    } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
      break;
    }
  }
  if (filled > 1 && out.size() < limit) flush(filled);
  if (out.size() > limit) out.resize(limit);
  return out;
}

std::string encode_base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  const auto* in = reinterpret_cast<const unsigned char*>(bytes.data());
  const char* const alphabet = kAlphabet.data();
  char* to = out.data();
  std::size_t left = bytes.size();
  for (; left >= 3; left -= 3, in += 3, to += 4) {
    to[0] = alphabet[in[0] >> 2];
    to[1] = alphabet[(in[0] << 4 | in[1] >> 4) & 63];
    to[2] = alphabet[(in[1] << 2 | in[2] >> 6) & 63];
    to[3] = alphabet[in[2] & 63];
  }
  // One or two bytes are left: two or three digits, the rest stays '='.
  if (left > 0) {
    const unsigned second = left > 1 ? in[1] : 0u;
    to[0] = alphabet[in[0] >> 2];
    to[1] = alphabet[(in[0] << 4 | second >> 4) & 63];
    if (left > 1) to[2] = alphabet[second << 2 & 63];
  }
  return out;
}

std::optional<std::string> decode_vtu_raw(std::string_view bytes, const VtuEncoding& encoding,
                                          std::size_t limit, std::string& reason) {
  const auto extent = find_extent(bytes, bytes.size(), encoding, reason);
  if (!extent) return std::nullopt;
  bytes = bytes.substr(0, extent->total);
  if (encoding.compression == VtuCompression::zlib) return inflate_blocks(bytes, encoding, limit, reason);
  if (bytes.size() - extent->header > limit) {
    reason = too_large(limit);
    return std::nullopt;
  }
  return std::string(bytes.substr(extent->header));
}

std::optional<std::string> decode_vtu_base64(std::string_view text, const VtuEncoding& encoding,
                                             std::size_t limit, std::string& reason) {
  // The header tells how much to decode: the text may go on with the next array.
  const std::uint64_t available = text.size() / 4 * 3 + 3;
  std::size_t header = encoding.header_width;
  if (encoding.compression == VtuCompression::zlib) {
    const std::string start = decode_base64(text, header);
    if (start.size() == header) {
      const std::uint64_t blocks = header_value(start, 0, encoding);
      if (blocks > 0 && blocks <= available / header) header *= blocks + 3;
    }
  }
  const std::string start = decode_base64(text, header);
  const auto extent = find_extent(start, available, encoding, reason);
  if (!extent) return std::nullopt;
  return decode_vtu_raw(decode_base64(text, extent->total), encoding, limit, reason);
}

namespace {

struct EncodedArray {
  std::string header, data;
};

EncodedArray encoded(std::string_view data, VtuCompression compression) {
  std::vector<std::uint64_t> header;
  std::string packed;
  if (compression == VtuCompression::none) {
    header = {data.size()};
    packed = data;
  } else {
    const int effort = compression == VtuCompression::zlib_fast ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION;
    header = {(data.size() + kBlock - 1) / kBlock, kBlock, data.size() % kBlock};
    for (std::size_t at = 0; at < data.size(); at += kBlock) {
      const std::string_view block = data.substr(at, kBlock);
      uLongf size = ::compressBound(static_cast<uLong>(block.size()));
      const std::size_t begin = packed.size();
      packed.resize(begin + size);
      ::compress2(reinterpret_cast<Bytef*>(packed.data() + begin), &size,
                  reinterpret_cast<const Bytef*>(block.data()), static_cast<uLong>(block.size()), effort);
      packed.resize(begin + size);
      header.push_back(size);
    }
  }
  if constexpr (std::endian::native == std::endian::big)
    for (std::uint64_t& value : header) value = Scanner::swapped(value);
  return {std::string(reinterpret_cast<const char*>(header.data()), 8 * header.size()), std::move(packed)};
}

}  // namespace

std::string encode_vtu_base64(std::string_view data, VtuCompression compression) {
  const EncodedArray array = encoded(data, compression);
  if (compression == VtuCompression::none) return encode_base64(array.header + array.data);
  return encode_base64(array.header) + encode_base64(array.data);
}

std::string encode_vtu_raw(std::string_view data, VtuCompression compression) {
  EncodedArray array = encoded(data, compression);
  return std::move(array.header) + array.data;
}

}  // namespace phiflex
