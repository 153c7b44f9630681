// SPDX-License-Identifier: MIT
// A terminal without a user, for tests of what is shown on one.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace ludens::server {

/// Remembers some kilobytes of what is written to it; who writes more waits until it is read.
class PseudoTerminal {
 public:
  PseudoTerminal(unsigned short columns, unsigned short rows) {
    master_ = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
    slave_ = ::open(::ptsname(master_), O_RDWR | O_NOCTTY);
    const struct winsize size = {rows, columns, 0, 0};
    ::ioctl(slave_, TIOCSWINSZ, &size);
  }
  ~PseudoTerminal() {
    if (slave_ >= 0) ::close(slave_);
    if (master_ >= 0) ::close(master_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  [[nodiscard]] int file() const { return slave_; }

  /// All that was written to it since the last time.
  [[nodiscard]] std::string written() const {
    std::string text;
    std::array<char, 4096> buffer;
    struct pollfd ready = {master_, POLLIN, 0};
    while (::poll(&ready, 1, 0) == 1 && (ready.revents & POLLIN) != 0) {
      const ssize_t n = ::read(master_, buffer.data(), buffer.size());
      if (n <= 0) break;
      text.append(buffer.data(), static_cast<std::size_t>(n));
    }
    return text;
  }

 private:
  int master_ = -1, slave_ = -1;
};

}  // namespace ludens::server
