// SPDX-License-Identifier: MIT
// Shows what a long command is doing, on a line of the terminal that rewrites itself.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace ludens::server {

/// From a second after its construction until its destruction, a terminal shows the elapsed time
/// and the text from `text`, five times a second. Nothing is written to a file that is not a
/// terminal.
class ProgressLine {
 public:
  using Text = std::function<std::string()>;

  /// `text` is called from a separate thread and must be safe there until the destructor returns;
  /// it may be empty. The default file is standard error.
  explicit ProgressLine(Text text);
  ProgressLine(int file, std::chrono::milliseconds delay, Text text);
  /// Removes the line.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Lets `print` write to the same terminal: the line is hidden while it runs.
  void print(const std::function<void()>& print);

 private:
  void run(std::chrono::milliseconds delay);
  void draw();
  void clear();

  const int file_;
  const Text text_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool shown_ = false, ended_ = false;
  std::thread thread_;
};

}  // namespace ludens::server
