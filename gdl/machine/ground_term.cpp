// SPDX-License-Identifier: MIT
#include "gdl/machine/ground_term.h"

#include <cstddef>

namespace ludens::gdl {

namespace {

/// Where the term at a cell ends.
std::size_t end_of(GroundTerm term, std::size_t at) {
  std::size_t left = 1;
  for (; left > 0; --left) {
    const bool compound = (term[at] & 1) != 0;
    ++at;
    if (compound) left += term[at++];
  }
  return at;
}

}  // namespace

std::vector<GroundTerm> arguments_of(GroundTerm term) {
  std::vector<GroundTerm> arguments;
  if ((term[0] & 1) == 0) return arguments;
  for (std::size_t at = 2; at < term.size();) {
    const std::size_t end = end_of(term, at);
    arguments.push_back(term.subspan(at, end - at));
    at = end;
  }
  return arguments;
}

}  // namespace ludens::gdl
