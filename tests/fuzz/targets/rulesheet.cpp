// SPDX-License-Identifier: MIT
#include "tests/fuzz/targets/rulesheets.h"

#include <algorithm>
#include <memory>

#include "gdl/check/check.h"
#include "gdl/rules/rules.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

void require_places(const gdl::Diagnostics& diagnostics, std::size_t text_bytes) {
  for (const gdl::Diagnostic& d : diagnostics) {
    require(d.where.offset <= text_bytes, "a diagnostic stands within the text");
    require(d.where.line >= 1 && d.where.column >= 1, "lines and columns count from 1");
    require(d.where.column <= d.where.offset + 1, "a column lies within its line");
    require_sentence(d.text);
  }
}

bool gave_up(const gdl::NormalisedRules& result) {
  return std::ranges::any_of(result.diagnostics,
                             [](const auto& d) { return d.code == "too-many-rules"; });
}

namespace {

gdl::NormalisedRules normalise_of(std::string text) {
  gdl::ParsedText parsed = gdl::parse(std::move(text), kTextLimits);
  const auto tree = std::make_shared<const gdl::SyntaxTree>(std::move(parsed.tree));
  require_places(parsed.errors, tree->text().size());
  return gdl::normalise(tree, gdl::kNoNode, kRuleLimits);
}

}  // namespace

void rulesheet(std::string_view input) {
  const gdl::NormalisedRules result = normalise_of(std::string(input));
  require_places(gdl::check(result), input.size());
  if (gave_up(result)) return;
  const std::string printed = result.rules->print();
  const gdl::NormalisedRules again = normalise_of(printed);
  require(again.rules->print() == printed, "rules that are printed are read again: " + printed);
  require(again.rules->roles.size() == result.rules->roles.size(), "roles stay: " + printed);
}

}  // namespace ludens::fuzz
