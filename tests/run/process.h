// Runs the command as a user would, in a process of its own.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/scratch_folder.h"

namespace phiflex::testing {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Looks until a condition holds. On a busy machine everything comes, later: only what never comes takes the two minutes
// after which the answer is false.
template <class Condition>
bool eventually(Condition holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (std::chrono::steady_clock::now() < end) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

struct Finished {
  int code = -1;  // exit code, or 128 + the signal that ended it
  std::string out, err;
};

// Starts build/phiflex with its output in files of the scratch folder; ends it where nobody has waited for its end.
class Process {
 public:
  // `prepare` changes the surroundings of the program, in its process and just before it begins.
  Process(const ScratchFolder& scratch, std::vector<std::string> arguments,
          const std::function<void()>& prepare = {})
      : out_(scratch.path() / "stdout.txt"), err_(scratch.path() / "stderr.txt") {
    arguments.insert(arguments.begin(), PHIFLEX_BINARY);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    child_ = fork();
    if (child_ == 0) {
      dup2(::open(out_.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDOUT_FILENO);
      dup2(::open(err_.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDERR_FILENO);
      if (prepare) prepare();
      execv(PHIFLEX_BINARY, argv.data());
      _exit(127);
    }
  }
  ~Process() {
    if (waited_) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t id() const { return child_; }
  // Also true of one that has ended and was not waited for.
  bool ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child_;
  }
  Finished wait() {
    int status = 0;
    waitpid(child_, &status, 0);
    waited_ = true;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text(out_),
            read_text(err_)};
  }

 private:
  std::filesystem::path out_, err_;
  pid_t child_;
  bool waited_ = false;
};

inline Finished run_command(const ScratchFolder& scratch, std::vector<std::string> arguments,
                            const std::function<void()>& prepare = {}) {
  return Process(scratch, std::move(arguments), prepare).wait();
}

}  // namespace phiflex::testing
