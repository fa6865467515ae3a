#include "phiflex/pages/embedded_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "phiflex/base/errors.h"
#include "phiflex/pages/motion_chunk.h"
#include "phiflex/pages/motion_data.h"

namespace phiflex {
namespace {

// Vertices are placed to this part of the rest shape's longest side: finely, or still well enough.
constexpr double fine = 1.0 / 16384, coarse = 1.0 / 6000;

// More than a viewer looks at one by one; a page of small bodies would hold a hundred thousand.
constexpr std::size_t most_frames = 3000;

enum class Fields { all, without_tensors };

struct Detail {
  std::size_t stride = 1;  // every so many frames
  double part = fine;
  Fields fields = Fields::all;
};

// A component of a stress or strain, of which there are six: "xx", ...
bool is_of_tensor(const FieldNumber& number) {
  const std::size_t size = number.name.size();
  return size > 3 && number.name[size - 3] == '_' &&
         number.name.find_first_not_of("xyz", size - 2) == std::string::npos;
}

std::vector<FieldNumber> kept_numbers(const MotionSource& motion, Fields fields) {
  std::vector<FieldNumber> numbers = motion.numbers;
  if (fields == Fields::without_tensors) std::erase_if(numbers, is_of_tensor);
  return numbers;
}

std::string with_sentence(const std::string& text, const std::string& sentence) {
  return text.empty() ? sentence : text + " " + sentence;
}

// 0, stride, 2 stride, ... and the last.
std::vector<std::size_t> chosen_frames(std::size_t frames, std::size_t stride) {
  std::vector<std::size_t> chosen;
  for (std::size_t f = 0; f < frames; f += stride) chosen.push_back(f);
  if (!chosen.empty() && chosen.back() + 1 != frames) chosen.push_back(frames - 1);
  return chosen;
}

// Long chunks waste less on their first frame, short ones are read sooner.
std::size_t frames_per_chunk(std::size_t vertices) {
  constexpr std::size_t coordinates = 400'000;
  return std::clamp<std::size_t>(coordinates / std::max<std::size_t>(3 * vertices, 1), 16, 64);
}

std::string ordinal(std::size_t n) {
  return n == 2 ? "second" : n == 3 ? "third" : fmt::format("{}th", n);
}

// One try with a given detail: chunks are made until they are too large.
class Attempt {
 public:
  Attempt(std::span<const MotionSource> motions, std::size_t limit, const Detail& detail)
      : limit_(limit), detail_(detail) {
    for (const MotionSource& motion : motions)
      frames_ += chosen_frames(motion.times.size(), detail.stride).size();
    for (const MotionSource& motion : motions) {
      results_.push_back(embed(motion));
      if (bytes_ > limit_) break;
    }
  }

  bool fits() const { return bytes_ <= limit_; }
  // Bytes that all frames would take, over the limit.
  double excess() const {
    return static_cast<double>(bytes_) / static_cast<double>(std::max<std::size_t>(limit_, 1)) *
           static_cast<double>(frames_) / static_cast<double>(std::max<std::size_t>(done_, 1));
  }
  std::size_t frames() const { return frames_; }
  std::vector<EmbeddedMotion> take() { return std::move(results_); }

