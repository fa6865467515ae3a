#include "phiflex/reproduce/outcome_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "phiflex/mesh/vtu_data.h"
#include "phiflex/reproduce/catalogue_table.h"
#include "phiflex/reproduce/page_parts.h"

namespace phiflex {
namespace {

constexpr std::size_t kRowsShown = 14;

class Page {
 public:
  Page(const Experiment& experiment, const Outcome& outcome, const PageStrip& strip)
      : experiment_(experiment), outcome_(outcome), strip_(strip) {}

  std::string written() {
    text_ = page_head({.title = experiment_.id + ": " + std::string(name_of(outcome_.verdict)), .nonce = {}});
    text_ += "<body>\n<main>\n";
    heading();
    verdict();
    claims();
    table();
    plots();
    pictures();
    origin();
    sweep();
    runs();
    measurements();
    return text_ + page_end(fmt::format("Phiflex {}. {}. {}. Measured again by: phiflex reproduce {} --{}",
                                        outcome_.version, outcome_.date, outcome_.machine, experiment_.id,
                                        name_of(outcome_.variant)));
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Arguments>(arguments)...);
  }

  void heading() {
    add("<p class=\"above\"><a href=\"../index.html\">All "
        "experiments</a><span>{}</span><span>{}</span></p>\n",
        html(experiment_.id), html(experiment_.item));
    add("<h1>{}</h1>\n<p class=\"lead\">{}</p>\n", heading_html(experiment_.title),
        prose_html(experiment_.question));
    add("<p class=\"source\">{}, {}. Class {}: {}.</p>\n", html(paper_title(experiment_.paper)),
        html(experiment_.item), html(experiment_.klass), class_words(experiment_.klass));
  }

  void verdict() {
    add("<section class=\"verdict {}\">\n{}\n<p>{}</p>\n", css_class(outcome_.verdict),
        badge(outcome_.verdict), html(outcome_.reason));
    add("<p class=\"note\">{} variant, {} in all{}</p>\n",
        outcome_.variant == Variant::quick ? "Quick" : "Full", html(seconds_text(outcome_.seconds)),
        outcome_.variant == Variant::quick ? ": the same computation on a smaller body or for a shorter time."
                                           : ".");
    if (const std::string cost = full_cost_words(experiment_.full); !cost.empty())
      add("<p class=\"note\">{}</p>\n", html(cost));
    add("</section>\n");
  }

  void claims() {
    if (outcome_.claims.empty()) return;
    add("<section>\n<h2>What the paper claims</h2>\n<ol class=\"claims\">\n");
    for (const ClaimOutcome& claim : outcome_.claims) {
      const bool holds = claim.holding == Holding::holds, fails = claim.holding == Holding::fails;
      add("<li><span class=\"mark {}\" title=\"{}\">{}</span><div><p>{}</p>",
          holds   ? "confirmed"
          : fails ? "refuted"
                  : "not-comparable",
          holds   ? "holds"
          : fails ? "fails"
                  : "undecided",
          holds   ? "&#10003;"
          : fails ? "&#10005;"
                  : "?",
          html(claim.text));
      if (!claim.reason.empty()) add("<p class=\"numbers\">{}</p>", html(claim.reason));
      if (!claim.holds.empty())
        add("<details><summary>as the program checks it</summary><code>{}</code></details>",
            html(claim.holds));
      add("</div></li>\n");
    }
    add("</ol>\n</section>\n");
  }

  // A bar from 1 on a logarithmic scale of a tenth to ten times.
  static std::string ratio_html(double ratio) {
    const double at = 50 + 50 * std::clamp(std::log10(std::max(ratio, 1e-3)), -1.0, 1.0);
    const double from = std::min(at, 50.0), width = std::max(std::abs(at - 50), 3.0);
    return fmt::format("<span class=\"ratio\">{}<i><b style=\"left:{:.0f}%;width:{:.0f}%\"></b></i></span>",
                       fmt::format("{:.3g}", ratio), std::min(from, 97.0), width);
  }

