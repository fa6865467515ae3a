// One self-contained page of figures, plots and tables that needs no data beside it: what a comparison or an
// analysis shows. In the style of a run's report, light and dark. All texts are plain: markup in them is
// shown, not obeyed.
#pragma once

#include <string>
#include <vector>

namespace phiflex {

enum class CellTone { plain, good, bad };

struct PageCell {
  std::string text;
  CellTone tone = CellTone::plain;
};

struct PageTable {
  std::vector<std::string> head;
  std::vector<std::vector<PageCell>> rows;  // as long as the head; the first column is the row's name
};

struct PageSection {
  enum class Width { half, full };
  std::string heading, note;  // the note stands below
  std::string svg;            // of line_plot_svg, in the page's colours; may be empty
  PageTable table;            // may be empty
  Width width = Width::half;
};

struct StaticPage {
  std::string title;
  std::string badge;  // a word beside the title; may be empty
  CellTone badge_tone = CellTone::plain;
  std::string lead;                            // a sentence below the title; may be empty
  std::vector<std::vector<PageCell>> figures;  // pairs: name, value
  std::vector<PageSection> sections;
  std::vector<std::string> remarks;
};

std::string static_page_html(const StaticPage& page);

}  // namespace phiflex
