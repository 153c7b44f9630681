// SPDX-License-Identifier: MIT
// What is decided where heads are doubtful.
#include "server/http/head.h"

#include <gtest/gtest.h>

namespace ludens::server {
namespace {

/// The request with these lines after its first; nullopt if it is refused.
std::optional<RequestHead> read(const std::string& lines, const std::string& version = "1.1") {
  const auto parsed = parse_request_head("POST / HTTP/" + version + "\r\n" + lines + "\r\n");
  return parsed ? std::optional(*parsed) : std::nullopt;
}

bool is_refused(const std::string& lines, const std::string& version = "1.1") {
  return !read(lines, version).has_value();
}

TEST(DoubtfulHead, TwoLengthsAreOneIfTheyAreTheSame) {
  EXPECT_EQ(read("Content-Length: 8\r\nContent-Length: 8\r\n")->body.length, 8u);
  EXPECT_EQ(read("Content-Length: 8, 8\r\n")->body.length, 8u);
  EXPECT_TRUE(is_refused("Content-Length: 8\r\nContent-Length: 9\r\n"));
  EXPECT_TRUE(is_refused("Content-Length: 8, 9\r\n"));
  for (const char* length : {"", "-1", "+1", "0x8", "1 2", "8;", "99999999999999999999"}) {
    EXPECT_TRUE(is_refused("Content-Length: " + std::string(length) + "\r\n")) << length;
  }
}

TEST(DoubtfulHead, ALengthBesideChunksIsRefused) {
  EXPECT_TRUE(is_refused("Content-Length: 8\r\nTransfer-Encoding: chunked\r\n"));
  EXPECT_TRUE(is_refused("Transfer-Encoding: chunked\r\nContent-Length: 8\r\n"));
}

TEST(DoubtfulHead, CodingsButChunkedAreNotKnown) {
  EXPECT_TRUE(read("Transfer-Encoding: Chunked\r\n")->body.chunked);
  EXPECT_FALSE(read("Transfer-Encoding: Chunked\r\n")->body.unknown_coding);
  for (const char* coding : {"gzip", "gzip, chunked", "identity"}) {
    const auto head = read("Transfer-Encoding: " + std::string(coding) + "\r\n");
    EXPECT_TRUE(!head || head->body.unknown_coding) << coding;
  }
  EXPECT_TRUE(is_refused("Transfer-Encoding: chunked\r\n", "1.0"));
}

TEST(DoubtfulHead, AFoldedFieldIsOneLine) {
  const auto head = read("A: b\r\n \t c\r\nContent-Length:\r\n 8\r\n");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->headers.find("A"), "b c");
  EXPECT_EQ(head->body.length, 8u);
  EXPECT_TRUE(is_refused(" A: b\r\n"));  // folded without a line before it
}

TEST(DoubtfulHead, ControlCharactersAndBlanksBeforeTheColonAreRefused) {
  EXPECT_TRUE(is_refused(std::string("A: b\0c\r\n", 8)));
  EXPECT_TRUE(is_refused(std::string("A\0: b\r\n", 7)));
  EXPECT_TRUE(is_refused("A: b\rc\r\n"));
  EXPECT_TRUE(is_refused("A : b\r\n"));
  EXPECT_TRUE(is_refused(": b\r\n"));
  const std::string target("POST /\0 HTTP/1.1\r\n\r\n", 21);
  EXPECT_TRUE(parse_request_head(target).has_error());
}

TEST(DoubtfulHead, OnlyHttpOnePointZeroAndOneAreSpoken) {
  EXPECT_TRUE(read("", "1.0"));
  EXPECT_TRUE(read("", "1.1"));
  for (const char* version : {"0.9", "1.2", "2.0", "3", "1.10"}) {
    EXPECT_TRUE(is_refused("", version)) << version;
  }
  const std::string preface = "PRI * HTTP/2.0\r\n\r\n";
  EXPECT_TRUE(parse_request_head(preface).has_error());
}

TEST(DoubtfulHead, AnExpectationOfHttpOnePointZeroIsOverlooked) {
  EXPECT_TRUE(read("Expect: 100-continue\r\n")->expects_continue);
  EXPECT_FALSE(read("Expect: 100-continue\r\n", "1.0")->expects_continue);
  EXPECT_FALSE(read("Expect: 100-continue\r\n")->expects_more);
  EXPECT_TRUE(read("Expect: tea\r\n")->expects_more);
  EXPECT_FALSE(read("Expect: tea\r\n", "1.0")->expects_more);
}

TEST(DoubtfulHead, HasSoManyFieldsAtMost) {
  std::string lines;
  for (std::size_t i = 0; i < kMaxFields; ++i) lines += "A: b\r\n";
  EXPECT_TRUE(read(lines));
  EXPECT_TRUE(is_refused(lines + "A: b\r\n"));
}

}  // namespace
}  // namespace ludens::server
