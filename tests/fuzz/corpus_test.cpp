// SPDX-License-Identifier: MIT
// Every input that was kept, through its target: what was once found broken stays mended.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "gdl/text/file.h"
#include "server/game/rulesheet.h"
#include "tests/fuzz/targets/targets.h"
#include "tests/project_folder.h"

namespace ludens::fuzz {
namespace {

const std::filesystem::path kCorpus = std::filesystem::path(project_folder()) / "tests/fuzz/corpus";

class KeptInputs : public testing::TestWithParam<Target> {};

TEST_P(KeptInputs, BreakNoPromise) {
  std::size_t inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus / GetParam().name)) {
    const std::string input = gdl::read_file(entry.path()).value();
    EXPECT_NO_THROW(GetParam().run(input)) << entry.path();
    ++inputs;
  }
  EXPECT_GT(inputs, 0u);
}

INSTANTIATE_TEST_SUITE_P(Fuzz, KeptInputs, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& kept) { return std::string(kept.param.name); });

TEST(Corpus, HasSeedsOfKnowledgeThatAreRead) {
  for (const char* name : {"untrained", "one_game", "trained", "counted", "mirrored"}) {
    const std::string seed = gdl::read_file(kCorpus / "knowledge" / name).value();
    EXPECT_TRUE(is_knowledge(seed)) << name;
  }
}

TEST(Corpus, IsSmall) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kCorpus)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_LE(entry.file_size(), 16u << 10) << entry.path();
    bytes += entry.file_size();
  }
  EXPECT_LE(bytes, 2u << 20);
}

}  // namespace
}  // namespace ludens::fuzz
