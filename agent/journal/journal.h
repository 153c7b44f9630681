// SPDX-License-Identifier: MIT
// What a player must know after a crash: one append-only file a match.
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

namespace ludens::agent {

/// One PLAY of a match.
struct JournalledTurn {
  /// The text of the joint move, of what was perceived where information is hidden; empty for 'no
  /// moves'.
  std::string moves;
  std::optional<std::string> reply;  // absent: not answered when the file ends
  std::string id = {};               // of its message, where the host gives one; else empty
  // Where the host tells them (`OwnTurn`): joint moves made so far, and the text of our own last.
  std::optional<std::size_t> number = std::nullopt;
  std::string own = {};
};

/// All that a journal tells.
struct JournalledMatch {
  std::string match_id;
  std::string role;
  int start_clock_seconds = 0;
  int play_clock_seconds = 0;
  std::string description;  // `( rule rule ... )`
  bool one_mover = false;   // `moves` of a turn are the one move that was told
  std::vector<JournalledTurn> turns;
  double silent_seconds = 0;  // since the last entry
  /// When the last entry was made, by the clock that nobody sets: seconds since the machine, which
  /// the id tells, was started. Empty and 0 where that is not known.
  std::string boot;
  std::int64_t up_seconds = 0;
};

/// The journal of one match: a line of JSON for START, for each PLAY as it comes and for each
/// reply before it leaves. A line is handed to the system with one write, so that a killed process
/// loses nothing that it has written; a power failure may. A write that fails ends the journal and
/// removes the file, for one with a gap would mislead. Thread-safe.
class Journal {
 public:
  /// Told once, from any thread, why the journal has ended.
  using Failed = std::function<void(std::string)>;

  /// Nothing is written before `begin`; turns that come earlier are kept for it.
  Journal(std::string path, Failed failed);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Starts the file anew with the START of the match and the turns it has had, as of now.
  void begin(JournalledMatch match);
  /// Step numbers count PLAYs from 1. The reply of the turn is written later.
  void play(std::size_t turn, const JournalledTurn& told);
  void reply(std::size_t turn, std::string_view reply);
  /// The match is over: the file goes.
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

  /// Makes the folder if it is missing and locks it. A sentence if that can't be done; there are no
  /// journals then.
  std::optional<std::string> claim();

  /// Null if there is no folder.
  [[nodiscard]] std::unique_ptr<Journal> open(std::string_view match_id,
                                              Journal::Failed failed) const;
  /// All matches that can be taken up again, the latest heard of first. Removes files older than
  /// `keep_seconds`; leaves files alone that it can't read, and names them in `problems`.
  [[nodiscard]] std::vector<JournalledMatch> read(double keep_seconds,
                                                  std::vector<std::string>& problems) const;

 private:
  [[nodiscard]] std::string file_of(std::string_view match_id) const;

  std::string path_;
  int lock_ = -1;
};

/// A name for the file of a match, from an id that may hold anything: what is harmless of it, cut
/// short, and a hash of the whole.
std::string journal_name(std::string_view match_id);

/// The text of a journal that tells all of this but the silence.
std::string journal_text(const JournalledMatch& match);

/// Reads the text of a journal; a torn last line is left out. nullopt if it has no START, or is
/// damaged elsewhere.
std::optional<JournalledMatch> parse_journal(std::string_view text);

}  // namespace ludens::agent
