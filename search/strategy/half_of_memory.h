// SPDX-License-Identifier: MIT
// What a part of a search may use that leaves room for the others.
#pragma once

#include <memory>

#include "gdl/memory/limits.h"

namespace ludens::search {

/// A budget of half of `whole`. What it reserves is reserved from `whole`, too, which must outlive
/// it. If `whole` is null, the limit is `kUnbudgetedBytes`.
inline gdl::MemoryBudget half_of(gdl::MemoryBudget* whole) {
  return gdl::MemoryBudget(whole == nullptr ? gdl::kUnbudgetedBytes : whole->limit() / 2,
                           {std::shared_ptr<void>(), whole});
}

}  // namespace ludens::search