 private:
  EmbeddedMotion embed(const MotionSource& motion) {
    EmbeddedMotion result;
    const std::size_t vertices = motion.shape->vertices.size();
    if (motion.times.empty() || vertices == 0) return result;
    const std::vector<FieldNumber> numbers = kept_numbers(motion, detail_.fields);
    MotionExtent extent(*motion.shape, numbers);
    MotionChunk chunk(vertices, extent.clip(), numbers);
    nlohmann::ordered_json chunks = nlohmann::ordered_json::array();
    std::vector<double> times;
    const auto close_chunk = [&] {
      if (chunk.frames() == 0) return;
      chunks.push_back({{"first", times.size() - chunk.frames()}, {"count", chunk.frames()}});
      result.chunks.push_back(chunk.encode(detail_.part * extent.size(), ZlibEffort::usual));
      bytes_ += result.chunks.back().size();
      chunk.clear();
    };
    std::size_t unreadable = 0;
    VisibleFrame frame;
    for (const std::size_t number : chosen_frames(motion.times.size(), detail_.stride)) {
      ++done_;
      if (!motion.read(number, frame)) {
        ++unreadable;
        continue;
      }
      extent.add(frame);
      chunk.add(frame);
      times.push_back(motion.times[number]);
      if (chunk.frames() == frames_per_chunk(vertices)) close_chunk();
      if (bytes_ > limit_) return result;
    }
    close_chunk();
    if (unreadable > 0) result.remark = fmt::format("{} frames cannot be read and are left out", unreadable);
    if (times.empty()) return result;
    result.header = motion_data(*motion.shape, motion.bodies, extent, times, motion.times.size());
    result.header["chunks"] = std::move(chunks);
    std::string left_out;
    if (detail_.stride > 1)
      left_out = fmt::format("Every {} frame is shown ({} of {}); {}", ordinal(detail_.stride), times.size(),
                             motion.times.size(), motion.all_frames);
    if (numbers.size() < motion.numbers.size())
      left_out =
          with_sentence(left_out, "The components of stress and strain are left out; " + motion.all_frames);
    result.header["left_out"] = left_out;
    return result;
  }

  std::size_t limit_;
  Detail detail_;
  std::size_t frames_ = 0, done_ = 0, bytes_ = 0;
  std::vector<EmbeddedMotion> results_;
};

}  // namespace

MotionSource motion_source(const MotionReader& reader, std::vector<std::string> bodies) {
  MotionSource source{&reader.shape(), std::move(bodies), {}, {}, {}, reader.numbers()};
  for (std::size_t f = 0; f < reader.frames(); ++f) source.times.push_back(reader.time(f));
  source.read = [&reader](std::size_t frame, VisibleFrame& out) {
    return read_shown_frame(reader, frame, out);
  };
  source.all_frames = "see all with:  phiflex view " + reader.folder().root.string();
  return source;
}

std::vector<EmbeddedMotion> embed_motions(std::span<const MotionSource> motions, std::size_t limit) {
  std::size_t longest = 0;
  for (const MotionSource& motion : motions) longest = std::max(longest, motion.times.size());
  const bool tensors = std::any_of(motions.begin(), motions.end(), [](const MotionSource& motion) {
    return std::any_of(motion.numbers.begin(), motion.numbers.end(), is_of_tensor);
  });
  Detail detail{.stride = std::max<std::size_t>(1, (longest + most_frames - 1) / most_frames), .part = fine};
  while (detail.stride <= std::max<std::size_t>(longest, 2) - 1) {
    Attempt attempt(motions, limit, detail);
    if (attempt.fits()) return attempt.take();
    // Coarser positions save about a third; what that cannot save, fewer frames must, which then differ more
    // from what is expected of them: a bit fewer is left out than the excess says, and tried again if need be.
    constexpr double coarser_saves = 1.6, caution = 0.75;
    if (tensors && detail.fields == Fields::all) {
      detail.fields = Fields::without_tensors;
    } else if (detail.part == fine && attempt.excess() < coarser_saves) {
      detail.part = coarse;
    } else {
      const double stride = std::ceil(caution * static_cast<double>(detail.stride) * attempt.excess());
      detail = {std::max(detail.stride + 1, static_cast<std::size_t>(std::min(stride, 1e9))), fine,
                detail.fields};
    }
  }
  std::vector<EmbeddedMotion> none(motions.size());
  for (std::size_t m = 0; m < motions.size(); ++m)
    if (!motions[m].times.empty())
      none[m].remark = "The motion is too large for this page: " + motions[m].all_frames;
  return none;
}

}  // namespace phiflex
