// SPDX-License-Identifier: MIT
// How long before the end of its clock a reply leaves.
#pragma once

#include <chrono>

namespace ludens::agent {

/// The configured floor plus the recent lateness of the reply timer: on a loaded machine the timer
/// fires late, and a timer that was late once will be late again. I/O thread only.
class Margin {
 public:
  using Duration = std::chrono::steady_clock::duration;

  explicit Margin(Duration floor) : floor_(floor) {}

  /// Records that a reply timer has fired this late.
  void measured(Duration lateness);

  struct Span {
    Duration length;
    bool halved;  // half the clock, because the margin would have been as long or longer
  };
  [[nodiscard]] Span of(Duration clock) const;

 private:
  Duration floor_;
  Duration lateness_{0};
};

}  // namespace ludens::agent
