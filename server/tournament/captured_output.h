// SPDX-License-Identifier: MIT
// What a started player prints, kept in a file that does not grow without end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

namespace ludens::server {

/// A pipe whose other end a thread writes into a file, behind what stands there. A file that has
/// grown to `most_bytes` is renamed to `NAME.old` and begun anew, so that the last that was printed
/// is there and the disk is not filled. What can't be written is counted, and told in the file when
/// it takes bytes again; the player never waits.
class CapturedOutput {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{8} << 20;

  explicit CapturedOutput(std::filesystem::path file, std::size_t most_bytes = kMostBytes);
  /// Takes what is in the pipe, and waits for nothing more.
  ~CapturedOutput();
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  /// Why nothing can be captured, if so.
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }
  /// The end that is written to, for a child to inherit; closed by `begin`.
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
