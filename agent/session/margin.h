// SPDX-License-Identifier: MIT
// How long before the end of its clock a reply leaves.
#pragma once

#include <chrono>

namespace ludens::agent {

/// The configured floor plus the recent lateness of answers: on a loaded machine the timer fires
/// late, as do the events of a search that has ended, and what was late once will be late again.
/// I/O thread only.
class Margin {
 public:
  using Duration = std::chrono::steady_clock::duration;

  explicit Margin(Duration floor) : floor_(floor) {}

  /// Records that an answer was given this long after it was due; 0 for one in time.
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
