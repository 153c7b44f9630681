// SPDX-License-Identifier: MIT
#include "server/http/framing.h"

#include <gtest/gtest.h>

#include <random>

#include "server/http/response.h"

namespace ludens::server {
namespace {

using State = BodyReader::State;

BodyAnnounced length(std::uint64_t n) {
  return {n, false};
}
constexpr std::size_t kPlenty = 1 << 20;

TEST(Head, EndsWithAnEmptyLineOfEitherKind) {
  EXPECT_EQ(head_length("POST / HTTP/1.0\r\nA: b\r\n\r\n( INFO )"), 25u);
  EXPECT_EQ(head_length("POST / HTTP/1.0\nA: b\n\n( INFO )"), 22u);
  EXPECT_EQ(head_length("POST / HTTP/1.0\r\nA: b\r\n"), std::nullopt);
  EXPECT_EQ(head_length(""), std::nullopt);
}

TEST(Head, EndIsFoundWhereverTheBytesAreCut) {
  for (const std::string head : {"POST / HTTP/1.0\r\nA: b\r\n\r\n", "POST / HTTP/1.0\nA: b\n\n"}) {
    for (std::size_t cut = 0; cut < head.size(); ++cut) {
      EXPECT_EQ(head_length(head.substr(0, cut)), std::nullopt) << cut;
      EXPECT_EQ(head_length(head + "body", cut), head.size()) << cut;
    }
  }
}

TEST(Head, RequestOfEveryDialectIsRead) {
  const std::string ggp_base =
      "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: \r\nSender: GAMESERVER\r\nReceiver: "
      "Ludens\r\n"
      "Content-Type: text/acl\r\nContent-Length: 8\r\n\r\n";
  const std::string dresden =
      "POST / HTTP/1.0\nAccept: text/delim\nSender: GAMESERVER\nReceiver: LUDENS\n"
      "Content-type: text/acl\nContent-length: 8\n\n";
  for (const std::string& text : {ggp_base, dresden}) {
    const auto parsed = parse_request_head(text);
    ASSERT_TRUE(parsed.has_value()) << parsed.error().text;
    const auto& head = *parsed;
    EXPECT_EQ(head.method, "POST");
    EXPECT_EQ(head.target, "/");
    EXPECT_EQ(head.version, 10);
    EXPECT_EQ(head.body.length, 8u);
    EXPECT_FALSE(head.expects_continue);
    EXPECT_TRUE(head.headers.find("RECEIVER"));
  }
}

TEST(Head, WithoutContentLengthNothingIsAnnounced) {
  const auto parsed = parse_request_head("POST / HTTP/1.1\r\nExpect: 100-Continue\r\n\r\n");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->body.length, std::nullopt);
  EXPECT_TRUE(parsed->expects_continue);
}

TEST(Head, NonsenseIsRefusedWithAReason) {
  for (const char* text :
       {"\r\n\r\n", "( INFO )\r\n\r\n", "POST / HTTP/1.0\r\nContent-Length: x\r\n\r\n",
        "POST / HTTP/1.0\r\nno colon\r\n\r\n", "POST /\r\n\r\n"}) {
    const auto parsed = parse_request_head(text);
    ASSERT_TRUE(parsed.has_error()) << text;
    EXPECT_FALSE(parsed.error().text.empty());
  }
}

TEST(Head, ReplyHasWhatHostsNeed) {
  Response response{200, "text/acl", "ready", {}};
  add_cors_headers(response.headers, "*");
  const std::string text = print_head(response, Audience::Hosts);
  EXPECT_TRUE(text.starts_with("HTTP/1.0 200 OK\r\n")) << text;
  EXPECT_TRUE(text.ends_with("\r\n\r\n")) << text;
  const auto parsed = parse_response_head(text.substr(0, *head_length(text)));
  ASSERT_TRUE(parsed.has_value());
  const auto& head = *parsed;
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body.length, 5u);
  EXPECT_EQ(head.headers.find("Content-Type"), "text/acl");
  EXPECT_EQ(head.headers.find("Connection"), "close");
  EXPECT_EQ(head.headers.find("Access-Control-Allow-Origin"), "*");
  EXPECT_EQ(head.headers.find("Access-Control-Allow-Methods"), "POST, GET, OPTIONS");
  EXPECT_EQ(head.headers.find("Access-Control-Allow-Headers"), "Content-Type");
  EXPECT_EQ(head.headers.find("Access-Control-Allow-Age"), "86400");
  EXPECT_EQ(head.headers.find("Access-Control-Max-Age"), "86400");
}

