// SPDX-License-Identifier: MIT
#include "server/tournament/captured_output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "gdl/text/file.h"

namespace ludens::server {

namespace {

/// This is more than a pipe holds.
constexpr std::size_t kMostAfterwards = std::size_t{1} << 20;

void close_if_open(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

}  // namespace

CapturedOutput::CapturedOutput(std::filesystem::path file, std::size_t most_bytes)
    : file_(std::move(file)), old_(file_.string() + ".old"), most_bytes_(most_bytes) {
  if (std::string why = open(); !why.empty()) problem_ = std::move(why);
}

/// Returns why there is no file or no pipe; empty if both exist.
std::string CapturedOutput::open() {
  std::error_code error;
  std::filesystem::create_directories(file_.parent_path(), error);
  log_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (log_ < 0) return file_.string() + ": " + std::strerror(errno);
  const off_t size = ::lseek(log_, 0, SEEK_END);
  written_ = size > 0 ? static_cast<std::size_t>(size) : 0;
  ended_ = ::eventfd(0, EFD_CLOEXEC);
  std::array<int, 2> ends{-1, -1};
  if (ended_ < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return std::string("no pipe for the player's output: ") + std::strerror(errno);
  }
  output_ = ends[0];
  input_ = ends[1];
  ::fcntl(output_, F_SETFL, O_NONBLOCK);
  return {};
}

CapturedOutput::~CapturedOutput() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(ended_, &one, sizeof(one));
    thread_.join();
  }
  for (int* descriptor : {&output_, &input_, &log_, &ended_}) close_if_open(*descriptor);
}

void CapturedOutput::begin() {
  close_if_open(input_);
  thread_ = std::jthread([this] { copy(); });
}

/// Copies until no process has the other end any more, or until the player has ended: a process
/// that the player leaves running may hold it for ever.
void CapturedOutput::copy() {
  std::array<char, 65536> buffer;
  std::size_t still_taken = 0;  // since the player's end
  while (still_taken < kMostAfterwards) {
    std::array<pollfd, 2> wanted{{{output_, POLLIN, 0}, {ended_, POLLIN, 0}}};
    if (::poll(wanted.data(), wanted.size(), -1) < 0 && errno != EINTR) return;
    const ssize_t size = ::read(output_, buffer.data(), buffer.size());
    const bool player_ended = (wanted[1].revents & POLLIN) != 0;
    if (size > 0) {
      take(buffer.data(), static_cast<std::size_t>(size));
      if (player_ended) still_taken += static_cast<std::size_t>(size);
    } else if (size == 0 || player_ended || (errno != EAGAIN && errno != EINTR)) {
      return;
    }
  }
}

void CapturedOutput::take(const char* bytes, std::size_t size) {
  if (written_ > 0 && written_ + size > most_bytes_) rotate();
  if (lost_ > 0) {
    // This is no string because an exception in this thread would end the program.
    std::array<char, 80> note;
    const auto length = static_cast<std::size_t>(std::snprintf(
        note.data(), note.size(), "\n[%zu bytes of output could not be written]\n", lost_));
    if (gdl::write_all(log_, {note.data(), length}) == length) lost_ = 0;
  }
  const std::size_t done = gdl::write_all(log_, {bytes, size});
  written_ += done;
  lost_ += size - done;
}

/// If that fails, the file is emptied, because it must not grow.
void CapturedOutput::rotate() {
  const bool moved = ::rename(file_.c_str(), old_.c_str()) == 0;
  const int fresh = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fresh >= 0) {
    ::close(log_);
    log_ = fresh;
  }
  [[maybe_unused]] const int ignored = !moved || fresh < 0 ? ::ftruncate(log_, 0) : 0;
  written_ = 0;
}

}  // namespace ludens::server
