// SPDX-License-Identifier: MIT
// Which relation needs which, within one state: the dependency graph of the GDL specification (Love
// et al. 2008, definition 8), and its recursive components.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/rules/components.h"
#include "gdl/rules/rules.h"

namespace ludens::gdl {

/// Nodes are relations; `true` and `does` have no rules and so no successors. A value; immutable.
struct Dependencies {
  Graph needs;                                       // relations in the bodies of each one's rules
  std::vector<std::vector<std::uint32_t>> rules_of;  // rules with the relation as head
  Components components;        // what a relation needs has no larger component number
  std::vector<bool> recursive;  // by component: it needs itself
  std::vector<bool> negative;   // by component: it needs its own negation, so has no stratum

  [[nodiscard]] bool in_same_component(RelationId a, RelationId b) const {
    return components.of[a] == components.of[b];
  }
  [[nodiscard]] bool is_recursive(RelationId r) const { return recursive[components.of[r]]; }
};

Dependencies dependencies(const Rules& rules);

}  // namespace ludens::gdl
