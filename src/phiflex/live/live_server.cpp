#include "phiflex/live/live_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <list>

#include "phiflex/base/errors.h"
#include "phiflex/base/printable.h"
#include "phiflex/live/gallery_card.h"
#include "phiflex/live/live_session.h"
#include "phiflex/mesh/vtu_data.h"
#include "phiflex/pages/local_server.h"
#include "phiflex/pages/motion_chunk.h"
#include "phiflex/pages/viewer_page.h"
#include "phiflex/pages/websocket.h"

namespace phiflex {

namespace {

constexpr std::int64_t kFramesUnderWay = 2;
constexpr std::size_t kWaitingTexts = 200;
constexpr int kSendSeconds = 20;       // a client that takes nothing for so long is dropped
constexpr int kCommandsAtOnce = 2000;  // a second, of one client

}  // namespace

using Bytes = std::shared_ptr<const std::string>;

// The server's end of a client's connection.
class LiveClient {
 public:
  LiveClient(std::uint64_t number, int socket)
      : number_(number), socket_(socket), writer_([this] { write(); }) {}
  ~LiveClient() {
    close();
    writer_.join();
  }

  std::uint64_t number() const { return number_; }
  bool is_ready() {
    const std::lock_guard lock(mutex_);
    return !closed_ && !frame_ && shown_ - acknowledged_ < kFramesUnderWay;
  }
  void show(const Bytes& frame) {
    const std::lock_guard lock(mutex_);
    frame_ = frame;
    changed_.notify_all();
  }
  void tell(const Bytes& message) {
    const std::lock_guard lock(mutex_);
    if (texts_.size() >= kWaitingTexts) {
      shut();
      return;
    }
    texts_.push_back(message);
    changed_.notify_all();
  }
  void acknowledge() {
    const std::lock_guard lock(mutex_);
    acknowledged_ = std::min(acknowledged_ + 1, shown_);
    changed_.notify_all();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    shut();
  }

 private:
  void shut() {
    closed_ = true;
    ::shutdown(socket_, SHUT_RDWR);
    changed_.notify_all();
  }

  void write() {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto may_show = [&] { return frame_ && shown_ - acknowledged_ < kFramesUnderWay; };
      changed_.wait(lock, [&] { return closed_ || !texts_.empty() || may_show(); });
      if (closed_) return;
      Bytes next;
      if (!texts_.empty()) {
        next = std::move(texts_.front());
        texts_.pop_front();
      } else {
        next = std::move(frame_);
        frame_.reset();
        ++shown_;
      }
      lock.unlock();
      const bool sent = send_all(*next);
      lock.lock();
      if (!sent) {
        shut();
        return;
      }
    }
  }

  bool send_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent > 0) {
        bytes.remove_prefix(std::size_t(sent));
        continue;
      }
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) return false;
      pollfd wait{socket_, POLLOUT, 0};
      if (::poll(&wait, 1, 1000 * kSendSeconds) <= 0 || !(wait.revents & POLLOUT)) return false;
    }
    return true;
  }

  const std::uint64_t number_;
  const int socket_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Bytes> texts_;
  Bytes frame_;
  std::int64_t shown_ = 0, acknowledged_ = 0;
  bool closed_ = false;
  std::thread writer_;  // last: it uses the others
};

namespace {

Bytes text_bytes(const nlohmann::ordered_json& message) {
  return std::make_shared<const std::string>(websocket_message(
      MessageKind::text, message.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)));
}

}  // namespace

class LiveServer::Service : private LiveAudience {
 public:
  Service(LiveSetup setup, std::string program, std::uint16_t port) : program_(std::move(program)) {
    session_.emplace(std::move(setup), static_cast<LiveAudience&>(*this));
    server_.emplace(LocalServer::Content{
                        .answer = [this](std::string_view address) { return answer(address); },
                        .socket_address = "session",
                        .converse = [this](int socket, std::string_view first) { converse(socket, first); }},
                    port, ServerLimits{});
  }
  ~Service() override {
    server_.reset();
    session_.reset();
  }

  std::string address() const { return server_->address(); }

 private:
  // -- To clients, from the session's thread
  bool wants_frame() override {
    const std::lock_guard lock(mutex_);
    return std::any_of(clients_.begin(), clients_.end(),
                       [](LiveClient* client) { return client->is_ready(); });
  }
  void show(Bytes frame, std::int64_t) override {
    const auto bytes = std::make_shared<const std::string>(websocket_message(MessageKind::binary, *frame));
    const std::lock_guard lock(mutex_);
    for (LiveClient* client : clients_) client->show(bytes);
  }
  void tell(const nlohmann::ordered_json& message) override {
    const Bytes bytes = text_bytes(message);
    const std::lock_guard lock(mutex_);
    for (LiveClient* client : clients_) client->tell(bytes);
  }
  void tell(std::uint64_t number, const nlohmann::ordered_json& message) override {
    const Bytes bytes = text_bytes(message);
    const std::lock_guard lock(mutex_);
    for (LiveClient* client : clients_)
      if (client->number() == number) client->tell(bytes);
  }

