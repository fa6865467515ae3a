// The viewer's page (web/) around its data: one HTML file. From disk it asks nothing of the network; served by
// `phiflex view` it asks its own server only. Its content security policy holds it to that.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "phiflex/pages/embedded_motion.h"
#include "phiflex/pages/viewer_data.h"

namespace phiflex {

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

}  // namespace phiflex
