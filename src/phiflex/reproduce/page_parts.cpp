#include "phiflex/reproduce/page_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "phiflex/mesh/xml_tags.h"

namespace phiflex {
namespace {

// The colours are those of the viewer (web/src/style.css).
constexpr std::string_view style = R"css(
:root {
  color-scheme: light dark;
  --back: #f4f5f6; --panel: #ffffff; --ink: #1b2127; --muted: #5d6873; --line: #dde2e6; --accent: #1f6f9c;
  --good: #27753f; --bad: #b92d33; --pause: #96600a; --none: #6b7680;
  --good-soft: #e8f3eb; --bad-soft: #faebeb; --pause-soft: #f8f0e1; --none-soft: #eceff1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0f1317; --panel: #171c22; --ink: #e6e9ec; --muted: #96a1ac; --line: #29313a; --accent: #6cbde4;
    --good: #6fce8c; --bad: #ff8686; --pause: #f0b458; --none: #8d99a4;
    --good-soft: #17271d; --bad-soft: #2d1b1e; --pause-soft: #2a2318; --none-soft: #1e252c;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
main, footer { max-width: 1080px; margin: 0 auto; padding: 0 clamp(14px, 3vw, 32px); }
main { padding-top: clamp(18px, 3vw, 36px); }
footer { padding-top: 28px; padding-bottom: 40px; color: var(--muted); font-size: 12.5px; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
h1 { margin: 6px 0 0; font-size: clamp(21px, 3.4vw, 29px); line-height: 1.22; font-weight: 650; letter-spacing: -0.015em;
  text-wrap: balance; overflow-wrap: anywhere; }
h2 { margin: 0 0 12px; font-size: 16px; font-weight: 650; letter-spacing: -0.005em; }
h2 small { margin-left: 8px; font-size: 12.5px; font-weight: 400; color: var(--muted); letter-spacing: 0; }
p { margin: 0; overflow-wrap: anywhere; }
.above { display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 13px; color: var(--muted); }
.lead { margin: 10px 0 0; max-width: 72ch; font-size: 16.5px; line-height: 1.5; }
.source { margin: 8px 0 0; font-size: 13px; color: var(--muted); }
section { margin-top: 18px; padding: 18px 20px 20px; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; min-width: 0; }
.note { color: var(--muted); font-size: 13px; }
.note + .note, .frame + .note { margin-top: 8px; }
code { font: 12px/1.5 ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, monospace; overflow-wrap: anywhere; }

.badge { display: inline-block; padding: 1px 10px 2px; border-radius: 99px; font-size: 12.5px; font-weight: 600; white-space: nowrap;
  color: var(--tone); background: var(--soft); border: 1px solid color-mix(in srgb, var(--tone) 35%, transparent); }
.confirmed { --tone: var(--good); --soft: var(--good-soft); }
.refuted { --tone: var(--bad); --soft: var(--bad-soft); }
.not-comparable { --tone: var(--pause); --soft: var(--pause-soft); }
.not-run { --tone: var(--none); --soft: var(--none-soft); }

.verdict { margin-top: 22px; padding: 18px 20px; background: var(--soft); border-color: color-mix(in srgb, var(--tone) 30%, transparent);
  border-left: 4px solid var(--tone); }
.verdict .badge { font-size: 15px; padding: 2px 14px 3px; background: var(--tone); color: var(--panel); border-color: var(--tone); }
.verdict p { margin-top: 10px; font-size: 16px; }
.verdict .note { margin-top: 8px; font-size: 13px; }

.claims { list-style: none; margin: 0; padding: 0; }
.claims li { display: grid; grid-template-columns: 26px minmax(0, 1fr); gap: 0 10px; padding: 9px 0; border-top: 1px solid var(--line); }
.claims li:first-child { border-top: 0; padding-top: 0; }
.claims li:last-child { padding-bottom: 0; }
.mark { width: 24px; height: 24px; border-radius: 50%; display: grid; place-items: center; color: var(--tone); background: var(--soft);
  border: 1px solid color-mix(in srgb, var(--tone) 35%, transparent); font-size: 13px; font-weight: 700; line-height: 1; }
.claims .numbers { margin-top: 2px; color: var(--muted); font-size: 13.5px; font-variant-numeric: tabular-nums; }
.claims code { color: var(--muted); }
.claims details { margin-top: 1px; }
summary { cursor: pointer; color: var(--muted); font-size: 12.5px; }
summary:hover { color: var(--ink); }
details > .frame, details > code { margin-top: 8px; }
details > code { display: block; }

.frame { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
th { font-weight: 400; text-align: left; color: var(--muted); }
thead th { font-size: 12.5px; vertical-align: bottom; padding-top: 0; }
th, td { padding: 6px 18px 6px 0; border-top: 1px solid var(--line); vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
thead tr > * { border-top: 0; }
tbody:first-child tr:first-child > * { border-top: 0; padding-top: 0; }
td { font-variant-numeric: tabular-nums; }
.number { text-align: right; white-space: nowrap; }
section > .frame table, details > .frame table { min-width: 460px; }
.remark { min-width: 220px; }
tbody th { color: var(--ink); }
td sup { font-size: 0.72em; line-height: 0; }
.ratio { display: inline-flex; align-items: center; gap: 8px; justify-content: flex-end; }
.ratio i { flex: none; position: relative; width: 64px; height: 8px; border-radius: 4px; background: var(--none-soft); }
.ratio i::before { content: ""; position: absolute; left: 50%; top: -3px; bottom: -3px; border-left: 1px solid var(--muted); opacity: 0.7; }
.ratio b { position: absolute; top: 1px; bottom: 1px; border-radius: 3px; background: var(--accent); }

figure { margin: 0; }
figure + figure { margin-top: 22px; padding-top: 20px; border-top: 1px solid var(--line); }
figcaption { margin-bottom: 8px; font-weight: 600; font-size: 14px; }
figure .frame svg { display: block; width: 100%; min-width: 600px; height: auto; }
main svg.plot { --plot-ground: transparent; }
.strip { display: block; width: 100%; min-width: 600px; height: auto; border-radius: 6px; background: #ffffff; }

ul.plain { margin: 0; padding-left: 19px; }
ul.plain li + li { margin-top: 5px; }
ul.plain li::marker { color: var(--muted); }
.state { white-space: nowrap; }
.state.bad { color: var(--bad); }
.state.pause { color: var(--pause); }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr)); gap: 0 18px; align-items: start; }

/* ---- gallery */
.gallery main, .gallery footer { max-width: 1480px; }
.counts { display: flex; height: 12px; margin: 22px 0 0; border-radius: 6px; overflow: hidden; gap: 2px; }
.counts i { background: var(--tone); min-width: 3px; }
.counts .not-run { background: var(--line); }
.figures { display: flex; flex-wrap: wrap; gap: 4px 32px; margin: 12px 0 0; }
.figures div { display: flex; flex-direction: column; }
.figures dt { order: 2; color: var(--muted); font-size: 13px; }
.figures dd { margin: 0; color: var(--tone); font-size: 27px; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; }
.filters { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 18px; }
.filters button { font: inherit; font-size: 13px; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 99px;
  padding: 3px 14px 4px; cursor: pointer; }
.filters button:hover { border-color: var(--muted); }
.filters button[aria-pressed="true"] { background: var(--ink); border-color: var(--ink); color: var(--back); }
.paper { margin-top: 34px; padding: 0; background: none; border: 0; }
.paper h2 { margin: 0; font-size: 18px; }
.paper > .note { margin: 2px 0 14px; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); gap: 16px; }
.card { position: relative; display: flex; flex-direction: column; background: var(--panel); border: 1px solid var(--line); border-radius: 10px;
  overflow: hidden; min-width: 0; transition: border-color 0.15s, box-shadow 0.15s; }
a.card:hover { text-decoration: none; border-color: var(--muted); box-shadow: 0 4px 18px #00000014; }
a.card { color: inherit; }
.thumb { position: relative; aspect-ratio: 16 / 9; border-bottom: 1px solid var(--line); display: grid; place-items: center; overflow: hidden; background: var(--panel); }
.thumb img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; display: block; }
.thumb.light { background: #ffffff; }
.thumb table { width: calc(100% - 32px); font-size: 12px; }
.thumb td, .thumb th { padding: 3px 10px 3px 0; }
.thumb th { max-width: 150px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.thumb .item { font-size: 26px; font-weight: 300; color: var(--muted); opacity: 0.75; letter-spacing: -0.01em; text-align: center; padding: 0 16px; }
.words { display: flex; flex-direction: column; gap: 5px; padding: 12px 14px 14px; flex: 1; }
.words .above { font-size: 12.5px; justify-content: space-between; }
.words h3 { margin: 0; font-size: 15px; line-height: 1.35; font-weight: 600; overflow-wrap: anywhere; }
.words p { font-size: 13px; line-height: 1.45; color: var(--muted); display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4;
  overflow: hidden; }
.words .said { color: var(--ink); }
.words .bottom { margin-top: auto; padding-top: 6px; display: flex; justify-content: space-between; align-items: center; gap: 10px;
  font-size: 12px; color: var(--muted); }
.card.not-run { border-style: dashed; background: none; }

@media (max-width: 560px) {
  section { padding: 14px 14px 16px; }
  .verdict { padding: 14px; }
  .paper { padding: 0; }
  .figures { gap: 4px 16px; }
  .figures dd { font-size: 23px; }
  .figures dt { font-size: 12px; }
  th, td { padding-right: 12px; }
}
@media print { body { background: #ffffff; } section { break-inside: avoid; } .filters { display: none; } }
)css";

std::string policy(const PageHead& head) {
  const std::string scripts =
      head.scripts == Scripts::own ? fmt::format("script-src 'nonce-{}'; ", head.nonce) : "";
  return fmt::format(
      "default-src 'none'; {}style-src 'unsafe-inline'; img-src data:; connect-src 'none'; base-uri 'none'; "
      "form-action 'none'",
      scripts);
}

bool is_whole(double number) {
  return std::abs(number) < 1e9 && number == std::round(number);
}

}  // namespace

std::string page_head(const PageHead& head) {
  return fmt::format(
             "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
             "<meta name=\"referrer\" content=\"no-referrer\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
             "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>",
             policy(head), html(head.title))
      .append(style)
      .append("</style>\n</head>\n");
}

std::string page_end(const std::string& made_by) {
  return fmt::format("</main>\n<footer>{}</footer>\n</body>\n</html>\n", html(made_by));
}

std::string html(std::string_view text) {
  return with_entities(text);
}

std::string prose_html(std::string_view text) {
  std::string made;
  for (;;) {
    const std::size_t open = text.find('`'), close = open == text.npos ? open : text.find('`', open + 1);
    if (close == text.npos) return made + html(text);
    made += html(text.substr(0, open)) + "<code>" + html(text.substr(open + 1, close - open - 1)) + "</code>";
    text.remove_prefix(close + 1);
  }
}

std::string heading_html(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return html(text);
}

std::string number_text(double number) {
  if (std::isnan(number)) return "not a number";
  if (std::isinf(number)) return number > 0 ? "infinite" : "-infinite";
  return is_whole(number) ? fmt::format("{:.0f}", number) : fmt::format("{:.4g}", number);
}

std::string number_html(double number) {
  std::string text = number_text(number);
  if (!std::isfinite(number)) return text;
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    const int power = std::stoi(text.substr(e + 1));
    return fmt::format("{}&#8239;&#183;&#8239;10<sup>{}{}</sup>", text.substr(0, e),
                       power < 0 ? "&#8722;" : "", std::abs(power));
  }
  if (is_whole(number) && std::abs(number) >= 1e4)
    for (std::size_t at = text.size(); at > (number < 0 ? 4U : 3U);) text.insert(at -= 3, "&#8239;");
  if (text.front() == '-') text.replace(0, 1, "&#8722;");
  return text;
}

std::string seconds_text(double seconds) {
  if (!(seconds > 0)) return "0 s";
  if (seconds < 1e-3) return fmt::format("{:.3g} \u00b5s", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return seconds < 100 ? fmt::format("{:.3g} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string_view css_class(Verdict verdict) {
  return verdict == Verdict::not_comparable ? "not-comparable" : name_of(verdict);
}

std::string badge(Verdict verdict) {
  return fmt::format("<span class=\"badge {}\">{}</span>", css_class(verdict), name_of(verdict));
}

std::string paper_title(const std::string& paper) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> titles = {{
      {"ere",
       "Chen, Ascher, Pai: Exponential Rosenbrock-Euler Integrators for Elastodynamic Simulation (2018)"},
      {"siere",
       "Chen, Sheen, Ascher, Pai: SIERE: A Hybrid Semi-Implicit Exponential Integrator for Efficiently "
       "Simulating Stiff "
       "Deformable Objects (2020)"},
      {"sai", "Michels, Luan, Tokman: A Stiffly Accurate Integrator for Elastodynamic Problems (2017)"},
      {"thesis",
       "Chen: Integrators for Elastodynamic Simulation with Stiffness and Stiffening (thesis, 2019)"},
      {"zheng",
       "Zheng, Yuan, Tong, Zhang, Zhu: A novel unconditionally stable explicit integration method for finite "
       "element "
       "method (2017)"},
  }};
  for (const auto& [word, title] : titles)
    if (word == paper) return std::string(title);
  return paper;
}

std::string_view class_words(const std::string& klass) {
  if (klass == "A") return "fully specified";
  if (klass == "B") return "something is left open";
  return "cannot be repeated as printed; a stand-in shows the effect";
}

LinePlot thinned(const LinePlot& plot, std::size_t most) {
  LinePlot thin = plot;
  for (PlotSeries& series : thin.series) {
    const std::size_t count = std::min(series.x.size(), series.y.size());
    if (count <= most || series.style == SeriesStyle::dots || series.style == SeriesStyle::line_and_dots)
      continue;
    // Of each run of points the lowest and the highest, in their order.
    const std::size_t groups = std::max<std::size_t>(most / 2, 1);
    std::vector<double> x, y;
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t begin = g * count / groups, end = (g + 1) * count / groups;
      std::size_t low = begin, high = begin;
      for (std::size_t i = begin; i < end; ++i) {
        if (!(series.y[i] >= series.y[low])) low = i;
        if (!(series.y[i] <= series.y[high])) high = i;
      }
      std::vector<std::size_t> kept = {std::min(low, high), std::max(low, high)};
      if (g == 0) kept.insert(kept.begin(), begin);
      if (g + 1 == groups) kept.push_back(end - 1);
      kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
      for (const std::size_t i : kept) {
        x.push_back(series.x[i]);
        y.push_back(series.y[i]);
      }
    }
    series.x = std::move(x);
    series.y = std::move(y);
  }
  return thin;
}

}  // namespace phiflex
