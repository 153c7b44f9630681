#include "gdl/check/check.h"

#include "gdl/check/passes.h"

namespace ludens::gdl {

namespace {

constexpr void (*kPasses[])(Findings&) = {
    check_game,      check_safety, check_stratification, check_keyword_dependence,
    check_recursion, check_names,  check_fluents,
};

}  // namespace

Diagnostics check(const NormalisedRules& normalised) {
  const Dependencies needs = dependencies(*normalised.rules);
  Findings findings(normalised, needs);
  for (const auto pass : kPasses) pass(findings);
  return findings.take();
}

}  // namespace ludens::gdl