  void table() {
    if (outcome_.table.empty()) return;
    const bool printed = std::any_of(outcome_.table.begin(), outcome_.table.end(),
                                     [](const ComparedNumber& row) { return row.printed.has_value(); });
    add("<section>\n<h2>{}</h2>\n<div class=\"frame\"><table>\n<thead><tr><th></th>{}<th "
        "class=\"number\">measured</th>{}"
        "</tr></thead>\n<tbody>\n",
        printed ? "Printed and measured" : "Measured", printed ? "<th class=\"number\">printed</th>" : "",
        printed ? "<th class=\"number\">measured / printed</th>" : "");
    for (const ComparedNumber& row : outcome_.table) {
      add("<tr><th>{}{}</th>", html(row.what),
          row.unit.empty() ? "" : fmt::format(" <span class=\"note\">{}</span>", html(row.unit)));
      if (printed) add("<td class=\"number\">{}</td>", row.printed ? number_html(*row.printed) : "&#8211;");
      if (row.measured)
        add("<td class=\"number\">{}</td>", number_html(*row.measured));
      else
        add("<td class=\"note\">{}</td>", row.missing.empty() ? "&#8211;" : html(row.missing));
      const bool both = row.printed && row.measured && *row.printed != 0 && std::isfinite(*row.measured);
      const double ratio = both ? *row.measured / *row.printed : 0;
      if (printed)
        add("<td class=\"number\">{}</td>", both ? (ratio > 0 ? ratio_html(ratio) : number_html(ratio)) : "");
      add("</tr>\n");
    }
    add("</tbody></table></div>\n</section>\n");
  }

  void plots() {
    if (outcome_.plots.empty()) return;
    add("<section>\n<h2>{}</h2>\n", outcome_.plots.size() == 1 ? "Plot" : "Plots");
    for (const LinePlot& plot : outcome_.plots)
      add("<figure><figcaption>{}</figcaption><div class=\"frame\">{}</div></figure>\n", html(plot.title),
          line_plot_svg(thinned(plot, kPlotPoints)));
    add("</section>\n");
  }

  void pictures() {
    if (strip_.png.empty() && strip_.remark.empty()) return;
    add("<section>\n<h2>Pictures</h2>\n");
    if (!strip_.png.empty()) {
      text_ +=
          "<div class=\"frame\"><img class=\"strip\" alt=\"Moments of the runs\" "
          "src=\"data:image/png;base64,";
      text_.append(encode_base64(strip_.png)).append("\"></div>\n");
    }
    if (!strip_.remark.empty()) add("<p class=\"note\">{}</p>\n", html(strip_.remark));
    add("</section>\n");
  }

  void list(const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    add("<section>\n<h2>{}</h2>\n<ul class=\"plain\">\n", title);
    for (const std::string& line : lines) add("<li>{}</li>\n", prose_html(line));
    add("</ul>\n</section>\n");
  }

  void origin() {
    add("<div class=\"two\">\n");
    list("What differs from the paper", experiment_.differs);
    list("Bodies", outcome_.bodies);
    add("</div>\n");
  }

