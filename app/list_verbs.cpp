// list integrators | materials | evaluators | generators | scenes, and schema.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "app/gallery.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/base/errors.h"
#include "phiflex/integrate/catalogue.h"
#include "phiflex/material/catalogue.h"
#include "phiflex/matfun/catalogue.h"
#include "phiflex/mesh/generator_catalogue.h"
#include "phiflex/run/run.h"
#include "phiflex/scene/scene_io.h"
#include "phiflex/scene/spring_generators.h"

namespace {

using namespace phiflex;
using Json = nlohmann::ordered_json;

// An entry of a catalogue: its name, one line, and what else is worth knowing as JSON.
struct Entry {
  std::string name, line;
  Json more = Json::object();
};

std::vector<Entry> integrators() {
  std::vector<Entry> entries;
  for (const MethodEntry& method : integrator_catalogue()) {
    const MethodInfo& info = *method.info;
    Entry entry{std::string(info.name), std::string(info.summary)};
    entry.more = {{"order", info.order},           {"exact_on_linear", info.exact_on_linear},
                  {"symplectic", info.symplectic}, {"l_stable", info.l_stable},
                  {"reversible", info.reversible}, {"steps_of_history", info.history},
                  {"citation", info.citation},     {"options", option_keys(method)}};
    if (info.conditionally_stable) entry.more["stable_for_h_w_max_below"] = info.stability_limit;
    entries.push_back(std::move(entry));
  }
  entries.push_back({"auto",
                     "the least counted work: verlet, or emx where bodies are held and have visible modes, "
                     "or em with its dial at 0.9, at 1 where things may touch; it changes during the run "
                     "when another one becomes cheaper, gains less energy or gets through"});
  return entries;
}

std::vector<Entry> materials() {
  std::vector<Entry> entries;
  for (const MaterialInfo& info : material_catalogue()) {
    Entry entry{std::string(info.name), std::string(info.summary)};
    entry.more = {{"needs_positive_J", info.needs_positive_J}, {"citation", info.citation}};
    for (const ParameterInfo& parameter : info.parameters)
      entry.more["parameters"][parameter.key] = {{"description", parameter.doc}, {"unit", parameter.unit}};
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<Entry> evaluators() {
  std::vector<Entry> entries;
  for (const EvaluatorEntry& evaluator : evaluator_catalogue()) {
    const EvaluatorInfo& info = *evaluator.info;
    Entry entry{std::string(info.name), std::string(info.summary)};
    const bool pencil = info.family == EvaluatorFamily::pencil;
    entry.more = {{"family", pencil ? "pencil" : "general"},
                  {"needs_symmetric_matrix", pencil},
                  {"needs_factorization", info.needs_factorization},
                  {"citation", info.citation}};
    entries.push_back(std::move(entry));
  }
  entries.push_back(
      {"auto", "chooses among them by size, stiffness, damping and symmetry, and says what it chose"});
  return entries;
}

std::vector<Entry> generators() {
  std::vector<Entry> entries;
  for (const Generator& generator : generator_catalogue()) {
    Entry entry{generator.name, generator.summary};
    for (const GeneratorParameter& parameter : generator.parameters)
      entry.more["parameters"][parameter.key] = {
          {"description", parameter.doc}, {"unit", parameter.unit}, {"default", parameter.fallback}};
    entry.more["makes"] = generator.flat ? "triangles" : "tetrahedra";
    entries.push_back(std::move(entry));
  }
  for (const SpringGenerator& info : spring_generators)
    entries.push_back({std::string(info.name), std::string(info.summary), {{"makes", "springs"}}});
  return entries;
}

std::vector<Entry> scenes() {
  std::vector<Entry> entries;
  for (const GalleryScene& scene : gallery_scenes())
    entries.push_back({scene.name, scene.line, {{"file", scene.file.string()}}});
  return entries;
}

int print(const std::vector<Entry>& entries, bool json) {
  if (json) {
    Json all = Json::array();
    for (const Entry& entry : entries) {
      Json one = {{"name", entry.name}, {"summary", entry.line}};
      one.update(entry.more);
      all.push_back(one);
    }
    say_json(all);
    return kDone;
  }
  for (const Entry& entry : entries) say("{:<24}{}\n", entry.name, entry.line);
  return kDone;
}

void add_list(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("list", "The catalogues, one line an entry");
  verb->footer("Example:  phiflex list integrators --json");
  struct Options {
    std::string what;
    bool json = false;
  };
  const auto o = std::make_shared<Options>();
  verb->add_option("WHAT", o->what, "integrators, materials, evaluators, generators or scenes")
      ->required()
      ->check(CLI::IsMember({"integrators", "materials", "evaluators", "generators", "scenes"}));
  verb->add_flag("--json", o->json, "As JSON, with all details");
  verb->callback([o, &action] {
    action = [o] {
      if (o->what == "integrators") return print(integrators(), o->json);
      if (o->what == "materials") return print(materials(), o->json);
      if (o->what == "generators") return print(generators(), o->json);
      if (o->what == "scenes") {
        const std::vector<Entry> found = scenes();
        if (found.empty() && !o->json)
          say(stderr, "No scenes found; the folder that holds them can be named by PHIFLEX_SCENES.\n");
        return print(found, o->json);
      }
      return print(evaluators(), o->json);
    };
  });
}

void add_schema(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("schema", "Print the scene's JSON schema");
  verb->footer("Example:  phiflex schema > scene.schema.json");
  const auto markdown = std::make_shared<bool>(false);
  verb->add_flag("--markdown", *markdown, "The scene's documentation (docs/scene.md) instead");
  verb->callback([markdown, &action] {
    action = [markdown] {
      if (*markdown) {
        say("{}", scene_documentation());
      } else {
        say_json(json_schema());
      }
      return kDone;
    };
  });
}

}  // namespace

void add_list_verbs(CLI::App& app, Action& action) {
  add_list(app, action);
  add_schema(app, action);
}
