// SPDX-License-Identifier: MIT
// Log lines made safe for whoever reads them on a terminal.
#pragma once

#include <spdlog/sinks/sink.h>

#include <memory>
#include <string>
#include <utility>

#include "gdl/text/printable.h"

namespace ludens::server {

/// Hands lines on to another sink, with what peers and rulesheets put into them made printable. As
/// safe to be used by several threads as the other one is.
class SafeSink final : public spdlog::sinks::sink {
 public:
  explicit SafeSink(spdlog::sink_ptr inner) : inner_(std::move(inner)) {}

  void log(const spdlog::details::log_msg& message) override {
    const std::string text = gdl::printable({message.payload.data(), message.payload.size()});
    spdlog::details::log_msg safe = message;
    safe.payload = text;
    inner_->log(safe);
  }
  void flush() override { inner_->flush(); }
  void set_pattern(const std::string& pattern) override { inner_->set_pattern(pattern); }
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override {
    inner_->set_formatter(std::move(formatter));
  }

 private:
  spdlog::sink_ptr inner_;
};

}  // namespace ludens::server
