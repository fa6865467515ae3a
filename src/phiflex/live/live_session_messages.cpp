// What is sent to clients: the log, settings, the first message and the frames.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "phiflex/live/live_session.h"
#include "phiflex/live/scene_edits.h"
#include "phiflex/pages/motion_chunk.h"
#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLogLines = 200;

Json list_of_point(const Eigen::Vector3d& p) {
  return {p[0], p[1], p[2]};
}

void append_size(std::string& out, std::size_t size) {
  const auto number = static_cast<std::uint32_t>(size);
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof bytes);
}

}  // namespace

void LiveSession::log(const std::string& text, const char* tone) {
  const double t = engines_.empty() ? 0 : engines_.front().time();
  log_.emplace_back(t, text);
  if (log_.size() > kLogLines) log_.erase(log_.begin());
  audience_.tell({{"kind", "log"}, {"time", t}, {"tone", tone}, {"text", text}});
}

void LiveSession::tell_settings() {
  audience_.tell(settings());
}

Json LiveSession::settings() const {
  Json json = {{"kind", "settings"},
               {"paused", paused_},
               {"pace", pace_},
               {"strength", strength_},
               {"recording", records_ ? recording_ : ""}};
  if (engines_.empty()) return json;
  const LiveEngine& first = engines_.front();
  json["step"] = first.scene().time.step;
  json["gravity"] = first.scene().gravity;
  json["ball"] = first.ball_radius();
  json["views"] = Json::array();
  for (const LiveEngine& engine : engines_) {
    const std::optional<double> dial = engine.dial();
    json["views"].push_back({{"name", engine.name()},
                             {"method", engine.simulation().method().name},
                             {"dial", dial ? Json(*dial) : Json(nullptr)}});
  }
  json["bodies"] = Json::array();
  for (const BodySpec& body : first.scene().bodies) {
    const BodyStiffness stiffness = stiffness_of(body);
    json["bodies"].push_back({{"name", body.name},
                              {"stiffness", stiffness.value},
                              {"key", stiffness.key},
                              {"unit", stiffness.unit},
                              {"damping", {body.damping.mass, body.damping.stiffness}}});
  }
  json["pins"] = Json::array();
  for (const auto& [name, number] : pins_of(first.scene())) {
    const int vertex = find_body(first.world().bodies(), name).first_vertex + number;
    const auto place = std::find(visible_.shape.vertices.begin(), visible_.shape.vertices.end(), vertex);
    if (place != visible_.shape.vertices.end())
      json["pins"].push_back(place - visible_.shape.vertices.begin());
  }
  return json;
}

Json LiveSession::hello() const {
  Json json = {{"kind", "hello"}, {"title", title()}, {"settings", settings()}, {"motion", nullptr}};
  if (engines_.empty()) return json;
  const LiveEngine& first = engines_.front();
  std::vector<std::string> bodies;
  for (const Body& body : first.world().bodies()) bodies.push_back(body.name);
  json["motion"] = motion_data(visible_.shape, bodies, *extent_, {first.time()}, 1);
  json["scene"] = to_json(first.scene());
  json["elements"] = first.world().tetrahedra() + first.world().triangles() + first.world().springs();
  json["integrators"] = Json::array();
  for (const MethodEntry& method : integrator_catalogue())
    json["integrators"].push_back({{"name", method.info->name}, {"summary", method.info->summary}});
  json["log"] = Json::array();
  for (const auto& [t, text] : log_) json["log"].push_back({{"time", t}, {"text", text}});
  return json;
}

void LiveSession::publish() {
  const std::size_t drawn = visible_.shape.vertices.size();
  Json head = {{"number", ++frame_}, {"t", engines_.front().time()},   {"steps", engines_.front().steps()},
               {"paused", paused_},  {"step_ms", 1e3 * step_seconds_}, {"views", Json::array()}};
  if (passed_.size() > 1) {
    const double wall = seconds_between(passed_.front().first, passed_.back().first);
    if (wall > 0) head["share"] = (passed_.back().second - passed_.front().second) / wall;
  }
  std::string chunks;
  for (std::size_t view = 0; view < engines_.size(); ++view) {
    const LiveEngine& engine = engines_[view];
    const LedgerRow& row = engine.simulation().ledger();
    const LiveBooks books = engine.books();
    head["views"].push_back({{"kinetic", row.energies.kinetic},
                             {"elastic", row.energies.elastic},
                             {"gravity", row.energies.gravity},
                             {"contact", row.energies.contact},
                             {"total", row.total()},
                             {"first", books.first},
                             {"external", books.external},
                             {"changes", books.changes},
                             {"contact_work", books.contact},
                             {"dissipated", books.dissipated},
                             {"friction", books.friction},
                             {"loss", books.loss},
                             {"ms", 1e3 * view_seconds_[view]}});
    drawn_.time = engine.time();
    drawn_.positions.resize(drawn);
    drawn_.velocities.resize(drawn);
    drawn_.strain_energy.assign(drawn, 0.0);
    if (!energies_for_.empty())
      engine.world().strain_energy_densities(engine.time(), engine.x(), densities_,
                                             &engine.simulation().model());
    for (std::size_t v = 0; v < drawn; ++v) {
      const Index at = 3 * Index(visible_.shape.vertices[v]);
      for (Index i = 0; i < 3; ++i) {
        drawn_.positions[v][std::size_t(i)] = engine.x()[at + i];
        drawn_.velocities[v][std::size_t(i)] = engine.v()[at + i];
      }
      if (!energies_for_.empty()) drawn_.strain_energy[v] = visible_.mean_of_cells(v, densities_);
    }
    MotionChunk chunk(drawn, extent_->clip());
    chunk.add(drawn_);
    const std::string bytes = chunk.encode(extent_->size() / 65536, ZlibEffort::fast);
    append_size(chunks, bytes.size());
    chunks += bytes;
  }
  head["grips"] = Json::array();
  for (const auto& [grip, key] : grips_) {
    Json one = {{"client", grip.client}, {"number", grip.number}, {"lines", Json::array()}};
    for (const LiveEngine& engine : engines_)
      if (const auto line = engine.grip_line(key))
        one["lines"].push_back({list_of_point((*line)[0]), list_of_point((*line)[1])});
    head["grips"].push_back(std::move(one));
  }
  if (const auto ball = engines_.front().ball()) head["ball"] = list_of_point(*ball);
  head["stamps"] = Json::object();
  for (const auto& [client, stamp] : shown_stamps_) head["stamps"][std::to_string(client)] = stamp;
  const std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  auto frame = std::make_shared<std::string>("PFL1");
  append_size(*frame, text.size());
  frame->append(text).append(chunks);
  audience_.show(std::move(frame), frame_);
}

}  // namespace phiflex
