// Point caches: the positions of all vertices at every frame, as 32-bit numbers; what connects them is in an OBJ file of
// the rest shape beside the cache, in the same order.
//
//   PC2, little endian: "POINTCACHE2\0" | version 1 | points | first frame 0 | frames per sample 1 | samples | x y z ...
//   MDD, big endian:    samples | points | time of each sample, s | x y z ...
//
// The first frame and the frames per sample are 32-bit floating-point numbers, as are the times.
#include <bit>
#include <cstdint>

#include "phiflex/base/files.h"
#include "phiflex/exchange/export_formats.h"
#include "phiflex/mesh/mesh_writers.h"

namespace phiflex {
namespace {

class CacheBytes {
 public:
  explicit CacheBytes(std::endian order) : order_(order) {}
  void put_text(std::string_view text) { bytes_.append(text); }
  void put_count(std::size_t value) { put(static_cast<std::uint32_t>(value)); }
  void put_real(double value) { put(std::bit_cast<std::uint32_t>(static_cast<float>(value))); }
  void put_points(const std::vector<Point3>& points) {
    for (const Point3& x : points)
      for (const double coordinate : x) put_real(coordinate);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void put(std::uint32_t word) {
    for (int i = 0; i < 4; ++i) {
      const int shift = order_ == std::endian::little ? 8 * i : 24 - 8 * i;
      bytes_.push_back(static_cast<char>((word >> shift) & 255u));
    }
  }
  std::endian order_;
  std::string bytes_;
};

std::vector<std::filesystem::path> write_cache(const ExportOrder& order, CacheBytes& cache) {
  VisibleFrame frame;
  for (const std::size_t number : order.frames) {
    order.motion.read(number, frame);
    cache.put_points(frame.positions);
  }
  const std::filesystem::path rest = with_ending(order.file, ".obj");
  const VisibleShape& shape = order.motion.shape();
  write_file_atomically(rest, format_obj(mesh_of(shape, shape.rest)));
  write_file_atomically(order.file, cache.bytes());
  return {order.file, rest};
}

}  // namespace

std::vector<std::filesystem::path> export_pc2(const ExportOrder& order) {
  CacheBytes cache(std::endian::little);
  cache.put_text(std::string_view("POINTCACHE2\0", 12));
  cache.put_count(1);
  cache.put_count(order.motion.shape().vertices.size());
  cache.put_real(0);
  cache.put_real(1);
  cache.put_count(order.frames.size());
  return write_cache(order, cache);
}

std::vector<std::filesystem::path> export_mdd(const ExportOrder& order) {
  CacheBytes cache(std::endian::big);
  cache.put_count(order.frames.size());
  cache.put_count(order.motion.shape().vertices.size());
  for (const std::size_t number : order.frames) cache.put_real(order.motion.time(number));
  return write_cache(order, cache);
}

}  // namespace phiflex
