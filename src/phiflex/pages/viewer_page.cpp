#include "phiflex/pages/viewer_page.h"

#include <fmt/format.h>

#include <deque>

#include "phiflex/base/files.h"
#include "phiflex/base/hash.h"
#include "phiflex/mesh/vtu_data.h"
#include "phiflex/mesh/xml_tags.h"
#include "phiflex/record/json_file.h"

// The assembler copies the files in: most of a megabyte would be slow to compile, and too long, as a literal.
// PHIFLEX_WEB_DIR comes from cmake/web.cmake.
__asm__(
    ".section .rodata\n"
    "phiflex_viewer_js_begin: .incbin \"" PHIFLEX_WEB_DIR
    "/viewer.js\"\n"
    "phiflex_viewer_js_end:\n"
    "phiflex_viewer_css_begin: .incbin \"" PHIFLEX_WEB_DIR
    "/viewer.css\"\n"
    "phiflex_viewer_css_end:\n"
    ".previous\n");

extern "C" const char phiflex_viewer_js_begin[], phiflex_viewer_js_end[];
extern "C" const char phiflex_viewer_css_begin[], phiflex_viewer_css_end[];

namespace phiflex {

const std::string_view viewer_js(phiflex_viewer_js_begin, phiflex_viewer_js_end);
const std::string_view viewer_css(phiflex_viewer_css_begin, phiflex_viewer_css_end);

namespace {

using Json = nlohmann::ordered_json;

// JSON inside a script element: without '<' nothing in it can end the element.
std::string script_safe(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char letter : text) {
    if (letter == '<') {
      safe += "\\u003c";
    } else {
      safe.push_back(letter);
    }
  }
  return safe;
}

// The word that lets the page's own script run and no other: nothing inside the data can hold the hash of the
// data that it is a part of.
std::string nonce_of(const std::string& title, const std::string& data) {
  Hash hash;
  hash.add(title);
  hash.add(data);
  return hash.hexadecimal();
}

std::string policy(const std::string& nonce, PageHome home) {
  return fmt::format(
      "default-src 'none'; script-src 'nonce-{}'; style-src 'unsafe-inline'; img-src data: blob:; "
      "connect-src {}; base-uri 'none'; form-action 'none'",
      nonce, home == PageHome::server ? "'self'" : "'none'");
}

}  // namespace

Json page_data(const std::string& kind, const std::string& title, const std::string& program) {
  return {{"kind", kind},      {"title", title},        {"program", program},
          {"served", nullptr}, {"runs", Json::array()}, {"comparison", nullptr}};
}

std::string viewer_page_policy(const ViewerPage& page, PageHome home) {
  return policy(nonce_of(page.title, script_safe(page.data)), home) + "; frame-ancestors 'none'";
}

std::string viewer_page_html(const ViewerPage& page, PageHome home) {
  const std::string data = script_safe(page.data), nonce = nonce_of(page.title, data);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n<title>{}</title>\n<style>",
      policy(nonce, home), with_entities(page.title));
  std::size_t size = html.size() + viewer_css.size() + viewer_js.size() + data.size() + 1000;
  for (const std::vector<std::string>& run : page.chunks)
    for (const std::string& chunk : run) size += chunk.size() / 3 * 4 + 100;
  html.reserve(size);
  html.append(viewer_css);
  html +=
      "</style>\n</head>\n<body>\n<div id=\"app\"></div>\n<noscript>This page needs JavaScript to show the "
      "motion. It is part of the file: nothing is loaded from elsewhere.</noscript>\n"
      "<script type=\"application/json\" id=\"phiflex-data\">";
  html.append(data).append("</script>\n");
  for (std::size_t run = 0; run < page.chunks.size(); ++run)
    for (std::size_t k = 0; k < page.chunks[run].size(); ++k)
      html.append(fmt::format("<script type=\"text/plain\" id=\"phiflex-chunk-{}-{}\">", run, k))
          .append(encode_base64(page.chunks[run][k]))
          .append("</script>\n");
  html.append(fmt::format("<script nonce=\"{}\">", nonce)).append(viewer_js);
  return html.append("</script>\n</body>\n</html>\n");
}

void embed_runs(std::span<const ViewedRun> runs, std::size_t bytes, ViewerPage& page) {
  std::deque<MotionReader> readers;
  std::vector<MotionSource> sources;
  std::vector<std::size_t> moving;  // the page's number of each source
  std::size_t used = viewer_js.size() + viewer_css.size();
  for (const ViewedRun& run : runs) {
    Json& data = page.data["runs"].emplace_back(run_data(run));
    used += data.dump(-1, ' ', false, Json::error_handler_t::replace).size();
    if (run.motion == MotionIs::left_out) continue;
    sources.push_back(motion_source(readers.emplace_back(run.folder), body_names(data["run"])));
    moving.push_back(page.data["runs"].size() - 1);
  }
  // Base64 makes four bytes of three; shapes are small beside the motions.
  const std::size_t limit = bytes > used ? (bytes - used) / 4 * 3 : 0;
  std::vector<EmbeddedMotion> motions = embed_motions(sources, limit);
  page.chunks.resize(page.data["runs"].size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    Json& data = page.data["runs"][moving[i]];
    data["motion"] = std::move(motions[i].header);
    if (!motions[i].remark.empty()) data["remarks"].push_back(motions[i].remark);
    page.chunks[moving[i]] = std::move(motions[i].chunks);
  }
}

void write_report(const RunFolder& folder, std::size_t bytes) {
  const std::string place = std::filesystem::weakly_canonical(folder.root).filename().string();
  ViewerPage page;
  page.data = page_data("run", "", "");
  const ViewedRun run{.folder = folder, .name = "", .place = place};
  embed_runs({&run, 1}, bytes, page);
  const nlohmann::ordered_json& summary = page.data["runs"][0]["run"];
  const std::string name = text_at(summary, "/scene/name", "run");
  page.title = name + " - " + text_at(summary, "/status", "unknown");
  page.data["title"] = name;
  page.data["program"] = "phiflex " + text_at(summary, "/version", "");
  write_file_atomically(folder.report_html(), viewer_page_html(page, PageHome::file));
}

}  // namespace phiflex
