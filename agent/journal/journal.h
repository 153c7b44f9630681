// SPDX-License-Identifier: MIT
// What a player must know after a crash: one append-only file per match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/runtime/adoption.h"

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
  std::vector<JournalledTurn> turns;
  unsigned copies = 1;        // of each PLAY that the host sends
  double silent_seconds = 0;  // since the last entry
  /// When the last entry was made, by the monotonic clock: the id of the machine's start, and the
  /// seconds since then. Empty and 0 if that is not known.
  std::string boot;
  std::int64_t up_seconds = 0;
};

/// The journal of one match: one line of JSON for START, for each PLAY when it arrives and for each
/// reply before it is sent, and for what is found out about the host's repeats. Each line is
/// written by one system call, so that a killed process loses nothing that it has written; a power
/// failure may lose something. A failed write ends the journal and removes the file, because a file
/// with a gap would be misleading. Thread-safe.
class Journal {
 public:
  /// Called once, from any thread, with the reason why the journal has ended.
  using Failed = std::function<void(std::string)>;

  /// Nothing is written before `begin`; earlier turns are kept for it.
  Journal(std::string path, Failed failed);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Rewrites the file with the START of the match and its turns up to now.
  void begin(JournalledMatch match);
  /// Step numbers count PLAYs from 1. The reply of the turn is written later.
  void play(std::size_t turn, const JournalledTurn& told);
  void reply(std::size_t turn, std::string_view reply);
  /// How many copies of each PLAY the host sends.
  void copies(unsigned count);
  /// To be called when the match is over: removes the file.
  void remove();

 private:
  void append(std::string_view line);
  void write(std::string_view text);
  void fail(std::string_view what);

  std::mutex mutex_;
  const std::string path_;
  Failed failed_;
  std::string early_;  // lines before `begin`
  int file_ = -1;
  enum class State { Waiting, Open, Ended } state_ = State::Waiting;
};

/// The folder of all journals, of one player at a time.
class JournalFolder {
 public:
  /// An empty path: no journals.
  explicit JournalFolder(std::string path) : path_(std::move(path)) {}
  ~JournalFolder();
  JournalFolder(const JournalFolder&) = delete;
  JournalFolder& operator=(const JournalFolder&) = delete;

  /// Creates the folder if it is missing and locks it. Returns a sentence if that fails; then there
  /// are no journals.
  std::optional<std::string> claim();

  /// Null if there is no folder.
  [[nodiscard]] std::unique_ptr<Journal> open(std::string_view match_id,
                                              Journal::Failed failed) const;
  /// All matches that can be resumed, the most recently active first. Removes files older than
  /// `keep_seconds`. Does not touch files that it can't read, and names them in `problems`.
  [[nodiscard]] std::vector<JournalledMatch> read(double keep_seconds,
                                                  std::vector<std::string>& problems) const;

 private:
  [[nodiscard]] std::string file_of(std::string_view match_id) const;

  std::string path_;
  int lock_ = -1;
};

/// A name for the file of a match, from an id that may contain anything: its harmless characters,
/// cut short, and a hash of the whole.
std::string journal_name(std::string_view match_id);

/// The text of a journal with all of this except the silence.
std::string journal_text(const JournalledMatch& match);

/// Reads the text of a journal; an incomplete last line is ignored. nullopt if it has no START, or
/// is damaged elsewhere.
std::optional<JournalledMatch> parse_journal(std::string_view text);

}  // namespace ludens::agent
