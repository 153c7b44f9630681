// SPDX-License-Identifier: MIT
// All games of a folder against recorded playouts of them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gdl/text/file.h"
#include "server/conformance/conformance.h"

namespace ludens::server {

using MachineOfText = std::function<std::shared_ptr<const gdl::Machine>(const std::string& text)>;

/// Compares each game of `folder`, `rules/KEY` with that ending, with `traces/KEY.jsonl.gz`, for
/// two seconds at most; skips where there is no such folder. `percepts`: each trace must have some.
inline void expect_agreement(const std::filesystem::path& folder, const std::string& ending,
                             const MachineOfText& make, bool percepts = false) {
  constexpr std::string_view kTraceEnding = ".jsonl.gz";
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "the public rulesheets are not beside the project: " << folder;
  }
  std::size_t games = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "traces")) {
    std::string key = entry.path().filename().string();
    if (!key.ends_with(kTraceEnding)) continue;
    key.resize(key.size() - kTraceEnding.size());
    const auto trace = read_trace(entry.path());
    ASSERT_TRUE(trace.has_value()) << key;
    const auto text = gdl::read_file(folder / "rules" / (key + ending));
    ASSERT_TRUE(text.has_value()) << key;
    const auto result = compare(*make(*text), *trace, std::chrono::seconds(2));
    for (const std::string& example : result.examples) ADD_FAILURE() << key << ", " << example;
    EXPECT_GT(percepts ? result.percepts : result.states, 0U) << key;
    ++games;
  }
  EXPECT_GT(games, 0U);
}

}  // namespace ludens::server
