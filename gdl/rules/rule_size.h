// SPDX-License-Identifier: MIT
// How large rules and clauses are: the time to go through one, and the memory to keep it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "gdl/memory/held_memory.h"
#include "gdl/rules/terms.h"

namespace ludens::gdl {

/// The symbols of terms when they are written out.
[[nodiscard]] inline std::size_t symbols_of(const Terms& terms, std::span<const Term> some) {
  std::size_t symbols = 0;
  for (const Term t : some) symbols += terms.symbol_count(t);
  return symbols;
}

/// The same for a rule or clause.
template <typename R>
[[nodiscard]] std::size_t symbols_of_rule(const Terms& terms, const R& rule) {
  std::size_t symbols = 1 + symbols_of(terms, rule.arguments);
  for (const auto& condition : rule.body) symbols += 1 + symbols_of(terms, condition.arguments);
  return symbols;
}

/// The memory of a rule or clause outside of the object itself.
template <typename R>
[[nodiscard]] std::size_t bytes_of_rule(const R& rule) {
  constexpr std::size_t kAllocation = 16;  // the overhead of one
  std::size_t bytes = bytes_of(rule.arguments, rule.body, rule.variables) + 3 * kAllocation;
  for (const auto& condition : rule.body) bytes += bytes_of(condition.arguments) + kAllocation;
  for (const std::string& name : rule.variables) bytes += name.capacity();
  return bytes;
}

}  // namespace ludens::gdl
