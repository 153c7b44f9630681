// SPDX-License-Identifier: MIT
// Stop signals that count how often they are asked, for tests.
#pragma once

#include "gdl/memory/limits.h"

namespace ludens::gdl::tests {

/// Says so from the question after `patience` on.
class StopAfter final : public StopSignal {
 public:
  explicit StopAfter(int patience) : patience_(patience) {}
  [[nodiscard]] bool stop_requested() const noexcept override { return asked_++ >= patience_; }
  [[nodiscard]] int asked() const { return asked_; }

 private:
  int patience_;
  mutable int asked_ = 0;
};

}  // namespace ludens::gdl::tests
