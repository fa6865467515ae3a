#include "phiflex/mesh/zlib_bytes.h"

#include <zlib.h>

#include <algorithm>
#include <new>

namespace phiflex {

std::string compress_zlib(std::string_view bytes, ZlibEffort effort) {
  uLongf size = ::compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int status =
      ::compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  static_cast<uLong>(bytes.size()), static_cast<int>(effort));
  if (status != Z_OK) throw std::bad_alloc();  // the bound excludes every other failure
  out.resize(size);
  return out;
}

std::optional<std::string> decompress_zlib(std::string_view bytes, std::size_t limit) {
  z_stream stream{};
  if (::inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  std::string out;
  int status = Z_OK;
  std::size_t given = 0;
  // Grown as the bytes come: what is promised is not believed.
  while (status == Z_OK && out.size() <= limit) {
    constexpr std::size_t piece = std::size_t{1} << 18;
    const std::size_t begin = out.size(), input = std::min(bytes.size() - given, piece);
    out.resize(begin + piece);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + given));
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + begin);
    stream.avail_out = static_cast<uInt>(piece);
    status = ::inflate(&stream, Z_NO_FLUSH);
    given += input - stream.avail_in;
    out.resize(begin + piece - stream.avail_out);
  }
  ::inflateEnd(&stream);
  if (status != Z_STREAM_END || given != bytes.size() || out.size() > limit) return std::nullopt;
  return out;
}

}  // namespace phiflex
