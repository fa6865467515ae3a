// Where all vertices of a run were, and how fast, at chosen instants: what errors are measured from.
#pragma once

#include <filesystem>
#include <vector>

#include "phiflex/run/simulation.h"

namespace phiflex {

struct SampledMotion {
  std::vector<double> times;  // s; the first is 0
  std::vector<Vector> x, v;   // of all vertices: m, m/s
};

// Samples the start and every `every`-th step.
class MotionSampler {
 public:
  explicit MotionSampler(std::int64_t every) : every_(every) {}
  void observe(const Simulation& simulation);
  const SampledMotion& motion() const { return motion_; }

 private:
  std::int64_t every_;
  SampledMotion motion_;
};

// Bytes as they are in memory: a file for the same machine.
void write_motion(const std::filesystem::path& path, const SampledMotion& motion);
// InputError when the file is damaged.
SampledMotion read_motion(const std::filesystem::path& path);

// Pairs of indices of the instants that both have, after 0.
std::vector<std::pair<std::size_t, std::size_t>> common_instants(const SampledMotion& a,
                                                                 const SampledMotion& b);

// The largest distance of two vertices (or velocities) with the same number.
double largest_distance(const Vector& a, const Vector& b);

}  // namespace phiflex
