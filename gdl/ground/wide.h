// SPDX-License-Identifier: MIT
// Rules that only goals and the end need, and that are too many as ground rules.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/ground/estimate.h"
#include "gdl/ground/grounding.h"

namespace ludens::gdl {

/// What can be set aside while the rest is ground.
struct WideRules {
  std::vector<bool> relations;  // [flat relation]: wide, and neither recursive nor ever negated
  std::vector<bool> rules;      // [flat rule]: of these relations, or asks for one
  std::vector<bool> above;      // [flat relation]: depends on such a rule
};

/// After the static relations were evaluated. A relation is wide that depends on the state, that
/// goals and the end alone need, and that could have more than `most` rows by its columns. Where
/// there is none, rules with more than `most` instances that no other one depends on are set aside
/// by themselves. No rule at all where one depends on moves, or on what another one says.
WideRules find_wide_rules(const Grounding& g, const Domains& domains, std::uint64_t most);

/// The wide relations, if their rules can be set aside.
std::vector<std::uint32_t> wide_relations(const Grounding& g, const Domains& domains,
                                          std::uint64_t most);

/// Takes the chosen rules out of the program.
std::vector<FlatRule> take_wide_rules(Grounding& g, const std::vector<bool>& chosen);

}  // namespace ludens::gdl
