// SPDX-License-Identifier: MIT
// Records that are damaged in every field: refused with a sentence, or safe to work with.
#include <boost/json.hpp>
#include <filesystem>

#include "server/game/rulesheet.h"
#include "server/records/claims.h"
#include "server/records/dresden_xml.h"
#include "server/records/ggp_json.h"
#include "server/records/record_files.h"
#include "server/records/replay.h"
#include "server/web/match_document.h"
#include "tests/project_folder.h"
#include "tests/server/records/sample_record.h"

namespace ludens::server {
namespace {

namespace json = boost::json;

/// All that the program does with a record it has read.
void work_with(const MatchRecord& record) {
  broken_claims(record);
  for (std::size_t state = 0; state < record.states.size(); ++state) {
    to_dresden_xml(record, state);
  }
  EXPECT_TRUE(parse_ggp_json(to_ggp_json(record)).has_value());
  const auto game = game_of(record);
  match_json(record, game);
  const Rulesheet sheet = read_rulesheet(record.game, record.rulesheet);
  if (!sheet.rules->roles.empty()) replay(record, sheet.rules);
}

/// Whether it was refused.
bool refused(const json::value& damaged) {
  const auto read = parse_ggp_json(json::serialize(damaged));
  if (!read) {
    const std::string problem = read.error().text;
    EXPECT_FALSE(problem.empty());
    EXPECT_EQ(problem.find('\n'), std::string::npos) << problem;
    return true;
  }
  work_with(*read);
  return false;
}

MatchRecord playable_sample() {
  MatchRecord record = sample_record();
  record.rulesheet =
      "(role white) (role black) (init (step 0)) (legal white noop) (legal black noop)"
      "(<= (next (step 1)) (true (step 0))) (<= terminal (true (step 1)))";
  return record;
}

/// Puts each of the odd values in place of `place`, and does the same with all that is in there;
/// arrays also lose their last entry and get one more. `whole` is what `place` is a part of.
void damage(json::value& whole, json::value& place, std::size_t& refusals, std::size_t& tried) {
  static const json::array kOdd{
      nullptr,       true,        -1,  1e300,         18446744073709551615u,      "",
      "\x01\x1b[2J", "( ( ( x )", ")", json::array{}, json::array{json::array{}}, json::object{}};
  const json::value before = place;
  const auto attempt = [&](const json::value& odd) {
    place = odd;
    ++tried;
    refusals += refused(whole) ? 1 : 0;
    place = before;
  };
  for (const json::value& odd : kOdd) attempt(odd);
  if (before.is_array()) {
    json::array longer = before.get_array(), shorter = before.get_array();
    longer.push_back(longer.empty() ? json::value("") : longer.back());
    attempt(longer);
    if (!shorter.empty()) {
      shorter.pop_back();
      attempt(shorter);
    }
    for (json::value& entry : place.get_array()) damage(whole, entry, refusals, tried);
  } else if (before.is_object()) {
    for (auto& [key, value] : place.get_object()) damage(whole, value, refusals, tried);
  }
}

TEST(DamagedRecords, AreRefusedOrSafeToWorkWith) {
  json::value whole = json::parse(to_ggp_json(playable_sample()));
  std::size_t refusals = 0, tried = 0;
  for (auto& [key, value] : whole.get_object()) damage(whole, value, refusals, tried);
  EXPECT_GT(refusals, 100u);
  EXPECT_GT(tried, refusals);
}

TEST(DamagedRecords, AreRefusedOrSafeWithoutOneOfTheirFields) {
  const json::value whole = json::parse(to_ggp_json(playable_sample()));
  for (const auto& [key, value] : whole.get_object()) {
    json::object less = whole.get_object();
    less.erase(key);
    EXPECT_EQ(refused(less), key == "matchId" || key == "states" || key == "moves") << key;
  }
}

TEST(DamagedRecords, ThatWereMetAreRefusedWithWhatIsWrong) {
  const std::filesystem::path folder = project_folder() + "/../shared/field";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no ../shared/field";
  const auto problem = [&](const char* name) {
    const auto found = read_records(folder / name).value();
    const auto& record = found.front().record;
    return record ? "none" : record.error().text;
  };
  EXPECT_EQ(problem("oob.json"), "row 0 of 'errors' has 1 entry for 2 roles");
  EXPECT_THAT(problem("record-out-of-bounds.bytes"), testing::StartsWith("no JSON: "));
}

}  // namespace
}  // namespace ludens::server
