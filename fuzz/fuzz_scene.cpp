// libFuzzer target: any text is either a scene that survives writing and reading, or an InputError.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "phiflex/scene/scene.h"
#include "phiflex/scene/scene_io.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  // What follows a line "--set" is an override, so that the fuzzer reaches those too.
  const std::size_t marker = text.find("\n--set ");
  phiflex::ReadOptions options;
  if (marker != std::string::npos) options.overrides.push_back(text.substr(marker + 7));
  std::vector<phiflex::Problem> warnings;
  try {
    const phiflex::Scene scene = phiflex::parse_scene(text.substr(0, marker), "fuzz.json", options, warnings);
    if (phiflex::parse_scene(phiflex::to_json(scene).dump(), "fuzz.json", {}, warnings) != scene)
      std::abort();
  } catch (const phiflex::InputError&) {
  }
  return 0;
}
