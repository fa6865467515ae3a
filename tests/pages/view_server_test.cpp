// The server of `phiflex view` against well-behaved and ill-behaved clients, over raw sockets.
#include "phiflex/pages/view_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <random>
#include <thread>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/motion_reader.h"
#include "tests/pages/motion_decoder.h"
#include "tests/record/fake_run.h"

namespace phiflex {
namespace {

using namespace std::chrono_literals;

// A connection to the server; gives up after a minute of silence.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&place), sizeof place) == 0;
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return connected_; }
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  void end_sending() const { ::shutdown(socket_, SHUT_WR); }
  // Everything until the server closes the connection.
  std::string receive_all() const {
    std::string all;
    char buffer[65536];
    for (pollfd waiting{socket_, POLLIN, 0}; ::poll(&waiting, 1, 60'000) > 0;) {
      const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
      if (got <= 0) return all;
      all.append(buffer, static_cast<std::size_t>(got));
    }
    return all + "\n(the server fell silent)";
  }

 private:
  int socket_;
  bool connected_ = false;
};

struct Reply {
  int status = 0;  // 0: none
  std::string head, body;
};

Reply parsed(const std::string& bytes) {
  Reply reply;
  const std::size_t end = bytes.find("\r\n\r\n");
  reply.head = bytes.substr(0, end);
  if (end != bytes.npos) reply.body = bytes.substr(end + 4);
  if (bytes.starts_with("HTTP/1.1 ")) reply.status = std::stoi(bytes.substr(9, 3));
  return reply;
}

class ViewServerTest : public ::testing::Test {
 protected:
  ViewServerTest() : folder_(make_fake_run(scratch_.path() / "run", {.steps = 20})) {
    write_file_atomically(scratch_.path() / "secret.txt", "the secret beside the folder");
    write_file_atomically(folder_.root / "inside.txt", "a file that is none of the run's");
    serve();
  }

  void serve(const ServerLimits& limits = {}) {
    server_.reset();
    ViewContent content{
        "bar drop", "phiflex test", {{.folder = folder_, .name = "", .place = "run"}}, nullptr};
    server_ = std::make_unique<ViewServer>(std::move(content), std::uint16_t{0}, limits);
    token_ = "/" + server_->token() + "/";
  }

  std::string host() const { return fmt::format("Host: 127.0.0.1:{}\r\n", server_->port()); }
  Reply ask(const std::string& path, const std::string& headers, const std::string& method = "GET") const {
    const Client client(server_->port());
    client.send(method + " " + path + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n");
    return parsed(client.receive_all());
  }
  Reply get(const std::string& path) const { return ask(path, host()); }
  // Whatever came before, it still serves.
  void expect_alive() const { EXPECT_EQ(get(token_ + "runs/0/status.json").status, 200); }

  const ScratchFolder scratch_;
  RunFolder folder_;
  std::unique_ptr<ViewServer> server_;
  std::string token_;
};

TEST_F(ViewServerTest, ServesThePageTheDataAndTheFrames) {
  const Reply page = get(token_);
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.head.find("text/html"), std::string::npos);
  EXPECT_NE(page.body.find("id=\"phiflex-data\""), std::string::npos);
  EXPECT_NE(page.body.find("\"served\":{\"poll_seconds\":"), std::string::npos);
  EXPECT_NE(page.body.find("connect-src 'self'"), std::string::npos);

  const auto status = nlohmann::json::parse(get(token_ + "runs/0/status.json").body);
  EXPECT_EQ(status["status"], "done");
  EXPECT_EQ(status["steps"], 20);
  EXPECT_EQ(status["steps_planned"], 20);
  EXPECT_EQ(status["frames"], 21);

  const auto data = nlohmann::json::parse(get(token_ + "runs/0/data.json").body);
  EXPECT_EQ(data["energy"]["rows"], 21);
  EXPECT_EQ(data["motion"]["times"].size(), 21u);
  EXPECT_TRUE(data["motion"]["chunks"].empty());

