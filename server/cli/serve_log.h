// SPDX-License-Identifier: MIT
// What `serve` reports: log lines for people, JSON lines for programs.
#pragma once

#include <memory>
#include <string>

#include "gdl/text/error.h"
#include "server/gamemaster/bridge.h"
#include "server/http/request.h"
#include "server/player/service.h"

namespace spdlog {
class logger;
}

namespace ludens::server {

/// Writing happens in a separate thread, and what can't be written in time is dropped and counted:
/// a slow disk, or a slow or missing reader of logs, must delay neither a move nor the end.
class ServeLog {
 public:
  struct Options {
    std::string file;  // empty: standard error
    bool verbose = false;
    bool json = false;  // events on standard output, as JSON
  };

  /// A sentence if the file can't be opened.
  static gdl::Result<std::unique_ptr<ServeLog>> open(const Options& options);
  ~ServeLog();
  ServeLog(const ServeLog&) = delete;
  ServeLog& operator=(const ServeLog&) = delete;

  void listening(const std::string& bind, std::uint16_t port);
  /// Logs the key that people give to the page.
  void bridging(const BridgeAccess& access, std::uint16_t port);
  void served(const Served& served);
  void refused(const Refusal& refusal);
  /// Logs that a handler of the I/O thread has thrown, and that its work is lost.
  void lost(const char* why);
  void ending();
  /// Reopens the file after it was moved away, some time later. Any thread may call it.
  void reopen();
  [[nodiscard]] const std::shared_ptr<spdlog::logger>& logger() const;

 private:
  class Implementation;
  explicit ServeLog(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