  // -- From a client, on its own thread
  void converse(int socket, std::string_view first) {
    std::uint64_t number = 0;
    {
      const std::lock_guard lock(mutex_);
      number = ++last_client_;
    }
    LiveClient client(number, socket);
    {
      const std::lock_guard lock(mutex_);
      clients_.push_back(&client);
    }
    session_->post({.kind = LiveCommand::Kind::join, .client = number});
    listen(client, socket, first);
    session_->post({.kind = LiveCommand::Kind::leave, .client = number});
    const std::lock_guard lock(mutex_);
    std::erase(clients_, &client);
  }

  void listen(LiveClient& client, int socket, std::string_view first) {
    WebSocketReader reader(kLargestCommand);
    reader.add(first);
    auto second = std::chrono::steady_clock::now();
    int in_second = 0;
    std::string buffer(16 * 1024, '\0');
    for (;;) {
      while (const auto message = reader.next()) {
        if (message->kind == MessageKind::close) {
          client.tell(std::make_shared<const std::string>(websocket_close(1000, "")));
          return;
        }
        if (message->kind == MessageKind::ping)
          client.tell(
              std::make_shared<const std::string>(websocket_message(MessageKind::pong, message->payload)));
        if (message->kind == MessageKind::binary) refuse(client, "binary messages are no commands");
        if (message->kind != MessageKind::text) continue;
        if (const auto now = std::chrono::steady_clock::now(); now - second > std::chrono::seconds(1)) {
          second = now;
          in_second = 0;
        }
        if (++in_second > kCommandsAtOnce) return refuse(client, "too many commands in a second");
        take(client, message->payload);
      }
      if (reader.fault() != 0) {
        refuse(client,
               reader.fault() == 1009 ? "the message is too long" : "the message breaks the protocol");
        client.tell(std::make_shared<const std::string>(websocket_close(reader.fault(), "refused")));
        // The texts go out before the connection ends.
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return;
      }
      pollfd wait{socket, POLLIN, 0};
      if (::poll(&wait, 1, -1) < 0 && errno != EINTR) return;
      const ssize_t got = ::recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) return;
      if (got > 0) reader.add({buffer.data(), std::size_t(got)});
    }
  }

  void take(LiveClient& client, const std::string& message) {
    try {
      LiveCommand command = parse_command(message);
      command.client = client.number();
      if (command.kind == LiveCommand::Kind::ack) return client.acknowledge();
      session_->post(std::move(command));
    } catch (const InputError& error) {
      refuse(client, error.problems().front().message);
    }
  }

  void refuse(LiveClient& client, const std::string& why) {
    client.tell(text_bytes({{"kind", "refused"}, {"text", why}, {"count", ++refused_}}));
  }

  // -- Pages
  ServerAnswer answer(std::string_view address) {
    if (address.empty()) return page();
    if (take_prefix(address, "gallery/"))
      if (const std::optional<std::size_t> number = take_number(address);
          number && *number < session_->gallery().size() && address == ".json")
        return card(*number);
    return refused_answer(404, "there is nothing at this address");
  }

  ServerAnswer page() {
    ViewerPage made;
    made.title = session_->title().empty() ? "Phiflex live" : session_->title() + ", live";
    made.data = page_data("live", made.title, program_);
    made.data["gallery"] = nlohmann::ordered_json::array();
    for (const GalleryEntry& entry : session_->gallery())
      made.data["gallery"].push_back({{"name", entry.name}, {"line", entry.line}});
    return {.type = "text/html; charset=utf-8",
            .body = viewer_page_html(made, PageHome::server),
            .policy = viewer_page_policy(made, PageHome::server)};
  }

  // One is built at a time.
  ServerAnswer card(std::size_t number) {
    const std::lock_guard lock(cards_mutex_);
    if (const auto known = cards_.find(number); known != cards_.end()) return known->second;
    return cards_.emplace(number, json_answer(gallery_card(session_->gallery()[number].file))).first->second;
  }

  const std::string program_;
  mutable std::mutex mutex_;
  std::list<LiveClient*> clients_;
  std::uint64_t last_client_ = 0;
  std::atomic<std::int64_t> refused_ = 0;
  std::mutex cards_mutex_;
  std::map<std::size_t, ServerAnswer> cards_;
  std::optional<LiveSession> session_;
  std::optional<LocalServer> server_;
};

LiveServer::LiveServer(LiveSetup setup, std::string program, std::uint16_t port)
    : service_(std::make_unique<Service>(std::move(setup), std::move(program), port)) {}
LiveServer::~LiveServer() = default;

std::string LiveServer::address() const {
  return service_->address();
}

}  // namespace phiflex
