// SPDX-License-Identifier: MIT
// The program itself, running beside a test.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/project_folder.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {

/// `ludens ARGUMENTS`, started by the shell in the project's folder; what it writes is kept. Ended
/// with the object.
class BackgroundProgram {
 public:
  explicit BackgroundProgram(const std::string& arguments) {
    const std::string command = std::string("cd '") + project_folder() + "' && exec '" +
                                ludens_program() + "' " + arguments + " >'" + file() + "' 2>&1";
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ~BackgroundProgram() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  BackgroundProgram(const BackgroundProgram&) = delete;
  BackgroundProgram& operator=(const BackgroundProgram&) = delete;

  [[nodiscard]] std::string output() const {
    std::ifstream stream(file());
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// The first piece of the output that matches.
  std::string wait_for(const std::string& pattern) {
    const std::regex regex(pattern);
    for (int tries = 0; tries < 3000; ++tries) {
      const std::string text = output();
      std::smatch match;
      if (std::regex_search(text, match, regex)) return match.str();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    throw std::runtime_error("the program did not write " + pattern + " but\n" + output());
  }

  /// Sends what Ctrl-C does.
  void interrupt() const { ::kill(pid_, SIGINT); }

  /// The exit code, or -1 if it does not end within half a minute.
  int wait_for_exit() {
    for (int tries = 0; tries < 3000; ++tries) {
      int status = 0;
      if (::waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return -1;
  }

 private:
  [[nodiscard]] std::string file() const { return (folder_.path() / "output").string(); }

  ScratchFolder folder_;
  pid_t pid_ = 0;
};

}  // namespace ludens::server
