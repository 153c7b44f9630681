// SPDX-License-Identifier: MIT
// The log of a tournament, `DIR/tournament.jsonl`: a line that says what is played, then a line for
// each finished match, in the order in which they ended.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdl/text/error.h"
#include "gdl/text/line_chain.h"
#include "server/tournament/plan.h"
#include "server/tournament/result.h"

namespace ludens::server {

inline constexpr std::string_view kLogFile = "tournament.jsonl";
inline constexpr std::string_view kRecordFolder = "records";  // beside the log
/// 1: without checksums.
inline constexpr int kLogVersion = 2;

/// Reads I/N; nullopt unless 1 <= I <= N.
std::optional<Shard> parse_shard(std::string_view text);

struct TournamentLog {
  TournamentPlan plan;
  Shard shard;                       // of a joined log: 1/1
  std::vector<MatchResult> results;  // in the order of the file; no match twice
  /// Bytes of the file with complete lines. What comes after them is an incomplete last line: a
  /// program ended while it was writing.
  std::size_t whole_bytes = 0;
  bool torn = false;
  gdl::LineChain chain;  // behind the complete lines, to go on with them
};

/// `file:line: what`; line 0 means the whole file.
struct LogProblem {
  std::string file;
  std::size_t line = 0;
  std::string what;
  [[nodiscard]] std::string text() const;
};

/// What `Result::value` calls where there is none.
[[noreturn]] void throw_exception_from_error(const LogProblem& problem,
                                             const boost::source_location& where);

enum class LogTrust : std::uint8_t {
  Checked,  // each line must have its checksum, and be what the plan's schedule has at its place
  Blind,    // lines that were changed, and logs of version 1, are read as they are
};

inline LogTrust trust_in_logs(bool blind) {
  return blind ? LogTrust::Blind : LogTrust::Checked;
}

/// Reads `folder/tournament.jsonl`, and changes nothing. A last line without its line end is
/// incomplete, and ignored; anything else that can't be read is a problem, and so are another
/// version and a match that occurs twice.
gdl::Result<TournamentLog, LogProblem> read_log(const std::filesystem::path& folder,
                                                LogTrust trust = LogTrust::Checked);
/// The same for a text; `file` is its name in problems.
gdl::Result<TournamentLog, LogProblem> parse_log(std::string file, std::string_view text,
                                                 LogTrust trust = LogTrust::Checked);

/// Joins parts of the same tournament (shards, or copies of one log) to one log, part by part.
class LogJoiner {
 public:
  /// Adds the log of a folder, or says why it belongs to another tournament or another run: a match
  /// that several parts have must be the same in all. A log that is refused changes nothing.
  std::optional<LogProblem> add(const std::filesystem::path& folder, const TournamentLog& log);
  /// All matches in schedule order, their records by paths that begin with the folder of the part.
  [[nodiscard]] TournamentLog joined() const;

 private:
  using Place = std::pair<std::size_t, std::size_t>;  // block and rotation

  std::optional<TournamentPlan> plan_;
  std::map<Place, MatchResult> results_;
};

/// The logs of all these folders as one.
gdl::Result<TournamentLog, LogProblem> join_logs(const std::vector<std::filesystem::path>& folders,
                                                 LogTrust trust = LogTrust::Checked);

/// The whole file.
std::string log_text(const TournamentLog& log);

/// The first line of a log, without checksum and line end.
std::string log_header(const TournamentPlan& plan, const Shard& shard);

}  // namespace ludens::server
