// `phiflex view` as a user starts and ends it. What the server does is tested in tests/pages/view_server_test.cpp.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/run/process.h"

namespace phiflex::testing {
namespace {

// The first line that the command prints; empty when none comes.
std::string first_line(const ScratchFolder& scratch) {
  std::string text;
  eventually(
      [&] { return (text = read_text(scratch.path() / "stdout.txt")).find('\n') != std::string::npos; });
  return text.substr(0, text.find('\n'));
}

// The beginning of what the server at 127.0.0.1 answers.
std::string answer(int port, const std::string& path) {
  const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string text;
  if (::connect(client, reinterpret_cast<sockaddr*>(&place), sizeof place) == 0) {
    const std::string request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                                "\r\nConnection: close\r\n\r\n";
    char buffer[4096];
    if (::send(client, request.data(), request.size(), MSG_NOSIGNAL) > 0)
      if (const ssize_t got = ::recv(client, buffer, sizeof buffer, 0); got > 0)
        text.assign(buffer, static_cast<std::size_t>(got));
  }
  ::close(client);
  return text;
}

class ViewVerb : public ::testing::Test {
 protected:
  ViewVerb() : run_((scratch_.path() / "run").string()) {
    std::filesystem::create_directories(run_);
    std::ofstream(run_ + "/run.json") << R"({"status": "running", "scene": {"name": "bar"}})";
  }
  const ScratchFolder scratch_;
  const std::string run_;
};

TEST_F(ViewVerb, PrintsItsAddressServesAndEndsAtCtrlC) {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(scratch_.path() / "stdout.txt");  // of the one before
    Process process(scratch_, {"view", run_, "--no-open", "--json"});
    const std::string url = nlohmann::json::parse(first_line(scratch_))["url"];
    ASSERT_TRUE(url.starts_with("http://127.0.0.1:")) << url;
    const std::size_t slash = url.find('/', 17);
    const int port = std::stoi(url.substr(17, slash - 17));
    EXPECT_TRUE(answer(port, url.substr(slash)).starts_with("HTTP/1.1 200"));
    EXPECT_TRUE(answer(port, "/").starts_with("HTTP/1.1 404"));
    kill(process.id(), signal);
    EXPECT_EQ(process.wait().code, 0);
  }
}

TEST_F(ViewVerb, ShowsSeveralRunsAndSaysHowToGoOn) {
  std::filesystem::copy(run_, scratch_.path() / "other");
  Process process(scratch_, {"view", run_, scratch_.path() / "other", "--no-open"});
  const std::string url = first_line(scratch_);
  const std::size_t slash = url.find('/', 17);
  ASSERT_NE(slash, std::string::npos) << url;
  EXPECT_TRUE(answer(std::stoi(url.substr(17)), url.substr(slash) + "runs/1/status.json")
                  .starts_with("HTTP/1.1 200"));
  kill(process.id(), SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.code, 0);
  EXPECT_NE(done.err.find("Ctrl-C"), std::string::npos);
}

TEST_F(ViewVerb, RefusesWhatItCannotShow) {
  EXPECT_EQ(run_command(scratch_, {"view"}).code, 2);
  EXPECT_EQ(run_command(scratch_, {"view", run_, "--port", "0"}).code, 2);
  EXPECT_EQ(run_command(scratch_, {"view", run_, "--port", "65536"}).code, 2);
  EXPECT_EQ(run_command(scratch_, {"view", scratch_.path() / "absent"}).code, 74);
  EXPECT_EQ(run_command(scratch_, {"view", scratch_.path()}).code, 74);
  std::ofstream(run_ + "/run.json") << "{";
  EXPECT_EQ(run_command(scratch_, {"view", run_}).code, 65);
}

}  // namespace
}  // namespace phiflex::testing
