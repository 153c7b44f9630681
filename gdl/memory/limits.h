// SPDX-License-Identifier: MIT
// The limits that a caller sets for a machine: when to stop, and how much memory to use.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace ludens::gdl {

/// A request to stop. Every call of a machine polls it at least every millisecond, from the thread
/// of the call. What it depends on (a flag, a clock) is up to the caller.
class StopSignal {
 public:
  virtual ~StopSignal() = default;
  [[nodiscard]] virtual bool stop_requested() const noexcept = 0;
};

/// Memory that several users share: groundings, memos, tables, trees. Linux does not throw when a
/// process takes too much, it kills the process. So exhaustion must be a value: code that grows
/// must reserve first. A budget may be a part of a larger one: what is reserved from the part is
/// also reserved from the whole, so that parts whose limits add up to more never hold more
/// together. Thread-safe.
class MemoryBudget : public std::enable_shared_from_this<MemoryBudget> {
 public:
  explicit MemoryBudget(std::size_t limit_bytes, std::shared_ptr<MemoryBudget> whole = nullptr)
      : limit_(limit_bytes), whole_(std::move(whole)) {}
  /// Returns false, and reserves nothing, if a limit would be exceeded.
  [[nodiscard]] bool reserve(std::size_t bytes) noexcept {
    std::size_t used = used_.load(std::memory_order_relaxed);
    while (bytes <= limit_ && used <= limit_ - bytes) {
      if (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed)) continue;
      if (whole_ == nullptr || whole_->reserve(bytes)) return true;
      used_.fetch_sub(bytes, std::memory_order_relaxed);
      return false;
    }
    return false;
  }
  void release(std::size_t bytes) noexcept {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    if (whole_ != nullptr) whole_->release(bytes);
  }
  [[nodiscard]] std::size_t used() const noexcept { return used_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::size_t limit() const noexcept { return limit_; }

 private:
  std::size_t limit_;
  std::shared_ptr<MemoryBudget> whole_;  // null: this is the whole
  std::atomic<std::size_t> used_{0};
};

/// Thrown inside a machine when its budget is used up; the caller of the machine gets OverBudget.
class BudgetExhausted : public std::bad_alloc {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "memory budget exhausted"; }
};

/// What may be used if no budget was given: an infinite derivation must be stopped at some point.
inline constexpr std::size_t kUnbudgetedBytes = std::size_t{512} << 20;

/// What a context may use. Pointers may be null (never stops; no limit) and are owned by the
/// caller, who must keep them alive as long as the context.
struct Limits {
  const StopSignal* stop = nullptr;
  MemoryBudget* memory = nullptr;
};

/// Polls a stop signal after every fraction of a millisecond of work. Once stopped, it stays
/// stopped. For one thread; the signal may be null.
class StopPoll {
 public:
  /// Elementary steps between two polls; a step may be a cache miss.
  static constexpr std::uint64_t kWorkBetween = std::uint64_t{1} << 14;

  explicit StopPoll(const StopSignal* signal) : signal_(signal) {}
  /// Counts this much work and returns whether to stop.
  bool operator()(std::uint64_t work = 1) noexcept {
    work_ += work;
    if (work_ >= kWorkBetween) ask();
    return stopped_;
  }
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }

 private:
  void ask() noexcept {
    work_ = 0;
    stopped_ = stopped_ || (signal_ != nullptr && signal_->stop_requested());
  }

  const StopSignal* signal_;
  std::uint64_t work_ = 0;
  bool stopped_ = false;
};

}  // namespace ludens::gdl
