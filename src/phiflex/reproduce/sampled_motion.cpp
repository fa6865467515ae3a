#include "phiflex/reproduce/sampled_motion.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"

namespace phiflex {
namespace {

constexpr char magic[8] = {'p', 'h', 'i', 'm', 'o', 't', 'i', '1'};

void append(std::string& bytes, const void* data, std::size_t count) {
  bytes.append(static_cast<const char*>(data), count);
}

}  // namespace

void MotionSampler::observe(const Simulation& simulation) {
  if (simulation.step() % every_ != 0) return;
  Vector x, v;
  simulation.model().expand(simulation.state(), x, v);
  motion_.times.push_back(static_cast<double>(simulation.step()) * simulation.h());
  motion_.x.push_back(std::move(x));
  motion_.v.push_back(std::move(v));
}

void write_motion(const std::filesystem::path& path, const SampledMotion& motion) {
  std::string bytes(magic, sizeof magic);
  const std::int64_t counts[2] = {static_cast<std::int64_t>(motion.times.size()),
                                  motion.x.empty() ? 0 : static_cast<std::int64_t>(motion.x[0].size())};
  append(bytes, counts, sizeof counts);
  append(bytes, motion.times.data(), motion.times.size() * sizeof(double));
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    append(bytes, motion.x[i].data(), static_cast<std::size_t>(counts[1]) * sizeof(double));
    append(bytes, motion.v[i].data(), static_cast<std::size_t>(counts[1]) * sizeof(double));
  }
  write_file_atomically(path, bytes);
}

SampledMotion read_motion(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  std::int64_t counts[2] = {0, 0};
  constexpr std::size_t head = sizeof magic + sizeof counts;
  const auto damaged = [&] { return InputError(path.string(), "", "is damaged"); };
  if (bytes.size() < head || std::memcmp(bytes.data(), magic, sizeof magic) != 0) throw damaged();
  std::memcpy(counts, bytes.data() + sizeof magic, sizeof counts);
  const auto limit = static_cast<std::int64_t>(bytes.size());
  if (counts[0] < 0 || counts[1] < 0 || counts[0] > limit || counts[1] > limit) throw damaged();
  const auto instants = static_cast<std::size_t>(counts[0]), numbers = static_cast<std::size_t>(counts[1]);
  if (numbers > 0 && instants > bytes.size() / numbers) throw damaged();
  if (bytes.size() != head + instants * (1 + 2 * numbers) * sizeof(double)) throw damaged();
  const char* at = bytes.data() + head;
  const auto take = [&](double* target, std::size_t count) {
    if (count > 0) std::memcpy(target, at, count * sizeof(double));
    at += count * sizeof(double);
  };
  SampledMotion motion;
  motion.times.resize(instants);
  take(motion.times.data(), instants);
  for (std::size_t i = 0; i < instants; ++i) {
    motion.x.emplace_back(counts[1]);
    take(motion.x.back().data(), numbers);
    motion.v.emplace_back(counts[1]);
    take(motion.v.back().data(), numbers);
  }
  return motion;
}

std::vector<std::pair<std::size_t, std::size_t>> common_instants(const SampledMotion& a,
                                                                 const SampledMotion& b) {
  std::vector<std::pair<std::size_t, std::size_t>> common;
  std::size_t i = 1, j = 1;
  while (i < a.times.size() && j < b.times.size()) {
    const double difference = a.times[i] - b.times[j], rounding = 1e-9 * std::abs(a.times[i]);
    if (std::abs(difference) <= rounding)
      common.emplace_back(i++, j++);
    else
      ++(difference < 0 ? i : j);
  }
  return common;
}

double largest_distance(const Vector& a, const Vector& b) {
  double largest = 0;
  for (Index i = 0; i + 2 < a.size(); i += 3)
    largest = std::max(largest, (a.segment<3>(i) - b.segment<3>(i)).squaredNorm());
  return std::sqrt(largest);
}

}  // namespace phiflex
