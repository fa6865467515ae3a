#include "phiflex/pages/report.h"

#include "phiflex/base/files.h"
#include "phiflex/pages/viewer_page.h"
#include "phiflex/record/json_file.h"

namespace phiflex {

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
