// SPDX-License-Identifier: MIT
// Evaluates the conditions of goals and end one by one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/structure.h"

namespace ludens::search::factors {

/// Evaluates conditions; keeps its memory from one to the next. For one thread.
class ConditionReader {
 public:
  /// Whether it holds if exactly these fluents (ascending) hold; only its own fluents matter.
  bool holds(const gdl::Structure::Condition& condition, std::span<const gdl::FluentId> fluents);

 private:
  std::vector<std::uint8_t> values_;  // [node]
};

}  // namespace ludens::search::factors