  const Reply frames = get(token_ + "runs/0/frames/3-7");
  EXPECT_EQ(frames.status, 200);
  const DecodedChunk chunk = decode_motion_chunk(frames.body);
  ASSERT_EQ(chunk.positions.size(), 7u);
  VisibleFrame truth;
  const MotionReader reader(folder_);
  reader.read(5, truth);
  for (std::size_t v = 0; v < truth.positions.size(); ++v)
    for (std::size_t k = 0; k < 3; ++k)
      ASSERT_NEAR(chunk.positions[2][v][k], truth.positions[v][k],
                  0.5001 * chunk.bounds.length(static_cast<int>(k)) / 65535);
}

TEST_F(ViewServerTest, AnswersCarryTheHeadersThatKeepOtherPagesOut) {
  for (const std::string& path : {token_, token_ + "runs/0/data.json", std::string("/nowhere")}) {
    const std::string head = get(path).head;
    for (const char* header :
         {"X-Content-Type-Options: nosniff", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
          "frame-ancestors 'none'", "X-Frame-Options: DENY", "Cross-Origin-Resource-Policy: same-origin"})
      EXPECT_NE(head.find(header), std::string::npos) << path << " lacks " << header;
    EXPECT_EQ(head.find("Access-Control-Allow"), std::string::npos);
  }
}

TEST_F(ViewServerTest, HeadGivesTheHeadAlone) {
  const Reply reply = ask(token_ + "runs/0/status.json", host(), "HEAD");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "");
}

TEST_F(ViewServerTest, AnAddressWithoutItsTokenLeadsNowhere) {
  std::string wrong = token_;
  wrong[5] = wrong[5] == 'a' ? 'b' : 'a';
  const std::string bare = token_.substr(0, token_.size() - 1);
  for (const std::string& path :
       {std::string("/"), wrong, wrong + "runs/0/data.json", bare, bare.substr(0, 8) + "/", "/" + token_,
        std::string("//"), std::string("/runs/0/data.json"), std::string("*"), std::string("/index.html")}) {
    const Reply reply = get(path);
    EXPECT_EQ(reply.status, 404) << path;
    EXPECT_LT(reply.body.size(), 100u);
  }
}

TEST_F(ViewServerTest, OtherHostsAndPagesAreRefused) {
  const std::uint16_t port = server_->port();
  const std::string status = token_ + "runs/0/status.json";
  EXPECT_EQ(ask(status, fmt::format("Host: localhost:{}\r\n", port)).status, 200);
  for (const std::string& foreign :
       {fmt::format("Host: evil.example:{}\r\n", port), std::string("Host: 127.0.0.1\r\n"),
        fmt::format("Host: 127.0.0.1:{}\r\n", port + 1),
        fmt::format("Host: 127.0.0.1:{}.evil.example\r\n", port), std::string("Host: \r\n"),
        host() + "Host: evil.example\r\n"})
    EXPECT_NE(ask(status, foreign).status, 200) << foreign;
  EXPECT_NE(ask(status, "").status, 200);

  EXPECT_EQ(ask(status, host() + fmt::format("Origin: http://127.0.0.1:{}\r\n", port)).status, 200);
  for (const std::string& origin :
       {std::string("http://evil.example"), std::string("null"), fmt::format("https://127.0.0.1:{}", port),
        fmt::format("http://127.0.0.1:{}", port + 1), std::string("http://127.0.0.1"), std::string("")})
    EXPECT_EQ(ask(status, host() + "Origin: " + origin + "\r\n").status, 403) << origin;

  EXPECT_EQ(ask(status, host() + "Sec-Fetch-Site: same-origin\r\n").status, 200);
  EXPECT_EQ(ask(token_, host() + "Sec-Fetch-Site: none\r\n").status, 200);
  EXPECT_EQ(ask(status, host() + "Sec-Fetch-Site: cross-site\r\n").status, 403);
  EXPECT_EQ(ask(status, host() + "Sec-Fetch-Site: same-site\r\n").status, 403);
}

TEST_F(ViewServerTest, NoAddressIsAPathOfTheDisk) {
  const std::string root = folder_.root.string();
  for (const std::string& path : {std::string("run.json"),
                                  std::string("inside.txt"),
                                  std::string("energy.csv"),
                                  std::string("../secret.txt"),
                                  std::string("../../secret.txt"),
                                  std::string("%2e%2e/secret.txt"),
                                  std::string("..%2fsecret.txt"),
                                  std::string("%2e%2e%2fsecret.txt"),
                                  std::string("..%5csecret.txt"),
                                  std::string("runs/0/../../secret.txt"),
                                  std::string("runs/0/frames/../../run.json"),
                                  std::string("runs/0/frames.pvd"),
                                  std::string("runs/0/frames/frame_000000.vtu"),
                                  std::string("runs/..%00/status.json"),
                                  root,
                                  "/" + root + "/inside.txt",
                                  std::string("runs/0//status.json"),
                                  std::string("runs/0/status.json/"),
                                  std::string("runs/%30/status.json"),
                                  std::string("file:///etc/passwd")}) {
    const Reply reply = get(token_ + path);
    EXPECT_NE(reply.status, 200) << path;
    EXPECT_EQ(reply.body.find("secret"), std::string::npos) << path;
    EXPECT_EQ(reply.body.find("none of the run"), std::string::npos) << path;
  }
  EXPECT_NE(get("/../secret.txt").status, 200);
  EXPECT_NE(get("/../.." + root + "/inside.txt").status, 200);
}

