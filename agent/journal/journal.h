// SPDX-License-Identifier: MIT
// What a player must know after a crash: one append-only file per match.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/journal/file_thread.h"
#include "agent/journal/journal_text.h"

namespace ludens::agent {

/// The journal of one match: one line of JSON for START, for each PLAY when it arrives and for each
/// reply before it is sent, and for what is found out about the host's repeats. A thread of its own
/// writes them in this order, each by one system call, so that a killed process loses nothing that
/// is written; a power failure may lose something. Nobody waits for the disk: what it has not taken
/// yet is lost with the process. A failed write, or more waiting than there is memory for, ends the
/// journal and removes the file, because a file with a gap would be misleading. All calls are made
/// by one thread.
class Journal {
 public:
  /// Called at most once, in the thread of the files, with the reason why the journal has ended.
  using Failed = std::function<void(std::string)>;

  /// Nothing is written before `begin`.
  Journal(std::shared_ptr<FileThread> thread, std::string path, Failed failed);
  ~Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Rewrites the file with the START of the match and its turns up to now, which `match` tells in
  /// the thread of the files; must be called first. `bytes`: what `match` holds until then.
  void begin(std::function<JournalledMatch()> match, std::size_t bytes);
  /// Step numbers count PLAYs from 1. The reply of the turn is written later.
  void play(std::size_t turn, const JournalledTurn& told);
  void reply(std::size_t turn, std::string_view reply);
  /// How many copies of each PLAY the host sends.
  void copies(unsigned count);
  /// Calls `done`, in the thread of the files, when what was told so far is in the file, or the
  /// journal has ended; never, if there is no memory to remember it.
  void when_written(std::function<void()> done) noexcept;
  /// To be called when the match is over: removes the file.
  void remove();

 private:
  struct File;
  template <class Line>
  void append(const Line& line);
  void post(std::size_t bytes, std::function<void(File&)> work);

  const std::shared_ptr<FileThread> thread_;
  const std::shared_ptr<File> file_;
};

/// The folder of all journals, of one player at a time.
class JournalFolder {
 public:
  /// An empty path: no journals. `most_bytes`: of what waits for the disk.
  JournalFolder(std::string path, std::size_t most_bytes)
      : path_(std::move(path)), most_bytes_(most_bytes) {}
  JournalFolder(const JournalFolder&) = delete;
  JournalFolder& operator=(const JournalFolder&) = delete;

  /// Creates the folder if it is missing and locks it, until what was to be written is. Returns a
  /// sentence if that fails; then there are no journals.
  std::optional<std::string> claim();

  /// Null if there is no folder.
  [[nodiscard]] std::unique_ptr<Journal> open(std::string_view match_id,
                                              Journal::Failed failed) const;
  /// All matches that can be resumed, the most recently active first, after what was to be written
  /// is. Removes files older than `keep_seconds`. Does not touch files that it can't read, and
  /// names them and what is wrong in `problems`.
  [[nodiscard]] std::vector<JournalledMatch> read(double keep_seconds,
                                                  std::vector<std::string>& problems) const;
  /// There are no journals any more. Waits for what was to be written until `until` at the latest;
  /// returns how much of it is not: how many lines and files.
  std::size_t leave(std::chrono::steady_clock::time_point until);

 private:
  [[nodiscard]] std::string file_of(std::string_view match_id) const;

  std::string path_;
  const std::size_t most_bytes_;
  std::shared_ptr<FileThread> thread_;
};

/// A name for the file of a match, from an id that may contain anything: its harmless characters,
/// cut short, and a hash of the whole.
std::string journal_name(std::string_view match_id);

}  // namespace ludens::agent
