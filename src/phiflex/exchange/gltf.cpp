// glTF 2.0 (Khronos Group, 2021). The first frame is the mesh, every later one a morph target: what is to be added to
// the positions. Over time t_k one target after the other has the weight 1,
//
//   w_j(t_k) = 1 for j = k, else 0        (frame 0: all 0)                                                  (1)
//
// linear in between. There are no normals: a reader then shades every triangle flat, and right at every moment.
// Triangles of a body are a primitive with a colour of its own, lines another; all share the positions.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/exchange/export_formats.h"
#include "phiflex/record/run_json.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

enum Component { unsigned_int = 5125, real = 5126 };
enum Target { none = 0, vertices = 34962, indices = 34963 };
enum Mode { lines = 1, triangles = 4 };

class GltfFile {
 public:
  std::string buffer;  // little endian
  Json views = Json::array(), accessors = Json::array();

  int add_reals(const std::vector<float>& values, const char* type, int components, Target target,
                bool bounds) {
    begin_view(values.size() * 4, target);
    for (const float value : values) put(std::bit_cast<std::uint32_t>(value));
    Json accessor = {{"bufferView", views.size() - 1},
                     {"componentType", static_cast<int>(Component::real)},
                     {"count", values.size() / static_cast<std::size_t>(components)},
                     {"type", type}};
    if (bounds) {
      Json least = Json::array(), most = Json::array();
      for (int c = 0; c < components; ++c) {
        float low = values[static_cast<std::size_t>(c)], high = low;
        for (std::size_t i = static_cast<std::size_t>(c); i < values.size();
             i += static_cast<std::size_t>(components)) {
          low = std::min(low, values[i]);
          high = std::max(high, values[i]);
        }
        least.push_back(low);
        most.push_back(high);
      }
      accessor["min"] = least;
      accessor["max"] = most;
    }
    accessors.push_back(std::move(accessor));
    return static_cast<int>(accessors.size()) - 1;
  }

  int add_indices(const std::vector<std::uint32_t>& corners) {
    begin_view(corners.size() * 4, Target::indices);
    for (const std::uint32_t corner : corners) put(corner);
    accessors.push_back({{"bufferView", views.size() - 1},
                         {"componentType", static_cast<int>(Component::unsigned_int)},
                         {"count", corners.size()},
                         {"type", "SCALAR"}});
    return static_cast<int>(accessors.size()) - 1;
  }

 private:
  void begin_view(std::size_t bytes, Target target) {
    Json view = {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", bytes}};
    if (target != Target::none) view["target"] = static_cast<int>(target);
    views.push_back(std::move(view));
  }
  void put(std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8) buffer.push_back(static_cast<char>((word >> shift) & 255u));
  }
};

std::vector<float> coordinates(const std::vector<Point3>& points, const std::vector<Point3>* less = nullptr) {
  std::vector<float> values;
  values.reserve(3 * points.size());
  for (std::size_t v = 0; v < points.size(); ++v)
    for (std::size_t k = 0; k < 3; ++k)
      values.push_back(static_cast<float>(points[v][k] - (less != nullptr ? (*less)[v][k] : 0.0)));
  return values;
}

// The corners of each body's elements.
template <std::size_t N>
std::map<int, std::vector<std::uint32_t>> by_body(const std::vector<std::array<int, N>>& elements,
                                                  const std::vector<int>& bodies) {
  std::map<int, std::vector<std::uint32_t>> corners;
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (const int corner : elements[e]) corners[bodies[e]].push_back(static_cast<std::uint32_t>(corner));
  return corners;
}

// glTF wants linear light.
Json material_of(int body, const std::string& name) {
  constexpr std::array<std::array<double, 3>, 6> colours = {{{0.047, 0.238, 0.565},
                                                             {0.807, 0.191, 0.069},
                                                             {0.095, 0.386, 0.171},
                                                             {0.552, 0.102, 0.238},
                                                             {0.254, 0.162, 0.552},
                                                             {0.694, 0.376, 0.050}}};
  const auto& [r, g, b] = colours[static_cast<std::size_t>(std::max(0, body)) % colours.size()];
  return {{"name", name},
          {"pbrMetallicRoughness",
           {{"baseColorFactor", {r, g, b, 1.0}}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.6}}},
          {"doubleSided", true}};
}

std::string body_name(const Json& run, int body) {
  const Json::json_pointer at("/scene/bodies/" + std::to_string(std::max(0, body)) + "/name");
  if (run.contains(at) && run[at].is_string()) return run[at].get<std::string>();
  return "body " + std::to_string(body);
}

