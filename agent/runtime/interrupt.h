// SPDX-License-Identifier: MIT
// When the game logic of a match is to stop what it derives.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "gdl/memory/limits.h"

namespace ludens::agent {

/// Set from the I/O thread, polled by the machine in the referee's thread.
class Interrupt {
 public:
  using Clock = std::chrono::steady_clock;

  /// Stops all derivations now: the match is over.
  void end() noexcept { until_.store(kNow, std::memory_order_relaxed); }
  /// Stops all derivations at `when`: results are needed until then only.
  void end_at(Clock::time_point when) noexcept {
    until_.store(when.time_since_epoch().count(), std::memory_order_relaxed);
  }
  /// From `when` on, too little time is left for an answer to be made any better. Holds until the
  /// next call.
  void hurry_at(Clock::time_point when) noexcept {
    hurry_.store(when.time_since_epoch().count(), std::memory_order_relaxed);
  }
  /// A PLAY has arrived and waits for the game thread (`announce`), or is being processed
  /// (`attend`).
  void announce() noexcept { waiting_.fetch_add(1, std::memory_order_relaxed); }
  void attend() noexcept { waiting_.fetch_sub(1, std::memory_order_relaxed); }
  /// While this is set, a PLAY that waits neither interrupts nor hurries anything. Called in the
  /// referee's thread.
  void be_patient(bool patient) noexcept { patient_.store(patient, std::memory_order_relaxed); }

  /// Whether the time is past at which all derivations stop.
  [[nodiscard]] bool ended() const noexcept { return is_past(until_); }
  /// Whether work ends that an answer can do without.
  [[nodiscard]] bool hurries() const noexcept {
    return is_past(hurry_) && !patient_.load(std::memory_order_relaxed);
  }
  /// Whether a PLAY waits for the game thread.
  [[nodiscard]] bool waited_for() const noexcept {
    return waiting_.load(std::memory_order_relaxed) > 0 &&
           !patient_.load(std::memory_order_relaxed);
  }

  /// For work that every later state needs: stops only when the match ends.
  [[nodiscard]] const gdl::StopSignal& hard() const noexcept { return hard_; }
  /// For work that only the current turn needs: also stops when the host has moved on.
  [[nodiscard]] const gdl::StopSignal& soft() const noexcept { return soft_; }
  /// For work that the answer to the current turn can do without: also stops when it hurries.
  [[nodiscard]] const gdl::StopSignal& brief() const noexcept { return brief_; }

 private:
  class Signal final : public gdl::StopSignal {
   public:
    enum class Kind : std::uint8_t { Hard, Soft, Brief };
    Signal(const Interrupt& interrupt, Kind kind) : interrupt_(&interrupt), kind_(kind) {}
    [[nodiscard]] bool stop_requested() const noexcept override {
      return interrupt_->ended() || (kind_ != Kind::Hard && interrupt_->waited_for()) ||
             (kind_ == Kind::Brief && interrupt_->hurries());
    }

   private:
    const Interrupt* interrupt_;
    Kind kind_;
  };
  [[nodiscard]] static bool is_past(const std::atomic<std::int64_t>& when) noexcept {
    const std::int64_t at = when.load(std::memory_order_relaxed);
    return at != kNever && Clock::now().time_since_epoch().count() >= at;
  }

  static constexpr std::int64_t kNever = INT64_MAX;
  static constexpr std::int64_t kNow = INT64_MIN;

  std::atomic<std::int64_t> until_{kNever}, hurry_{kNever};
  std::atomic<int> waiting_{0};
  std::atomic<bool> patient_{false};
  Signal hard_{*this, Signal::Kind::Hard}, soft_{*this, Signal::Kind::Soft},
      brief_{*this, Signal::Kind::Brief};
};

}  // namespace ludens::agent
