// SPDX-License-Identifier: MIT
#include "server/live/progress_line.h"

#include <unistd.h>

#include <new>
#include <utility>

#include "gdl/text/printable.h"
#include "server/live/frame.h"
#include "server/live/screen.h"
#include "server/live/style.h"
#include "server/statistics/text_table.h"

namespace ludens::server {

namespace {

constexpr std::chrono::milliseconds kDelay{1000}, kInterval{200};
constexpr const char* kLineAway = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine(Text text) : ProgressLine(STDERR_FILENO, kDelay, std::move(text)) {}

ProgressLine::ProgressLine(int file, std::chrono::milliseconds delay, Text text)
    : file_(file), text_(std::move(text)) {
  if (is_screen(file_)) thread_ = std::thread([this, delay] { run(delay); });
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
  text = shortened(gdl::printable(text), screen_shape(file_).columns - 1);
  put_text(file_, kLineAway + painted_for(file_, text, Style::Faint));
  shown_ = true;
}

void ProgressLine::clear() {
  if (std::exchange(shown_, false)) put_text(file_, kLineAway);
}

}  // namespace ludens::server
