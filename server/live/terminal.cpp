// SPDX-License-Identifier: MIT
#include "server/live/terminal.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>

namespace ludens::server {

namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J";
constexpr std::string_view kLeave = "\x1b[?25h\x1b[?1049l";
constexpr std::string_view kHome = "\x1b[H";
constexpr std::string_view kClearLine = "\x1b[K";
constexpr std::string_view kClearBelow = "\x1b[J";

constexpr std::array<int, 8> kDeadly = {SIGSEGV, SIGBUS, SIGILL,  SIGFPE,
                                        SIGABRT, SIGHUP, SIGQUIT, SIGTSTP};

// What a signal handler must know; only a global variable can pass it on.
std::atomic<int> taken_file{-1};
static_assert(std::atomic<int>::is_always_lock_free);
std::array<struct sigaction, kDeadly.size()> former_actions;

/// Ctrl-Z: gives the screen back for as long as the program is stopped.
void pause_program(int file) {
  put_text(file, kLeave);
  ::kill(::getpid(), SIGSTOP);
  put_text(file, kEnter);
}

void on_signal(int signal) {
  const int saved = errno;
  const int file = taken_file.load();
  if (signal == SIGTSTP) {
    if (file >= 0) pause_program(file);
    errno = saved;
    return;
  }
  if (file >= 0) put_text(file, kLeave);
  for (std::size_t i = 0; i < kDeadly.size(); ++i) {
    if (kDeadly[i] == signal) ::sigaction(signal, &former_actions[i], nullptr);
  }
  errno = saved;
  ::raise(signal);  // arrives when this handler returns, and has its former effect
}

void guard_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kDeadly.size(); ++i) {
    ::sigaction(kDeadly[i], nullptr, &former_actions[i]);
    const bool ignored = former_actions[i].sa_handler == SIG_IGN;  // as nohup sets it
    if (!ignored) ::sigaction(kDeadly[i], &action, nullptr);
  }
}

void release_signals() {
  for (std::size_t i = 0; i < kDeadly.size(); ++i) {
    ::sigaction(kDeadly[i], &former_actions[i], nullptr);
  }
}

}  // namespace

Terminal::Terminal(int file) : file_(file) {
  guard_signals();
  taken_file = file_;
  put_text(file_, kEnter);
}

Terminal::~Terminal() {
  leave();
}

ScreenShape Terminal::shape() const {
  return screen_shape(file_);
}

void Terminal::draw(const std::vector<std::string>& lines) {
  std::string text(kHome);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i != 0) text += "\r\n";
    text += kClearLine;  // before the text: after a full line it would erase the last character
    text += lines[i];
  }
  text += kClearBelow;
  const std::lock_guard lock(mutex_);
  if (!left_) put_text(file_, text);
}

void Terminal::leave() {
  const std::lock_guard lock(mutex_);
  if (left_) return;
  left_ = true;
  taken_file = -1;
  put_text(file_, kLeave);
  release_signals();
}

}  // namespace ludens::server
