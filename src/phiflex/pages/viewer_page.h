// The viewer's page (web/) around its data: one HTML file. From disk it asks nothing of the network; served by
// `phiflex view` it asks its own server only. Its content security policy holds it to that.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phiflex/pages/embedded_motion.h"
#include "phiflex/pages/viewer_data.h"
#include "phiflex/record/run_folder.h"

namespace phiflex {

// The page as web/ builds it: one classic script and one style sheet, whole, inside the program. The script goes last
// in the body and reads the elements that viewer_page_html() writes.
extern const std::string_view viewer_js, viewer_css;

enum class PageHome { file, server };

struct ViewerPage {
  std::string title;
  nlohmann::ordered_json data;                   // DATA of docs/motion_format.md
  std::vector<std::vector<std::string>> chunks;  // [run][chunk], compressed; none when served
};

// DATA without runs: {"kind", "title", "program", "served", "runs": [], "comparison": null}.
nlohmann::ordered_json page_data(const std::string& kind, const std::string& title,
                                 const std::string& program);

std::string viewer_page_html(const ViewerPage& page, PageHome home);
// What a server has to send with it, frames by other pages forbidden.
std::string viewer_page_policy(const ViewerPage& page, PageHome home);

// Adds the runs to the page, with as much of their motions as fits into `bytes` of HTML.
void embed_runs(std::span<const ViewedRun> runs, std::size_t bytes, ViewerPage& page);

// Of a page that is sent by mail and opened in a second.
constexpr std::size_t default_report_bytes = 24'000'000;

// Writes (or refreshes) report.html: a run folder as one page that opens from disk, without network: the motion, the
// energies, the ledger, the probes, the cost and the setting. Made from the folder's files alone, so a run that is
// still going, failed or has no frames gets a page too. Of a long motion of a large body only some frames are in it, so
// that the page has no more than `bytes`; it says so. InputError when run.json or a table is damaged.
void write_report(const RunFolder& folder, std::size_t bytes = default_report_bytes);

}  // namespace phiflex
