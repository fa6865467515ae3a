// `phiflex view`: the viewer's page over HTTP, for runs that are long or still going. Strict about who asks:
//
//   loopback only, and a random token of 128 bits in the address;
//   Host must be this server's, and so must Origin and Sec-Fetch-Site where a browser sends them: no other page
//   can read or even ask;
//   only GET and HEAD, only the addresses below; none of them is a path of the disk;
//   a request is looked at when its whole head is there and is text (request_gate.h), and each connection has one;
//   nothing is written; headers, connections and the patience with stalled clients are bounded.
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

#include "phiflex/pages/viewer_data.h"

namespace phiflex {

struct ViewContent {
  std::string title, program;
  std::vector<ViewedRun> runs;
  nlohmann::ordered_json comparison;  // may be null
};

struct ViewLimits {
  unsigned idle_seconds = 20;  // after which a client that says or takes nothing is dropped
  unsigned connections = 512;  // that are being answered
  unsigned waiting = 64;       // that have not sent a whole request; the oldest goes when there are more
};

class ViewServer {
 public:
  // Port 0: any free one. FileError when the port cannot be had.
  explicit ViewServer(ViewContent content, std::uint16_t port = 0, const ViewLimits& limits = {});
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