// The JSON without its buffer, and the buffer.
std::pair<Json, std::string> make_gltf(const ExportOrder& order) {
  GltfFile file;
  const VisibleShape& shape = order.motion.shape();
  const Json run = read_run_json(order.motion.folder().run_json());
  VisibleFrame frame;
  order.motion.read(order.frames.front(), frame);
  const std::vector<Point3> first = frame.positions;
  const int positions = file.add_reals(coordinates(first), "VEC3", 3, Target::vertices, true);
  std::vector<float> times{0};
  Json targets = Json::array();
  const double start = order.motion.time(order.frames.front());
  for (std::size_t k = 1; k < order.frames.size(); ++k) {
    order.motion.read(order.frames[k], frame);
    targets.push_back({{"POSITION", file.add_reals(coordinates(frame.positions, &first), "VEC3", 3,
                                                   Target::vertices, true)}});
    times.push_back(static_cast<float>(order.motion.time(order.frames[k]) - start));
  }

  Json primitives = Json::array(), materials = Json::array();
  std::map<int, std::size_t> material_number;
  const auto add_primitives = [&](const std::map<int, std::vector<std::uint32_t>>& bodies, Mode mode) {
    for (const auto& [body, corners] : bodies) {
      const auto [material, fresh] = material_number.try_emplace(body, materials.size());
      if (fresh) materials.push_back(material_of(body, body_name(run, body)));
      Json primitive = {{"attributes", {{"POSITION", positions}}},
                        {"indices", file.add_indices(corners)},
                        {"material", material->second},
                        {"mode", static_cast<int>(mode)}};
      if (!targets.empty()) primitive["targets"] = targets;
      primitives.push_back(std::move(primitive));
    }
  };
  add_primitives(by_body(shape.triangles, shape.triangle_body), Mode::triangles);
  add_primitives(by_body(shape.lines, shape.line_body), Mode::lines);

  Json gltf = {{"asset", {{"version", "2.0"}, {"generator", "Phiflex"}}},
               {"scene", 0},
               {"scenes", {{{"nodes", {0}}}}},
               {"nodes", {{{"name", "motion"}, {"mesh", 0}}}},
               {"meshes", {{{"name", "motion"}, {"primitives", primitives}}}},
               {"materials", materials}};
  if (!targets.empty()) {
    std::vector<float> weights;  // (1)
    for (std::size_t k = 0; k < times.size(); ++k)
      for (std::size_t j = 1; j < times.size(); ++j) weights.push_back(j == k ? 1.0f : 0.0f);
    gltf["meshes"][0]["weights"] = std::vector<double>(targets.size(), 0.0);
    const int input = file.add_reals(times, "SCALAR", 1, Target::none, true);
    const int output = file.add_reals(weights, "SCALAR", 1, Target::none, false);
    gltf["animations"] = {
        {{"name", "motion"},
         {"samplers", {{{"input", input}, {"output", output}, {"interpolation", "LINEAR"}}}},
         {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}}}}}};
  }
  gltf["accessors"] = std::move(file.accessors);
  gltf["bufferViews"] = std::move(file.views);
  gltf["buffers"] = {{{"byteLength", file.buffer.size()}}};
  return {std::move(gltf), std::move(file.buffer)};
}

}  // namespace

std::vector<std::filesystem::path> export_gltf(const ExportOrder& order) {
  auto [gltf, buffer] = make_gltf(order);
  const std::filesystem::path bytes = with_ending(order.file, ".bin");
  gltf["buffers"][0]["uri"] = bytes.filename().string();
  write_file_atomically(bytes, buffer);
  write_file_atomically(order.file, gltf.dump(1));
  return {order.file, bytes};
}

// One file: "glTF" | version 2 | length, then the JSON and the buffer as chunks  length | type | data,  each of a
// multiple of 4 bytes.
std::vector<std::filesystem::path> export_glb(const ExportOrder& order) {
  auto [gltf, buffer] = make_gltf(order);
  std::string text = gltf.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  buffer.resize((buffer.size() + 3) / 4 * 4, '\0');
  std::string file;
  const auto put = [&](std::size_t value) {
    for (int shift = 0; shift < 32; shift += 8) file.push_back(static_cast<char>((value >> shift) & 255u));
  };
  const std::size_t total = 12 + 8 + text.size() + 8 + buffer.size();
  if (total > 0xffffffffu)
    throw InputError(order.file.string(), "",
                     "these frames make a file of more than 4 GB, which .glb cannot hold; choose fewer with "
                     "--every, or --format gltf");
  file += "glTF";
  put(2);
  put(total);
  put(text.size());
  file += "JSON";
  file += text;
  put(buffer.size());
  file += std::string_view("BIN\0", 4);
  file += buffer;
  write_file_atomically(order.file, file);
  return {order.file};
}

}  // namespace phiflex
