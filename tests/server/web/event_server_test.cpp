// SPDX-License-Identifier: MIT
// The server of the live page, and browsers that do not behave.
#include "server/web/event_server.h"

#include <future>
#include <list>

#include "tests/server/web/raw_client.h"

namespace ludens::server {
namespace {

class EventServerTest : public testing::Test {
 protected:
  EventServerTest()
      : server_({[] { return std::string("<p>page</p>"); },
                 [] { return std::vector<Event>{make_event("first", "{}")}; },
                 [this](std::string_view target, std::string_view body) {
                   posted_ = std::string(target) + " " + std::string(body);
                   return PostAnswer{};
                 }},
                limits()) {
    EXPECT_EQ(server_.listen(0), std::nullopt);
    host_ = "Host: 127.0.0.1:" + std::to_string(server_.port()) + "\r\n";
  }
  static EventServerLimits limits() {
    EventServerLimits limits;
    limits.backlog_bytes = 1 << 20;
    return limits;
  }
  std::string answer(const std::string& request) {
    return Client(server_.port(), request).read_all();
  }
  /// What a function gives that runs on the server's thread.
  template <class F>
  auto ask(F f) {
    std::promise<decltype(f())> promise;
    server_.post([&] { promise.set_value(f()); });
    return promise.get_future().get();
  }

  std::string posted_, host_;
  EventServer server_;
};

TEST_F(EventServerTest, GivesThePageAndNothingElse) {
  EXPECT_NE(answer("GET / HTTP/1.1\r\n" + host_ + "\r\n").find("<p>page</p>"), std::string::npos);
  EXPECT_EQ(answer("GET /x HTTP/1.1\r\n" + host_ + "\r\n").find("HTTP/1.1 404"), 0u);
}

TEST_F(EventServerTest, SendsTheSnapshotThenEventsInOrder) {
  Client browser(server_.port(), "GET /events HTTP/1.1\r\n" + host_ + "\r\n");
  browser.read_up_to("event: first\ndata: {}\n\n");
  server_.post([this] { server_.broadcast(make_event("a", "1")); });
  server_.post([this] { server_.broadcast(make_event("b", "2")); });
  const std::string all = browser.read_up_to("data: 2\n\n");
  EXPECT_LT(all.find("event: a\ndata: 1\n\n"), all.find("event: b\ndata: 2\n\n"));
}

TEST_F(EventServerTest, RefusesOtherNamesAndOtherOrigins) {
  EXPECT_EQ(answer("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").find("HTTP/1.1 403"), 0u);
  EXPECT_EQ(answer("POST /move HTTP/1.1\r\n" + host_ +
                   "Origin: http://evil.example\r\nContent-Length: 2\r\n\r\n{}")
                .find("HTTP/1.1 403"),
            0u);
  EXPECT_EQ(posted_, "");
}

TEST_F(EventServerTest, TakesAPostWithTheTokenOnly) {
  const auto move = [this](const std::string& query, const std::string& header) {
    return answer("POST /move" + query + " HTTP/1.1\r\n" + host_ + header +
                  "Content-Length: 2\r\n\r\n{}");
  };
  const std::string field(kTokenHeader);
  EXPECT_EQ(move("", "").find("HTTP/1.1 403"), 0u);
  EXPECT_EQ(move("?token=", "").find("HTTP/1.1 403"), 0u);
  EXPECT_EQ(move("?token=" + std::string(32, '0'), "").find("HTTP/1.1 403"), 0u);
  EXPECT_EQ(move("", field + ": " + server_.token() + "0\r\n").find("HTTP/1.1 403"), 0u);
  EXPECT_EQ(posted_, "");
  EXPECT_EQ(move("?token=" + server_.token(), "").find("HTTP/1.1 204"), 0u);
  EXPECT_EQ(posted_, "/move {}");
  EXPECT_EQ(move("", field + ": " + server_.token() + "\r\n").find("HTTP/1.1 204"), 0u);
  EXPECT_EQ(answer("GET /?token=x HTTP/1.1\r\n" + host_ + "\r\n").find("HTTP/1.1 200"), 0u);
}

TEST_F(EventServerTest, DropsABrowserThatDoesNotReadAndKeepsTheOthers) {
  Client dead(server_.port(), "GET /events HTTP/1.1\r\n" + host_ + "\r\n");
  Client good(server_.port(), "GET /events HTTP/1.1\r\n" + host_ + "\r\n");
  good.read_up_to("event: first");
  dead.read_up_to("event: first");
  const std::string large(200'000, 'x');
  for (int i = 0; i < 100; ++i) {
    const std::string data = large + " number " + std::to_string(i) + ".";
    server_.post([&] { server_.broadcast(make_event("large", data)); });
    good.read_up_to(" number " + std::to_string(i) + ".");
    good.forget();
  }
  EXPECT_EQ(ask([this] { return server_.browsers(); }), 1u);
}

TEST_F(EventServerTest, ItsPagesStayInTheirOwnWindow) {
  const std::string page = answer("GET / HTTP/1.1\r\n" + host_ + "\r\n");
  EXPECT_NE(page.find("X-Frame-Options: DENY\r\n"), std::string::npos) << page;
  EXPECT_NE(page.find("frame-ancestors 'none'"), std::string::npos);
  EXPECT_NE(page.find("X-Content-Type-Options: nosniff\r\n"), std::string::npos);
  EXPECT_EQ(page.find("Access-Control-Allow-Origin"), std::string::npos);
}

TEST_F(EventServerTest, ReadsChunksInEverySplit) {
  const std::string head = "POST /move?token=" + server_.token() + " HTTP/1.1\r\n" + host_ +
                           "Transfer-Encoding: chunked\r\n\r\n";
  const std::string body = "2;a\r\n{}\r\n0\r\nA: b\r\n\r\n";
  for (std::size_t cut = 0; cut < body.size(); ++cut) {
    posted_.clear();
    Client client(server_.port(), head + body.substr(0, cut));
    for (const std::string& piece : {body.substr(cut, 1), body.substr(cut + 1)}) client.send(piece);
    EXPECT_EQ(client.read_all().find("HTTP/1.1 204"), 0u) << cut;
    EXPECT_EQ(posted_, "/move {}") << cut;
  }
}

TEST_F(EventServerTest, BoundsWhatItReads) {
  const std::string much(300'000, 'x');
  EXPECT_EQ(answer("GET / HTTP/1.1\r\nA: " + much).find("HTTP/1.1 431"), 0u);
  EXPECT_EQ(answer("POST / HTTP/1.1\r\nContent-Length: 300000\r\n\r\n").find("HTTP/1.1 413"), 0u);
  EXPECT_EQ(
      answer("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;" + much).find("HTTP/1.1 400"),
      0u);
}

TEST_F(EventServerTest, ServesThoseWhoComeBehindManyIdleConnections) {
  std::list<Client> idle;
  for (int i = 0; i < 300; ++i) idle.emplace_back(server_.port(), "GET / HT");
  EXPECT_EQ(answer("GET / HTTP/1.1\r\n" + host_ + "\r\n").find("HTTP/1.1 200"), 0u);
}

}  // namespace
}  // namespace ludens::server
