// SPDX-License-Identifier: MIT
// Finds rules that only goals and the end need and that have too many ground rules.
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

/// To be called when the static relations were evaluated. A relation is wide if it depends on the
/// state, if only goals and the end need it, and if its columns allow more than `most` rows. If
/// there is none, rules with more than `most` instances on which no other rule depends are set
/// aside alone. The result has no rule if one of them depends on moves or on another one. It means
/// nothing once the meter is over.
WideRules find_wide_rules(const Grounding& g, const Domains& domains, std::uint64_t most,
                          WorkMeter& meter);

/// The wide relations, if their rules can be set aside.
std::vector<std::uint32_t> wide_relations(const Grounding& g, const Domains& domains,
                                          std::uint64_t most, WorkMeter& meter);

/// Takes the chosen rules out of the program.
std::vector<FlatRule> take_wide_rules(Grounding& g, const std::vector<bool>& chosen);

}  // namespace ludens::gdl
