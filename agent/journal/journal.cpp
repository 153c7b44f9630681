// SPDX-License-Identifier: MIT
#include "agent/journal/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "gdl/memory/hash.h"
#include "gdl/text/file.h"
#include "gdl/text/utf8.h"

namespace ludens::agent {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view kSuffix = ".journal";
constexpr std::size_t kReadableLength = 60;
/// A match has no more roles at one address.
constexpr std::int64_t kMostCopies = 1000;

/// Seconds since the machine was started, sleep included.
std::int64_t up_now() {
  timespec now{};
  return ::clock_gettime(CLOCK_BOOTTIME, &now) == 0 ? now.tv_sec : 0;
}

/// Which start of which machine this is; empty if the system does not report it.
const std::string& boot_id() {
  static const std::string id = [] {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string line;
    std::getline(file, line);
    return line;
  }();
  return id;
}

std::string line_of(json::object object, std::int64_t up_seconds) {
  object["up"] = up_seconds;
  return json::serialize(object) + '\n';
}

std::string play_line(std::size_t turn, const JournalledTurn& told, std::int64_t up_seconds) {
  json::object line{{"turn", turn}, {"moves", told.moves}};
  if (!told.id.empty()) line["id"] = told.id;
  if (told.number) line["made"] = *told.number;
  if (!told.own.empty()) line["own"] = told.own;
  if (told.gap != Gap::None) line["gap"] = static_cast<int>(told.gap);
  return line_of(std::move(line), up_seconds);
}

std::string reply_line(std::size_t turn, std::string_view reply, std::int64_t up_seconds) {
  return line_of({{"turn", turn}, {"reply", reply}}, up_seconds);
}

std::string copies_line(unsigned count, std::int64_t up_seconds) {
  return line_of({{"copies", count}}, up_seconds);
}

bool harmless(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

bool read_text(const json::object& object, std::string_view key, std::string& out) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return false;
  out.assign(value->get_string().begin(), value->get_string().end());
  return true;
}

bool read_count(const json::object& object, std::string_view key, std::int64_t& out) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_int64() || value->get_int64() < 0) return false;
  out = value->get_int64();
  return true;
}

bool read_start(const json::object& object, JournalledMatch& match) {
  std::int64_t start = 0, play = 0;
  if (!read_text(object, "match", match.match_id) || !read_text(object, "role", match.role) ||
      !read_text(object, "rules", match.description) || !read_count(object, "start", start) ||
      !read_count(object, "play", play) || start > INT32_MAX || play > INT32_MAX) {
    return false;
  }
  read_text(object, "boot", match.boot);
  const json::value* one_mover = object.if_contains("one_mover");
  match.one_mover = one_mover != nullptr && *one_mover == json::value(true);
  match.start_clock_seconds = static_cast<int>(start);
  match.play_clock_seconds = static_cast<int>(play);
  return true;
}

/// Reads any line after the first.
bool read_later_line(const json::object& object, JournalledMatch& match) {
  std::int64_t turn = 0, copies = 0;
  std::string text;
  if (read_count(object, "copies", copies)) {
    match.copies = static_cast<unsigned>(std::clamp<std::int64_t>(copies, 1, kMostCopies));
    return true;
  }
  if (!read_count(object, "turn", turn)) return false;
  const auto index = static_cast<std::size_t>(turn);
  if (read_text(object, "moves", text) && index == match.turns.size() + 1) {
    JournalledTurn& told = match.turns.emplace_back();
    told.moves = std::move(text);
    read_text(object, "id", told.id);
    read_text(object, "own", told.own);
    std::int64_t made = 0, gap = 0;
    if (read_count(object, "made", made)) told.number = static_cast<std::size_t>(made);
    if (read_count(object, "gap", gap) && gap > 0) told.gap = gap > 1 ? Gap::Likely : Gap::Possible;
    return true;
  }
  if (!read_text(object, "reply", text) || index == 0 || index > match.turns.size()) return false;
  match.turns[index - 1].reply = std::move(text);
  return true;
}

