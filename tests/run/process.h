// Runs the command as a user would, in a process of its own.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/scratch_folder.h"

namespace phiflex::testing {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Finished {
  int code = -1;  // exit code, or 128 + the signal that ended it
  std::string out, err;
};

// Starts build/phiflex with its output in files of the scratch folder.
class Process {
 public:
  Process(const ScratchFolder& scratch, std::vector<std::string> arguments)
      : out_(scratch.path() / "stdout.txt"), err_(scratch.path() / "stderr.txt") {
    arguments.insert(arguments.begin(), PHIFLEX_BINARY);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    child_ = fork();
    if (child_ == 0) {
      dup2(::open(out_.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDOUT_FILENO);
      dup2(::open(err_.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDERR_FILENO);
      execv(PHIFLEX_BINARY, argv.data());
      _exit(127);
    }
  }
  pid_t id() const { return child_; }
  Finished wait() {
    int status = 0;
    waitpid(child_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text(out_),
            read_text(err_)};
  }

 private:
  std::filesystem::path out_, err_;
  pid_t child_;
};

inline Finished run_command(const ScratchFolder& scratch, std::vector<std::string> arguments) {
  return Process(scratch, std::move(arguments)).wait();
}

}  // namespace phiflex::testing
