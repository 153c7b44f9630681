// SPDX-License-Identifier: MIT
// What browsers hear of matches, and what is kept for later ones.
#include "server/web/match_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/web/raw_client.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;
using testing::Not;

class MatchFeedTest : public testing::Test {
 protected:
  /// A browser that came later would not get what was told before.
  void SetUp() override {
    ASSERT_EQ(problem_, std::nullopt);
    browser_.read_up_to("event: complete");
    browser_.forget();
  }
  /// Begins a match of the game with this fact.
  void begin(const std::string& id, const std::string& fact, const boost::json::array& steps = {}) {
    MatchRecord record;
    record.match_id = id;
    record.rulesheet = "(role r) (init " + fact + ") (legal r go)";
    const auto game = feed_.game(record);
    feed_.begun(record, game, MatchDocument(game).header(record), steps);
  }
  /// What the browser is told from the last call to here.
  std::string told() {
    feed_.note("so far");
    std::string events = browser_.read_up_to("so far");
    browser_.forget();
    return events;
  }
  /// What a browser gets that comes now.
  std::string snapshot() { return Client(port_, kGet).read_up_to("event: complete"); }

  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
  }

  static constexpr const char* kGet = "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  MatchFeed feed_{{.title = "test", .memory = std::make_shared<WireMemory>(std::size_t{1} << 20)}};
  const std::optional<std::string> problem_ = feed_.listen(0);
  const std::uint16_t port_ =
      static_cast<std::uint16_t>(std::stoi(feed_.url().substr(feed_.url().rfind(':') + 1)));
  Client browser_{port_, kGet};
};

TEST_F(MatchFeedTest, AMatchOfTheSameIdTakesThePictureOfTheOneBeforeAway) {
  begin("m", "one");
  feed_.ended("m", ending_json(true, {50}, ""));
  begin("m", "two");
  EXPECT_THAT(told(), HasSubstr("event: forgotten\ndata: {\"picture\":0}"));
  const std::string kept = snapshot();
  EXPECT_EQ(count(kept, "event: game"), 1u) << kept;
  EXPECT_EQ(count(kept, "event: match"), 1u) << kept;
  EXPECT_THAT(kept, HasSubstr("\"picture\":1"));
}

TEST_F(MatchFeedTest, AMatchOfTheSameIdAndGameKeepsThePicture) {
  begin("m", "one");
  begin("m", "one");
  EXPECT_THAT(told(), Not(HasSubstr("event: forgotten")));
  const std::string kept = snapshot();
  EXPECT_EQ(count(kept, "event: game"), 1u) << kept;
  EXPECT_EQ(count(kept, "event: match"), 1u) << kept;
}

TEST_F(MatchFeedTest, AMatchThatIsTooLargeLeavesNoneOfItsIdBehind) {
  begin("m", "one");
  begin("m", "two", {std::string(std::size_t{2} << 20, ' ')});
  EXPECT_THAT(told(), HasSubstr("event: dropped\ndata: {\"id\":\"m\""));
  EXPECT_THAT(snapshot(), Not(HasSubstr("event: match")));
}

}  // namespace
}  // namespace ludens::server
