// SPDX-License-Identifier: MIT
#include "server/player/protocol.h"

#include <gtest/gtest.h>

#include <random>

namespace ludens::server {
namespace {

template <class M>
M read(const std::string& text) {
  auto result = read_message(text);
  if (!result) {
    ADD_FAILURE() << text << ": " << result.error().text;
    return {};
  }
  agent::Message& message = *result;
  if (!std::holds_alternative<M>(message)) {
    ADD_FAILURE() << text << " read as " << agent::kind(message);
    return {};
  }
  return std::get<M>(std::move(message));
}

std::string reason(const std::string& text, const gdl::ParseLimits& limits = {}) {
  const auto result = read_message(text, limits);
  return result ? "" : result.error().text;
}

std::string print(const agent::Part& part) {
  return part.tree->print(part.node);
}

TEST(Protocol, InfoInEveryForm) {
  for (const char* text : {"( INFO )", "(info)", "(Ping)", "", " \r\n ", "( INFO extra )"}) {
    read<agent::Info>(text);
  }
}

TEST(Protocol, Start) {
  const auto start = read<agent::Start>(
      "( Start tic.14-0_X xPlayer (( role xPlayer ) ( <= terminal ( true ?x ) )) 30 15 more (x) )");
  EXPECT_EQ(start.match_id, "tic.14-0_X");
  EXPECT_EQ(start.role, "xPlayer");
  EXPECT_EQ(print(start.description), "( ( role xPlayer ) ( <= terminal ( true ?x ) ) )");
  EXPECT_EQ(start.start_clock_seconds, 30);
  EXPECT_EQ(start.play_clock_seconds, 15);
}

TEST(Protocol, Preview) {
  const auto preview = read<agent::Preview>("(PREVIEW ((role a)) 30)");
  EXPECT_EQ(print(preview.description), "( ( role a ) )");
  EXPECT_EQ(preview.clock_seconds, 30);
}

TEST(Protocol, PlayAndStop) {
  EXPECT_EQ(print(read<agent::Play>("(PLAY m ((mark 1 1) noop))").moves), "( ( mark 1 1 ) noop )");
  EXPECT_EQ(print(read<agent::Stop>("(STOP m ((mark 1 1) noop))").moves), "( ( mark 1 1 ) noop )");
  for (const char* none : {"NIL", "nil", "()", "( )", "anything"}) {
    const auto play = read<agent::Play>("( PLAY m " + std::string(none) + " )");
    EXPECT_EQ(play.match_id, "m");
    EXPECT_NE(play.moves.node, gdl::kNoNode);
  }
}

TEST(Protocol, Abort) {
  EXPECT_EQ(read<agent::Abort>("(aBort m.1)").match_id, "m.1");
}

TEST(Protocol, TurnsWithOwnMoveAndPerceptsAreToldByArity) {
  const auto first = read<agent::Play>("(PLAY m 0 NIL NIL)");
  EXPECT_EQ(first.match_id, "m");
  ASSERT_TRUE(first.own);
  EXPECT_EQ(first.own->number, 0u);
  EXPECT_EQ(print(first.own->move), "NIL");
  const auto later = read<agent::Play>("(PLAY m 3 (mark 1 1) ((saw a) (saw b)))");
  ASSERT_TRUE(later.own);
  EXPECT_EQ(later.own->number, 3u);
  EXPECT_EQ(print(later.own->move), "( mark 1 1 )");
  EXPECT_EQ(print(later.moves), "( ( saw a ) ( saw b ) )");
  const auto stop = read<agent::Stop>("(STOP m 4 noop (a b))");
  ASSERT_TRUE(stop.own);
  EXPECT_EQ(stop.own->number, 4u);
  EXPECT_EQ(print(stop.moves), "( a b )");
  EXPECT_FALSE(read<agent::Play>("(PLAY m ((saw a)))").own) << "moves, or percepts: the rules say";
}

TEST(Protocol, TurnsAreNumbersOfJointMoves) {
  for (const char* wrong : {"NIL", "-1", "1.5", "99999999999999999999", "(1)", "one"}) {
    EXPECT_NE(reason("(PLAY m " + std::string(wrong) + " noop ())")
                  .find("the turn is not a number of joint moves"),
              std::string::npos)
        << wrong;
  }
}

TEST(Protocol, WhatIsWrittenIsRead) {
  for (const PerceptForm form : {PerceptForm::WithOwnMove, PerceptForm::InPlaceOfMoves}) {
    const bool counted = form == PerceptForm::WithOwnMove;
    const auto first = read<agent::Play>(play_text("m", OwnView{}, form));
    EXPECT_EQ(first.own.has_value(), counted);
    EXPECT_EQ(print(first.moves), "NIL");
    const OwnView nothing{2, "( go west )", {}};
    const auto play = read<agent::Play>(play_text("m", nothing, form));
    EXPECT_EQ(print(play.moves), "( )") << "no percepts are a list";
    ASSERT_EQ(play.own.has_value(), counted);
    EXPECT_EQ(counted ? print(play.own->move) : "( go west )", "( go west )");
    const OwnView some{3, "noop", {"dark", "( near b )"}};
    const auto stop = read<agent::Stop>(stop_text("m", some, form));
    EXPECT_EQ(print(stop.moves), "( dark ( near b ) )");
    ASSERT_EQ(stop.own.has_value(), counted);
    EXPECT_EQ(counted ? stop.own->number : 3u, 3u);
  }
}

TEST(Protocol, ClocksAreDecimal) {
  EXPECT_EQ(read<agent::Preview>("(PREVIEW () 0)").clock_seconds, 0);
  EXPECT_EQ(read<agent::Preview>("(PREVIEW () 007)").clock_seconds, 7);
  EXPECT_EQ(read<agent::Preview>("(PREVIEW () 99999999999999999999)").clock_seconds, 1'000'000'000);
  for (const char* wrong : {"-1", "+1", "1e3", "0x10", "1.5", "ten", "(1)"}) {
    EXPECT_FALSE(reason("(PREVIEW () " + std::string(wrong) + ")").empty()) << wrong;
  }
}

TEST(Protocol, MalformedMessagesSayWhatIsWrong) {
  EXPECT_NE(reason("( FOO m )").find("'FOO'"), std::string::npos);
  EXPECT_NE(reason("( START m x (( role x )) 30 )").find("play clock is missing"),
            std::string::npos);
  EXPECT_NE(reason("( START (m) x () 30 15 )").find("match id is not a word"), std::string::npos);
  EXPECT_NE(reason("( START m x rules 30 15 )").find("1:13: the description is not a list"),
            std::string::npos)
      << reason("( START m x rules 30 15 )");
  EXPECT_NE(reason("( PLAY m )").find("missing"), std::string::npos);
  EXPECT_NE(reason("( PLAY m 1 NIL )").find("3 arguments"), std::string::npos);
  for (const char* text : {"INFO", "()", "(())", "((INFO))", "( INFO ) ( INFO )", "( INFO", ")",
                           "( INFO ) )", "(PLAY)", "(ABORT)", "(START)", "(PREVIEW)", "(STOP m)"}) {
    EXPECT_FALSE(reason(text).empty()) << text;
  }
}

TEST(Protocol, ReasonsAreShortAndOnOneLine) {
  const std::string text = reason("(" + std::string(100'000, '\1') + ")");
  EXPECT_LT(text.size(), 300u);
  EXPECT_EQ(text.find('\1'), std::string::npos);
}

TEST(Protocol, DepthIsLimitedNotTheStack) {
  const std::string deep = std::string(1'000'000, '(') + std::string(1'000'000, ')');
  EXPECT_FALSE(reason(deep).empty());
  gdl::ParseLimits wide;
  wide.max_depth = 2'000'000;
  EXPECT_FALSE(reason(deep, wide).empty());
  EXPECT_TRUE(reason("(PLAY m " + deep + ")", wide).empty());
}

TEST(Protocol, WhatIsWrittenIsReadBack) {
  const std::vector<std::string> moves = {"( mark 1 1 )", "noop"};
  read<agent::Info>(info_text());
  EXPECT_EQ(print(read<agent::Play>(play_text("m", moves)).moves), "( ( mark 1 1 ) noop )");
  EXPECT_EQ(play_text("m", {}), "( PLAY m NIL )");
  EXPECT_EQ(print(read<agent::Stop>(stop_text("m", moves)).moves), "( ( mark 1 1 ) noop )");
  EXPECT_EQ(read<agent::Abort>(abort_text("m")).match_id, "m");
  EXPECT_EQ(read<agent::Preview>(preview_text("( )", 3)).clock_seconds, 3);
  const auto start = read<agent::Start>(start_text("m", "x", "( ( role x ) )", 30, 15));
  EXPECT_EQ(start.role, "x");
  EXPECT_EQ(start.play_clock_seconds, 15);
}

TEST(Protocol, ArbitraryTextIsReadOrRefused) {
  std::mt19937 random(3);
  const std::vector<std::string> tokens = {
      "(",  ")",  "INFO", "START", "PLAY", "STOP",    "m",    "30",    "NIL",   "ABORT", ";", "#|",
      "|#", "\n", "\xff", "?x",    "<=",   "PREVIEW", "role", "( m )", "( ( )", "\"",    "-1"};
  for (int round = 0; round < 5000; ++round) {
    std::string text = random() % 2 ? "( " : "";
    for (std::size_t n = random() % 12; n > 0; --n) text += tokens[random() % tokens.size()] + " ";
    if (random() % 2) text += ")";
    const auto result = read_message(text);
    if (!result) {
      EXPECT_FALSE(result.error().text.empty()) << text;
    }
  }
}

}  // namespace
}  // namespace ludens::server
