// SPDX-License-Identifier: MIT
#include "agent/journal/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>
#include <system_error>
#include <utility>

#include "gdl/memory/hash.h"
#include "gdl/text/file.h"

namespace ludens::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".journal";
constexpr std::size_t kReadableLength = 60;
/// A piece of work and what it keeps besides its text.
constexpr std::size_t kPieceBytes = 512;

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

bool harmless(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
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

/// What the thread of the files knows of a journal; only `lost` is told by others.
struct Journal::File {
  File(std::string name, Failed on_failure)
      : path(std::move(name)), temporary(path + ".new"), failed(std::move(on_failure)) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void begin(JournalledMatch match);
  void append(std::string_view object) { write(chain.seal(object)); }
  void write(std::string_view text);
  void fail(std::string_view what, std::string_view why) noexcept;
  void end() noexcept;
  void close() noexcept {
    if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
  }

  const std::string path, temporary;
  Failed failed;
  gdl::LineChain chain;
  int descriptor = -1;
  bool ended = false;
  std::atomic<bool> lost = false;  // a line that must be there is not
};

void Journal::File::begin(JournalledMatch match) {
  match.boot = boot_id();
  match.up_seconds = up_now();
  const std::string text = journal_text(match, chain);
  // Under another name until it is complete: a resumed match must survive a second crash here.
  // Whatever else has that name is not written to.
  ::unlink(temporary.c_str());
  descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0600);
  if (descriptor < 0) return fail("can't open " + temporary, std::strerror(errno));
  write(text);
  if (ended || std::rename(temporary.c_str(), path.c_str()) == 0) return;
  fail("can't rename " + temporary, std::strerror(errno));
}

void Journal::File::write(std::string_view text) {
  if (gdl::write_all(descriptor, text) == text.size()) return;
  fail("can't write " + path, std::strerror(errno));
}

/// Removes the file. From here on nothing may touch it: the next match with that id uses its name.
void Journal::File::end() noexcept {
  ended = true;
  close();
  ::unlink(path.c_str());
  ::unlink(temporary.c_str());
}

void Journal::File::fail(std::string_view what, std::string_view why) noexcept {
  if (ended) return;
  end();
  try {
    failed(std::string(what) + ": " + std::string(why));
  } catch (const std::exception&) {  // no memory to say so
  }
}

Journal::Journal(std::shared_ptr<FileThread> thread, std::string path, Failed failed)
    : thread_(std::move(thread)),
      file_(std::make_shared<File>(std::move(path), std::move(failed))) {}

/// A piece that can't be queued ends the journal, with the next piece that can at the latest.
void Journal::post(std::size_t bytes, std::function<void(File&)> work) {
  try {
    const bool taken = thread_->post(bytes, [file = file_, work = std::move(work)] {
      if (file->lost) file->fail(file->path, "too much waits for the disk");
      try {
        if (!file->ended) work(*file);
      } catch (const std::exception& problem) {
        file->fail(file->path, problem.what());
      }
    });
    if (taken) return;
  } catch (const std::bad_alloc&) {
  }
  file_->lost = true;
  if (bytes > 0) post(0, [](File&) {});
}

void Journal::begin(std::function<JournalledMatch()> match, std::size_t bytes) {
  post(bytes + kPieceBytes, [match = std::move(match)](File& file) { file.begin(match()); });
}

void Journal::play(std::size_t turn, const JournalledTurn& told) {
  append([&] { return play_line(turn, told, up_now()); });
}

void Journal::reply(std::size_t turn, std::string_view reply) {
  append([&] { return reply_line(turn, reply, up_now()); });
}

void Journal::copies(unsigned count) {
  append([&] { return copies_line(count, up_now()); });
}

template <class Line>
void Journal::append(const Line& line) {
  try {
    std::string object = line();
    const std::size_t bytes = object.size() + kPieceBytes;
    post(bytes, [object = std::move(object)](File& file) { file.append(object); });
  } catch (const std::bad_alloc&) {
    file_->lost = true;
  }
}

void Journal::when_written(std::function<void()> done) noexcept {
  try {
    (void)thread_->post(0, std::move(done));
  } catch (const std::bad_alloc&) {
  }
}

void Journal::remove() {
  post(0, [](File& file) { file.end(); });
}

namespace {

/// A file that is closed, and so unlocked, with the last who holds it.
std::shared_ptr<const int> shared_descriptor(int file) {
  return {new int(file), [](const int* held) {
            ::close(*held);
            delete held;
          }};
}

}  // namespace

std::optional<std::string> JournalFolder::claim() {
  if (path_.empty()) return std::nullopt;
  std::error_code ignored;  // opening the lock reports what is wrong
  fs::create_directories(path_, ignored);
  const std::string file = (fs::path(path_) / "lock").string();
  const int lock =
      ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0600);
  const bool claimed = lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) == 0;
  if (claimed) {
    // The thread may outlive this: the folder is its until it has ended.
    thread_ = std::make_shared<FileThread>(most_bytes_, [held = shared_descriptor(lock)] {});
    return std::nullopt;
  }
  std::string problem = errno == EWOULDBLOCK ? path_ + " is used by another player"
                                             : file + ": " + std::strerror(errno);
  if (lock >= 0) ::close(lock);
  path_.clear();
  return problem;
}

std::size_t JournalFolder::leave(std::chrono::steady_clock::time_point until) {
  return thread_ == nullptr ? 0 : std::exchange(thread_, nullptr)->leave(until);
}

std::string JournalFolder::file_of(std::string_view match_id) const {
  return (fs::path(path_) / journal_name(match_id)).string();
}

std::unique_ptr<Journal> JournalFolder::open(std::string_view match_id,
                                             Journal::Failed failed) const {
  if (thread_ == nullptr) return nullptr;
  return std::make_unique<Journal>(thread_, file_of(match_id), std::move(failed));
}

std::vector<JournalledMatch> JournalFolder::read(double keep_seconds,
                                                 std::vector<std::string>& problems) const {
  std::vector<JournalledMatch> matches;
  std::error_code error;
  if (thread_ == nullptr) return matches;
  thread_->flush();
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
      const std::string why = match ? "it has the name of another match" : match.error().text;
      problems.push_back(file.string() + ": " + why +
                         "; the match is not resumed, and the file is left alone");
    }
  }
  if (error) problems.push_back(path_ + ": " + error.message());
  std::sort(matches.begin(), matches.end(),
            [](const auto& a, const auto& b) { return a.silent_seconds < b.silent_seconds; });
  return matches;
}

}  // namespace ludens::agent
