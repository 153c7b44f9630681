// SPDX-License-Identifier: MIT
// A log file that tells when it can't be written, and that can be opened anew.
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "gdl/text/error.h"

namespace ludens::server {

/// Appends each line by one write. When the disk is full, or the file can't be written for another
/// reason, that is told once on standard error; the lines are lost, and their number stands in the
/// file when it takes lines again.
class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  /// Makes folders that are missing; or a sentence `FILE: why`.
  static gdl::Result<std::shared_ptr<FileSink>> open(const std::string& file);
  ~FileSink() override;

  /// Under its name, for who has moved the file away. Where that fails the old one is written on;
  /// then the sentence.
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
