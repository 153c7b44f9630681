// SPDX-License-Identifier: MIT
// A match as lines of text, while it is played.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "server/board/board.h"
#include "server/board/trails.h"
#include "server/cli/terminal.h"
#include "server/match/match.h"

namespace ludens::server {

/// Writes who plays, each joint move with the time it took and the goal expected, the board after
/// it, faults and the result. Flushes after each event.
class MatchPrinter final : public MatchObserver {
 public:
  explicit MatchPrinter(std::ostream& out) : out_(out) {}

  void begun(const MatchRecord& record, const Position& position) override;
  void moved(const MatchRecord& record, const Position& position) override;
  void ended(const MatchRecord& record) override;
  void warned(const std::string& text) override;

 private:
  using Time = std::chrono::steady_clock::time_point;

  void begin(const MatchRecord& record, const Position& position);
  void move(const MatchRecord& record, const Position& position);
  void draw_state(const Position& position);
  /// Prints without disturbing the progress line, if there is one.
  void print(const std::function<void()>& print);
  [[nodiscard]] std::string waiting_text() const;

  std::ostream& out_;
  std::unique_ptr<const Board> board_;
  std::unique_ptr<Trails> trails_;
  double start_clock_ = 0, play_clock_ = 0;  // seconds
  std::atomic<std::size_t> steps_{0};        // made
  std::atomic<Time> since_{};                // the last of them, or the beginning
  std::optional<ProgressLine> progress_;
};

/// `red 100, blue 0`, or why there is no result.
std::string result_text(const MatchRecord& record);

}  // namespace ludens::server
