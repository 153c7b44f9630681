// SPDX-License-Identifier: MIT
#include "gdl/check/check.h"

#include "gdl/check/passes.h"
#include "gdl/memory/held_memory.h"

namespace ludens::gdl {

namespace {

constexpr void (*kPasses[])(Findings&) = {
    check_game,      check_safety, check_stratification, check_keyword_dependence,
    check_recursion, check_names,  check_fluents,
};

/// The memory that the dependencies and the tables of the passes use, for rules of this size.
std::size_t table_bytes(const Rules& rules) {
  std::size_t literals = 0;
  for (const Rule& rule : rules.rules) literals += rule.body.size() + rule.variables.size();
  return rules.rules.size() * 32 + literals * 48 + rules.relations.size() * 256 +
         rules.terms.size() * 16;
}

}  // namespace

Diagnostics check(const NormalisedRules& normalised, const Limits& limits,
                  std::size_t max_findings) {
  HeldMemory held;
  if (!held.reserve(table_bytes(*normalised.rules), limits.memory)) return normalised.diagnostics;
  const Dependencies needs = dependencies(*normalised.rules);
  Findings findings(normalised, needs, limits, max_findings);
  for (const auto pass : kPasses) {
    if (findings.go_on()) pass(findings);
  }
  return findings.take();
}

}  // namespace ludens::gdl
