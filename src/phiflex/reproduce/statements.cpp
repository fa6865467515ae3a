#include "phiflex/reproduce/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phiflex/base/errors.h"
#include "phiflex/reproduce/comparisons.h"

namespace phiflex {
namespace {

constexpr std::size_t most_numbers = 8;  // in a reason

}  // namespace

void Statements::wrong(const std::string& place, const std::string& message) const {
  throw InputError((experiment_.folder / "experiment.json").string(), place, message);
}

void Statements::note_measurement(const std::string& run, const std::string& metric, double value) {
  for (const Measurement& one : outcome_.measurements)
    if (one.run == run && one.metric == metric &&
        (one.value == value || (std::isnan(one.value) && std::isnan(value)))) {
      recent_.push_back(one);
      return;
    }
  outcome_.measurements.push_back({run, metric, value});
  recent_.push_back(outcome_.measurements.back());
}

std::string Statements::recent_numbers() const {
  std::string words;
  std::size_t told = 0;
  std::vector<std::string> seen;
  for (const Measurement& one : recent_) {
    const std::string word = fmt::format("{} of {} = {:.4g}", one.metric, one.run, one.value);
    if (std::find(seen.begin(), seen.end(), word) != seen.end()) continue;
    seen.push_back(word);
    if (++told > most_numbers) continue;
    words += (words.empty() ? "" : ", ") + word;
  }
  if (told > most_numbers) words += fmt::format(", and {} more", told - most_numbers);
  return words;
}

const RunAccount* Statements::cut_short() const {
  const auto found = std::find_if(outcome_.runs.begin(), outcome_.runs.end(),
                                  [](const RunAccount& run) { return run.status != "done"; });
  return found == outcome_.runs.end() ? nullptr : &*found;
}
std::string Statements::cut_short_words() const {
  return fmt::format("'{}': {}", cut_short()->name, cut_short()->status);
}

void Statements::state_claims(const ClaimSpec& claim) {
  try {
    substitution_.repeat(claim.repetition, names_, [&](const Names& names) { state_claim(claim, names); });
  } catch (const Undecided& undecided) {
    outcome_.claims.push_back({claim.text, claim.holds, Holding::undecided, undecided.what()});
  }
}

void Statements::state_claim(const ClaimSpec& claim, const Names& names) {
  ClaimOutcome made;
  made.holds = claim.holds;
  try {
    made.text = filled(claim.text, names, functions_);
  } catch (const Undecided&) {
    made.text = claim.text;  // with what is not known in braces
  } catch (const ExpressionError& error) {
    wrong("/claims", error.what());
  }
  recent_.clear();
  book_.unconverged_used.clear();
  try {
    std::vector<NumberComparison> compared;
    const bool holds = evaluate(claim.holds, names, functions_, compared).truth();
    made.holding = holds ? Holding::holds : Holding::fails;
    made.reason = comparison_words(compared, most_numbers);
    if (const std::string numbers = recent_numbers(); !numbers.empty())
      made.reason += (made.reason.empty() ? "" : "; ") + numbers;
    if (!book_.unconverged_used.empty()) {
      const std::vector<Measurement> kept =
          outcome_.measurements;  // those of the coarser truth are not results
      book_.coarser = 1;
      bool same = false;
      try {
        same = evaluate(claim.holds, names, functions_).truth() == holds;
      } catch (const Undecided&) {
      }
      book_.coarser = 0;
      outcome_.measurements = kept;
      const std::string truth = *book_.unconverged_used.begin();
      const double change = book_.named(truth).change;
      if (same) {
        made.reason += fmt::format(
            " (the truth '{}' still moves by {:.2g} m when its step is halved; the answer does not change)",
            truth, change);
      } else {
        made.holding = Holding::undecided;
        made.reason +=
            fmt::format(" (the truth '{}' has not converged, and the answer depends on it)", truth);
      }
    }
  } catch (const Undecided& undecided) {
    made.holding = Holding::undecided;
    made.reason = undecided.what();
  } catch (const ExpressionError& error) {
    book_.coarser = 0;
    if (!cut_short()) wrong("/claims: " + made.text, error.what());
    made.holding = Holding::undecided;
    made.reason = fmt::format("{}; {}", cut_short_words(), error.what());
  }
  outcome_.claims.push_back(std::move(made));
}

void Statements::compare_numbers(const TableRowSpec& row) {
  try {
    substitution_.repeat(row.repetition, names_, [&](const Names& names) { compare_number(row, names); });
  } catch (const Undecided& undecided) {
    outcome_.table.push_back({row.what, row.unit, std::nullopt, std::nullopt, undecided.what()});
  }
}

void Statements::compare_number(const TableRowSpec& row, const Names& names) {
  ComparedNumber made;
  made.what = row.what;
  made.unit = row.unit;
  try {
    made.what = filled(row.what, names, functions_);
    if (!row.printed.is_null()) {
      const Value printed = substitution_.value_from(row.printed, names);
      made.printed = printed.number();
    }
    const Value measured = evaluate(row.measured, names, functions_);
    made.measured = measured.is_truth() ? (measured.truth() ? 1.0 : 0.0) : measured.number();
  } catch (const Undecided& undecided) {
    made.missing = undecided.what();
  } catch (const ExpressionError& error) {
    if (!cut_short()) wrong("/table: " + row.what, error.what());
    made.missing = cut_short_words();
  }
  outcome_.table.push_back(std::move(made));
}

void Statements::draw(const PlotSpec& spec) {
  LinePlot plot;
  plot.title = spec.title.empty() ? experiment_.title : spec.title;
  plot.x.label = spec.x;
  plot.y.label = spec.y;
  if (spec.log.find('x') != std::string::npos) plot.x.scale = AxisScale::logarithmic;
  if (spec.log.find('y') != std::string::npos) plot.y.scale = AxisScale::logarithmic;
  for (const SeriesSpec& series : spec.series) try {
      substitution_.repeat(series.repetition, names_, [&](const Names& names) {
        try {
          PlotSeries curve{.name = filled(series.name, names, functions_)};
          curve.x = evaluate(series.x, names, functions_).numbers();
          curve.y = evaluate(series.y, names, functions_).numbers();
          const std::size_t common = std::min(curve.x.size(), curve.y.size());
          curve.x.resize(common);
          curve.y.resize(common);
          curve.style = series.style == "dashed"          ? SeriesStyle::dashed
                        : series.style == "dots"          ? SeriesStyle::dots
                        : series.style == "line_and_dots" ? SeriesStyle::line_and_dots
                                                          : SeriesStyle::line;
          plot.series.push_back(std::move(curve));
        } catch (const Undecided&) {
          // What is missing is said by the claims; the plot has a curve less.
        } catch (const ExpressionError& error) {
          if (!cut_short()) wrong("/plots: " + series.name, error.what());
        }
      });
    } catch (const Undecided&) {
      // As above, of a whole family of curves.
    }
  outcome_.plots.push_back(std::move(plot));
}

}  // namespace phiflex
