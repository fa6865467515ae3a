// PNG (ISO/IEC 15948): a signature, then chunks  length | type | data | CRC-32 of type and data.  The pixels are one
// zlib stream of rows, each behind the number of its filter:
//
//   0 none   1 left   2 above   3 mean of both   4 Paeth's choice                                          (1)
//
// A row's filter is the one with the smallest sum of absolute differences.
#include <zlib.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "phiflex/picture/image.h"

namespace phiflex {
namespace {

void put_big_endian(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>((value >> shift) & 255u));
}

void put_chunk(std::string& out, std::string_view type, std::string_view data) {
  put_big_endian(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = out.size();
  out.append(type).append(data);
  const auto* checked = reinterpret_cast<const Bytef*>(out.data() + start);
  put_big_endian(out, static_cast<std::uint32_t>(::crc32_z(0, checked, out.size() - start)));
}

int paeth(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int to_left = std::abs(guess - left), to_above = std::abs(guess - above),
            to_corner = std::abs(guess - corner);
  if (to_left <= to_above && to_left <= to_corner) return left;
  return to_above <= to_corner ? above : corner;
}

int predicted(int filter, int left, int above, int corner) {  // (1)
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) / 2;
    case 4:
      return paeth(left, above, corner);
    default:
      return 0;
  }
}

std::string filtered(std::string_view pixels, std::size_t row_bytes, std::size_t pixel_bytes) {
  std::string out;
  out.reserve(pixels.size() + pixels.size() / row_bytes);
  std::array<std::string, 5> tried;
  for (std::size_t start = 0; start < pixels.size(); start += row_bytes) {
    const auto byte = [&](std::size_t row_start, std::size_t i, bool there) {
      return there ? static_cast<int>(static_cast<unsigned char>(pixels[row_start + i])) : 0;
    };
    int best = 0;
    long least = std::numeric_limits<long>::max();
    for (int filter = 0; filter < 5; ++filter) {
      std::string& row = tried[static_cast<std::size_t>(filter)];
      row.resize(row_bytes);
      long sum = 0;
      for (std::size_t i = 0; i < row_bytes; ++i) {
        const bool inner = i >= pixel_bytes, below = start > 0;
        const int left = byte(start, i - pixel_bytes, inner), above = byte(start - row_bytes, i, below),
                  corner = byte(start - row_bytes, i - pixel_bytes, inner && below);
        const auto difference =
            static_cast<signed char>(byte(start, i, true) - predicted(filter, left, above, corner));
        row[i] = static_cast<char>(difference);
        sum += std::abs(static_cast<int>(difference));
      }
      if (sum < least) {
        least = sum;
        best = filter;
      }
    }
    out.push_back(static_cast<char>(best));
    out += tried[static_cast<std::size_t>(best)];
  }
  return out;
}

std::string deflated(const std::string& bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string out(size, '\0');
  if (::compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  bytes.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw std::runtime_error("encode_png: zlib failed");
  out.resize(size);
  return out;
}

bool is_opaque(const Image& image) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.at(x, y).alpha < 1 - 0.5f / 255) return false;
  return true;
}

}  // namespace

std::string encode_png(const Image& image) {
  const Channels channels = is_opaque(image) ? Channels::rgb : Channels::rgba;
  const std::size_t pixel_bytes = channels == Channels::rgb ? 3 : 4;
  std::string header;
  put_big_endian(header, static_cast<std::uint32_t>(image.width()));
  put_big_endian(header, static_cast<std::uint32_t>(image.height()));
  header.push_back(8);                                  // bits
  header.push_back(channels == Channels::rgb ? 2 : 6);  // colour type
  header.append(3, '\0');                               // deflate, the filters above, no interlacing

  std::string png("\x89PNG\r\n\x1a\n", 8);
  put_chunk(png, "IHDR", header);
  put_chunk(png, "sRGB", std::string_view("\0", 1));  // rendering intent: perceptual
  put_chunk(png, "IDAT",
            deflated(filtered(to_srgb_bytes(image, channels),
                              static_cast<std::size_t>(image.width()) * pixel_bytes, pixel_bytes)));
  put_chunk(png, "IEND", "");
  return png;
}

}  // namespace phiflex
