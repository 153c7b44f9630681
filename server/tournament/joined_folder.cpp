// SPDX-License-Identifier: MIT
#include "server/tournament/joined_folder.h"

#include "server/records/atomic_file.h"
#include "server/tournament/result.h"

namespace ludens::server {

namespace fs = std::filesystem;

namespace {

/// Records are replaced and never written to, so a link keeps its content. An existing file is left
/// from an attempt that was interrupted.
std::error_code keep_file(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::remove(to, error);
  fs::create_hard_link(from, to, error);
  if (error) fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  return error;
}

/// Keeps a folder with its files; it contains no folders.
std::error_code keep_folder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to, error);
  for (fs::directory_iterator it(from, error), end; !error && it != end; it.increment(error)) {
    if (const auto failed = keep_file(it->path(), to / it->path().filename())) return failed;
  }
  return error;
}

/// Keeps the JSON record and, if it exists, the folder of states beside it. Returns what went
/// wrong.
std::optional<std::string> keep_record(const fs::path& from, const fs::path& records) {
  std::error_code error = keep_file(from, records / from.filename());
  fs::path states = from;
  states.replace_extension(".xml");
  std::error_code ignored;
  if (!error && fs::is_directory(states, ignored)) {
    error = keep_folder(states, records / states.filename());
  }
  if (error) return (records / from.filename()).string() + ": " + error.message();
  return std::nullopt;
}

}  // namespace

std::optional<std::string> write_joined(const TournamentLog& log, const fs::path& folder,
                                        std::size_t& lost) {
  lost = 0;
  std::error_code error;
  const fs::path file = folder / kLogFile;
  if (fs::exists(file, error)) return file.string() + ": there is a tournament already";
  const fs::path records = folder / kRecordFolder;
  fs::create_directories(records, error);
  if (error) return records.string() + ": " + error.message();
  TournamentLog whole = log;
  whole.shard = {};
  for (MatchResult& result : whole.results) {
    const fs::path from = result.record;
    if (!from.empty() && !fs::exists(from, error)) {
      ++lost;
      result.record.clear();
    }
    if (!result.record.empty()) {
      if (const auto problem = keep_record(from, records)) return problem;
      result.record = (fs::path(kRecordFolder) / from.filename()).string();
    }
  }
  error = write_atomically(file, log_text(whole), Durability::Synced);
  if (error) return file.string() + ": " + error.message();
  return std::nullopt;
}

}  // namespace ludens::server
