// SPDX-License-Identifier: MIT
// What a player must know after a crash, as the text of a file per match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/message/message.h"
#include "agent/runtime/adoption.h"
#include "gdl/text/error.h"
#include "gdl/text/line_chain.h"

namespace ludens::agent {

/// One PLAY of a match.
struct JournalledTurn {
  /// The text of the joint move, or of the percepts if information is hidden; empty for 'no moves'.
  std::string moves;
  std::optional<std::string> reply;  // absent: not answered when the file ends
  std::string id = {};               // of its message, if the host gives one; otherwise empty
  // If the host sends them (`OwnTurn`): the number of joint moves made so far, and the text of our
  // own last move.
  std::optional<std::size_t> number = std::nullopt;
  std::string own = {};
  Gap gap = Gap::None;  // whether turns may have been missed before it
};

/// The contents of a journal.
struct JournalledMatch {
  std::string match_id;
  std::string role;
  int start_clock_seconds = 0;
  int play_clock_seconds = 0;
  std::string description;  // `( rule rule ... )`
  bool one_mover = false;   // `moves` of a turn are the only move that the host sent
  Sender from;              // of START
  std::vector<JournalledTurn> turns;
  unsigned copies = 1;        // of each PLAY that the host sends
  double silent_seconds = 0;  // since the last entry
  /// When the last entry was made, by the monotonic clock: the id of the machine's start, and the
  /// seconds since then. Empty and 0 if that is not known.
  std::string boot;
  std::int64_t up_seconds = 0;
  bool torn = false;  // an incomplete last line was left out
};

// Lines are JSON objects, here without checksum and line end.

std::string play_line(std::size_t turn, const JournalledTurn& told, std::int64_t up_seconds);
std::string reply_line(std::size_t turn, std::string_view reply, std::int64_t up_seconds);
std::string copies_line(unsigned count, std::int64_t up_seconds);

/// The text of a journal with all of this except the silence. `chain`: of its file, before the
/// first line; then it is ready for the next line.
std::string journal_text(const JournalledMatch& match, gdl::LineChain& chain);
inline std::string journal_text(const JournalledMatch& match) {
  gdl::LineChain chain;
  return journal_text(match, chain);
}

/// Reads the text of a journal. A byte-order mark and an incomplete last line are left out. A
/// sentence if it has no START, or a line that does not belong there by its checksum or by what it
/// says.
gdl::Result<JournalledMatch> parse_journal(std::string_view text);

}  // namespace ludens::agent
