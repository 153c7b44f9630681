// The server of the live page, and browsers that do not behave.
#include "server/web/event_server.h"

#include <future>

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
  }
  EXPECT_EQ(ask([this] { return server_.browsers(); }), 1u);
}

}  // namespace
}  // namespace ludens::server
