#include "phiflex/pages/live_run.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/pages/motion_chunk.h"
#include "phiflex/record/json_file.h"
#include "phiflex/record/run_json.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t number_at(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_number_integer() ? json[key].get<std::int64_t>() : 0;
}

// The step of a table's last complete row: run.json tells of checkpoints only.
std::int64_t last_step(const std::filesystem::path& table) {
  constexpr std::size_t tail = 4096;
  const std::string text = read_file_end(table, tail);
  const std::size_t end = text.rfind('\n');
  const std::size_t before = end == text.npos || end == 0 ? text.npos : text.rfind('\n', end - 1);
  std::int64_t step = 0;
  if (before != text.npos) std::from_chars(text.data() + before + 1, text.data() + end, step);
  return step;
}

}  // namespace

LiveRun::LiveRun(ViewedRun run)
    : run_(std::move(run)),
      latest_(std::make_shared<Snapshot>(Snapshot{MotionReader(run_.folder)})),
      stamp_(stamp()) {}

LiveRun::Stamp LiveRun::stamp() const {
  Stamp found;
  for (const std::filesystem::path& path :
       {run_.folder.run_json(), run_.folder.energy_csv(), run_.folder.frames_pvd()}) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) status = {};
    found.insert(found.end(), {status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size,
                               static_cast<std::int64_t>(status.st_ino)});
  }
  return found;
}

std::shared_ptr<const LiveRun::Snapshot> LiveRun::latest(std::uint64_t* version) {
  const std::lock_guard lock(latest_mutex_);
  Stamp now = stamp();
  if (now != stamp_) {
    stamp_ = std::move(now);
    ++version_;
    auto fresh = std::make_shared<Snapshot>(*latest_);
    const bool had_shape = !fresh->reader.shape().vertices.empty();
    fresh->reader.refresh();
    // Fewer frames, or frames from other times on: another run has begun in the folder.
    const bool begun_anew =
        fresh->reader.frames() < latest_->reader.frames() ||
        (latest_->reader.frames() > 0 && fresh->reader.time(0) != latest_->reader.time(0));
    if (begun_anew) fresh->reader = MotionReader(run_.folder);
    if (begun_anew || !had_shape) ++fresh->shape;
    latest_ = std::move(fresh);
  }
  if (version) *version = version_;
  return latest_;
}

Json LiveRun::status() {
  std::uint64_t version = 0;
  const std::shared_ptr<const Snapshot> now = latest(&version);
  const Json summary = read_run_json(run_.folder.run_json());
  return {{"status", text_at(summary, "/status", "unknown")},
          {"steps", std::max(number_at(summary, "steps"), last_step(run_.folder.energy_csv()))},
          {"steps_planned", number_at(summary, "steps_planned")},
          {"frames", now->reader.frames()},
          {"version", version}};
}

Json LiveRun::data() {
  const std::shared_ptr<const Snapshot> now = latest();
  Json data = run_data(run_);
  const MotionReader& reader = now->reader;
  if (run_.motion == MotionIs::left_out) {
    data["remarks"].push_back("Six runs move on this page; view this one by itself to see it.");
    return data;
  }
  if (reader.frames() == 0 || reader.shape().vertices.empty()) return data;

  const std::lock_guard lock(extent_mutex_);
  std::vector<std::size_t> sample{reader.frames() - 1};
  if (extent_of_shape_ != now->shape) {
    extent_.emplace(reader.shape(), reader.numbers());
    extent_of_shape_ = now->shape;
    constexpr std::size_t looks = 12;
    for (std::size_t i = 0; i < looks; ++i) sample.push_back(i * (reader.frames() - 1) / looks);
  }
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  VisibleFrame frame;
  for (const std::size_t number : sample)
    if (read_shown_frame(reader, number, frame)) extent_->add(frame);

  std::vector<double> times;
  for (std::size_t f = 0; f < reader.frames(); ++f) times.push_back(reader.time(f));
  data["motion"] = motion_data(reader.shape(), body_names(data["run"]), *extent_, times, reader.frames());
  return data;
}

std::optional<std::string> LiveRun::chunk(std::size_t first, std::size_t count) {
  const std::shared_ptr<const Snapshot> now = latest();
  const MotionReader& reader = now->reader;
  if (run_.motion == MotionIs::left_out || count == 0 || count > most_frames || first >= reader.frames() ||
      count > reader.frames() - first || reader.shape().vertices.empty())
    return std::nullopt;
  const std::size_t vertices = reader.shape().vertices.size();
  MotionChunk chunk(vertices, MotionExtent(reader.shape()).clip(), reader.numbers());
  VisibleFrame frame{
      0, reader.shape().rest, std::vector<Point3>(vertices), std::vector<double>(vertices), {}};
  std::size_t read = 0;
  for (std::size_t f = first; f < first + count; ++f) {
    if (read_shown_frame(reader, f, frame)) ++read;
    chunk.add(frame);
  }
  if (read == 0) throw FileError(run_.folder.frames().string(), "its frames cannot be read");
  return chunk.encode(0, ZlibEffort::fast);
}

}  // namespace phiflex
