// SPDX-License-Identifier: MIT
// The public rulesheets of Gamemaster against what the venue's own reasoner says of them. On all
// machines: `ludens conform RULES TRACES --machine M`.
#include <gtest/gtest.h>

#include "gdl/registry/machines.h"
#include "server/conformance/conformance.h"
#include "server/game/rulesheet.h"
#include "tests/project_folder.h"

namespace ludens::server {
namespace {

const std::filesystem::path kPublic = project_folder() + "/../shared/gamemaster";
constexpr std::string_view kEnding = ".jsonl.gz";

TEST(Gamemaster, StatesMovesAndGoalsAreThoseOfTheVenue) {
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
    const auto text = read_file(kPublic / "rules" / (key + ".hrf"));
    ASSERT_TRUE(text.has_value()) << key;
    const Rulesheet sheet = read_rulesheet(key, *text);
    const auto machine =
        gdl::make_machine("interpreter", std::make_shared<gdl::Vocabulary>(sheet.rules)).value();
    const auto result = compare(*machine, *trace, std::chrono::seconds(2));
    for (const std::string& example : result.examples) ADD_FAILURE() << key << ", " << example;
    EXPECT_GT(result.states, 0U) << key;
    ++games;
  }
  EXPECT_GT(games, 0U);
}

}  // namespace
}  // namespace ludens::server
