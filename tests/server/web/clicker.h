// SPDX-License-Identifier: MIT
// A person at a page, as far as the program can tell.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "server/match/match.h"
#include "tests/server/web/raw_client.h"

namespace ludens::server {

inline std::string request(const std::string& id, std::size_t step, const std::string& move) {
  return "{\"id\":\"" + id + "\",\"role\":0,\"step\":" + std::to_string(step) + ",\"move\":\"" +
         move + "\"}";
}

/// Makes the first legal move of the first role wherever there is a choice, as a browser would.
class Clicker final : public MatchObserver {
 public:
  Clicker(std::string url, std::size_t resign_at)
      : url_(std::move(url)), resign_at_(resign_at), thread_([this](const std::stop_token& stop) {
          while (!stop.stop_requested()) click();
        }) {}

  void begun(const MatchRecord& record, const Position& position) override {
    note(record, position);
  }
  void moved(const MatchRecord& record, const Position& position) override {
    note(record, position);
  }

 private:
  void note(const MatchRecord& record, const Position& position) {
    const std::lock_guard lock(mutex_);
    wanted_.reset();
    if (position.terminal() || position.legal(0).size() < 2) return;
    const std::size_t step = record.moves.size();
    const std::string move = position.move_name(position.legal(0).front());
    wanted_ = {step >= resign_at_ ? "/resign" : "/move", request(record.match_id, step, move)};
  }
  void click() {
    std::optional<std::pair<std::string, std::string>> wanted;
    {
      const std::lock_guard lock(mutex_);
      wanted = wanted_;
    }
    if (wanted) post(url_, wanted->first, wanted->second);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }

  const std::string url_;
  const std::size_t resign_at_;
  std::mutex mutex_;
  std::optional<std::pair<std::string, std::string>> wanted_;
  std::jthread thread_;  // last: ends first
};

}  // namespace ludens::server
