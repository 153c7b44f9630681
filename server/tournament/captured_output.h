// SPDX-License-Identifier: MIT
// The output of a started player, stored in a file of bounded size.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

namespace ludens::server {

/// A pipe whose other end a thread appends to a file. A file that has grown to `most_bytes` is
/// renamed to `NAME.old` and started again, so that the latest output is there and the disk does
/// not fill up. What can't be written is counted, and the count is written when the file accepts
/// bytes again; the player never waits.
class CapturedOutput {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{8} << 20;

  explicit CapturedOutput(std::filesystem::path file, std::size_t most_bytes = kMostBytes);
  /// Stores what is in the pipe, and does not wait for more.
  ~CapturedOutput();
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  /// Why output can't be captured, if so.
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }
  /// The writing end, which a child inherits; closed by `begin`.
  [[nodiscard]] int input() const { return input_; }
  /// To be called when the child has its end.
  void begin();

 private:
  [[nodiscard]] std::string open();
  void copy();
  void take(const char* bytes, std::size_t size);
  void rotate();

  const std::filesystem::path file_, old_;
  const std::size_t most_bytes_;
  std::optional<std::string> problem_;
  int output_ = -1, input_ = -1, log_ = -1, ended_ = -1;
  std::size_t written_ = 0, lost_ = 0;
  std::jthread thread_;
};

}  // namespace ludens::server
