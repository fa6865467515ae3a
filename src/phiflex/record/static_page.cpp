#include "phiflex/record/static_page.h"

#include <fmt/format.h>

#include <iterator>

#include "phiflex/mesh/xml_tags.h"
#include "phiflex/record/line_plot.h"
#include "phiflex/record/page_marks.h"
#include "phiflex/record/report_page.h"

namespace phiflex {
namespace {

std::string_view class_of(CellTone tone) {
  return tone == CellTone::good ? " class=\"good\"" : tone == CellTone::bad ? " class=\"bad\"" : "";
}

std::string heading_html(const StaticPage& page) {
  std::string html = fmt::format("<div class=\"heading\"><h1>{}</h1>", with_entities(page.title));
  const auto out = std::back_inserter(html);
  if (!page.badge.empty())
    fmt::format_to(out, "<span class=\"badge{}\">{}</span>",
                   page.badge_tone == CellTone::good  ? " done"
                   : page.badge_tone == CellTone::bad ? " failed"
                                                      : "",
                   with_entities(page.badge));
  html +=
      "<button id=\"theme\" type=\"button\" title=\"Dark or light\" aria-label=\"Dark or "
      "light\">◐</button></div>\n";
  if (!page.lead.empty()) fmt::format_to(out, "<p class=\"lead\">{}</p>\n", with_entities(page.lead));
  html += "<dl class=\"figures\">\n";
  for (const std::vector<PageCell>& figure : page.figures)
    fmt::format_to(out, "<div><dt>{}</dt><dd{}>{}</dd></div>\n", with_entities(figure.at(0).text),
                   class_of(figure.at(1).tone), with_entities(figure.at(1).text));
  return html + "</dl>";
}

std::string table_html(const PageTable& table) {
  std::string html = "<div class=\"scroll\"><table class=\"numbers\"><thead><tr>";
  const auto out = std::back_inserter(html);
  for (const std::string& name : table.head) fmt::format_to(out, "<th>{}</th>", with_entities(name));
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<PageCell>& row : table.rows) {
    html += "<tr>";
    for (const PageCell& cell : row)
      fmt::format_to(out, "<td{}>{}</td>", class_of(cell.tone), with_entities(cell.text));
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string section_html(const PageSection& section) {
  std::string html =
      fmt::format("<section class=\"panel{}\">\n<h2>{}</h2>\n",
                  section.width == PageSection::Width::full ? " wide" : "", with_entities(section.heading));
  html += section.svg;
  if (!section.table.head.empty()) html += table_html(section.table);
  if (!section.note.empty()) html += fmt::format("<p class=\"note\">{}</p>\n", with_entities(section.note));
  return html + "</section>\n";
}

std::string remarks_html(const std::vector<std::string>& remarks) {
  if (remarks.empty()) return "";
  std::string html = "<section class=\"panel wide\">\n<h2>Remarks</h2>\n<ul>\n";
  for (const std::string& remark : remarks) html += "<li>" + with_entities(remark) + "</li>\n";
  return html + "</ul>\n</section>\n";
}

}  // namespace

std::string static_page_html(const StaticPage& page) {
  std::string body;
  for (const PageSection& section : page.sections) body += section_html(section);
  const std::pair<std::string_view, std::string> parts[] = {
      {"{{title}}", with_entities(page.title)},
      {"{{style}}", std::string(report_style_css).append(report_static_css).append(plot_colors_css())},
      {"{{heading}}", heading_html(page)},
      {"{{body}}", body + remarks_html(page.remarks)},
      {"{{script}}", std::string(report_theme_js)}};
  return with_marks_filled(report_static_html, parts);
}

}  // namespace phiflex
