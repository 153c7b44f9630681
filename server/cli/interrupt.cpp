// SPDX-License-Identifier: MIT
#include "server/cli/interrupt.h"

#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "server/http/io_thread.h"

namespace ludens::server {

namespace {

/// The wait consists of steps, so that a busy machine gets a little more time.
constexpr int kSteps = 18;
constexpr std::chrono::milliseconds kStep{100};

bool is_ignored(int signal) {
  struct sigaction action = {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

[[noreturn]] void die_of(int signal) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::signal(signal, SIG_DFL);
  ::kill(::getpid(), signal);
  ::_exit(128 + signal);
}

/// Ends the program some time after `start` unless it has ended by then. Its thread runs from the
/// beginning: when a signal comes there may be no memory for one.
class Watchdog {
 public:
  Watchdog() : thread_([this](const std::stop_token& stop) { watch(stop); }) {}

  void start(int signal) {
    const std::lock_guard lock(mutex_);
    signal_ = signal;
    changed_.notify_one();
  }

 private:
  void watch(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [this] { return signal_ != 0; });
    for (int step = 0; step < kSteps && !stop.stop_requested(); ++step) {
      changed_.wait_for(lock, stop, kStep, [] { return false; });
    }
    if (!stop.stop_requested()) die_of(signal_);
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  int signal_ = 0;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace

/// A thread waits for the signals, so the threads that compute need not check for them.
class Interrupt::Implementation {
 public:
  explicit Implementation(Calls calls)
      : calls_(std::move(calls)), signals_(context_, SIGINT, SIGTERM, SIGQUIT) {
    if (calls_.hangup || !is_ignored(SIGHUP)) signals_.add(SIGHUP);
    wait();
    thread_ = std::jthread([this] { run_guarded(context_, [](const char*) {}); });
  }
  ~Implementation() { context_.stop(); }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  void wait() {
    signals_.async_wait([this](const boost::system::error_code& error, int signal) {
      if (error) return;
      // Calls come last: they may throw, and the next signal must be heard nevertheless.
      if (signal == SIGHUP && calls_.hangup) {
        wait();
        return calls_.hangup();
      }
      if (source_.stop_requested()) {
        signals_.clear();  // the next signal has its default effect
        return calls_.second();
      }
      watchdog_.start(signal);  // before any listener runs, because it may take long
      source_.request_stop();
      calls_.second ? wait() : signals_.clear();
    });
  }

  const Calls calls_;
  std::stop_source source_;
  boost::asio::io_context context_{1};
  boost::asio::signal_set signals_;
  Watchdog watchdog_;
  std::jthread thread_;
};

Interrupt::Interrupt(Calls calls)
    : implementation_(std::make_unique<Implementation>(std::move(calls))) {}
Interrupt::Interrupt() {
  try {
    implementation_ = std::make_unique<Implementation>(Calls{});
  } catch (const std::system_error&) {  // no thread: signals have their default effect
  }
}
Interrupt::~Interrupt() = default;

std::stop_token Interrupt::token() const {
  return implementation_ == nullptr ? std::stop_token() : implementation_->token();
}

}  // namespace ludens::server
