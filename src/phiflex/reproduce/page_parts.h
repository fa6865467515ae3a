// What the pages of experiments share: head and style, numbers and names in words. Pages open from disk, ask nothing of
// the network, and follow the reader's light or dark setting.
#pragma once

#include <string>
#include <string_view>

#include "phiflex/reproduce/outcome.h"

namespace phiflex {

enum class Scripts { none, own };  // own: elements <script nonce="NONCE">

struct PageHead {
  std::string title;
  Scripts scripts = Scripts::none;
  std::string nonce;  // of its own scripts
};
// Everything up to <main>.
std::string page_head(const PageHead& head);
// From </main> on; `made_by`: program, date.
std::string page_end(const std::string& made_by);

// Text in HTML, in an attribute too.
std::string html(std::string_view text);
// The same of a sentence, in which `words` between backticks are code.
std::string prose_html(std::string_view text);
// As a heading: with a capital.
std::string heading_html(std::string text);

// 0.0721, 72 989, 2.5 10^-5: four digits, whole numbers whole.
std::string number_html(double number);
// The same for terminals: 2.5e-05.
std::string number_text(double number);
// "1.5 ms"
std::string seconds_text(double seconds);

std::string_view css_class(Verdict verdict);
// <span class="badge confirmed">confirmed</span>
std::string badge(Verdict verdict);

// "Chen, Ascher, Pai: Exponential Rosenbrock-Euler Integrators ... (2018)"; an unknown paper's own word.
std::string paper_title(const std::string& paper);
// "fully specified"
std::string_view class_words(const std::string& klass);

// At most about `most` points for each line, its peaks kept: what the eye sees of a long series.
LinePlot thinned(const LinePlot& plot, std::size_t most);
constexpr std::size_t kPlotPoints = 1600;  // of a line in a plot as wide as the page

}  // namespace phiflex