TEST(Body, ContentLengthEndsIt) {
  BodyReader reader(length(8), kPlenty);
  EXPECT_EQ(reader.feed("( IN"), State::More);
  EXPECT_FALSE(reader.patience());
  EXPECT_EQ(reader.feed("FO )\r\nmore"), State::Complete);
  EXPECT_EQ(reader.take(), "( INFO )");
}

TEST(Body, GoesOnBehindAContentLengthThatCountedCharacters) {
  const std::string text = "( PLAY m ( \xc3\xa4 \xc3\xb6 ) )";  // two bytes more than characters
  BodyReader reader(length(text.size() - 2), kPlenty);
  EXPECT_EQ(reader.feed(text.substr(0, text.size() - 2)), State::More);
  EXPECT_EQ(reader.patience(), std::chrono::milliseconds(200));
  EXPECT_EQ(reader.feed(text.substr(text.size() - 2) + "\r\n"), State::Complete);
  EXPECT_EQ(reader.take(), text);
}

TEST(Body, WithoutLengthEndsWithTheOuterParenthesis) {
  BodyReader reader({}, kPlenty);
  EXPECT_EQ(reader.feed(""), State::More);
  EXPECT_TRUE(reader.patience());
  EXPECT_EQ(reader.feed("\r\n( PLAY m ("), State::More);
  EXPECT_FALSE(reader.patience());
  EXPECT_EQ(reader.feed(" ) ) trailing"), State::Complete);
  EXPECT_EQ(reader.take(), "\r\n( PLAY m ( ) )");
}

TEST(Body, WithoutLengthEndsWithTheStream) {
  BodyReader reader({}, kPlenty);
  EXPECT_EQ(reader.feed("ready"), State::More);
  EXPECT_EQ(reader.end_of_stream(), State::Complete);
  EXPECT_EQ(reader.take(), "ready");
}

TEST(Body, OfAReplyIsAwaitedThoughNothingAnnouncesIt) {
  BodyReader reader({}, kPlenty, BodyRule::Replies);
  EXPECT_EQ(reader.feed(""), State::More);
  EXPECT_FALSE(reader.patience());
  EXPECT_EQ(reader.feed("\r\n"), State::More);
  EXPECT_FALSE(reader.patience());
  EXPECT_EQ(reader.feed("noop"), State::More);
  EXPECT_EQ(reader.end_of_stream(), State::Complete);
  BodyReader counted(length(5), kPlenty, BodyRule::Replies);
  EXPECT_EQ(counted.feed("( \xc3\xa4 )"), State::Complete);
}

TEST(Silence, BeginsAnewWithEveryPiece) {
  using std::chrono::milliseconds;
  const Silence::TimePoint begin{};
  const milliseconds patience(200);
  Silence silence;
  EXPECT_FALSE(silence.end());
  for (const int at : {0, 150, 300, 450}) {
    EXPECT_FALSE(silence.over(begin + milliseconds(at)));
    silence.heard(begin + milliseconds(at), patience);
  }
  EXPECT_EQ(silence.end(), begin + milliseconds(650));
  EXPECT_FALSE(silence.over(begin + milliseconds(649)));
  EXPECT_TRUE(silence.over(begin + milliseconds(650)));
  silence.heard(begin + milliseconds(640), std::nullopt);  // the body is surely not complete
  EXPECT_FALSE(silence.over(begin + milliseconds(9999)));
}

TEST(Body, ParenthesesInCommentsDontCount) {
  BodyReader reader({}, kPlenty);
  EXPECT_EQ(reader.feed("( PREVIEW ( ; )))\n"), State::More);
  EXPECT_EQ(reader.feed("#| ))|)"), State::More);
  EXPECT_EQ(reader.feed("|# a#|b ) 3 )"), State::Complete);
}

