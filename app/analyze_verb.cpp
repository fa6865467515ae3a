// analyze damping | stability | accuracy | ghost | dg.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/exit_codes.h"
#include "app/say.h"
#include "app/verbs.h"
#include "phiflex/study/analyze.h"
#include "phiflex/study/penalty_study.h"

namespace {

using namespace phiflex;
using Json = nlohmann::ordered_json;

struct AnalyzeArguments {
  std::string topic, methods, folder;
  AnalysisRange range;
  bool range_end_given = false, points_given = false, folded = false;
  PenaltyStudy penalty;
  GhostSetting ghost;
  bool json = false;
};

const CLI::Validator damping_ratio(
    [](std::string& text) -> std::string {
      double value = 0;
      const bool good = CLI::detail::lexical_cast(text, value) && value >= 0 && value < 1;
      return good ? "" : "'" + text + "' is not allowed; expected a number from 0 to below 1";
    },
    "0 <= xi < 1");
AnalysisTopic topic_of(const std::string& word) {
  for (const AnalysisTopic topic :
       {AnalysisTopic::damping, AnalysisTopic::stability, AnalysisTopic::accuracy})
    if (name_of(topic) == word) return topic;
  return AnalysisTopic::ghost;
}

// Numbers that JSON does not know (a step that failed) become null.
Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
  return list;
}

Json to_json(const Analysis& analysis, const std::vector<std::filesystem::path>& files) {
  Json curves = Json::array();
  for (const AnalysisCurve& curve : analysis.curves) {
    Json one = {{"method", curve.method}, {analysis.abscissa, numbers(curve.abscissae)}};
    for (std::size_t i = 0; i < analysis.quantities.size(); ++i)
      one[analysis.quantities[i]] = numbers(curve.values[i]);
    curves.push_back(std::move(one));
  }
  Json names = Json::array();
  for (const std::filesystem::path& file : files) names.push_back(file.string());
  return {{"topic", name_of(analysis.topic)}, {"curves", curves}, {"files", names}};
}

int study_discontinuous_triangles(const AnalyzeArguments& o) {
  PenaltyStudy study = o.penalty;
  study.from = o.range.from;
  if (o.range_end_given) study.to = o.range.to;
  if (o.points_given) study.points = o.range.points;
  if (!(study.from < study.to)) {
    say(stderr, "phiflex: --from {} must be below --to {}\n", study.from, study.to);
    return kWrongUsage;
  }
  const PenaltyCurves curves = study_penalty(study);
  const std::vector<std::filesystem::path> files =
      write_penalty_study(o.folder.empty() ? "out/analyze" : o.folder, curves);
  if (o.json) {
    const Json json = {{"topic", "dg"},
                       {"continuous", curves.continuous},
                       {"penalty", numbers(curves.penalty)},
                       {"babuska_zlamal", numbers(curves.babuska_zlamal)},
                       {"interior_penalty", numbers(curves.interior_penalty)},
                       {"files", {files[0].string(), files[1].string()}}};
    say_json(json);
    return kDone;
  }
  for (const std::string& finding : findings(curves)) say("{}\n", finding);
  for (const std::filesystem::path& file : files) say("{}\n", file.string());
  return kDone;
}

int carry_out(const AnalyzeArguments& o) {
  if (o.topic == "dg") return study_discontinuous_triangles(o);
  const AnalysisTopic topic = topic_of(o.topic);
  AnalysisRange range = o.range;
  if (topic == AnalysisTopic::accuracy && !o.range_end_given) range.to = 10;  // beyond, no period is resolved
  if (o.folded) range.angle = AngleReading::folded;
  if (!(range.from < range.to)) {
    say(stderr, "phiflex: --from {} must be below --to {}\n", range.from, range.to);
    return kWrongUsage;
  }
  const std::vector<MethodVariant> methods =
      !o.methods.empty()              ? parse_method_variants(o.methods, "--methods")
      : topic == AnalysisTopic::ghost ? std::vector{MethodVariant{"be", {}, {}}}
                                      : all_methods();
  const Analysis analysis =
      topic == AnalysisTopic::ghost ? analyze_ghosts(methods, o.ghost) : analyze(topic, methods, range);
  const std::filesystem::path folder = o.folder.empty() ? "out/analyze" : o.folder;
  const std::vector<std::filesystem::path> files = write_analysis(folder, analysis);
  if (o.json) {
    say_json(to_json(analysis, files));
    return kDone;
  }
  for (const std::string& finding : findings(analysis)) say("{}\n", finding);
  for (const std::filesystem::path& file : files) say("{}\n", file.string());
  return kDone;
}

}  // namespace

