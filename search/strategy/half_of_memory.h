// SPDX-License-Identifier: MIT
// What a part of a search may use that leaves room for the others.
#pragma once

#include <memory>

#include "gdl/memory/limits.h"

namespace ludens::search {

/// A budget of half of the whole, against which it is counted, too; the whole must outlive it.
/// Without a whole (null) it is what may be used if no budget was given.
inline gdl::MemoryBudget half_of(gdl::MemoryBudget* whole) {
  return gdl::MemoryBudget(whole == nullptr ? gdl::kUnbudgetedBytes : whole->limit() / 2,
                           {std::shared_ptr<void>(), whole});
}

}  // namespace ludens::search