TEST_F(ViewServerTest, FramesThatAreNotThereAreNotFound) {
  for (const char* path :
       {"runs/1/status.json", "runs/-1/status.json", "runs//status.json", "runs/0/frames/21-1",
        "runs/0/frames/0-22", "runs/0/frames/0-0", "runs/0/frames/0-65", "runs/0/frames/-1-2",
        "runs/0/frames/0", "runs/0/frames/0-", "runs/0/frames/0-1-2", "runs/0/frames/0x1-2",
        "runs/0/frames/ 0-1", "runs/0/frames/999999999-1", "runs/0/frames/9999999999999999999999-1",
        "runs/0/frames/18446744073709551615-2", "runs/99999999999/status.json"})
    EXPECT_NE(get(token_ + path).status, 200) << path;
  EXPECT_EQ(get(token_ + "runs/0/frames/0-21").status, 200);
  EXPECT_EQ(get(token_ + "runs/0/frames/20-1").status, 200);
}

TEST_F(ViewServerTest, OnlyGetAndHeadAreServed) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW", "get"})
    EXPECT_NE(ask(token_, host() + "Content-Length: 0\r\n", method).status, 200) << method;
  EXPECT_EQ(ask(token_, host() + "Content-Length: 0\r\n", "POST").status, 405);
  const Client client(server_->port());
  client.send("POST " + token_ + " HTTP/1.1\r\n" + host() + "Content-Length: 100000000000\r\n\r\n");
  EXPECT_EQ(parsed(client.receive_all()).status, 405);  // without reading on
  expect_alive();
}

