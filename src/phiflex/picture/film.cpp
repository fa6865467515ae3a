#include "phiflex/picture/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"

extern char** environ;

namespace phiflex {
namespace {

struct FilmFormat {
  const char* ending;
  std::vector<std::string> encoder;
};

const std::vector<FilmFormat>& formats() {
  static const std::vector<FilmFormat> all = {
      {".mp4",
       {"-c:v", "libx264", "-preset", "medium", "-crf", "17", "-pix_fmt", "yuv420p", "-movflags",
        "+faststart", "-f", "mp4"}},
      {".webm", {"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "24", "-pix_fmt", "yuv420p", "-f", "webm"}}};
  return all;
}

}  // namespace

std::string film_extensions() {
  std::string list;
  for (const FilmFormat& format : formats()) list += (list.empty() ? "" : ", ") + std::string(format.ending);
  return list;
}

Film::Film(std::filesystem::path file, int width, int height, double frames_per_second,
           const std::string& program)
    : file_(std::move(file)), draft_(file_), log_(file_), program_(program), width_(width), height_(height) {
  if (width % 2 != 0 || height % 2 != 0) throw std::invalid_argument("Film: width and height must be even");
  const FilmFormat* chosen = nullptr;
  for (const FilmFormat& format : formats())
    if (file_.extension() == format.ending) chosen = &format;
  if (chosen == nullptr)
    throw FileError(file_.string(), "a film's name must end in one of " + film_extensions());
  draft_ += fmt::format(".part{}", ::getpid());
  log_ += fmt::format(".log{}", ::getpid());
  write_file_atomically(draft_, "");  // says early when the place cannot be written

  std::vector<std::string> command = {
      program, "-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
      "-video_size", fmt::format("{}x{}", width, height), "-framerate", fmt::format("{}", frames_per_second),
      "-i", "pipe:0", "-an",
      // The matrix that players assume, and a file that says so.
      "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709",
      "-color_trc", "bt709", "-color_range", "tv"};
  command.insert(command.end(), chosen->encoder.begin(), chosen->encoder.end());
  command.push_back("file:" + draft_.string());
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  // A socket instead of a pipe: a send to a program that has ended is an error then, not a signal.
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw FileError(program, std::string("cannot be written to: ") + std::strerror(errno));
  pipe_ = ends[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  const int error = ::posix_spawnp(&child_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error == 0) return;
  child_ = -1;
  ::close(pipe_);
  std::error_code ignored;
  std::filesystem::remove(draft_, ignored);
  std::filesystem::remove(log_, ignored);
  throw FileError(program, fmt::format("cannot be run: {}. Films need Debian's package ffmpeg (apt install "
                                       "ffmpeg); a strip of pictures does not:  -o strip.png",
                                       std::strerror(error)));
}

Film::~Film() {
  if (pipe_ >= 0) ::close(pipe_);
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  std::error_code ignored;
  std::filesystem::remove(draft_, ignored);
  std::filesystem::remove(log_, ignored);
}

void Film::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::send(pipe_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      wait();
      fail();
    }
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

void Film::add(const Image& image) {
  if (image.width() != width_ || image.height() != height_)
    throw std::invalid_argument("Film::add: a picture of another size");
  send(to_srgb_bytes(image, Channels::rgb));
}

int Film::wait() {
  ::close(pipe_);
  pipe_ = -1;
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void Film::fail() {
  std::string words;
  try {
    words = read_file(log_);
  } catch (const FileError&) {
  }
  while (!words.empty() && words.back() == '\n') words.pop_back();
  throw FileError(file_.string(), fmt::format("{} could not make the film; it says:\n{}", program_, words));
}

void Film::finish() {
  if (wait() != 0) fail();
  std::error_code error;
  std::filesystem::rename(draft_, file_, error);
  if (error) throw FileError(file_.string(), "cannot write: " + error.message());
}

}  // namespace phiflex
