#include "phiflex/pages/request_gate.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "phiflex/base/errors.h"

namespace phiflex {
namespace {

constexpr const char* no_answer = "";
constexpr const char* bad_request =
    "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
constexpr const char* head_too_large =
    "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

bool is_text(std::string_view head) {
  return std::all_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 ? byte != 0x7f : c == '\r' || c == '\n' || c == '\t';
  });
}

bool add_to(int events, int descriptor, std::uint32_t wanted) {
  epoll_event event{};
  event.events = wanted;
  event.data.fd = descriptor;
  return ::epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

}  // namespace

RequestGate::RequestGate(int listening, const Limits& limits, std::function<void(int)> admit)
    : listening_(listening),
      limits_(limits),
      admit_(std::move(admit)),
      events_(::epoll_create1(EPOLL_CLOEXEC)),
      stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      head_(limits.head_bytes) {
  if (events_ < 0 || stop_ < 0 || !add_to(events_, stop_, EPOLLIN) || !add_to(events_, listening_, EPOLLIN)) {
    const std::string reason = std::strerror(errno);
    for (const int descriptor : {events_, stop_, listening_})
      if (descriptor >= 0) ::close(descriptor);
    throw FileError("epoll", "cannot wait for connections: " + reason);
  }
  thread_ = std::thread([this] { watch(); });
}

RequestGate::~RequestGate() {
  const std::uint64_t one = 1;
  while (::write(stop_, &one, sizeof one) < 0 && errno == EINTR) {
  }
  thread_.join();
  for (const Waiting& one_of_them : waiting_) ::close(one_of_them.socket);
  for (const int descriptor : {events_, stop_, listening_}) ::close(descriptor);
}

void RequestGate::watch() {
  std::array<epoll_event, 64> events;
  for (;;) {
    const int count = ::epoll_wait(events_, events.data(), int(events.size()), milliseconds_to_deadline());
    if (count < 0 && errno != EINTR) return;
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[std::size_t(i)];
      if (event.data.fd == stop_) return;
      if (event.data.fd == listening_)
        take_new();
      else
        look_at(event.data.fd, event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR) ? Sender::has_finished
                                                                                 : Sender::may_send_more);
    }
    drop_late();
  }
}

void RequestGate::take_new() {
  for (;;) {
    const int socket = ::accept4(listening_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (socket < 0) {
      // No file descriptor is left: close the oldest waiting connection, or else try again after a pause.
      if (errno == EAGAIN || waiting_.empty()) {
        if (errno != EAGAIN) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return;
      }
      drop(waiting_.front().socket, no_answer);
      continue;
    }
    if (waiting_.size() >= limits_.waiting) drop(waiting_.front().socket, no_answer);
    waiting_.push_back({socket, Clock::now() + limits_.time_limit});
    // Edge-triggered: one event when more bytes arrive, none for bytes that are left unread.
    if (!add_to(events_, socket, EPOLLIN | EPOLLRDHUP | EPOLLET)) drop(socket, no_answer);
  }
}

void RequestGate::look_at(int socket, Sender sender) {
  // An event of a socket that was dropped since the events were fetched.
  if (std::none_of(waiting_.begin(), waiting_.end(), [&](const Waiting& w) { return w.socket == socket; }))
    return;
  const ssize_t size = ::recv(socket, head_.data(), head_.size(), MSG_PEEK);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (size <= 0) return drop(socket, no_answer);
  const std::string_view here(head_.data(), std::size_t(size));
  const std::size_t end = here.find("\r\n\r\n");
  if (!is_text(here.substr(0, end))) return drop(socket, bad_request);
  if (end != here.npos) {
    forget(socket);
    ::epoll_ctl(events_, EPOLL_CTL_DEL, socket, nullptr);
    admit_(socket);
  } else if (here.size() == head_.size()) {
    drop(socket, head_too_large);
  } else if (sender == Sender::has_finished) {
    drop(socket, bad_request);
  }
}

void RequestGate::drop_late() {
  while (!waiting_.empty() && waiting_.front().deadline <= Clock::now())
    drop(waiting_.front().socket, no_answer);
}

void RequestGate::forget(int socket) {
  std::erase_if(waiting_, [&](const Waiting& w) { return w.socket == socket; });
}

void RequestGate::drop(int socket, const char* answer) {
  forget(socket);
  // The answer is not repeated when the socket cannot take it at once.
  if (*answer != '\0') {
    [[maybe_unused]] const ssize_t sent =
        ::send(socket, answer, std::strlen(answer), MSG_NOSIGNAL | MSG_DONTWAIT);
    ::shutdown(socket, SHUT_WR);
  }
  ::close(socket);
}

int RequestGate::milliseconds_to_deadline() const {
  if (waiting_.empty()) return -1;
  const auto remaining =
      std::chrono::ceil<std::chrono::milliseconds>(waiting_.front().deadline - Clock::now());
  return int(std::max<std::int64_t>(0, remaining.count()));
}

}  // namespace phiflex
