// SPDX-License-Identifier: MIT
#include "server/venue/envelope.h"

#include <gmock/gmock.h>

#include "gdl/hrf/hrf.h"
#include "server/venue/translation.h"

namespace ludens::server {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string problem_of(const std::string& text) {
  const auto envelope = read_envelope(text);
  return envelope ? "" : envelope.error().text;
}

TEST(Envelope, IsTakenApart) {
  const auto envelope = read_envelope(" message( 17 ,manager, ludens,play(mark(1,f(a,b))))\n");
  ASSERT_TRUE(envelope.has_value());
  EXPECT_EQ(envelope->id, "17");
  EXPECT_EQ(envelope->sender, "manager");
  EXPECT_EQ(envelope->receiver, "ludens");
  EXPECT_EQ(envelope->content.name, "play");
  EXPECT_THAT(envelope->content.arguments, ElementsAre("mark(1,f(a,b))"));
  for (const char* text : {"message(x,manager,ludens,ping())", "message(x,manager,ludens,ping)"}) {
    const auto ping = read_envelope(text);
    ASSERT_TRUE(ping.has_value()) << text;
    EXPECT_EQ(ping->content.name, "ping");
  }
  EXPECT_EQ(write_envelope("17", "ludens", "manager", "ready"), "message(17,ludens,manager,ready)");
}

TEST(Envelope, QuotationMarksHideParenthesesAndCommas) {
  const auto term = read_outer_term("f(\"a,(b\",c)");
  ASSERT_TRUE(term.has_value());
  EXPECT_THAT(term->arguments, ElementsAre("\"a,(b\"", "c"));
}

TEST(Envelope, ListsAreOneArgument) {
  const auto term = read_outer_term("put([a,f(b,c)],[])");
  ASSERT_TRUE(term.has_value());
  EXPECT_THAT(term->arguments, ElementsAre("[a,f(b,c)]", "[]"));
}

TEST(Envelope, WhatIsNoMessageIsSaid) {
  EXPECT_THAT(problem_of(""), HasSubstr("not a term"));
  EXPECT_THAT(problem_of("hello"), HasSubstr("not message(ID,SENDER,RECEIVER,CONTENT)"));
  EXPECT_THAT(problem_of("message(1,manager,ludens)"), HasSubstr("not message("));
  EXPECT_THAT(problem_of("message(1,manager,ludens,ping"), HasSubstr("do not close"));
  EXPECT_THAT(problem_of("message(1,manager,ludens,ping))"), HasSubstr("stands ')'"));
  EXPECT_THAT(problem_of("message(f(1),manager,ludens,ping)"), HasSubstr("not an identifier"));
  EXPECT_THAT(problem_of("message(1,,ludens,ping)"), HasSubstr("not an identifier"));
  EXPECT_THAT(problem_of("message(1,manager,ludens,)"), HasSubstr("not a term"));
  EXPECT_THAT(problem_of(std::string(1000, '(')), HasSubstr("not a term"));
}

Envelope envelope(const std::string& content) {
  auto read = read_envelope("message(5,manager,ludens," + content + ")");
  EXPECT_TRUE(read.has_value()) << content;
  return read ? *std::move(read) : Envelope{};
}

TEST(Translation, StartBringsRulesInPrefixGdl) {
  const auto start = read_start(envelope(
      "start(x,ruleset(role(x),role(o),control(x),legal(mark(N)) :- index(N),index(1)),20,7)"));
  ASSERT_TRUE(start.has_value()) << start.error().text;
  EXPECT_EQ(start->match_id, "gamemaster.ludens.5");
  EXPECT_EQ(start->role, "x");
  EXPECT_EQ(start->start_clock_seconds, 20);
  EXPECT_EQ(start->play_clock_seconds, 7);
  EXPECT_TRUE(start->one_mover);
  const std::string rules = start->description.tree->print(start->description.node);
  EXPECT_THAT(rules, HasSubstr("( role x )"));
  EXPECT_THAT(rules, HasSubstr("( index 1 )"));
}

TEST(Translation, WhatIsWrongWithAStartIsSaid) {
  const auto problem = [](const std::string& content) {
    const auto start = read_start(envelope(content));
    return start ? "" : start.error().text;
  };
  EXPECT_THAT(problem("start(x,ruleset(role(x)),20)"), HasSubstr("not start("));
  EXPECT_THAT(problem("start(x,rules,20,7)"), HasSubstr("not ruleset("));
  EXPECT_THAT(problem("start(x,ruleset(role(x)),soon,7)"), HasSubstr("start clock 'soon'"));
  EXPECT_THAT(problem("start(x,ruleset(role(x)),20,-7)"), HasSubstr("play clock '-7'"));
  EXPECT_THAT(problem("start(x,ruleset(role(x) :-),20,7)"), HasSubstr("rules:1:"));
}

TEST(Translation, MovesAndAnswers) {
  for (const char* content : {"play([])", "play(nil)", "play( [] )"}) {
    const auto first = read_play(envelope(content), "gamemaster.ludens.4");
    ASSERT_TRUE(first.has_value()) << content;
    EXPECT_EQ(first->moves.tree, nullptr) << content;
    EXPECT_EQ(first->id, "5");
  }
  EXPECT_EQ(read_stop(envelope("stop([])"), "gamemaster.ludens.5")->moves.tree, nullptr);
  const auto play = read_play(envelope("play(mark(1,2))"), "gamemaster.ludens.5");
  ASSERT_TRUE(play.has_value());
  EXPECT_EQ(play->moves.tree->print(play->moves.node), "( mark 1 2 )");
  EXPECT_EQ(play->id, std::nullopt);  // that of the START, so all messages have the same
  EXPECT_FALSE(read_play(envelope("play"), "m").has_value());
  EXPECT_FALSE(read_play(envelope("play(a,b)"), "m").has_value());
  EXPECT_EQ(answer_in_hrf("( mark 1 2 )"), "mark(1,2)");
  EXPECT_EQ(answer_in_hrf("ready"), "ready");
  for (const char* nothing : {"", "nil", "busy"}) EXPECT_EQ(answer_in_hrf(nothing), std::nullopt);
}

}  // namespace
}  // namespace ludens::server
