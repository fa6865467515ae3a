#include "phiflex/pages/view_server.h"

#include <deque>
#include <optional>
#include <semaphore>
#include <string_view>
#include <utility>

#include "phiflex/pages/live_run.h"
#include "phiflex/pages/viewer_page.h"

namespace phiflex {
namespace {

constexpr double poll_seconds = 1;
// Chunks made at the same time: each keeps its frames in memory.
constexpr std::ptrdiff_t encoders = 3;

}  // namespace

class ViewServer::Service {
 public:
  Service(ViewContent content, std::uint16_t port, const ServerLimits& limits)
      : content_(std::move(content)) {
    for (const ViewedRun& run : content_.runs) runs_.emplace_back(run);
    server_.emplace(
        LocalServer::Content{.answer = [this](std::string_view address) { return answer(address); }}, port,
        limits);
  }
  const LocalServer& server() const { return *server_; }

 private:
  ServerAnswer answer(std::string_view address) {
    const ServerAnswer nothing = refused_answer(404, "there is nothing at this address");
    if (address.empty()) return page();
    if (!take_prefix(address, "runs/")) return nothing;
    const std::optional<std::size_t> number = take_number(address);
    if (!number || *number >= runs_.size() || !take_prefix(address, "/")) return nothing;
    LiveRun& run = runs_[*number];
    if (address == "status.json") return json_answer(run.status());
    if (address == "data.json") return json_answer(run.data());
    if (!take_prefix(address, "frames/")) return nothing;
    const std::optional<std::size_t> first = take_number(address);
    if (!first || !take_prefix(address, "-")) return nothing;
    const std::optional<std::size_t> count = take_number(address);
    if (!count || !address.empty()) return nothing;
    encoders_.acquire();
    const struct Release {
      std::counting_semaphore<>& semaphore;
      ~Release() { semaphore.release(); }
    } release{encoders_};
    std::optional<std::string> chunk = run.chunk(*first, *count);
    return chunk ? ServerAnswer{.type = "application/octet-stream", .body = std::move(*chunk)} : nothing;
  }

  ServerAnswer page() {
    ViewerPage made;
    made.title = content_.title;
    made.data = page_data(content_.runs.size() == 1 && content_.comparison.is_null() ? "run" : "compare",
                          content_.title, content_.program);
    made.data["served"] = {{"poll_seconds", poll_seconds}};
    made.data["comparison"] = content_.comparison;
    for (LiveRun& run : runs_) made.data["runs"].push_back(run.data());
    return {.type = "text/html; charset=utf-8",
            .body = viewer_page_html(made, PageHome::server),
            .policy = viewer_page_policy(made, PageHome::server)};
  }

  const ViewContent content_;
  std::deque<LiveRun> runs_;
  std::counting_semaphore<> encoders_{encoders};
  std::optional<LocalServer> server_;  // last: its threads use the others
};

ViewServer::ViewServer(ViewContent content, std::uint16_t port, const ServerLimits& limits)
    : service_(std::make_unique<Service>(std::move(content), port, limits)) {}
ViewServer::~ViewServer() = default;

std::uint16_t ViewServer::port() const {
  return service_->server().port();
}
const std::string& ViewServer::token() const {
  return service_->server().token();
}
std::string ViewServer::address() const {
  return service_->server().address();
}

}  // namespace phiflex
