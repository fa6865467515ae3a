// `phiflex live`: the page and its WebSocket on the loopback (pages/local_server.h), around a session.
//
//   .                   the page
//   session             the WebSocket: commands in, frames and texts out
//   gallery/N.json      the shape of a scene of the gallery where it starts, for its card
//
// Each client has at most two frames under way that it has not acknowledged, and at most one that waits; a newer frame
// takes the place of one that waits. So a slow client gets fewer frames, and the others lose none. A message that is no
// command is refused in words and counted; a client that breaks the protocol, sends too much or takes no texts is
// dropped.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "phiflex/live/live_session.h"

namespace phiflex {

class LiveServer {
 public:
  // program: its name and version, for the page. Port 0: any free one. Throws as LiveSession and LocalServer do.
  LiveServer(LiveSetup setup, std::string program, std::uint16_t port = 0);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  std::string address() const;  // of the page

 private:
  class Service;
  std::unique_ptr<Service> service_;
};

}  // namespace phiflex
