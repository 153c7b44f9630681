// SPDX-License-Identifier: MIT
#include "server/tournament/log_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gdl/text/file.h"
#include "server/game/rulesheet.h"
#include "server/tournament/schedule.h"

namespace ludens::server {

namespace {

constexpr std::chrono::seconds kSyncInterval{1};

std::string last_error() {
  return std::strerror(errno);
}

/// Joins sentences into one line.
std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
  return text;
}

/// Returns why the matches of a log are not those of the plan; empty if they are.
std::string misfit(const TournamentLog& log, const TournamentPlan& plan, const Shard& shard) {
  if (const auto changes = differences(log.plan, plan); !changes.empty()) {
    return "the tournament has changed since: " + joined(changes) +
           ". Change it back to resume, or play the changed one into another folder (--out)";
  }
  if (log.shard.index != shard.index || log.shard.count != shard.count) {
    return "it is the log of shard " + log.shard.text() + ", not " + shard.text();
  }
  const std::size_t blocks = Schedule(plan).blocks();
  for (const MatchResult& result : log.results) {
    if (result.block.number < blocks) continue;
    return "it has matches of round " + std::to_string(result.block.round + 1) +
           ", and the tournament has only " + std::to_string(plan.rounds) + " rounds now";
  }
  return {};
}

}  // namespace

LogWriter::~LogWriter() {
  if (descriptor_ < 0) return;
  sync();
  ::close(descriptor_);
}

gdl::Result<LogWriter::Opened, LogProblem> LogWriter::open(const std::filesystem::path& folder,
                                                           const TournamentPlan& plan,
                                                           const Shard& shard, bool resume,
                                                           LogTrust trust) {
  Opened opened;
  opened.writer.reset(new LogWriter(folder / kLogFile));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return LogProblem{folder.string(), 0, error.message()};
  if (auto problem = opened.writer->lock()) return *problem;
  TournamentLog log;
  if (auto problem =
          opened.writer->start_or_continue(plan, shard, resume, trust, log, opened.repaired)) {
    return *problem;
  }
  opened.results = std::move(log.results);
  return opened;
}

std::optional<LogProblem> LogWriter::lock() {
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) return problem(last_error());
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return std::nullopt;
  return problem(errno == EWOULDBLOCK ? "another run is writing it" : last_error());
}

std::optional<LogProblem> LogWriter::begin(const std::string& header) {
  if (::ftruncate(descriptor_, 0) != 0) return problem(last_error());
  if (auto why = append(header)) return problem(*why);
  return std::nullopt;
}

std::optional<LogProblem> LogWriter::start_or_continue(const TournamentPlan& plan,
                                                       const Shard& shard, bool resume,
                                                       LogTrust trust, TournamentLog& log,
                                                       bool& repaired) {
  const std::string header = log_header(plan, shard);
  const auto text = gdl::read_file(file_);
  if (!text) return problem(text.error().message());
  const auto& content = *text;
  // Only the beginning of the first line: the run ended before it had played anything.
  if (gdl::LineChain().seal(header).starts_with(content)) {
    repaired = !content.empty() && content.back() != '\n';
    return begin(header);
  }
  auto read = parse_log(file_.string(), content, trust);
  if (!read) return read.error();
  log = *std::move(read);
  if (log.results.empty() && !log.torn) return begin(header);  // nothing was played either
  if (!resume) {
    return problem(
        "there is a tournament already; --resume goes on with it, --out takes another "
        "folder");
  }
  if (std::string why = misfit(log, plan, shard); !why.empty()) return problem(why);
  repaired = log.torn;
  size_ = log.whole_bytes;
  chain_ = log.chain;
  if (log.torn && ::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) {
    return problem(last_error());
  }
  // Changes that are not part of the tournament's identity (more rounds, other patience) are
  // recorded.
  if (to_json(log.plan) != to_json(plan)) {
    if (auto why = append(header)) return problem(*why);
  }
  return std::nullopt;
}

std::optional<std::string> LogWriter::append(const std::string& line) {
  gdl::LineChain chain = chain_;
  const std::string bytes = chain.seal(line);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done,
                                     static_cast<off_t>(size_ + done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const std::string why = file_.string() + ": " + last_error();
      // If this fails as well, the part of a line counts as a torn line at worst.
      [[maybe_unused]] const int ignored = ::ftruncate(descriptor_, static_cast<off_t>(size_));
      return why;
    }
    done += static_cast<std::size_t>(written);
  }
  size_ += done;
  chain_ = chain;
  if (std::chrono::steady_clock::now() - synced_ < kSyncInterval) return std::nullopt;
  return sync();
}

std::optional<std::string> LogWriter::sync() {
  synced_ = std::chrono::steady_clock::now();
  if (::fdatasync(descriptor_) == 0) return std::nullopt;
  return file_.string() + ": " + last_error();
}

}  // namespace ludens::server
