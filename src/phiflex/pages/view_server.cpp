#include "phiflex/pages/view_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <deque>
#include <optional>
#include <semaphore>
#include <string_view>
#include <utility>

#include "phiflex/base/errors.h"
#include "phiflex/pages/live_run.h"
#include "phiflex/pages/request_gate.h"
#include "phiflex/pages/viewer_page.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

constexpr double poll_seconds = 1;
// Request line and headers together; what is longer is refused.
constexpr std::size_t connection_bytes = 32 * 1024;
// Chunks made at the same time: each keeps its frames in memory.
constexpr std::ptrdiff_t encoders = 3;

struct Answer {
  unsigned status = MHD_HTTP_OK;
  std::string type = "text/plain; charset=utf-8", body = {};
  std::string policy = "default-src 'none'; frame-ancestors 'none'";
};

Answer refusal(unsigned status, std::string words) {
  return {.status = status, .body = std::move(words) + "\n"};
}

Answer json_answer(const Json& json) {
  return {.type = "application/json", .body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

std::string random_token() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    throw FileError("getrandom", "the system has no random numbers");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

// Takes as long for every wrong guess.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

// Every value that a header was given.
std::vector<std::string> header_values(MHD_Connection* connection, const char* name) {
  std::pair<const char*, std::vector<std::string>> found{name, {}};
  MHD_get_connection_values(
      connection, MHD_HEADER_KIND,
      [](void* cls, MHD_ValueKind, const char* key, const char* value) {
        auto& [wanted, values] = *static_cast<std::pair<const char*, std::vector<std::string>>*>(cls);
        if (key && ::strcasecmp(key, wanted) == 0) values.emplace_back(value ? value : "");
        return MHD_YES;
      },
      &found);
  return found.second;
}

// Takes `prefix` off the front.
bool take(std::string_view& path, std::string_view prefix) {
  if (!path.starts_with(prefix)) return false;
  path.remove_prefix(prefix.size());
  return true;
}

// Takes a number of at most nine digits, without sign, off the front.
std::optional<std::size_t> take_number(std::string_view& path) {
  std::size_t digits = 0, value = 0;
  while (digits < path.size() && path[digits] >= '0' && path[digits] <= '9') ++digits;
  if (digits == 0 || digits > 9) return std::nullopt;
  std::from_chars(path.data(), path.data() + digits, value);
  path.remove_prefix(digits);
  return value;
}

}  // namespace

class ViewServer::Service {
 public:
  Service(ViewContent content, std::uint16_t port, const ViewLimits& limits)
      : content_(std::move(content)), token_(random_token()) {
    for (const ViewedRun& run : content_.runs) runs_.emplace_back(run);
    const int listening = listen_at(port);
    daemon_ =
        MHD_start_daemon(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
                             MHD_USE_NO_LISTEN_SOCKET,
                         0, nullptr, nullptr, &Service::handle, this, MHD_OPTION_CONNECTION_LIMIT,
                         limits.connections, MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
                         MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_bytes, MHD_OPTION_STRICT_FOR_CLIENT,
                         1, MHD_OPTION_UNESCAPE_CALLBACK, &Service::leave_escaped, nullptr, MHD_OPTION_END);
    if (!daemon_) {
      ::close(listening);
      throw FileError(fmt::format("127.0.0.1:{}", port_), "cannot start the server");
    }
    const RequestGate::Limits gate{.waiting = limits.waiting,
                                   .head_bytes = connection_bytes,
                                   .patience = std::chrono::seconds(limits.idle_seconds)};
    try {
      gate_.emplace(listening, gate, [this](int socket) { serve(socket); });
    } catch (...) {
      MHD_stop_daemon(daemon_);
      throw;
    }
  }
  ~Service() {
    gate_.reset();
    MHD_stop_daemon(daemon_);
  }

  std::uint16_t port() const { return port_; }
  const std::string& token() const { return token_; }

 private:
  // The port is known before the first client can come.
  int listen_at(std::uint16_t port) {
    const int listening = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in place{};
    socklen_t size = sizeof place;
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const address = reinterpret_cast<sockaddr*>(&place);
    if (listening < 0 || ::bind(listening, address, size) != 0 || ::listen(listening, SOMAXCONN) != 0 ||
        ::getsockname(listening, address, &size) != 0) {
      const std::string reason = std::strerror(errno);
      if (listening >= 0) ::close(listening);
      throw FileError(fmt::format("127.0.0.1:{}", port), "cannot listen there: " + reason);
    }
    port_ = ntohs(place.sin_port);
    return listening;
  }

  // A connection whose request is complete; the daemon closes it, also when it cannot take it.
  void serve(int socket) {
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    auto* const address = reinterpret_cast<sockaddr*>(&peer);
    if (::getpeername(socket, address, &size) == 0)
      MHD_add_connection(daemon_, socket, address, size);
    else
      ::close(socket);
  }

  // Addresses are compared as they came: an escaped one is none of ours.
  static std::size_t leave_escaped(void*, MHD_Connection*, char* text) {
    return std::string_view(text).size();
  }

  // Called once when the headers are there, and again when the request is complete.
  static MHD_Result handle(void* cls, MHD_Connection* connection, const char* url, const char* method,
                           const char*, const char*, std::size_t* upload_size, void** request) {
    static int headers_seen;
    auto& service = *static_cast<Service*>(cls);
    const std::string_view verb = method;
    if (verb != MHD_HTTP_METHOD_GET && verb != MHD_HTTP_METHOD_HEAD)
      return send(connection, refusal(MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD"));
    if (*request == nullptr) {
      *request = &headers_seen;
      return MHD_YES;
    }
    if (*upload_size != 0) return MHD_NO;  // a GET that sends something
    return send(connection, service.safe_answer(connection, url));
  }

  static MHD_Result send(MHD_Connection* connection, const Answer& answer) {
    MHD_Response* response = MHD_create_response_from_buffer(
        answer.body.size(), const_cast<char*>(answer.body.data()), MHD_RESPMEM_MUST_COPY);
    if (!response) return MHD_NO;
    const std::pair<const char*, const char*> headers[] = {
        {MHD_HTTP_HEADER_CONTENT_TYPE, answer.type.c_str()},
        {"Content-Security-Policy", answer.policy.c_str()},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
        {MHD_HTTP_HEADER_CONNECTION, "close"}};  // the next request passes the gate again
    for (const auto& [name, value] : headers) MHD_add_response_header(response, name, value);
    if (answer.status == MHD_HTTP_METHOD_NOT_ALLOWED)
      MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    const MHD_Result result = MHD_queue_response(connection, answer.status, response);
    MHD_destroy_response(response);
    return result;
  }

  // No exception may pass through the C library.
  Answer safe_answer(MHD_Connection* connection, std::string_view url) noexcept {
    try {
      return comes_from_our_page(connection) ? answer(url) : refusal(MHD_HTTP_FORBIDDEN, "refused");
    } catch (const FileError&) {
      return refusal(MHD_HTTP_NOT_FOUND, "the run's files are not there");
    } catch (const InputError&) {
      return refusal(MHD_HTTP_SERVICE_UNAVAILABLE, "the run's files cannot be read now");
    } catch (const std::exception&) {
      return {.status = MHD_HTTP_INTERNAL_SERVER_ERROR};
    }
  }

  // Another page's request, or one that reached us under another name (DNS rebinding), is refused.
  bool comes_from_our_page(MHD_Connection* connection) const {
    const std::string names[] = {fmt::format("127.0.0.1:{}", port_), fmt::format("localhost:{}", port_)};
    const auto is_ours = [&](std::string_view host) {
      return std::find(std::begin(names), std::end(names), host) != std::end(names);
    };
    const std::vector<std::string> hosts = header_values(connection, MHD_HTTP_HEADER_HOST);
    if (hosts.size() != 1 || !is_ours(hosts[0])) return false;
    for (const std::string& origin : header_values(connection, MHD_HTTP_HEADER_ORIGIN)) {
      std::string_view host = origin;
      if (!take(host, "http://") || !is_ours(host)) return false;
    }
    for (const std::string& site : header_values(connection, "Sec-Fetch-Site"))
      if (site != "same-origin" && site != "none") return false;
    return true;
  }

  Answer answer(std::string_view url) {
    const Answer nothing = refusal(MHD_HTTP_NOT_FOUND, "there is nothing at this address");
    if (!take(url, "/") || !same_secret(url.substr(0, url.find('/')), token_)) return nothing;
    url.remove_prefix(token_.size());
    if (!take(url, "/")) return nothing;
    if (url.empty()) return page();
    if (!take(url, "runs/")) return nothing;
    const std::optional<std::size_t> number = take_number(url);
    if (!number || *number >= runs_.size() || !take(url, "/")) return nothing;
    LiveRun& run = runs_[*number];
    if (url == "status.json") return json_answer(run.status());
    if (url == "data.json") return json_answer(run.data());
    if (!take(url, "frames/")) return nothing;
    const std::optional<std::size_t> first = take_number(url);
    if (!first || !take(url, "-")) return nothing;
    const std::optional<std::size_t> count = take_number(url);
    if (!count || !url.empty()) return nothing;
    encoders_.acquire();
    const struct Release {
      std::counting_semaphore<>& semaphore;
      ~Release() { semaphore.release(); }
    } release{encoders_};
    std::optional<std::string> chunk = run.chunk(*first, *count);
    return chunk ? Answer{.type = "application/octet-stream", .body = std::move(*chunk)} : nothing;
  }

  Answer page() {
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
  const std::string token_;
  std::deque<LiveRun> runs_;
  std::counting_semaphore<> encoders_{encoders};
  std::uint16_t port_ = 0;
  MHD_Daemon* daemon_ = nullptr;
  std::optional<RequestGate> gate_;  // last: its thread uses the daemon
};

ViewServer::ViewServer(ViewContent content, std::uint16_t port, const ViewLimits& limits)
    : service_(std::make_unique<Service>(std::move(content), port, limits)) {}
ViewServer::~ViewServer() = default;

std::uint16_t ViewServer::port() const {
  return service_->port();
}
const std::string& ViewServer::token() const {
  return service_->token();
}
std::string ViewServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port(), token());
}

}  // namespace phiflex
