// Point caches: the positions of all vertices at every frame, as 32-bit numbers; what connects them is in an OBJ file
// of the rest shape beside the cache, in the same order.
//
//   PC2, little endian: "POINTCACHE2\0" | version 1 | points | first frame 0 | frames per sample 1 | samples | x y z
//   ...
//   MDD, big endian:    samples | points | time of each sample, s | x y z ...
//
// Where there are several bodies, each has a cache of its own too, run_BODY.pc2; that of a body which carries a surface
// is the surface's, in its own numbering. Obstacles are in run_obstacles.obj, with a cache where they move.
//
// The first frame and the frames per sample are 32-bit floating-point numbers, as are the times.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "phiflex/base/files.h"
#include "phiflex/exchange/embedded_surfaces.h"
#include "phiflex/exchange/export_formats.h"
#include "phiflex/exchange/export_parts.h"
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

// The head of a file with so many points.
using PutHead = void (*)(const ExportOrder& order, std::size_t points, CacheBytes& cache);

std::vector<std::filesystem::path> write_caches(const ExportOrder& order, std::endian bytes,
                                                PutHead put_head) {
  const VisibleShape& shape = order.motion.shape();
  CacheBytes cache(bytes);
  put_head(order, shape.vertices.size(), cache);
  const std::vector<EmbeddedSurface> surfaces = embedded_surfaces(order.motion);
  std::vector<CacheBytes> of_surfaces(surfaces.size(), CacheBytes(bytes));
  for (std::size_t s = 0; s < surfaces.size(); ++s) put_head(order, surfaces[s].rest.size(), of_surfaces[s]);
  std::vector<ExportedBody> parts = exported_bodies(order.motion);
  if (parts.size() < 2) parts.clear();
  std::erase_if(parts, [&](const ExportedBody& part) {
    return std::any_of(surfaces.begin(), surfaces.end(),
                       [&](const EmbeddedSurface& surface) { return surface.name == part.name; });
  });
  std::vector<CacheBytes> of_parts(parts.size(), CacheBytes(bytes));
  for (std::size_t p = 0; p < parts.size(); ++p) put_head(order, parts[p].vertices.size(), of_parts[p]);
  const ExportedObstacles obstacles(order.motion);
  const double start = order.motion.time(order.frames.front());
  CacheBytes of_obstacles(bytes);
  put_head(order, obstacles.at(start).size(), of_obstacles);
  VisibleFrame frame;
  for (const std::size_t number : order.frames) {
    order.motion.read(number, frame);
    cache.put_points(frame.positions);
    for (std::size_t p = 0; p < parts.size(); ++p) of_parts[p].put_points(parts[p].at(frame));
    if (obstacles.moves()) of_obstacles.put_points(obstacles.at(order.motion.time(number)));
    if (surfaces.empty()) continue;
    const std::vector<Point3> points = all_points(order.motion, number);
    for (std::size_t s = 0; s < surfaces.size(); ++s) of_surfaces[s].put_points(surfaces[s].at(points));
  }
  std::vector<std::filesystem::path> files;
  const auto write = [&](const std::filesystem::path& file, const CacheBytes& made, const std::string& rest) {
    const std::filesystem::path obj = with_ending(file, ".obj");
    write_file_atomically(obj, rest);
    write_file_atomically(file, made.bytes());
    files.push_back(file);
    files.push_back(obj);
  };
  write(order.file, cache, format_obj(mesh_of(shape, shape.rest)));
  for (std::size_t p = 0; p < parts.size(); ++p)
    write(named_after(order.file, parts[p].name), of_parts[p], format_obj(parts[p].rest));
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    write(named_after(order.file, surfaces[s].name), of_surfaces[s], surfaces[s].text.with(surfaces[s].rest));
  const std::filesystem::path file = named_after(order.file, "obstacles");
  if (obstacles.moves()) {
    write(file, of_obstacles, obstacles.obj(start));
  } else if (!obstacles.empty()) {
    files.push_back(with_ending(file, ".obj"));
    write_file_atomically(files.back(), obstacles.obj(start));
  }
  return files;
}

}  // namespace

std::vector<std::filesystem::path> export_pc2(const ExportOrder& order) {
  return write_caches(order, std::endian::little,
                      [](const ExportOrder& of, std::size_t points, CacheBytes& cache) {
                        cache.put_text(std::string_view("POINTCACHE2\0", 12));
                        cache.put_count(1);
                        cache.put_count(points);
                        cache.put_real(0);
                        cache.put_real(1);
                        cache.put_count(of.frames.size());
                      });
}

std::vector<std::filesystem::path> export_mdd(const ExportOrder& order) {
  return write_caches(order, std::endian::big,
                      [](const ExportOrder& of, std::size_t points, CacheBytes& cache) {
                        cache.put_count(of.frames.size());
                        cache.put_count(points);
                        for (const std::size_t number : of.frames) cache.put_real(of.motion.time(number));
                      });
}

}  // namespace phiflex
