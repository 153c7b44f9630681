// SPDX-License-Identifier: MIT
// A manager's page and a player's, as Gamemaster has them: two tabs of one origin.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace ludens::server {

/// What became of a message.
struct PageReply {
  std::optional<std::string> answer;  // what the page said to it; nullopt: nothing in time
  std::size_t unasked = 0;            // messages since the last one that answered nothing
  std::string fault;  // what the page did wrong meanwhile: it threw, or hung; empty: nothing
  bool threw = false;
};

/// Serves both pages on loopback and drives them. Not thread-safe; calls block. Throws
/// std::runtime_error where there is no browser, or it fails.
class PageStage {
 public:
  explicit PageStage(const std::filesystem::path& file);
  ~PageStage();
  PageStage(const PageStage&) = delete;
  PageStage& operator=(const PageStage&) = delete;

  /// The identifier of the player.
  [[nodiscard]] const std::string& player() const;
  /// Sends a message and waits for its answer until then.
  PageReply ask(const std::string& content, std::chrono::steady_clock::time_point until);
  /// Sends a message that wants no answer.
  void tell(const std::string& content);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
