// SPDX-License-Identifier: MIT
// The conditions of goals and end, looked at one by one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/structure.h"

namespace ludens::search::factors {

/// Works out conditions; keeps its memory from one to the next. One thread.
class ConditionReader {
 public:
  /// Whether it holds where exactly these fluents do, ascending; others than its own don't matter.
  bool holds(const gdl::Structure::Condition& condition, std::span<const gdl::FluentId> fluents);

 private:
  std::vector<std::uint8_t> values_;  // [node]
};

}  // namespace ludens::search::factors
