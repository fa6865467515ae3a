// Accepts the connections of a listening socket and passes one on when the head of its request is complete and is text.
// Connections with an incomplete head wait here. Each costs a file descriptor and no thread; when all places are taken,
// the oldest is closed. A connection carries one request.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace phiflex {

class RequestGate {
 public:
  struct Limits {
    std::size_t waiting = 64;                      // connections whose request is not complete
    std::size_t head_bytes = 32 * 1024;            // request line and headers; what is longer is refused
    std::chrono::milliseconds time_limit{20'000};  // from the start of the connection to the end of the head
  };
  // Takes over `listening`, a socket that does not block. `admit` gets each socket whose request is complete and takes
  // it over, its bytes not yet read; it is called from the gate's own thread. FileError when the system gives no
  // events.
  RequestGate(int listening, const Limits& limits, std::function<void(int)> admit);
  ~RequestGate();  // waits for the thread; closes all sockets that were not let through
  RequestGate(const RequestGate&) = delete;
  RequestGate& operator=(const RequestGate&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    int socket;
    Clock::time_point deadline;
  };
  enum class Sender { may_send_more, has_finished };

  void watch();
  void take_new();
  void look_at(int socket, Sender sender);
  void drop_late();
  void forget(int socket);                    // it is not waiting any more
  void drop(int socket, const char* answer);  // with this answer, which may be empty
  int milliseconds_to_deadline() const;

  const int listening_;
  const Limits limits_;
  const std::function<void(int)> admit_;
  int events_ = -1, stop_ = -1;
  std::vector<Waiting> waiting_;  // in the order in which they came
  std::vector<char> head_;
  std::thread thread_;
};

}  // namespace phiflex
