// SPDX-License-Identifier: MIT
#include "server/live/live_screen.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <iostream>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gdl/text/printable.h"
#include "server/live/frame.h"
#include "server/live/live_state.h"
#include "server/live/plain_progress.h"
#include "server/live/terminal.h"

namespace ludens::server {

namespace {

constexpr std::chrono::milliseconds kBetweenFrames{200};

}  // namespace

class LiveScreen::Implementation {
 public:
  Implementation(int file, std::ostream& plain, std::stop_token stop)
      : file_(file), plain_(plain), stop_(std::move(stop)) {}
  ~Implementation() { finish(); }

  void begin(const TournamentPlan& plan, const TournamentOverview& overview) {
    state.began(plan, overview);
    terminal_.emplace(file_);
    on_stop_.emplace(stop_, [this] { interrupted(); });
    drawer_ = std::jthread([this](const std::stop_token& done) { draw_until(done); });
  }

  /// Prints the line, or keeps it until the end of the screen.
  void say(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (plainly_) {
      plain_ << gdl::printable(text) << "\n" << std::flush;
    } else {
      unsaid_.push_back(text);
    }
  }

  [[nodiscard]] bool plainly() {
    const std::lock_guard lock(mutex_);
    return plainly_;
  }

  void finish() {
    on_stop_.reset();
    drawer_ = {};
    give_back();
  }

  LiveState state;

 private:
  /// Skips a frame for which there is no memory.
  void draw() {
    try {
      terminal_->draw(draw_frame(state.snapshot(), terminal_->shape()));
    } catch (const std::bad_alloc&) {
    }
  }

  void draw_until(const std::stop_token& done) {
    std::mutex sleep;
    std::condition_variable_any alarm;
    while (!done.stop_requested()) {
      draw();
      std::unique_lock lock(sleep);
      alarm.wait_for(lock, done, kBetweenFrames, [] { return false; });
    }
  }

  /// Called by the stop token, which can't take an exception.
  void interrupted() noexcept {
    try {
      give_back();
      say("stopping: running matches are dropped (Ctrl-C again ends at once)");
    } catch (const std::bad_alloc&) {  // the message is lost; the stop is not
    }
  }

  void give_back() {
    const std::lock_guard lock(mutex_);
    if (std::exchange(plainly_, true)) return;
    if (terminal_) terminal_->leave();
    for (const std::string& text : unsaid_) plain_ << gdl::printable(text) << "\n";
    plain_ << std::flush;
  }

  const int file_;
  std::ostream& plain_;
  const std::stop_token stop_;
  std::optional<Terminal> terminal_;
  std::mutex mutex_;  // guards what follows, and `plain_`
  bool plainly_ = false;
  std::vector<std::string> unsaid_;  // lines of the screen that are printed after its end
  std::optional<std::stop_callback<std::function<void()>>> on_stop_;
  std::jthread drawer_;
};

LiveScreen::LiveScreen(int file, std::ostream& plain, std::stop_token stop)
    : implementation_(std::make_unique<Implementation>(file, plain, std::move(stop))) {}

LiveScreen::~LiveScreen() = default;

void LiveScreen::began(const TournamentPlan& plan, const TournamentOverview& overview) {
  implementation_->begin(plan, overview);
}

void LiveScreen::match_began(const StartedMatch& match, const MatchRecord& record,
                             const Position& position) {
  implementation_->state.match_began(match, record, position);
}

void LiveScreen::moved(const StartedMatch& match, const MatchRecord& record,
                       const Position& position) {
  implementation_->state.moved(match, record, position);
}

void LiveScreen::match_ended(const StartedMatch& match, const MatchResult& result) {
  implementation_->state.match_ended(match, result);
  if (implementation_->plainly()) implementation_->say(match_line(result));
}

void LiveScreen::match_dropped(const StartedMatch& match) {
  implementation_->state.match_dropped(match);
}

void LiveScreen::decided(const std::string& verdict) {
  implementation_->state.decided(verdict);
  implementation_->say(verdict);
}

void LiveScreen::warned(const std::string& text) {
  implementation_->state.warned(text);
  implementation_->say("warning: " + text);
}

void LiveScreen::ended(const TournamentEnding& /*ending*/) {
  implementation_->finish();
}

std::unique_ptr<TournamentObserver> follow_on_standard_error(bool screen, std::stop_token stop) {
  if (screen && is_screen(STDERR_FILENO)) {
    return std::make_unique<LiveScreen>(STDERR_FILENO, std::cerr, std::move(stop));
  }
  return std::make_unique<PlainProgress>(std::cerr);
}

}  // namespace ludens::server