TEST(Body, LargerThanAllowedIsRefused) {
  EXPECT_EQ(BodyReader(length(101), 100).feed(""), State::TooLarge);
  BodyReader open_ended({}, 100);
  EXPECT_EQ(open_ended.feed(std::string(100, '(')), State::More);
  EXPECT_EQ(open_ended.feed("("), State::TooLarge);
  BodyReader behind(length(2), 100);
  EXPECT_EQ(behind.feed(std::string(200, '(')), State::TooLarge);
}

TEST(Body, ChunksAreTakenApart) {
  const std::string text = "4\r\n( IN\r\n4;x=y\r\nFO )\r\n0\r\n\r\n";
  for (std::size_t cut = 1; cut < text.size(); ++cut) {
    BodyReader reader({std::nullopt, true}, kPlenty);
    EXPECT_EQ(reader.feed(text.substr(0, cut)), State::More) << cut;
    EXPECT_EQ(reader.feed(text.substr(cut)), State::Complete) << cut;
    EXPECT_EQ(reader.take(), "( INFO )");
  }
  BodyReader broken({std::nullopt, true}, kPlenty);
  EXPECT_EQ(broken.feed("zz\r\n"), State::Malformed);
  BodyReader large({std::nullopt, true}, 10);
  EXPECT_EQ(large.feed("20\r\n01234567890123456789012345678901\r\n"), State::TooLarge);
}

TEST(Body, TakesWhatTheBudgetAllowsAndGivesItBack) {
  const auto memory = std::make_shared<WireMemory>(1 << 20);
  {
    BodyReader large(length(2 << 20), 4 << 20, BodyRule::Hosts, HeldBytes(memory));
    BodyReader little(length(2), kPlenty, BodyRule::Hosts, HeldBytes(memory));
    State state = State::More;
    std::size_t fed = 0;
    for (; state == State::More; fed += 1000) state = large.feed(std::string(1000, ' '));
    EXPECT_EQ(state, State::NoMemory);
    EXPECT_GT(fed, 1u << 18);
    EXPECT_LE(memory->used(), memory->limit());
    EXPECT_EQ(little.feed("()"), State::Complete);  // what is kept for those who need little
  }
  EXPECT_EQ(memory->used(), 0u);
}

TEST(Body, OfABrowserHasTheLengthThatWasSaid) {
  BodyReader unbalanced(length(4), kPlenty, BodyRule::Plain);
  EXPECT_EQ(unbalanced.feed("\"((\"more"), State::Complete);
  EXPECT_EQ(unbalanced.take(), "\"((\"");
  BodyReader none({}, kPlenty, BodyRule::Plain);
  EXPECT_EQ(none.feed("( INFO )"), State::Complete);
  EXPECT_EQ(none.take(), "");
  BodyReader short_of_it(length(4), kPlenty, BodyRule::Plain);
  EXPECT_EQ(short_of_it.feed("{}"), State::More);
  EXPECT_EQ(short_of_it.end_of_stream(), State::Malformed);
}

TEST(Target, IsDecodedAsAForm) {
  EXPECT_EQ(decode_target("/%28INFO%29"), "(INFO)");
  EXPECT_EQ(decode_target("/(+PLAY+m+(%2B+a%20b)+)"), "( PLAY m (+ a b) )");
  EXPECT_EQ(decode_target("/"), "");
  EXPECT_EQ(decode_target("/%2"), std::nullopt);
  EXPECT_EQ(decode_target("/%zz"), std::nullopt);
}

TEST(Framing, ArbitraryBytesAreReadToAnEnd) {
  std::mt19937 random(7);
  const std::string alphabet = "()();#| \r\nPOST/HTTP1.0:a\xff";
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::size_t n = random() % 60; n > 0; --n) text += alphabet[random() % alphabet.size()];
    (void)parse_request_head(text + "\r\n\r\n");
    (void)parse_response_head(text + "\r\n\r\n");
    (void)decode_target(text);
    BodyReader reader({random() % 2 ? std::optional<std::uint64_t>(random() % 40) : std::nullopt,
                       random() % 4 == 0},
                      50);
    if (reader.feed(text) == State::More) (void)reader.end_of_stream();
    EXPECT_LE(reader.take().size(), text.size());
  }
}

}  // namespace
}  // namespace ludens::server
