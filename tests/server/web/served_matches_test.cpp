// SPDX-License-Identifier: MIT
// The page of a player whose hosts leave silently, or send data that no person would look at.
#include "server/web/served_matches.h"

#include <gtest/gtest.h>

#include "gdl/text/file.h"
#include "gdl/text/syntax.h"
#include "server/venue/translation.h"
#include "tests/project_folder.h"
#include "tests/server/web/raw_client.h"

namespace ludens::server {
namespace {

constexpr const char* kRules =
    "(role r) (init (s 0)) (legal r go) (<= (next (s 1)) (true (s 0)))"
    "(<= terminal (true (s 1))) (goal r 50)";

class ServedMatchesTest : public testing::Test {
 protected:
  /// A browser that came later would not get what the log says about earlier matches.
  void SetUp() override { told_up_to("hello"); }
  void start(const std::string& id, const std::string& rules) {
    auto tree = std::make_shared<gdl::SyntaxTree>(gdl::parse("(" + rules + ")").tree);
    Served served;
    served.match_id = id;
    served.reply = "ready";
    served.message = std::make_shared<const agent::Message>(
        agent::Start{id, "r", agent::Part{std::move(tree), 0}, 10, 10});
    matches_.served(served);
  }
  /// Everything that a browser receives, from now up to these words.
  std::string told_up_to(const std::string& words) { return browser_.read_up_to(words); }

  MatchFeed feed_{{.title = "test"}};
  const std::optional<std::string> problem_ = feed_.listen(0);
  const std::uint16_t port_ =
      static_cast<std::uint16_t>(std::stoi(feed_.url().substr(feed_.url().rfind(':') + 1)));
  ServedMatches matches_{feed_, "player", 2, std::size_t{16} << 20};
  Client browser_{port_, "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"};
};

TEST_F(ServedMatchesTest, HostsThatGoWithoutAWordAreForgotten) {
  for (const char* id : {"one", "two", "three"}) start(id, kRules);
  const std::string told = told_up_to("the host is gone");
  EXPECT_NE(told.find("\"one\""), std::string::npos);
}

TEST_F(ServedMatchesTest, AnotherMatchUnderTheSameIdTakesTheFirstOnesPlace) {
  start("one", kRules);
  start("one", kRules);
  start("one", "(role r) (init other) (legal r go) (<= terminal (true never)) (goal r 50)");
  const std::string told = told_up_to("other");
  EXPECT_NE(told.find("the host is gone"), std::string::npos) << told;
  EXPECT_EQ(told.find("the host is gone"), told.rfind("the host is gone")) << told;
}

TEST_F(ServedMatchesTest, APictureIsForgottenWithItsLastMatch) {
  start("one", kRules);
  start("two", kRules);
  start("other", "(role r) (init other) (legal r go) (<= terminal (true never)) (goal r 50)");
  told_up_to("\"other\"");
  for (const char* id : {"one", "other", "two"}) feed_.dropped(id);
  const std::string told = told_up_to("{\"picture\":0}");
  EXPECT_EQ(told.find("forgotten"), told.find("forgotten\ndata: {\"picture\":1}")) << told;
}

TEST_F(ServedMatchesTest, MatchesThatHideTheirStatesAreNotFollowed) {
  start("hidden", std::string(kRules) + "(<= (sees r done) (does r go))");
  start("small", kRules);
  const std::string told = told_up_to("\"small\"");
  EXPECT_NE(told.find("match hidden hides its states"), std::string::npos);
  EXPECT_EQ(told.find("\"id\":\"hidden\""), std::string::npos);
}

/// A match of three in a row, as a page forwards the manager's messages.
class GamemasterMatchesTest : public ServedMatchesTest {
 protected:
  void tell(const std::string& id, const std::string& content, const std::string& said) {
    const auto envelope =
        read_envelope_for("ludens", "message(" + id + ",manager,ludens," + content + ")");
    ASSERT_TRUE(envelope);
    Served served;
    served.reply = "{\"answer\":null}";
    served.said = said;
    served.message = std::make_shared<const agent::Message>(message(*envelope));
    served.match_id = kMatch;
    matches_.served(served);
  }
  static agent::Message message(const Envelope& envelope) {
    if (envelope.content.name == "start") return read_start(envelope).value();
    if (envelope.content.name == "stop") return read_stop(envelope, kMatch).value();
    return read_play(envelope, kMatch).value();
  }
  void begin(const std::string& said) {
    std::string rules =
        gdl::read_file(std::string(project_folder()) + "/tests/gdl/hrf/games/line.hrf").value();
    rules.erase(0, rules.find("role(x)"));
    tell("1", "start(x,ruleset(" + rules + "),10,10)", said);
  }
  static constexpr const char* kMatch = "gamemaster.ludens.1";
};

TEST_F(GamemasterMatchesTest, AreFollowedInTheirLanguage) {
  begin("ready");
  tell("2", "play([])", "( mark 1 1 )");
  tell("3", "play(mark(1,1))", "noop");
  tell("3", "play(mark(1,1))", "noop");
  tell("4", "play(mark(2,2))", "( mark 1 2 )");
  tell("5", "play(mark(1,2))", "noop");
  tell("6", "play(mark(3,3))", "( mark 1 3 )");
  tell("7", "stop(mark(1,3))", "done");
  const std::string told = told_up_to("\"end\":");
  const auto first = told.find(R"x("moves":["mark(1,1)","noop"])x");
  EXPECT_NE(first, std::string::npos) << told;
  EXPECT_EQ(told.find(R"x("moves":["mark(1,1)","noop"])x", first + 1), std::string::npos) << told;
  EXPECT_NE(told.find(R"x("moves":["noop","mark(2,2)"])x"), std::string::npos) << told;
  EXPECT_NE(told.find("\"completed\":true"), std::string::npos) << told;
}

TEST_F(GamemasterMatchesTest, AreNotFollowedWhereTheyWereRefused) {
  begin("busy");
  start("small", kRules);
  EXPECT_EQ(told_up_to("\"small\"").find(kMatch), std::string::npos);
}

TEST_F(GamemasterMatchesTest, EndWhereAMoveCannotBeMade) {
  begin("ready");
  tell("2", "play([])", "( mark 1 1 )");
  tell("3", "play(mark(9,9))", "noop");
  EXPECT_NE(told_up_to("can't be followed").find("\"completed\":false"), std::string::npos);
}

TEST_F(ServedMatchesTest, LongRulesAndThoseThatTakeTooMuchMemoryAreNotFollowed) {
  std::string facts = kRules, splits = std::string(kRules) + "(<= (p ?x)";
  while (facts.size() < 600'000) facts += "(f a)";
  for (int i = 0; i < 20; ++i) splits += "(or (a ?x) (b ?x))";
  start("long", facts);
  start("large", splits + ")");
  start("small", kRules);
  const std::string told = told_up_to("\"small\"");
  EXPECT_EQ(told.find("\"long\""), std::string::npos);
  EXPECT_EQ(told.find("\"large\""), std::string::npos);
}

}  // namespace
}  // namespace ludens::server
