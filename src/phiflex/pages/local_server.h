// A server on this machine for this machine's browser. Strict about who asks:
//
//   loopback only, and a random token of 128 bits in the address;
//   Host must be this server's, and so must Origin and Sec-Fetch-Site where a browser sends them: no other page
//   can read or even ask;
//   only GET and HEAD; addresses are compared as they came, and none of them is a path of the disk;
//   a request is looked at when its whole head is there and is text (request_gate.h), and each connection has one;
//   headers, connections and the time that stalled clients get are bounded.
//
// One address may be a WebSocket (websocket.h), under the same rules.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace phiflex {

struct ServerAnswer {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8", body = {};
  std::string policy = "default-src 'none'; frame-ancestors 'none'";
};
ServerAnswer refused_answer(unsigned status, std::string words);
ServerAnswer json_answer(const nlohmann::ordered_json& json);

struct ServerLimits {
  unsigned idle_seconds = 20;  // after which a client that says or takes nothing is dropped
  unsigned connections = 512;  // that are being answered
  unsigned waiting = 64;       // that have not sent a whole request; the oldest goes when there are more
};

class LocalServer {
 public:
  // Both are called from several threads at once. What `answer` throws becomes an answer in words.
  struct Content {
    std::function<ServerAnswer(std::string_view address)> answer;  // address: what follows the token and "/"
    std::string socket_address = {};                               // of the WebSocket; empty: there is none
    // Talks over a socket after its handshake, on a thread of its own, until it returns; `first`: bytes that came with
    // the handshake. The socket is shut down when the server ends.
    std::function<void(int socket, std::string_view first)> converse = {};
  };
  // Port 0: any free one. FileError when the port cannot be had.
  explicit LocalServer(Content content, std::uint16_t port = 0, const ServerLimits& limits = {});
  ~LocalServer();  // waits for answers and WebSocket connections under way
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  std::uint16_t port() const;
  const std::string& token() const;
  std::string address() const;  // of the page: the empty address

 private:
  class Service;
  std::unique_ptr<Service> service_;
};

// Take `prefix`, or a number of at most nine digits without sign, off the front of an address.
bool take_prefix(std::string_view& address, std::string_view prefix);
std::optional<std::size_t> take_number(std::string_view& address);

}  // namespace phiflex
