// `phiflex view`: the viewer's page over HTTP, for runs that are long or still going (local_server.h). Nothing is
// written.
//
//   .                         the page
//   runs/I/status.json        short: is there something new?
//   runs/I/data.json          RUN
//   runs/I/frames/FIRST-COUNT a chunk of frames, COUNT <= 64
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "phiflex/pages/local_server.h"
#include "phiflex/pages/viewer_data.h"

namespace phiflex {

struct ViewContent {
  std::string title, program;
  std::vector<ViewedRun> runs;
  nlohmann::ordered_json comparison;  // may be null
};

class ViewServer {
 public:
  // Port 0: any free one. FileError when the port cannot be had.
  explicit ViewServer(ViewContent content, std::uint16_t port = 0, const ServerLimits& limits = {});
  ~ViewServer();  // waits for answers under way
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  std::uint16_t port() const;
  const std::string& token() const;
  std::string address() const;  // of the page

 private:
  class Service;
  std::unique_ptr<Service> service_;
};

}  // namespace phiflex
