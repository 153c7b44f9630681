// SPDX-License-Identifier: MIT
#include "server/game/rulesheet.h"

#include <chrono>

#include "gdl/check/check.h"
#include "gdl/ground/declarations.h"
#include "gdl/rules/read.h"
#include "search/strategy/stopping.h"
#include "server/game/random_plays.h"

namespace ludens::server {

Rulesheet read_rulesheet(std::string name, std::string text, const gdl::StopSignal* stop) {
  Rulesheet sheet;
  sheet.name = std::move(name);
  sheet.text = text;
  gdl::NormaliseLimits limits;
  limits.stop = stop;
  gdl::ReadRules read = gdl::read_rules(std::move(text), limits);
  sheet.diagnostics = std::move(read.errors);
  sheet.torn = !sheet.diagnostics.empty();
  sheet.rules = read.normalised.rules;
  sheet.dialect = read.dialect;
  // If the text did not parse, problems of what is left of it mean nothing.
  const bool stopped = stop != nullptr && stop->stop_requested();
  if (sheet.diagnostics.empty() && !stopped) sheet.diagnostics = gdl::check(read.normalised);
  return sheet;
}

std::optional<std::string> why_not_played(const Rulesheet& sheet) {
  const std::size_t chance = sheet.rules->random ? 1 : 0;
  if (sheet.rules->roles.size() == chance) return "there are no roles to play";
  return std::nullopt;
}

std::optional<std::string> why_not_in_the_open(const Rulesheet& sheet) {
  if (auto why = why_not_played(sheet)) return why;
  if (!sheet.rules->has_rule(gdl::kSees)) return std::nullopt;
  return "'sees' makes this a game with hidden information, and here everybody sees everything";
}

std::optional<std::string> first_error(const Rulesheet& sheet) {
  for (const gdl::Diagnostic& diagnostic : sheet.diagnostics) {
    if (diagnostic.severity == gdl::Severity::Error) return gdl::format(diagnostic, sheet.name);
  }
  return std::nullopt;
}

gdl::Diagnostics every_diagnostic(const Rulesheet& sheet) {
  gdl::Diagnostics all = sheet.diagnostics;
  if (gdl::has_error(all)) return all;
  const auto start = std::chrono::steady_clock::now();
  const search::Deadline soon(start + std::chrono::milliseconds(500));
  gdl::MemoryBudget memory(gdl::kUnbudgetedBytes);
  for (gdl::Diagnostic& d : found_in_random_plays(sheet.rules, {&soon, &memory})) {
    all.push_back(std::move(d));
  }
  const search::Deadline until(start + std::chrono::seconds(2));
  gdl::GroundingLimits limits;
  limits.limits.stop = &until;
  for (gdl::Diagnostic& d : gdl::check_declarations(sheet.rules, limits)) {
    all.push_back(std::move(d));
  }
  return all;
}

}  // namespace ludens::server
