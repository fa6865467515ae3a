#include "phiflex/reproduce/gallery_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "phiflex/base/hash.h"
#include "phiflex/mesh/vtu_data.h"
#include "phiflex/reproduce/page_parts.h"
#include "phiflex/run/version.h"

namespace phiflex {
namespace {

// The last one counts those that were not run.
struct Counts {
  std::array<std::size_t, 4> of{};

  void add(const GalleryEntry& entry) {
    ++of[entry.stored ? static_cast<std::size_t>(entry.stored->verdict) : 3];
  }
};

struct Kind {
  std::string_view css, words;
};
constexpr std::array<Kind, 4> kinds = {{{"confirmed", "confirmed"},
                                        {"refuted", "refuted"},
                                        {"not-comparable", "not comparable"},
                                        {"not-run", "not run yet"}}};

const Kind& kind_of(const GalleryEntry& entry) {
  return kinds[entry.stored ? static_cast<std::size_t>(entry.stored->verdict) : 3];
}

// Hides what was not asked for; without it everything is shown.
constexpr std::string_view script = R"js(
const filters = document.querySelector('.filters');
filters.hidden = false;
filters.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  for (const one of filters.children) one.setAttribute('aria-pressed', String(one === button));
  for (const card of document.querySelectorAll('.card'))
    card.hidden = button.value !== '' && !card.classList.contains(button.value);
  for (const paper of document.querySelectorAll('.paper')) paper.hidden = !paper.querySelector('.card:not([hidden])');
});
)js";

std::string count_words(const Counts& counts) {
  std::string words;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (counts.of[k] > 0)
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", counts.of[k], kinds[k].words);
  return words;
}

void add_thumbnail(const GalleryEntry& entry, std::string& page) {
  if (!entry.thumbnail.bytes.empty()) {
    page += fmt::format("<div class=\"thumb{}\"><img alt=\"\" src=\"data:{};base64,",
                        entry.thumbnail.type == "image/png" ? " light" : "", entry.thumbnail.type);
    page.append(encode_base64(entry.thumbnail.bytes)).append("\"></div>\n");
    return;
  }
  page += "<div class=\"thumb\">";
  if (entry.table.empty()) {
    page += fmt::format("<span class=\"item\">{}</span>", html(entry.experiment->item));
  } else {
    page +=
        "<table><thead><tr><th></th><th class=\"number\">printed</th><th "
        "class=\"number\">measured</th></tr></thead><tbody>";
    for (const ComparedNumber& row : entry.table)
      page += fmt::format("<tr><th>{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
                          html(row.what), row.printed ? number_html(*row.printed) : "",
                          row.measured ? number_html(*row.measured) : "");
    page += "</tbody></table>";
  }
  page += "</div>\n";
}

void add_card(const GalleryEntry& entry, std::string& page) {
  const Experiment& experiment = *entry.experiment;
  const bool run = entry.stored.has_value();
  const char* element = run ? "a" : "div";
  page += fmt::format("<{} class=\"card {}\"{}>\n", element, kind_of(entry).css,
                      run ? fmt::format(" href=\"{}/index.html\"", html(experiment.id)) : "");
  if (run) add_thumbnail(entry, page);
  page += fmt::format(
      "<div class=\"words\"><div "
      "class=\"above\"><span>{}</span><span>{}</span></div>\n<h3>{}</h3>\n<p>{}</p>\n",
      html(experiment.id), html(experiment.item), heading_html(experiment.title), html(experiment.question));
  if (run) page += fmt::format("<p class=\"said\">{}</p>\n", html(entry.stored->reason));
  page += fmt::format(
      "<div class=\"bottom\"><span class=\"badge {}\">{}</span><span>{}</span></div></div>\n</{}>\n",
      kind_of(entry).css, kind_of(entry).words,
      run ? html(entry.stored->variant + ", " + seconds_text(entry.stored->seconds))
          : "class " + html(experiment.klass),
      element);
}

}  // namespace

std::string gallery_page(const std::vector<GalleryEntry>& entries) {
  Counts all;
  for (const GalleryEntry& entry : entries) all.add(entry);
  Hash hash;
  for (const GalleryEntry& entry : entries) {
    hash.add(entry.experiment->title + entry.experiment->question);
    if (entry.stored) hash.add(entry.stored->reason);
  }
  const std::string nonce = hash.hexadecimal();
  std::string page = page_head({"The papers' experiments", Scripts::own, nonce});
  page += fmt::format(
      "<body class=\"gallery\">\n<main>\n<h1>The papers&#39; experiments</h1>\n<p class=\"lead\">{} tables, "
      "figures and "
      "sentences of five papers on elastodynamics, repeated: the measured beside the printed, and whether "
      "the claim "
      "holds. A refuted claim is a result like any other; each page shows its evidence.</p>\n<div "
      "class=\"counts\">",
      entries.size());
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (all.of[k] > 0) page += fmt::format("<i class=\"{}\" style=\"flex:{}\"></i>", kinds[k].css, all.of[k]);
  page += "</div>\n<dl class=\"figures\">\n";
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (k < 3 || all.of[k] > 0)
      page += fmt::format("<div class=\"{}\"><dt>{}</dt><dd>{}</dd></div>\n", kinds[k].css, kinds[k].words,
                          all.of[k]);
  page += "</dl>\n<div class=\"filters\" hidden><button value=\"\" aria-pressed=\"true\">all</button>";
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (all.of[k] > 0)
      page += fmt::format("<button value=\"{}\" aria-pressed=\"false\">{}</button>", kinds[k].css,
                          kinds[k].words);
  page += "</div>\n";

  std::vector<std::string> papers;  // in the order in which they come
  for (const GalleryEntry& entry : entries)
    if (std::find(papers.begin(), papers.end(), entry.experiment->paper) == papers.end())
      papers.push_back(entry.experiment->paper);
  for (const std::string& paper : papers) {
    Counts counts;
    for (const GalleryEntry& entry : entries)
      if (entry.experiment->paper == paper) counts.add(entry);
    page += fmt::format(
        "<section class=\"paper\">\n<h2>{}</h2>\n<p class=\"note\">{}</p>\n<div class=\"cards\">\n",
        html(paper_title(paper)), count_words(counts));
    for (const GalleryEntry& entry : entries)
      if (entry.experiment->paper == paper) add_card(entry, page);
    page += "</div>\n</section>\n";
  }
  page += fmt::format("<script nonce=\"{}\">{}</script>\n", nonce, script);
  return page + page_end("Phiflex " + version());
}

}  // namespace phiflex