/// The contents of a file, and how long ago it was written by the wall clock.
struct Found {
  std::string text;
  double wall_seconds = 0;
};

/// Only reads a regular file, because reading anything else in the folder could wait forever.
/// Returns nullopt if there is none, and errno says why.
std::optional<Found> read_regular(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (file < 0) return std::nullopt;
  struct stat status {};
  Found found;
  ssize_t count = -1;
  if (::fstat(file, &status) == 0 && !S_ISREG(status.st_mode)) {
    errno = EINVAL;
  } else {
    char part[1 << 16];
    while ((count = ::read(file, part, sizeof part)) > 0) found.text.append(part, part + count);
  }
  const int problem = errno;
  ::close(file);
  errno = problem;
  if (count < 0) return std::nullopt;
  found.wall_seconds = std::difftime(std::time(nullptr), status.st_mtime);
  return found;
}

/// Seconds since the last entry. The wall clock may have been set since, so it is only used if the
/// machine was restarted.
double silence(const JournalledMatch& match, double wall_seconds) {
  const bool same_boot = !match.boot.empty() && match.boot == boot_id();
  const double silent = same_boot ? static_cast<double>(up_now() - match.up_seconds) : wall_seconds;
  return std::max(silent, 0.0);
}

}  // namespace

std::string journal_name(std::string_view match_id) {
  std::string name;
  for (const char c : match_id.substr(0, kReadableLength)) name += harmless(c) ? c : '_';
  if (name.empty() || name.front() == '.') name.insert(0, "_");
  char hash[20];
  std::snprintf(
      hash, sizeof hash, "-%016llx",
      static_cast<unsigned long long>(gdl::hash_of_text(match_id)));  // NOLINT: %llx wants it
  return name + hash + std::string(kSuffix);
}

std::string journal_text(const JournalledMatch& match) {
  const std::int64_t up = match.up_seconds;
  json::object start{{"match", match.match_id},
                     {"role", match.role},
                     {"start", match.start_clock_seconds},
                     {"play", match.play_clock_seconds},
                     {"rules", match.description},
                     {"boot", match.boot}};
  if (match.one_mover) start["one_mover"] = true;
  std::string text = line_of(std::move(start), up);
  if (match.copies > 1) text += copies_line(match.copies, up);
  for (std::size_t i = 0; i < match.turns.size(); ++i) {
    text += play_line(i + 1, match.turns[i], up);
    if (match.turns[i].reply) text += reply_line(i + 1, *match.turns[i].reply, up);
  }
  return text;
}

std::optional<JournalledMatch> parse_journal(std::string_view text) {
  JournalledMatch match;
  bool started = false;
  text = gdl::without_byte_order_mark(text);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // incomplete
    json::error_code error;
    json::parse_options options;
    options.allow_invalid_utf8 = true;  // atoms are bytes
    const json::value value = json::parse(text.substr(0, end), error, {}, options);
    if (error || !value.is_object()) return std::nullopt;
    const bool good = started ? read_later_line(value.get_object(), match)
                              : read_start(value.get_object(), match);
    if (!good) return std::nullopt;
    started = true;
    read_count(value.get_object(), "up", match.up_seconds);
    text.remove_prefix(end + 1);
  }
  if (!started) return std::nullopt;
  return match;
}

Journal::Journal(std::string path, Failed failed)
    : path_(std::move(path)), failed_(std::move(failed)) {}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

void Journal::begin(JournalledMatch match) {
  match.boot = boot_id();
  match.up_seconds = up_now();
  const std::string text = journal_text(match);
  // All of it under the lock: once removed, a journal must not touch files any more, because the
  // next match with that id uses the same file.
  std::lock_guard lock(mutex_);
  if (state_ != State::Waiting) return;
  // Under another name until it is complete: a resumed match must survive a second crash here.
  const std::string temporary = path_ + ".new";
  // Whatever else has that name is not written to.
  ::unlink(temporary.c_str());
  file_ = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0600);
  state_ = State::Open;
  if (file_ < 0) return fail("can't open " + temporary);
  write(text);
  if (state_ != State::Open) return;
  if (std::rename(temporary.c_str(), path_.c_str()) != 0) return fail("can't rename " + temporary);
  write(std::exchange(early_, {}));
}