  static std::string written(const nlohmann::json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  std::string proposed(const OpenParameter& open) const {
    const nlohmann::json& variant = experiment_.variant(outcome_.variant).values;
    if (variant.contains(open.value)) return written(variant.at(open.value));
    const auto found = experiment_.values.find(open.value);
    return found == experiment_.values.end() ? "" : written(*found);
  }

  void sweep() {
    if (experiment_.open.empty() && outcome_.sweep.empty()) return;
    add("<section>\n<h2>What the paper leaves open</h2>\n<div "
        "class=\"frame\"><table>\n<thead><tr><th>parameter</th>"
        "<th>proposed here</th><th>alternatives</th></tr></thead>\n<tbody>\n");
    for (const OpenParameter& open : experiment_.open) {
      std::string alternatives;
      for (const nlohmann::json& value : open.alternatives)
        alternatives += (alternatives.empty() ? "" : ", ") + written(value);
      add("<tr><th>{}{}</th><td>{}</td><td>{}</td></tr>\n", html(open.name),
          open.about.empty() ? "" : fmt::format("<br><span class=\"note\">{}</span>", html(open.about)),
          html(proposed(open)), html(alternatives));
    }
    add("</tbody></table></div>\n");
    if (outcome_.sweep.empty()) {
      add("<p class=\"note\">The alternatives were not run; <code>phiflex reproduce {} --sweep</code> "
          "does.</p>\n",
          html(experiment_.id));
    } else {
      add("<div class=\"frame\"><table>\n<thead><tr><th>with</th><th></th><th></th></tr></thead>\n<tbody>\n");
      for (const SweepOutcome& other : outcome_.sweep)
        add("<tr><th class=\"state\">{} = {}</th><td>{}</td><td>{}</td></tr>\n", html(other.parameter),
            html(other.value), badge(other.verdict), html(other.reason));
      add("</tbody></table></div>\n");
    }
    add("</section>\n");
  }

  // A long table is folded.
  template <typename Rows>
  void folded_table(std::size_t count, const std::string& summary, const char* head, Rows rows) {
    const bool fold = count > kRowsShown;
    if (fold) add("<details><summary>{}</summary>\n", html(summary));
    add("<div class=\"frame\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n", head);
    rows();
    add("</tbody></table></div>\n{}", fold ? "</details>\n" : "");
  }

  void runs() {
    if (outcome_.runs.empty()) return;
    const bool notes = std::any_of(outcome_.runs.begin(), outcome_.runs.end(),
                                   [](const RunAccount& run) { return !run.note.empty(); });
    add("<section>\n<h2>Runs</h2>\n");
    const std::string head =
        std::string("<th>run</th><th>result</th><th class=\"number\">step</th><th class=\"number\">steps") +
        "</th><th class=\"number\">cost of a step</th>" + (notes ? "<th class=\"remark\">remark</th>" : "");
    folded_table(outcome_.runs.size(), fmt::format("all {} runs", outcome_.runs.size()), head.c_str(), [&] {
      for (const RunAccount& run : outcome_.runs) {
        const char* tone = run.status.starts_with("done")      ? ""
                           : run.status.starts_with("stopped") ? " pause"
                                                               : " bad";
        add("<tr><th>{}</th><td class=\"state{}\">{}</td><td class=\"number\">{}</td><td "
            "class=\"number\">{}</td>"
            "<td class=\"number\">{}</td>{}</tr>\n",
            html(run.name), tone, html(run.status), html(seconds_text(run.step)),
            number_html(static_cast<double>(run.steps)), html(seconds_text(run.seconds_per_step)),
            notes ? "<td>" + html(run.note) + "</td>" : "");
      }
    });
    add("<p class=\"note\">Seconds belong to this machine; only their ratios are "
        "compared.</p>\n</section>\n");
  }

  void measurements() {
    if (outcome_.measurements.empty()) return;
    add("<section>\n<h2>Numbers<small><a "
        "href=\"result.csv\">result.csv</a></small></h2>\n<details><summary>all {} numbers"
        "</summary>\n<div class=\"frame\"><table>\n<thead><tr><th>run</th><th>metric</th><th "
        "class=\"number\">value</th>"
        "</tr></thead>\n<tbody>\n",
        outcome_.measurements.size());
    for (const Measurement& one : outcome_.measurements)
      add("<tr><th>{}</th><td>{}</td><td class=\"number\">{}</td></tr>\n", html(one.run), html(one.metric),
          number_html(one.value));
    add("</tbody></table></div></details>\n</section>\n");
  }

  const Experiment& experiment_;
  const Outcome& outcome_;
  const PageStrip& strip_;
  std::string text_;
};

}  // namespace

std::string outcome_page(const Experiment& experiment, const Outcome& outcome, const PageStrip& strip) {
  return Page(experiment, outcome, strip).written();
}

}  // namespace phiflex
