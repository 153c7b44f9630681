// SPDX-License-Identifier: MIT
// How long before the end of its clock a reply leaves.
#pragma once

#include <chrono>

namespace ludens::agent {

/// The configured floor plus how late the reply timer has lately been: on a machine under load the
/// timer fires late, and what was late once will be late again. I/O thread only.
class Margin {
 public:
  using Duration = std::chrono::steady_clock::duration;

  explicit Margin(Duration floor) : floor_(floor) {}

  /// A reply timer has run this long after its time.
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
