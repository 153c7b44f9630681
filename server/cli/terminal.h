// SPDX-License-Identifier: MIT
// What a terminal shows beside results: colours, and a line that says what a long command is doing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace ludens::server {

/// Whether the file is a terminal that can rewrite a line: one that is not dumb.
bool is_terminal(int file);

/// The current width of the terminal behind the file; 80 if it is unknown.
std::size_t terminal_columns(int file);

/// Whether the environment allows colour: NO_COLOR is not set (no-color.org: or empty).
bool wants_colour();

enum class Style : std::uint8_t { Plain, Faint, Good, Doubtful, Bad };

/// The text for this file: within escape sequences (ECMA-48, SGR) if that is a terminal and colour
/// is allowed, otherwise as it is.
std::string painted(int file, std::string_view text, Style style);

/// 0:07, 12:41, 3:05:00.
std::string duration_text(double ms);

/// From a second after its construction until its destruction, a terminal shows the elapsed time
/// and the text from `text`, five times a second. Nothing is written to a file that is not a
/// terminal.
class ProgressLine {
 public:
  using Text = std::function<std::string()>;

  /// `text` is called from a separate thread until the destructor returns, and never while `print`
  /// runs; it may be empty. The default file is standard error.
  explicit ProgressLine(Text text);
  ProgressLine(int file, std::chrono::milliseconds delay, Text text);
  /// Removes the line.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Lets `print` write to the same terminal: the line is hidden while it runs. One call at a time.
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
