// SPDX-License-Identifier: MIT
// Appends to the log of a tournament.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gdl/text/error.h"
#include "server/tournament/log.h"

namespace ludens::server {

/// Holds the log open, and locked against other runs. Every line is written immediately, so that
/// nothing is lost when this program ends; it is synced to disk about once a second, and at the
/// end.
class LogWriter {
 public:
  struct Opened;
  /// Begins a log, or continues an existing one if it belongs to the same tournament and part; an
  /// incomplete last line is cut off. A log that can't be continued stays unchanged. Without
  /// `resume`, an existing log is a problem, unless nothing was played yet.
  static gdl::Result<Opened, LogProblem> open(const std::filesystem::path& folder,
                                              const TournamentPlan& plan, const Shard& shard,
                                              bool resume, LogTrust trust = LogTrust::Checked);
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// A line without its checksum. Returns what went wrong; the log is then unchanged.
  std::optional<std::string> append(const std::string& line);
  std::optional<std::string> sync();

 private:
  explicit LogWriter(std::filesystem::path file) : file_(std::move(file)) {}
  std::optional<LogProblem> lock();
  std::optional<LogProblem> begin(const std::string& header);
  std::optional<LogProblem> start_or_continue(const TournamentPlan& plan, const Shard& shard,
                                              bool resume, LogTrust trust, TournamentLog& log,
                                              bool& repaired);
  [[nodiscard]] LogProblem problem(std::string what) const {
    return {file_.string(), 0, std::move(what)};
  }

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
  gdl::LineChain chain_;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

struct LogWriter::Opened {
  std::unique_ptr<LogWriter> writer;
  std::vector<MatchResult> results;  // of earlier runs
  bool repaired = false;             // whether an incomplete last line was cut off
};

}  // namespace ludens::server
