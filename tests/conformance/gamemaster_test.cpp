// SPDX-License-Identifier: MIT
// The public rulesheets of Gamemaster against what the venue's own reasoner says of them. On all
// machines: `ludens conform RULES TRACES --machine M`.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "gdl/to_hrf/to_hrf.h"
#include "server/game/rulesheet.h"
#include "tests/conformance/recorded_games.h"
#include "tests/project_folder.h"

namespace ludens::server {
namespace {

const std::filesystem::path kPublic = project_folder() + "/../shared/gamemaster";

using Rules = std::shared_ptr<const gdl::Rules>;

Rules read(const std::string& text) {
  return gdl::read_rules(text).normalised.rules;
}
Rules in_prefix(const Rules& rules) {
  return read(rules->source->text());
}
Rules there_and_back(const Rules& rules) {
  const gdl::WrittenHrf written = gdl::write_hrf(*in_prefix(rules));
  for (const gdl::Diagnostic& d : written.diagnostics) {
    EXPECT_EQ(d.severity, gdl::Severity::Note) << gdl::format(d, "rules");
  }
  return read(written.text);
}

/// Each sheet, made into other rules, against what the venue says of it.
void expect_venue_agrees(const std::function<Rules(const Rules&)>& made) {
  expect_agreement(kPublic, ".hrf", [&](const std::string& text) {
    const auto vocabulary = std::make_shared<gdl::Vocabulary>(made(read(text)));
    return gdl::make_machine("interpreter", vocabulary).value();
  });
}

TEST(Gamemaster, StatesMovesAndGoalsAreThoseOfTheVenue) {
  expect_venue_agrees([](const Rules& rules) { return rules; });
}

TEST(Gamemaster, ConvertingToPrefixGdlChangesNoState) {
  expect_venue_agrees(in_prefix);
}

TEST(Gamemaster, ConvertingThereAndBackChangesNoState) {
  expect_venue_agrees(there_and_back);
}

/// Whose goals look at all ways to put eight queens on a board: the interpreter plays them.
constexpr std::string_view kTooLargeForANetwork[] = {"badqueens.hrf", "queens.hrf"};

TEST(Gamemaster, EverySheetButTwoGetsANetworkMachine) {
  const std::filesystem::path rules = kPublic / "rules";
  if (!std::filesystem::exists(rules)) {
    GTEST_SKIP() << "the public rulesheets are not beside the project: " << rules;
  }
  std::size_t sheets = 0;
  for (const auto& entry : std::filesystem::directory_iterator(rules)) {
    const auto vocabulary =
        std::make_shared<gdl::Vocabulary>(read(gdl::read_file(entry.path()).value()));
    const auto made = gdl::make_machine("scalar", vocabulary);
    const bool too_large =
        std::ranges::count(kTooLargeForANetwork, entry.path().filename().string()) > 0;
    EXPECT_EQ(made.has_value(), !too_large)
        << entry.path() << ": " << (made ? "" : made.error().text);
    ++sheets;
  }
  EXPECT_GT(sheets, 0U);
}

}  // namespace
}  // namespace ludens::server
