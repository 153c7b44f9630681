// A match as lines of text, while it is played.
#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "server/board/board.h"
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
  void draw_state(const Position& position);

  std::ostream& out_;
  std::unique_ptr<const Board> board_;
};

/// `red 100, blue 0`, or why there is no result.
std::string result_text(const MatchRecord& record);

}  // namespace ludens::server
