// SPDX-License-Identifier: MIT
// Records with one bit flipped: refused, or found to disagree, or the same match as before.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "gdl/text/file.h"
#include "gdl/text/syntax.h"
#include "server/game/rulesheet.h"
#include "server/records/ggp_json.h"
#include "server/records/record_files.h"
#include "server/records/replay.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTwoSteps =
    "(role white) (role black) (init (step 0)) (succ 0 1) (succ 1 2)"
    "(<= (legal ?r (pick a)) (role ?r)) (<= (legal ?r noop) (role ?r))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= (next (chosen ?r ?x)) (does ?r (pick ?x)))"
    "(<= terminal (true (step 2))) (goal white 30) (goal black 70)";

MatchRecord played() {
  MatchRecord record;
  record.match_id = "flipped.1";
  record.game = "picking";
  record.roles = {"white", "black"};
  record.players = {"ann", "bob"};
  record.start_clock = 10;
  record.play_clock = 5;
  record.states = {"( ( step 0 ) )", "( ( step 1 ) ( chosen white a ) )", "( ( step 2 ) )"};
  record.moves = {{"( pick a )", "noop"}, {"noop", "noop"}};
  record.state_times_ms = {1, 2, 3};
  record.errors = {{"", ""}, {"", "TO"}, {"", ""}};
  record.completed = true;
  record.goals = {30, 70};
  return record;
}

/// What the rules decide, in one form.
std::string story(const MatchRecord& record) {
  std::string text;
  for (const auto& moves : record.moves) {
    for (const std::string& move : moves) {
      for (const gdl::ParsedText parsed = gdl::parse(move);
           const gdl::NodeIndex form : parsed.tree.forms()) {
        text += gdl::fold_case(parsed.tree.print(form)) + " ";
      }
    }
  }
  for (const int goal : record.goals) text += std::to_string(goal) + " ";
  return text;
}

class FlippedRecords : public testing::Test {
 protected:
  /// Whether the record is refused, or disagrees with the rules, or something is missing in it.
  bool shows(const gdl::Result<MatchRecord>& read) {
    if (!read) return true;
    const ReplayResult result = replay(*read, rules_);
    return !result.disagreements.empty() || !result.missing.empty() || read->roles.empty();
  }

  std::shared_ptr<const gdl::Rules> rules_ = read_rulesheet("picking", kTwoSteps).rules;
};

TEST_F(FlippedRecords, OfJsonAreNoOtherMatch) {
  const std::string whole = to_ggp_json(played());
  ASSERT_FALSE(shows(parse_ggp_json(whole)));
  std::size_t shown = 0;
  for (std::size_t byte = 0; byte < whole.size(); ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
      const auto read = parse_ggp_json(damaged);
      if (shows(read)) {
        ++shown;
      } else {
        EXPECT_EQ(story(*read), story(played())) << damaged;
      }
    }
  }
  EXPECT_GT(shown, whole.size());
}

TEST_F(FlippedRecords, OfXmlAreNoOtherMatchAndNoOtherPlayers) {
  const ScratchFolder scratch;
  RecordFiles files(scratch.path(), played().match_id);
  for (std::size_t states = 1; states <= 3; ++states) {
    MatchRecord part = played();
    part.states.resize(states);
    part.moves.resize(states - 1);
    part.state_times_ms.resize(states);
    part.errors.resize(states);
    part.completed = false;
    ASSERT_EQ(files.save(part), std::nullopt);
  }
  ASSERT_EQ(files.save(played()), std::nullopt);
  const auto read = [&] { return read_records(files.xml())->front().record; };
  ASSERT_TRUE(read().has_value());
  ASSERT_FALSE(shows(read()));
  for (const char* name : {"step_1.xml", "step_2.xml", "step_3.xml", "finalstate.xml"}) {
    const std::string whole = gdl::read_file(files.xml() / name).value();
    for (std::size_t byte = 0; byte < whole.size(); ++byte) {
      std::string damaged = whole;
      damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << (byte % 8)));
      std::ofstream(files.xml() / name, std::ios::binary) << damaged;
      const auto found = read();
      if (shows(found)) continue;
      EXPECT_EQ(found->match_id, played().match_id) << name << ": " << damaged;
      EXPECT_EQ(found->players, played().players) << name << ": " << damaged;
      EXPECT_EQ(found->errors, played().errors) << name << ": " << damaged;
    }
    std::ofstream(files.xml() / name, std::ios::binary) << whole;
  }
}

}  // namespace
}  // namespace ludens::server
