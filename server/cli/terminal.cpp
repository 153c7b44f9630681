// SPDX-License-Identifier: MIT
#include "server/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "gdl/text/file.h"
#include "gdl/text/printable.h"
#include "server/statistics/text_table.h"

namespace ludens::server {

namespace {

constexpr std::chrono::milliseconds kDelay{1000}, kInterval{200};
constexpr std::string_view kLineAway = "\r\x1b[K";
constexpr std::size_t kUsualColumns = 80;

std::string_view sequence(Style style) {
  switch (style) {
    case Style::Faint:
      return "\x1b[2m";
    case Style::Good:
      return "\x1b[32m";
    case Style::Doubtful:
      return "\x1b[33m";
    case Style::Bad:
      return "\x1b[31m";
    case Style::Plain:
      break;
  }
  return "";
}

}  // namespace

bool is_terminal(int file) {
  const char* kind = std::getenv("TERM");
  return ::isatty(file) == 1 && kind != nullptr && *kind != '\0' &&
         std::string_view(kind) != "dumb";
}

std::size_t terminal_columns(int file) {
  struct winsize size = {};
  return ::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualColumns;
}

bool wants_colour() {
  const char* forbidden = std::getenv("NO_COLOR");
  return forbidden == nullptr || *forbidden == '\0';
}

std::string painted(int file, std::string_view text, Style style) {
  if (style == Style::Plain || text.empty() || !is_terminal(file) || !wants_colour()) {
    return std::string(text);
  }
  return std::string(sequence(style)).append(text) + "\x1b[0m";
}

std::string duration_text(double ms) {
  const auto seconds = static_cast<long long>(std::max(0.0, ms) / 1000);
  char text[64];
  if (seconds < 3600) {
    std::snprintf(text, sizeof text, "%lld:%02lld", seconds / 60, seconds % 60);
  } else {
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60,
                  seconds % 60);
  }
  return text;
}

ProgressLine::ProgressLine(Text text) : ProgressLine(STDERR_FILENO, kDelay, std::move(text)) {}

ProgressLine::ProgressLine(int file, std::chrono::milliseconds delay, Text text)
    : file_(file), text_(std::move(text)) {
  if (is_terminal(file_)) thread_ = std::thread([this, delay] { run(delay); });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
  clear();
}

void ProgressLine::print(const std::function<void()>& print) {
  const std::lock_guard lock(mutex_);
  clear();
  print();
}

void ProgressLine::run(std::chrono::milliseconds delay) {
  std::unique_lock lock(mutex_);
  auto next = begun_ + delay;
  while (!changed_.wait_until(lock, next, [this] { return ended_; })) {
    try {
      draw();
    } catch (const std::bad_alloc&) {  // the next one may have memory
    }
    next = std::chrono::steady_clock::now() + kInterval;
  }
}

void ProgressLine::draw() {
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - begun_;
  std::string text = duration_text(elapsed.count());
  if (text_) {
    const std::string more = text_();
    if (!more.empty()) text += "  " + more;
  }
  // A full line would continue on the next one.
  text = shortened(gdl::printable(text), terminal_columns(file_) - 1);
  gdl::write_all(file_, std::string(kLineAway) + painted(file_, text, Style::Faint));
  shown_ = true;
}

void ProgressLine::clear() {
  if (std::exchange(shown_, false)) gdl::write_all(file_, kLineAway);
}

}  // namespace ludens::server
