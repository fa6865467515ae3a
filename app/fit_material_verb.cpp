// fit-material.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/exit_codes.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/base/files.h"
#include "phiflex/study/fit_material.h"

namespace {

using namespace phiflex;

struct FitMaterialArguments {
  std::string table, output;
  FitOptions fit;
  bool json = false;
};

int carry_out(const FitMaterialArguments& o) {
  const StressTable table = read_stress_table(o.table);
  const FittedMaterial fitted = fit_material(table, o.fit, o.table);
  const std::string material = material_json(fitted);
  if (!o.output.empty()) write_file_atomically(o.output, material);
  if (o.json) {
    const nlohmann::ordered_json json = {{"material", nlohmann::ordered_json::parse(material)},
                                         {"rows", table.stretch.size()},
                                         {"mean_error", fitted.mean_error},
                                         {"worst_error", fitted.worst_error},
                                         {"young_at_rest", fitted.young_at_rest},
                                         {"stretch", table.stretch},
                                         {"stress", fitted.stress}};
    say_json(json);
    return kDone;
  }
  if (o.output.empty()) say("{}", material);
  say(stderr,
      "{} rows, {} knots: error {:.2g} % in the mean, {:.2g} % at worst, of the largest stress; Young's "
      "modulus at rest {:.4g} Pa\n",
      table.stretch.size(), fitted.knots.size(), 100 * fitted.mean_error, 100 * fitted.worst_error,
      fitted.young_at_rest);
  if (!o.output.empty()) say("{}\n", o.output);
  return kDone;
}

}  // namespace

void add_fit_material_verb(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "fit-material", "A spline material from a table of stretch and nominal stress (uniaxial)");
  verb->footer(
      "Example:  phiflex fit-material rubber.csv --poisson 0.47 -o material.json\n"
      "The table has a row `stretch, stress in Pa` for each measurement; material.json is what a scene's "
      "`material` holds.");
  const auto o = std::make_shared<FitMaterialArguments>();
  verb->add_option("TABLE", o->table, "The table, CSV")->required();
  verb->add_option("-o,--output", o->output, "Where the material goes, JSON (default: stdout)");
  verb->add_option("--poisson", o->fit.poisson, "Poisson's ratio, which such a table does not tell (0.45)")
      ->check(CLI::Range(0.0, 0.499));
  verb->add_option("--density", o->fit.density, "Density, handed on to the material (1000 kg/m^3)")
      ->check(positive_number);
  verb->add_option("--knots", o->fit.knots, "Knots of the curve f (9)")->check(CLI::Range(3, 100));
  verb->add_flag("--json", o->json,
                 "Print the material and the quality of the fit as JSON, and nothing else");
  verb->callback([o, &action] { action = [o] { return carry_out(*o); }; });
}
