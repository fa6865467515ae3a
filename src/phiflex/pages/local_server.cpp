#include "phiflex/pages/local_server.h"

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
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "phiflex/base/errors.h"
#include "phiflex/pages/request_gate.h"
#include "phiflex/pages/websocket.h"

namespace phiflex {
namespace {

using Json = nlohmann::ordered_json;

// Request line and headers together; what is longer is refused.
constexpr std::size_t connection_bytes = 32 * 1024;

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

}  // namespace

bool take_prefix(std::string_view& path, std::string_view prefix) {
  if (!path.starts_with(prefix)) return false;
  path.remove_prefix(prefix.size());
  return true;
}

std::optional<std::size_t> take_number(std::string_view& path) {
  std::size_t digits = 0, value = 0;
  while (digits < path.size() && path[digits] >= '0' && path[digits] <= '9') ++digits;
  if (digits == 0 || digits > 9) return std::nullopt;
  std::from_chars(path.data(), path.data() + digits, value);
  path.remove_prefix(digits);
  return value;
}

ServerAnswer refused_answer(unsigned status, std::string words) {
  return {.status = status, .body = std::move(words) + "\n"};
}

ServerAnswer json_answer(const Json& json) {
  return {.type = "application/json", .body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

class LocalServer::Service {
 public:
  Service(Content content, std::uint16_t port, const ServerLimits& limits)
      : content_(std::move(content)), token_(random_token()) {
    const int listening = listen_at(port);
    daemon_ =
        MHD_start_daemon(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
                             MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_UPGRADE,
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
                                   .time_limit = std::chrono::seconds(limits.idle_seconds)};
    try {
      gate_.emplace(listening, gate, [this](int socket) { serve(socket); });
    } catch (...) {
      MHD_stop_daemon(daemon_);
      throw;
    }
  }
  ~Service() {
    gate_.reset();
    {
      std::unique_lock lock(mutex_);
      ending_ = true;
      for (const int socket : conversations_) ::shutdown(socket, SHUT_RDWR);
      ended_.wait(lock, [&] { return conversations_.empty(); });
    }
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
      return send(connection, refused_answer(MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD"));
    if (*request == nullptr) {
      *request = &headers_seen;
      return MHD_YES;
    }
    if (*upload_size != 0) return MHD_NO;  // a GET that sends something
    return service.answer_safely(connection, verb, url);
  }

  static MHD_Result send(MHD_Connection* connection, const ServerAnswer& answer) {
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
  MHD_Result answer_safely(MHD_Connection* connection, std::string_view verb, std::string_view url) noexcept {
    try {
      const ServerAnswer nothing = refused_answer(MHD_HTTP_NOT_FOUND, "there is nothing at this address");
      if (!comes_from_our_page(connection))
        return send(connection, refused_answer(MHD_HTTP_FORBIDDEN, "refused"));
      if (!take_prefix(url, "/") || !same_secret(url.substr(0, url.find('/')), token_))
        return send(connection, nothing);
      url.remove_prefix(token_.size());
      if (!take_prefix(url, "/")) return send(connection, nothing);
      if (!content_.socket_address.empty() && url == content_.socket_address)
        return upgrade(connection, verb);
      return send(connection, content_.answer(url));
    } catch (const FileError&) {
      return send(connection, refused_answer(MHD_HTTP_NOT_FOUND, "the run's files are not there"));
    } catch (const InputError&) {
      return send(connection,
                  refused_answer(MHD_HTTP_SERVICE_UNAVAILABLE, "the run's files cannot be read now"));
    } catch (const std::exception&) {
      return send(connection, {.status = MHD_HTTP_INTERNAL_SERVER_ERROR});
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
      if (!take_prefix(host, "http://") || !is_ours(host)) return false;
    }
    for (const std::string& site : header_values(connection, "Sec-Fetch-Site"))
      if (site != "same-origin" && site != "none") return false;
    return true;
  }

  // To a WebSocket, if the client asks for one as the protocol says.
  MHD_Result upgrade(MHD_Connection* connection, std::string_view verb) {
    const auto only = [&](const char* name) {
      const std::vector<std::string> values = header_values(connection, name);
      return values.size() == 1 ? values[0] : std::string();
    };
    const std::optional<std::string> accept = websocket_accept(only("Sec-WebSocket-Key"));
    if (verb != MHD_HTTP_METHOD_GET ||
        ::strcasecmp(only(MHD_HTTP_HEADER_UPGRADE).c_str(), "websocket") != 0 ||
        only("Sec-WebSocket-Version") != "13" || !accept)
      return send(connection,
                  refused_answer(MHD_HTTP_BAD_REQUEST, "a WebSocket is here; expected its handshake"));
    MHD_Response* response = MHD_create_response_for_upgrade(&Service::begin_conversation, this);
    if (!response) return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_UPGRADE, "websocket");
    MHD_add_response_header(response, "Sec-WebSocket-Accept", accept->c_str());
    const MHD_Result result = MHD_queue_response(connection, MHD_HTTP_SWITCHING_PROTOCOLS, response);
    MHD_destroy_response(response);
    return result;
  }

  // On the connection's own thread, which may wait here.
  static void begin_conversation(void* cls, MHD_Connection*, void*, const char* first, std::size_t first_size,
                                 MHD_socket socket, MHD_UpgradeResponseHandle* handle) {
    auto& service = *static_cast<Service*>(cls);
    bool open = false;
    {
      const std::lock_guard lock(service.mutex_);
      if (!service.ending_) {
        service.conversations_.push_back(socket);
        open = true;
      }
    }
    if (open) {
      try {
        service.content_.converse(socket, {first, first_size});
      } catch (
          const std::exception&) {  // no exception may pass through the C library; the client sees an end
      }
    }
    const std::lock_guard lock(service.mutex_);
    MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
    if (open) {
      std::erase(service.conversations_, socket);
      service.ended_.notify_all();
    }
  }

  const Content content_;
  const std::string token_;
  std::uint16_t port_ = 0;
  MHD_Daemon* daemon_ = nullptr;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::vector<int> conversations_;  // their sockets
  bool ending_ = false;
  std::optional<RequestGate> gate_;  // last: its thread uses the daemon
};

LocalServer::LocalServer(Content content, std::uint16_t port, const ServerLimits& limits)
    : service_(std::make_unique<Service>(std::move(content), port, limits)) {}
LocalServer::~LocalServer() = default;

std::uint16_t LocalServer::port() const {
  return service_->port();
}
const std::string& LocalServer::token() const {
  return service_->token();
}
std::string LocalServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port(), token());
}

}  // namespace phiflex
