// SPDX-License-Identifier: MIT
// A file of this process that takes nothing any more, like one on a disk that stalls.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>

namespace ludens::agent {

/// Puts a full pipe in the place of a file that this process holds open for writing. What is
/// written to it waits until `release`, and is lost.
class StalledFile {
 public:
  explicit StalledFile(const std::filesystem::path& file) {
    if (::pipe2(pipe_.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    ::fcntl(pipe_[1], F_SETFL, O_NONBLOCK);
    const std::string filling(4096, 'x');
    while (::write(pipe_[1], filling.data(), filling.size()) > 0) {
    }
    ::fcntl(pipe_[1], F_SETFL, 0);
    ::dup2(pipe_[1], descriptor_of(file));
    ::close(pipe_[1]);
  }
  ~StalledFile() { release(); }  // the reader ends; what is written later goes into the pipe
  StalledFile(const StalledFile&) = delete;
  StalledFile& operator=(const StalledFile&) = delete;

  /// From now on it takes everything.
  void release() {
    if (reader_.joinable()) return;
    reader_ = std::jthread([from = pipe_[0]](const std::stop_token& stop) {
      std::array<char, 4096> bytes;
      pollfd ready{from, POLLIN, 0};
      while (true) {
        if (::poll(&ready, 1, 10) > 0) {
          if (::read(from, bytes.data(), bytes.size()) <= 0) return;
        } else if (stop.stop_requested()) {
          return;
        }
      }
    });
  }

 private:
  static int descriptor_of(const std::filesystem::path& file) {
    namespace fs = std::filesystem;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
      std::error_code error;
      if (fs::read_symlink(entry.path(), error) == fs::absolute(file)) {
        return std::atoi(entry.path().filename().c_str());
      }
    }
    throw std::runtime_error(file.string() + " is not open");
  }

  std::array<int, 2> pipe_{};
  std::jthread reader_;
};

}  // namespace ludens::agent
