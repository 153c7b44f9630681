// SPDX-License-Identifier: MIT
// When a search ends: the only place where deadline, stop token and time limits are checked.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stop_token>
#include <utility>

#include "gdl/memory/limits.h"

namespace ludens::search {

using TimePoint = std::chrono::steady_clock::time_point;

/// The end of a search: a point in time, a stop token, or both. Shared by the threads of one
/// search; machines poll it through `gdl::StopSignal`.
class Deadline final : public gdl::StopSignal {
 public:
  Deadline() = default;  // never
  explicit Deadline(TimePoint at, std::stop_token token = {}) : at_(at), token_(std::move(token)) {}
  explicit Deadline(std::stop_token token) : token_(std::move(token)) {}

  /// That many seconds from now, at most 1e8.
  static Deadline in(double seconds, std::stop_token token = {}) {
    return after(std::chrono::steady_clock::now(), seconds, std::move(token));
  }
  /// That many seconds after `begin`, at most 1e8.
  static Deadline after(TimePoint begin, double seconds, std::stop_token token = {}) {
    const std::chrono::duration<double> span(std::min(seconds, 1e8));
    return Deadline(begin + std::chrono::duration_cast<TimePoint::duration>(span),
                    std::move(token));
  }

  [[nodiscard]] bool stop_requested() const noexcept override {
    return token_.stop_requested() ||
           (at_ != TimePoint::max() && std::chrono::steady_clock::now() >= at_);
  }
  /// Whether something other than the clock ended it: a host, or a better machine.
  [[nodiscard]] bool interrupted() const { return token_.stop_requested(); }
  [[nodiscard]] TimePoint at() const { return at_; }
  [[nodiscard]] const std::stop_token& token() const { return token_; }
  /// The same deadline, or an earlier one.
  [[nodiscard]] Deadline no_later_than(TimePoint at) const {
    return Deadline(at < at_ ? at : at_, token_);
  }
  /// The end of the first part of the time that is left, 0..1; never stays never.
  [[nodiscard]] Deadline share(double part) const {
    if (at_ == TimePoint::max()) return *this;
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> time = part * (at_ - now);
    return no_later_than(now + std::chrono::duration_cast<TimePoint::duration>(time));
  }

 private:
  TimePoint at_ = TimePoint::max();
  std::stop_token token_;
};

}  // namespace ludens::search
