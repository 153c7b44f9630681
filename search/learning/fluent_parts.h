// SPDX-License-Identifier: MIT
// The parts of a fluent, to compare it with others argument by argument.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/machine/ground_term.h"

namespace ludens::search {

/// A fluent as its name and its arguments, each as the symbols of the term.
struct FluentParts {
  std::uint32_t name = 0;
  std::vector<std::vector<std::uint32_t>> arguments;
};

inline FluentParts fluent_parts(gdl::GroundTerm term) {
  FluentParts parts{term[0], {}};
  for (const gdl::GroundTerm argument : gdl::arguments_of(term)) {
    parts.arguments.emplace_back(argument.begin(), argument.end());
  }
  return parts;
}

}  // namespace ludens::search
