// SPDX-License-Identifier: MIT
// A log file that reports when it can't be written, and that can be reopened.
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "gdl/text/error.h"

namespace ludens::server {

/// Appends each line by one write. When the disk is full, or the file can't be written for another
/// reason, that is reported once on standard error; the lines are lost, and their number is written
/// to the file when it accepts lines again.
class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  /// Creates missing folders. Fails with a sentence `FILE: why`.
  static gdl::Result<std::shared_ptr<FileSink>> open(const std::string& file);
  ~FileSink() override;

  /// Reopens the file under its name, after it was moved away. If that fails, keeps writing to the
  /// old one and returns the sentence.
  std::string reopen();

 private:
  FileSink(std::string file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override {}  // nothing is held back
  void lose(const char* why);

  const std::string file_;
  int descriptor_;
  std::size_t lost_ = 0;
};

}  // namespace ludens::server
