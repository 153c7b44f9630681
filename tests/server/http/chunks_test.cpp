// SPDX-License-Identifier: MIT
// The chunked coding as request, as reply, and in every split of its bytes.
#include "server/http/framing.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "server/http/client.h"
#include "server/http/server.h"
#include "tests/server/http/canned_server.h"

namespace ludens::server {
namespace {

using namespace std::chrono_literals;
using State = BodyReader::State;

constexpr std::size_t kLimit = 1000;

/// The last chunk with all that may follow it.
const std::string kEmpty = "0\r\n\r\n";
const std::string kFull = "4;a=\"b c\"\r\n( IN\r\n004 \r\nFO )\r\n0;end\r\nA: b\r\nC-d:\r\n\r\n";
/// A size line, then a line of a trailer that is no field.
const std::string kBrokenTrailer = "0\r\nTransfer-Encodit/.\r\n";

struct Read {
  State state = State::More;
  std::string body;
};

Read read(const std::vector<std::string_view>& pieces) {
  BodyReader reader({std::nullopt, true}, kLimit);
  Read out;
  for (const std::string_view piece : pieces) {
    out.state = reader.feed(piece);
    if (out.state != State::More) break;
  }
  out.body = reader.take();
  return out;
}

State state_of(const std::string& text) {
  return read({text}).state;
}

/// The text in one piece, in single bytes, and with every two cuts.
std::vector<std::vector<std::string_view>> splits(std::string_view text) {
  std::vector<std::vector<std::string_view>> all(1);
  for (std::size_t i = 0; i < text.size(); ++i) all[0].push_back(text.substr(i, 1));
  for (std::size_t a = 0; a <= text.size(); ++a) {
    for (std::size_t b = a; b <= text.size(); ++b) {
      all.push_back({text.substr(0, a), text.substr(a, b - a), text.substr(b)});
    }
  }
  return all;
}

TEST(Chunks, AreReadInEverySplit) {
  for (const auto& [text, body] : {std::pair(kEmpty, ""), std::pair(kFull, "( INFO )")}) {
    for (const auto& pieces : splits(text)) {
      const Read got = read(pieces);
      EXPECT_EQ(got.state, State::Complete);
      EXPECT_EQ(got.body, body);
    }
  }
}

TEST(Chunks, AreRefusedInEverySplit) {
  for (const std::string& text : {kBrokenTrailer, std::string("4\r\n( INFO )\r\n"),
                                  std::string("4\r\n( IN\rx"), std::string("0\r\n\rx")}) {
    for (const auto& pieces : splits(text)) EXPECT_EQ(read(pieces).state, State::Malformed);
  }
}

TEST(Chunks, SizesAreHexadecimalDigitsAndNothingElse) {
  for (const char* size :
       {"", " 4", "-4", "+4", "0x4", "4h", "4.0", "4 4", "\t4", "4\x01", "00000000000000004"}) {
    EXPECT_EQ(state_of(size + std::string("\r\n( IN\r\n")), State::Malformed) << size;
  }
  EXPECT_EQ(state_of("4\n( IN\r\n"), State::Malformed);  // the line ends in CR and LF
  EXPECT_EQ(state_of("\r\n"), State::Malformed);
  EXPECT_EQ(read({"00000000000000A \t\r\n0123456789\r\n0\r\n\r\n"}).body, "0123456789");
  EXPECT_EQ(read({"a\r\n0123456789\r\n0\r\n\r\n"}).body, "0123456789");
}

TEST(Chunks, LargerThanAllowedAreRefusedBeforeTheirData) {
  for (const char* size : {"3e9", "ffffffff", "ffffffffffffffff", "8000000000000000"}) {
    EXPECT_EQ(state_of(size + std::string("\r\n")), State::TooLarge) << size;
  }
  EXPECT_EQ(state_of("11111111111111111\r\n"), State::Malformed);  // more than 64 bits
  const std::string half = "1f4\r\n" + std::string(500, 'x') + "\r\n";
  EXPECT_EQ(read({half + half + kEmpty}).body.size(), kLimit);
  EXPECT_EQ(state_of(half + half + "1\r\n"), State::TooLarge);
}

TEST(Chunks, EndlessExtensionsAndTrailersAreRefused) {
  const std::string much(ChunkDecoder::kMaxExtensions + 1, 'x');
  EXPECT_EQ(state_of("4;" + much), State::Malformed);
  EXPECT_EQ(state_of("0\r\nA:" + much), State::Malformed);
  EXPECT_EQ(state_of("0\r\n" + much), State::Malformed);
  std::string many, fields = "0\r\n";
  for (int i = 0; i < 900; ++i) many += "1;an-extension-of-20\r\nx\r\n";
  for (int i = 0; i < 900; ++i) fields += "A-field: of-20-bytes\r\n";
  EXPECT_EQ(state_of(many), State::Malformed);
  EXPECT_EQ(state_of(fields), State::Malformed);
}

TEST(Chunks, ControlCharactersHaveNoPlaceInThem) {
  for (const std::string& text :
       {std::string("4;a\0b\r\n", 7), std::string("4;a\rb"), std::string("4;a\nb"),
        std::string("0\r\nA: \0", 7), std::string("0\r\nA: b\nC"), std::string("0\r\n : b"),
        std::string("0\r\n: b"), std::string("0\r\nA : b")}) {
    EXPECT_EQ(state_of(text), State::Malformed) << text;
  }
}

TEST(Chunks, AStreamThatEndsWithinThemIsBroken) {
  BodyReader reader({std::nullopt, true}, kLimit);
  EXPECT_EQ(reader.feed("4\r\n( IN\r\n0\r\n"), State::More);
  EXPECT_FALSE(reader.patience());
  EXPECT_EQ(reader.end_of_stream(), State::Malformed);
}

class ChunksOnTheWire : public testing::Test {
 protected:
  ExchangeResult ask(std::uint16_t port, std::vector<Piece> pieces) {
    Exchange exchange;
    exchange.address = {"127.0.0.1", port};
    exchange.pieces = std::move(pieces);
    exchange.deadline = std::chrono::steady_clock::now() + 60s;
    std::optional<ExchangeResult> out;
    start_exchange(context_, std::move(exchange), [&](ExchangeResult r) { out = std::move(r); });
    while (!out) context_.run_one();
    return *out;
  }
  boost::asio::io_context context_;
};

TEST_F(ChunksOnTheWire, OfARequestMayBeSplitAnywhere) {
  HttpServer server(context_, {}, [](const HttpRequest& request, const Respond& respond) {
    respond(Response{200, "text/acl", "[" + request.body + "]", {}});
  });
  ASSERT_FALSE(server.listen("127.0.0.1", 0));
  const std::string head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string& text : {kEmpty, kFull, kBrokenTrailer}) {
    for (std::size_t cut = 0; cut < text.size(); ++cut) {
      const auto result = ask(server.port(), {{head, 0ms},
                                              {text.substr(0, cut), 1ms},
                                              {text.substr(cut, 1), 1ms},
                                              {text.substr(cut + 1), 1ms}});
      EXPECT_EQ(result.head.status, text == kBrokenTrailer ? 400 : 200) << cut;
      EXPECT_TRUE(text != kFull || result.body == "[( INFO )]") << cut << result.body;
    }
  }
}

TEST_F(ChunksOnTheWire, OfAReplyMayBeSplitAnywhere) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string& text : {kEmpty, kFull, kBrokenTrailer}) {
    for (std::size_t cut = 0; cut < text.size(); ++cut) {
      CannedServer server(
          context_,
          std::vector{head, text.substr(0, cut), text.substr(cut, 1), text.substr(cut + 1)},
          CannedServer::After::KeepOpen);
      const auto result = ask(server.port(), {{"POST / HTTP/1.0\r\n\r\n( INFO )", 0ms}});
      EXPECT_EQ(result.kind, text == kBrokenTrailer ? ExchangeResult::Kind::Malformed
                                                    : ExchangeResult::Kind::Reply)
          << cut << result.problem;
      EXPECT_TRUE(text != kFull || result.body == "( INFO )") << cut << result.body;
    }
  }
}

}  // namespace
}  // namespace ludens::server
