// SPDX-License-Identifier: MIT
#include "gdl/environment/worker_team.h"

#include <unistd.h>

#include <chrono>
#include <exception>

namespace ludens::gdl {

namespace {

/// How long a thread looks for work before it sleeps: longer than one step lasts, and several times
/// as long as it takes to wake a thread, which is about 50 microseconds on a virtual machine.
constexpr std::chrono::microseconds kPatience{200};
constexpr int kLooks = 100;  // polls between two readings of the clock

/// Waits until the value is no longer `old`.
std::uint32_t wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  do {
    for (int i = 0; i < kLooks; ++i) {
      const std::uint32_t now = value.load(std::memory_order_acquire);
      if (now != old) return now;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  } while (std::chrono::steady_clock::now() < until);
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

WorkerTeam::WorkerTeam(std::size_t size) : process_(getpid()) {
  threads_.reserve(size - 1);
  try {
    for (std::size_t worker = 1; worker < size; ++worker) {
      threads_.emplace_back([this, worker] { work(worker); });
    }
  } catch (const std::exception&) {
    // No thread, or no memory for one: those that there are do all the work, only more slowly.
  }
}

WorkerTeam::~WorkerTeam() {
  if (!alive()) {
    // A forked process has copies of the handles but no threads to join.
    for (std::thread& thread : threads_) thread.detach();
    return;
  }
  ending_.store(true, std::memory_order_relaxed);
  task_.fetch_add(1, std::memory_order_release);
  task_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool WorkerTeam::alive() const {
  return threads_.empty() || process_ == getpid();
}

void WorkerTeam::run_all() {
  if (!threads_.empty()) {
    working_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
    task_.fetch_add(1, std::memory_order_release);
    task_.notify_all();
  }
  call_(argument_, 0);
  for (std::uint32_t left = working_.load(std::memory_order_acquire); left != 0;) {
    left = wait_for_change(working_, left);
  }
}

void WorkerTeam::work(std::size_t worker) {
  for (std::uint32_t seen = 0;;) {
    seen = wait_for_change(task_, seen);
    if (ending_.load(std::memory_order_relaxed)) return;
    call_(argument_, worker);
    if (working_.fetch_sub(1, std::memory_order_release) == 1) working_.notify_all();
  }
}

}  // namespace ludens::gdl
