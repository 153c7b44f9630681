// SPDX-License-Identifier: MIT
// The public rulesheets of Gamemaster against what the venue's own reasoner says of them. On all
// machines: `ludens conform RULES TRACES --machine M`.
#include <gtest/gtest.h>

#include <functional>

#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "gdl/text/file.h"
#include "gdl/to_hrf/to_hrf.h"
#include "server/conformance/conformance.h"
#include "server/game/rulesheet.h"
#include "tests/project_folder.h"

namespace ludens::server {
namespace {

const std::filesystem::path kPublic = project_folder() + "/../shared/gamemaster";
constexpr std::string_view kEnding = ".jsonl.gz";

using Rules = std::shared_ptr<const gdl::Rules>;

Rules read(const std::string& text) {
  return gdl::read_rules(text).normalised.rules;
}
Rules in_prefix(const Rules& rules) {
  return read(rules->source->text());
}
Rules there_and_back(const Rules& rules) {
  const gdl::WrittenHrf written = gdl::write_hrf(*in_prefix(rules));
  for (const gdl::Diagnostic& d : written.diagnostics) ADD_FAILURE() << gdl::format(d, "rules");
  return read(written.text);
}

/// Each sheet, made into other rules, against what the venue says of it.
void expect_agreement(const std::function<Rules(const Rules&)>& made) {
  if (!std::filesystem::exists(kPublic)) {
    GTEST_SKIP() << "the public rulesheets are not beside the project: " << kPublic;
  }
  std::size_t games = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kPublic / "traces")) {
    std::string key = entry.path().filename().string();
    if (!key.ends_with(kEnding)) continue;
    key.resize(key.size() - kEnding.size());
    auto trace = read_trace(entry.path());
    ASSERT_TRUE(trace.has_value()) << key;
    const auto text = gdl::read_file(kPublic / "rules" / (key + ".hrf"));
    ASSERT_TRUE(text.has_value()) << key;
    const auto machine =
        gdl::make_machine("interpreter", std::make_shared<gdl::Vocabulary>(made(read(*text))))
            .value();
    const auto result = compare(*machine, *trace, std::chrono::seconds(2));
    for (const std::string& example : result.examples) ADD_FAILURE() << key << ", " << example;
    EXPECT_GT(result.states, 0U) << key;
    ++games;
  }
  EXPECT_GT(games, 0U);
}

TEST(Gamemaster, StatesMovesAndGoalsAreThoseOfTheVenue) {
  expect_agreement([](const Rules& rules) { return rules; });
}

TEST(Gamemaster, ConvertingToPrefixGdlChangesNoState) {
  expect_agreement(in_prefix);
}

TEST(Gamemaster, ConvertingThereAndBackChangesNoState) {
  expect_agreement(there_and_back);
}

}  // namespace
}  // namespace ludens::server
