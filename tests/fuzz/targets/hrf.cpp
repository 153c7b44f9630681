// SPDX-License-Identifier: MIT
#include "gdl/hrf/hrf.h"

#include <memory>

#include "gdl/check/check.h"
#include "gdl/rules/rules.h"
#include "gdl/to_hrf/to_hrf.h"
#include "tests/fuzz/targets/rulesheets.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

namespace {

void require_stable_terms(std::string_view input) {
  const std::string prefix = gdl::prefix_terms(input);
  require(gdl::prefix_terms(prefix) == prefix, "terms of prefix GDL stay so: " + prefix);
}

/// Rules of a text in HRF; null where it is refused.
std::shared_ptr<const gdl::Rules> rules_of(const std::string& text) {
  gdl::ParsedHrf parsed = gdl::parse_hrf(text, kTextLimits);
  const auto tree = std::make_shared<const gdl::SyntaxTree>(std::move(parsed.tree));
  require_places(parsed.errors, text.size());
  require_places(parsed.remarks, text.size());
  if (!parsed.errors.empty()) return nullptr;
  const gdl::NormalisedRules result = gdl::normalise(tree, gdl::kNoNode, kRuleLimits);
  require_places(gdl::check(result), text.size());
  return gave_up(result) ? nullptr : result.rules;
}

}  // namespace

void hrf(std::string_view input) {
  require_stable_terms(input);
  const auto rules = rules_of(std::string(input));
  if (rules == nullptr) return;
  const gdl::WrittenHrf written = gdl::write_hrf(*rules);
  for (const gdl::Diagnostic& d : written.diagnostics) require_sentence(d.text);
  if (written.text.empty()) return;
  const auto again = rules_of(written.text);
  require(again != nullptr, "what is written in HRF is read again: " + written.text);
  require(again->roles.size() == rules->roles.size(), "roles stay: " + written.text);
}

}  // namespace ludens::fuzz