void add_analyze_verb(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "analyze", "What the methods do to a scalar oscillator: damping, stability, accuracy over h w");
  verb->footer(
      "Examples:  phiflex analyze damping --methods be,bdf2,generalized-alpha:rho_infinity=0.5 -o "
      "out/damping\n"
      "           phiflex analyze ghost --methods be --omega 200 --step 1 --steps 1\n"
      "           phiflex analyze dg --from 0.01 --to 1e4 -o out/dg");
  const auto o = std::make_shared<AnalyzeArguments>();
  verb->add_option("TOPIC", o->topic,
                   "damping, stability, accuracy or ghost; dg: the lowest eigenvalue of discontinuous "
                   "triangles over their penalty")
      ->required()
      ->check(CLI::IsMember({"damping", "stability", "accuracy", "ghost", "dg"}));
  verb->add_option(
      "--methods", o->methods,
      "Methods, separated by commas, each NAME[:key=value]... (default: the whole catalogue; ghost: be)");
  verb->add_option("--from", o->range.from, "Smallest h w (0.01); dg: smallest penalty, N/m^3")
      ->check(positive_number);
  CLI::Option* to = verb->add_option("--to", o->range.to, "Largest h w (1000; accuracy: 10; dg: 1e4)")
                        ->check(positive_number);
  CLI::Option* points =
      verb->add_option("--points", o->range.points, "Points, evenly on a logarithmic scale (241; dg: 61)")
          ->check(CLI::Range(2, 100000));
  verb->add_option("--damping-ratio", o->range.damping_ratio,
                   "Physical damping xi of q'' + 2 xi w q' + w^2 q = 0 (0)")
      ->check(damping_ratio);
  verb->add_flag(
      "--folded-angle", o->folded,
      "accuracy: the angle of a step by arctan, folded at a right angle, as Zheng and others print it");
  verb->add_option("--stiffening", o->range.stiffening,
                   "w^2 over that of the rest shape, which zheng, chen-ricles, gui and chang factorize (1)")
      ->check(positive_number);
  verb->add_flag("--printed-alpha", o->range.printed_alpha,
                 "generalized-alpha also with alpha_m + alpha_f, the sign misprinted by Chen and others");
  verb->add_option("--omega", o->ghost.w, "ghost: the oscillator's w (20 rad/s)")->check(positive_number);
  verb->add_option("--damping", o->ghost.d, "ghost: its physical damping d (0 1/s)")->check(finite_number);
  verb->add_option("--step", o->ghost.h, "ghost: the step (0.05 s)")->check(positive_number);
  verb->add_option("--steps", o->ghost.steps, "ghost: how many (20)")->check(CLI::Range(1, 100000));
  verb->add_option("--position", o->ghost.q, "ghost: position at the start (0)")->check(finite_number);
  verb->add_option("--velocity", o->ghost.v, "ghost: velocity at the start (1)")->check(finite_number);
  verb->add_option("-o,--output", o->folder, "Where the table and the plots go (default: out/analyze)");
  verb->add_flag("--json", o->json, "Print all numbers as JSON on stdout, and nothing else");
  verb->add_option("--cells", o->penalty.cells, "dg: squares of two triangles along a side (1)")
      ->check(CLI::Range(1, 12));
  verb->add_option("--poisson", o->penalty.poisson, "dg: Poisson's ratio (0.48)")
      ->check(CLI::Range(0.0, 0.4999));
  verb->callback([o, to, points, &action] {
    o->range_end_given = to->count() > 0;
    o->points_given = points->count() > 0;
    action = [o] { return carry_out(*o); };
  });
}
