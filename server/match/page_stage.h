// SPDX-License-Identifier: MIT
// A manager's page and a player's page, like on Gamemaster: two tabs of one origin.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace ludens::server {

/// The result of a message.
struct PageReply {
  std::optional<std::string> answer;  // the page's answer; nullopt: none in time
  std::size_t unasked = 0;            // messages since the last one that were not answers
  std::string fault;    // what the page did wrong meanwhile: it threw, crashed or hung
  bool failed = false;  // it threw or crashed
};

/// Serves both pages on loopback and drives them. Not thread-safe; calls block. Throws
/// std::runtime_error if there is no browser, if it fails, or after a stop request.
class PageStage {
 public:
  PageStage(const std::filesystem::path& file, std::stop_token stop);
  ~PageStage();
  PageStage(const PageStage&) = delete;
  PageStage& operator=(const PageStage&) = delete;

  /// Whether a page or the browser is gone. Then only another stage helps.
  bool crashed();
  /// The identifier of the player.
  [[nodiscard]] const std::string& player() const;
  /// Sends a message and waits for its answer until then, or until a stop request, which may come
  /// from any thread.
  PageReply ask(const std::string& content, std::chrono::steady_clock::time_point until,
                const std::stop_token& stop);
  /// Sends a message that needs no answer. After a stop request it may not have been sent.
  void tell(const std::string& content, const std::stop_token& stop = {});

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