TEST_F(ViewServerTest, HugeHeadersAreRefused) {
  const Reply long_header = ask(token_, host() + "X-Long: " + std::string(200'000, 'a') + "\r\n");
  EXPECT_NE(long_header.status, 200);
  std::string many = host();
  for (int i = 0; i < 10'000; ++i) many += fmt::format("X-{}: {}\r\n", i, i);
  EXPECT_NE(ask(token_, many).status, 200);
  EXPECT_NE(get("/" + std::string(1'000'000, 'b')).status, 200);
  expect_alive();
}

TEST_F(ViewServerTest, AStalledClientIsDroppedAndHoldsUpNobody) {
  serve({.idle_seconds = 1});
  const Client silent(server_->port()), half(server_->port()), unread(server_->port());
  half.send("GET " + token_ + " HTTP/1.1\r\nHost: 127");
  unread.send("GET " + token_ + " HTTP/1.1\r\n" + host() + "\r\n");
  expect_alive();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(silent.receive_all(), "");
  EXPECT_NE(parsed(half.receive_all()).status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 15s);  // less than without that limit, 20 s
  expect_alive();
}

TEST_F(ViewServerTest, HundredsOfHalfRequestsKeepNobodyOut) {
  std::deque<Client> half;
  for (int i = 0; i < 400; ++i) {
    half.emplace_back(server_->port());
    ASSERT_TRUE(half.back().connected());
    half.back().send(i % 2 == 0 ? "GET " + token_ + " HTTP/1.1\r\nHost: " : "");
  }
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 5; ++i) expect_alive();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);  // they are dropped after 20 s
}

TEST_F(ViewServerTest, ARequestThatComesByteByByteHasNoMoreTimeThanAnother) {
  serve({.idle_seconds = 1});
  const Client slow(server_->port());
  const auto start = std::chrono::steady_clock::now();
  bool open = true;
  while (open && std::chrono::steady_clock::now() - start < 30s) {
    open = slow.send("a");
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_FALSE(open);
  expect_alive();
}

TEST_F(ViewServerTest, ARequestIsServedHoweverItsHeadIsCutIntoPieces) {
  const std::string request = "GET " + token_ + "runs/0/status.json HTTP/1.1\r\n" + host() + "\r\n";
  for (std::size_t cut = 1; cut < request.size(); cut += 7) {
    const Client client(server_->port());
    client.send(request.substr(0, cut));
    std::this_thread::sleep_for(2ms);
    client.send(request.substr(cut));
    EXPECT_EQ(parsed(client.receive_all()).status, 200) << cut;
  }
}

TEST_F(ViewServerTest, AHostIsComparedToItsLastByte) {
  const std::string ours = fmt::format("Host: 127.0.0.1:{}", server_->port());
  for (const std::string& hidden :
       {std::string("\0.evil.example", 14), std::string("\0", 1), std::string("\x01"), std::string("\x7f")}) {
    EXPECT_NE(ask(token_, ours + hidden + "\r\n").status, 200);
    EXPECT_NE(ask(token_, ours + "\r\nX: " + hidden + "\r\n").status, 200);
  }
  expect_alive();
}

TEST_F(ViewServerTest, AConnectionCarriesOneRequest) {
  const std::string request = "GET " + token_ + "runs/0/status.json HTTP/1.1\r\n" + host() + "\r\n";
  const Client client(server_->port());
  client.send(request + request);
  const std::string all = client.receive_all();
  EXPECT_EQ(parsed(all).status, 200);
  EXPECT_EQ(all.find("HTTP/1.1", 8), std::string::npos);
}

TEST_F(ViewServerTest, HalfRequestsAndQuickGoodbyesDoNoHarm) {
  for (const std::string& part :
       {std::string(), std::string("G"), std::string("GET "), "GET " + token_,
        "GET " + token_ + " HTTP/1.1\r\n", "GET " + token_ + " HTTP/1.1\r\n" + host()}) {
    {
      const Client gone(server_->port());
      gone.send(part);
    }
    const Client waits(server_->port());
    waits.send(part);
    waits.end_sending();
    EXPECT_NE(parsed(waits.receive_all()).status, 200) << part;
  }
  {
    const Client leaves(server_->port());  // while the answer is being made
    leaves.send("GET " + token_ + "runs/0/frames/0-21 HTTP/1.1\r\n" + host() + "\r\n");
  }
  expect_alive();
}

TEST_F(ViewServerTest, FiftyClientsAtOnceAreServed) {
  std::atomic<int> served = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 50; ++i)
    clients.emplace_back([&, i] {
      const Reply reply = i % 3 == 0   ? get(token_)
                          : i % 3 == 1 ? get(token_ + fmt::format("runs/0/frames/{}-4", i % 16))
                                       : get(token_ + "runs/0/data.json");
      if (reply.status == 200 && !reply.body.empty()) ++served;
    });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(served, 50);
}

TEST_F(ViewServerTest, RandomBytesDoNoHarm) {
  std::mt19937 random(11);
  const std::string pieces[] = {"GET ",
                                "HEAD ",
                                token_,
                                "runs/0/frames/1-2",
                                " HTTP/1.1",
                                "\r\n",
                                host(),
                                "\r\n\r\n",
                                "%00",
                                "\t",
                                "Host:",
                                "Content-Length: 5\r\n",
                                "HTTP/9.9",
                                std::string("\0\xff", 2),
                                "Transfer-Encoding: chunked\r\n",
                                "Connection: keep-alive\r\n",
                                "../"};
  for (int round = 0; round < 300; ++round) {
    std::string bytes;
    const unsigned count = random() % 12;
    for (unsigned i = 0; i < count; ++i) {
      if (random() % 4 == 0) {
        bytes.push_back(static_cast<char>(random()));
      } else {
        bytes += pieces[random() % std::size(pieces)];
      }
    }
    const Client client(server_->port());
    client.send(bytes);
    client.end_sending();
    if (round % 8 == 0) {
      EXPECT_EQ(client.receive_all().find("secret"), std::string::npos);
    }
  }
  expect_alive();
}

TEST_F(ViewServerTest, ARunThatGrowsIsFollowed) {
  const RunFolder growing = prepare_run_folder(scratch_.path() / "growing", ExistingFolder::refuse);
  RunSummary summary;
  summary.steps_planned = 10;
  write_run_json(growing.run_json(), summary);
  folder_ = growing;
  serve();
  const auto status = [&] { return nlohmann::json::parse(get(token_ + "runs/0/status.json").body); };
  const auto data = [&] { return nlohmann::json::parse(get(token_ + "runs/0/data.json").body); };
  EXPECT_EQ(status()["frames"], 0);
  EXPECT_EQ(status()["status"], "running");
  EXPECT_TRUE(data()["motion"].is_null());
  EXPECT_EQ(get(token_ + "runs/0/frames/0-1").status, 404);

  const TetMesh bar = make_bar();
  FrameGeometry geometry;
  geometry.add_tets(bar.vertices, bar.tets, bar.tags);
  FrameWriter frames(growing, geometry);
  EnergyCsv energy(growing.energy_csv());
  const std::vector<double> still(3 * bar.vertices.size(), 0.0), density(bar.tets.size(), 0.0);
  int version = status()["version"];
  for (int step = 0; step < 5; ++step) {
    frames.write(step, still, still, density);
    energy.write({.step = step, .time = 1.0 * step});
    energy.sync();
    const auto now = status();
    EXPECT_GT(now["version"], version);
    EXPECT_EQ(now["frames"], step + 1);
    EXPECT_EQ(now["steps"], step);
    version = now["version"];
    EXPECT_EQ(status()["version"], version);  // nothing new
    EXPECT_EQ(data()["motion"]["times"].size(), static_cast<std::size_t>(step + 1));
    EXPECT_EQ(get(token_ + fmt::format("runs/0/frames/{}-1", step)).status, 200);
  }

  // The same folder, used for another run.
  prepare_run_folder(growing.root, ExistingFolder::reuse);
  make_fake_run(scratch_.path() / "other", {.steps = 2});
  for (const char* name : {"run.json", "energy.csv", "frames.pvd", "frames"})
    std::filesystem::rename(scratch_.path() / "other" / name, growing.root / name);
  EXPECT_EQ(status()["frames"], 3);
  const std::size_t vertices = data()["motion"]["vertices"];
  EXPECT_EQ(decode_motion_chunk(get(token_ + "runs/0/frames/0-3").body).positions[2].size(), vertices);
}

TEST_F(ViewServerTest, ARunFolderThatVanishesIsNotFoundUntilItIsBack) {
  const std::filesystem::path away = scratch_.path() / "away";
  std::filesystem::rename(folder_.root, away);
  EXPECT_EQ(get(token_ + "runs/0/status.json").status, 404);
  EXPECT_EQ(get(token_ + "runs/0/data.json").status, 404);
  EXPECT_EQ(get(token_ + "runs/0/frames/0-4").status, 404);
  EXPECT_EQ(get(token_).status, 404);
  std::filesystem::rename(away, folder_.root);
  expect_alive();
  EXPECT_EQ(get(token_ + "runs/0/frames/0-4").status, 200);
}

TEST_F(ViewServerTest, DamagedFilesAreToldAndNeverLeaked) {
  write_file_atomically(folder_.frame(4), "the secret in a frame");
  EXPECT_EQ(decode_motion_chunk(get(token_ + "runs/0/frames/2-5").body).positions.size(), 5u);
  write_file_atomically(folder_.run_json(), "{ the secret");
  const Reply reply = get(token_ + "runs/0/data.json");
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.body.find("secret"), std::string::npos);
  // A list that leads elsewhere is no list.
  std::filesystem::copy(folder_.frame(0), scratch_.path() / "elsewhere.vtu");
  write_file_atomically(folder_.frames_pvd(), "<DataSet timestep=\"0\" file=\"../elsewhere.vtu\"/>");
  EXPECT_THROW(read_frame_list(folder_), InputError);
  serve();
  EXPECT_EQ(get(token_ + "runs/0/frames/0-1").status, 404);
}

TEST_F(ViewServerTest, ASummaryThatBecomesNestedWithoutEndIsRefusedAndTheServerGoesOn) {
  const std::string good = read_file(folder_.run_json());
  write_file_atomically(folder_.run_json(),
                        "{\"scene\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}");
  for (const char* path : {"", "runs/0/status.json", "runs/0/data.json"})
    EXPECT_EQ(get(token_ + path).status, 503);
  write_file_atomically(folder_.run_json(), good);
  expect_alive();
}

TEST_F(ViewServerTest, EveryServerHasAnotherTokenAndAPortInUseIsNamed) {
  const std::string first = server_->token();
  EXPECT_EQ(first.size(), 32u);  // 128 bits
  const std::uint16_t port = server_->port();
  EXPECT_THROW(ViewServer({"", "", {}, nullptr}, port), FileError);
  serve();
  EXPECT_NE(server_->token(), first);
  EXPECT_EQ(server_->address(), fmt::format("http://127.0.0.1:{}{}", server_->port(), token_));
}

}  // namespace
}  // namespace phiflex