void Journal::play(std::size_t turn, const JournalledTurn& told) {
  append(play_line(turn, told, up_now()));
}

void Journal::reply(std::size_t turn, std::string_view reply) {
  append(reply_line(turn, reply, up_now()));
}

void Journal::copies(unsigned count) {
  append(copies_line(count, up_now()));
}

void Journal::append(std::string_view line) {
  std::lock_guard lock(mutex_);
  if (state_ == State::Waiting) early_ += line;
  if (state_ == State::Open) write(line);
}

void Journal::write(std::string_view text) {
  if (gdl::write_all(file_, text) < text.size()) fail("can't write " + path_);
}

void Journal::fail(std::string_view what) {
  const std::string reason = std::string(what) + ": " + std::strerror(errno);
  if (file_ >= 0) ::close(std::exchange(file_, -1));
  state_ = State::Ended;
  ::unlink(path_.c_str());
  ::unlink((path_ + ".new").c_str());
  failed_(reason);
}

void Journal::remove() {
  std::lock_guard lock(mutex_);
  if (state_ == State::Ended) return;
  state_ = State::Ended;
  early_.clear();
  if (file_ >= 0) ::close(std::exchange(file_, -1));
  ::unlink(path_.c_str());
}

JournalFolder::~JournalFolder() {
  if (lock_ >= 0) ::close(lock_);
}

std::optional<std::string> JournalFolder::claim() {
  if (path_.empty()) return std::nullopt;
  std::error_code ignored;  // opening the lock reports what is wrong
  fs::create_directories(path_, ignored);
  const std::string file = (fs::path(path_) / "lock").string();
  lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0600);
  const bool claimed = lock_ >= 0 && ::flock(lock_, LOCK_EX | LOCK_NB) == 0;
  if (claimed) return std::nullopt;
  std::string problem = errno == EWOULDBLOCK ? path_ + " is used by another player"
                                             : file + ": " + std::strerror(errno);
  path_.clear();
  return problem;
}

std::string JournalFolder::file_of(std::string_view match_id) const {
  return (fs::path(path_) / journal_name(match_id)).string();
}

std::unique_ptr<Journal> JournalFolder::open(std::string_view match_id,
                                             Journal::Failed failed) const {
  if (path_.empty()) return nullptr;
  return std::make_unique<Journal>(file_of(match_id), std::move(failed));
}

std::vector<JournalledMatch> JournalFolder::read(double keep_seconds,
                                                 std::vector<std::string>& problems) const {
  std::vector<JournalledMatch> matches;
  std::error_code error;
  if (path_.empty()) return matches;
  for (fs::directory_iterator it(path_, error), end; !error && it != end; it.increment(error)) {
    const fs::path file = it->path();
    const bool unfinished = file.extension() == ".new";
    if (file.extension() != kSuffix && !unfinished) continue;
    if (unfinished) {
      std::error_code ignored;
      fs::remove(file, ignored);
      continue;
    }
    const auto found = read_regular(file);
    if (!found) {
      problems.push_back(file.string() + ": " + std::strerror(errno) + ", left alone");
      continue;
    }
    auto match = parse_journal(found->text);
    if (match) match->silent_seconds = silence(*match, found->wall_seconds);
    const double silent = match ? match->silent_seconds : found->wall_seconds;
    if (silent > keep_seconds) {
      std::error_code ignored;
      fs::remove(file, ignored);
    } else if (match && journal_name(match->match_id) == file.filename()) {
      matches.push_back(std::move(*match));
    } else {
      problems.push_back(file.string() + ": not a whole journal, left alone");
    }
  }
  if (error) problems.push_back(path_ + ": " + error.message());
  std::sort(matches.begin(), matches.end(),
            [](const auto& a, const auto& b) { return a.silent_seconds < b.silent_seconds; });
  return matches;
}

}  // namespace ludens::agent
