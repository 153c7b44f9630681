// SPDX-License-Identifier: MIT
#include "server/cli/file_sink.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "gdl/text/file.h"

namespace ludens::server {

namespace {

int open_to_append(const std::string& file) {
  return ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

/// Whether all bytes were written; otherwise `errno` says why.
bool takes(int descriptor, std::string_view bytes) {
  return gdl::write_all(descriptor, bytes) == bytes.size();
}

}  // namespace

gdl::Result<std::shared_ptr<FileSink>> FileSink::open(const std::string& file) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
  const int descriptor = open_to_append(file);
  if (descriptor < 0) return gdl::Error{file + ": " + std::strerror(errno)};
  return std::shared_ptr<FileSink>(new FileSink(file, descriptor));
}

FileSink::~FileSink() {
  ::close(descriptor_);
}

std::string FileSink::reopen() {
  const int fresh = open_to_append(file_);
  if (fresh < 0) return file_ + ": " + std::strerror(errno);
  const std::lock_guard lock(mutex_);
  ::close(descriptor_);
  descriptor_ = fresh;
  return {};
}

void FileSink::sink_it_(const spdlog::details::log_msg& message) {
  if (lost_ > 0) {
    const std::string note = "[" + std::to_string(lost_) + " lines could not be written]\n";
    if (!takes(descriptor_, note)) return lose(std::strerror(errno));
    lost_ = 0;
  }
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  if (!takes(descriptor_, {line.data(), line.size()})) lose(std::strerror(errno));
}

void FileSink::lose(const char* why) {
  if (lost_++ > 0) return;
  std::fprintf(stderr, "ludens: serve: %s: %s; lines of the log are lost\n", file_.c_str(), why);
}

}  // namespace ludens::server
