// SPDX-License-Identifier: MIT
#include "agent/session/margin.h"

#include <algorithm>

namespace ludens::agent {

void Margin::measured(Duration lateness) {
  // A peak counts immediately and fades slowly: by an eighth per reply.
  lateness_ = std::max({lateness, lateness_ - lateness_ / 8, Duration{0}});
}

Margin::Span Margin::of(Duration clock) const {
  const Duration wanted = floor_ + lateness_;
  const Duration half = std::max(clock / 2, Duration{0});
  return wanted < half ? Span{wanted, false} : Span{half, true};
}

}  // namespace ludens::agent
