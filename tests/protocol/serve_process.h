// SPDX-License-Identifier: MIT
// `ludens serve` as a process of its own, on a free loopback port.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ludens::server {

/// A program with its standard output and error in pipes. The destructor kills it.
class Process {
 public:
  explicit Process(const std::vector<std::string>& arguments);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// The next line of standard output; nullopt at its end, or if none comes in time.
  std::optional<std::string> read_line(std::chrono::seconds limit = std::chrono::seconds(60));
  /// Lets it write a page at most ahead of what is read, so that it cannot leave a slow reader
  /// behind.
  void hold_output() const;
  void signal(int number) const;
  [[nodiscard]] bool running() const;
  /// Whether it has a handler for the signal.
  [[nodiscard]] bool catches(int number) const;
  /// The time for which processors have worked for it; after `wait`, in its whole life.
  [[nodiscard]] std::chrono::duration<double> work() const;
  /// Waits for the end; the exit code, or minus the number of the signal that ended it.
  int wait();
  /// All of standard error; after `wait`.
  [[nodiscard]] const std::string& errors() const { return errors_; }

 private:
  pid_t pid_ = -1;
  int out_ = -1, err_ = -1;
  std::string pending_, errors_;
  std::chrono::duration<double> worked_{0};  // after its end
};

/// Waits until it listens; throws if it doesn't. `before`: a program that runs it, with arguments.
class ServeProcess {
 public:
  explicit ServeProcess(std::vector<std::string> options = {},
                        std::vector<std::string> before = {});
  [[nodiscard]] std::uint16_t port() const { return port_; }
  Process& process() { return process_; }

 private:
  Process process_;
  std::uint16_t port_ = 0;
};

}  // namespace ludens::server
