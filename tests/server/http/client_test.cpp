// SPDX-License-Identifier: MIT
#include "server/http/client.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>

#include "tests/server/http/canned_server.h"

namespace ludens::server {
namespace {

using namespace std::chrono_literals;
using Kind = ExchangeResult::Kind;
using After = CannedServer::After;

Exchange to(std::uint16_t port, std::chrono::milliseconds limit = 20s) {
  Exchange exchange;
  exchange.address = {"127.0.0.1", port};
  exchange.pieces = {{post_request(exchange.address, {}, "( INFO )"), 0ms}};
  exchange.deadline = std::chrono::steady_clock::now() + limit;
  return exchange;
}

/// Runs one exchange to its end; fails the test if there is more or less than one result.
ExchangeResult run(boost::asio::io_context& context, Exchange exchange) {
  int calls = 0;
  ExchangeResult out;
  start_exchange(context, std::move(exchange), [&](ExchangeResult result) {
    ++calls;
    out = std::move(result);
  });
  EXPECT_EQ(calls, 0) << "done was called from within the call";
  while (calls == 0 && context.run_one_for(30s) > 0) {
  }
  context.poll();
  EXPECT_EQ(calls, 1);
  return out;
}

ExchangeResult ask(const std::string& answer, After after, std::chrono::milliseconds limit = 20s) {
  boost::asio::io_context context;
  CannedServer server(context, answer, after);
  return run(context, to(server.port(), limit));
}

TEST(Client, ReadsAReplyUpToContentLengthThoughTheConnectionStaysOpen) {
  const auto result = ask("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nready", After::KeepOpen);
  EXPECT_EQ(result.kind, Kind::Reply) << result.problem;
  EXPECT_EQ(result.head.status, 200);
  EXPECT_EQ(result.body, "ready");
  EXPECT_GE(result.latency_ms, result.connect_ms);
}

TEST(Client, ReadsAReplyWithoutLengthToTheEnd) {
  const auto result = ask("HTTP/1.0 200 OK\r\n\r\nready", After::Close);
  EXPECT_EQ(result.kind, Kind::Reply) << result.problem;
  EXPECT_EQ(result.body, "ready");
  EXPECT_TRUE(result.closed);
}

TEST(Client, WaitsForABodyThatNothingAnnounces) {
  // Longer than a server waits for the body of a ping.
  EXPECT_EQ(ask("HTTP/1.0 200 OK\r\n\r\n", After::KeepOpen, 1500ms).kind, Kind::TimedOut);
  EXPECT_EQ(ask("HTTP/1.0 200 OK\r\n\r\n", After::Close).kind, Kind::Reply);
}

TEST(Client, ReadsBehindALengthThatCountedCharacters) {
  const auto result =
      ask("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n( \xc3\xa4 )", After::KeepOpen);
  EXPECT_EQ(result.kind, Kind::Reply) << result.problem;
  EXPECT_EQ(result.body, "( \xc3\xa4 )");
}

TEST(Client, ReadsAChunkedReply) {
  const auto result =
      ask("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nready\r\n0\r\n\r\n",
          After::KeepOpen);
  EXPECT_EQ(result.kind, Kind::Reply) << result.problem;
  EXPECT_EQ(result.body, "ready");
}

TEST(Client, PassesOver100Continue) {
  const auto result =
      ask("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\ndone",
          After::Close);
  EXPECT_EQ(result.head.status, 200);
  EXPECT_EQ(result.body, "done");
}

TEST(Client, SilenceEndsAtTheDeadline) {
  const auto result = ask("", After::KeepOpen, 100ms);
  EXPECT_EQ(result.kind, Kind::TimedOut);
  EXPECT_GE(result.latency_ms, 90);
  EXPECT_FALSE(result.problem.empty());
}

TEST(Client, HalfAReplyIsNone) {
  EXPECT_EQ(ask("", After::Close).kind, Kind::NoReply);
  EXPECT_EQ(ask("HTTP/1.0 200 OK\r\n", After::Close).kind, Kind::NoReply);
}

TEST(Client, GarbageIsMalformed) {
  EXPECT_EQ(ask("ready\r\n\r\n", After::Close).kind, Kind::Malformed);
  EXPECT_EQ(ask(std::string(100'000, 'x'), After::KeepOpen).kind, Kind::Malformed);
}

TEST(Client, RefusesAnEndlessBody) {
  boost::asio::io_context context;
  CannedServer server(context, "HTTP/1.0 200 OK\r\n\r\n" + std::string(5000, 'x'), After::KeepOpen);
  Exchange exchange = to(server.port());
  exchange.max_body_bytes = 1000;
  EXPECT_EQ(run(context, std::move(exchange)).kind, Kind::TooLarge);
}

TEST(Client, NobodyListensIsAConnectionThatFailed) {
  boost::asio::io_context context;
  std::uint16_t port = 0;
  { port = CannedServer(context, "").port(); }
  context.poll();
  context.restart();
  const auto result = run(context, to(port));
  EXPECT_EQ(result.kind, Kind::ConnectionFailed);
  EXPECT_FALSE(result.problem.empty());
}

TEST(Client, ANameWithoutAnAnswerHoldsUpNobody) {
  std::promise<void> release;
  {
    boost::asio::io_context context;
    CannedServer server(context, "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nready");
    Exchange slow = to(server.port());
    slow.address.host = "slow";
    slow.look_up = [released = release.get_future().share()](const std::string&) {
      released.wait();
      return NumericAddresses{};
    };
    start_exchange(context, std::move(slow), [](const ExchangeResult&) {});
    Exchange quick = to(server.port());
    quick.address.host = "quick";
    quick.look_up = [](const std::string& name) {
      return NumericAddresses{name == "quick" ? "127.0.0.1" : "127.0.0.2"};
    };
    const auto result = run(context, std::move(quick));
    EXPECT_EQ(result.body, "ready") << result.problem;
    EXPECT_EQ(result.known, NumericAddresses{"127.0.0.1"});
  }  // nor does the end of the context wait for it
  release.set_value();
}

TEST(Client, ANameThatIsNotFoundIsAConnectionThatFailed) {
  boost::asio::io_context context;
  Exchange exchange = to(1);
  exchange.address.host = "nowhere";
  exchange.look_up = [](const std::string& name) -> NumericAddresses {
    throw std::runtime_error("no " + name);
  };
  const auto result = run(context, std::move(exchange));
  EXPECT_EQ(result.kind, Kind::ConnectionFailed);
  EXPECT_EQ(result.problem, "no nowhere");
}

TEST(Client, ADeadlineInThePastEndsAtOnce) {
  boost::asio::io_context context;
  CannedServer server(context, "HTTP/1.0 200 OK\r\n\r\nready");
  EXPECT_NE(run(context, to(server.port(), -1s)).kind, Kind::Reply);
}

TEST(Client, CanBeCancelledBeforeAndAfterItBegan) {
  for (const bool begun : {false, true}) {
    boost::asio::io_context context;
    CannedServer server(context, "", After::KeepOpen);
    std::vector<Kind> ends;
    const Cancel cancel = start_exchange(
        context, to(server.port()), [&](ExchangeResult result) { ends.push_back(result.kind); });
    if (begun) context.run_for(50ms);
    cancel();
    cancel();
    context.run_for(50ms);
    EXPECT_EQ(ends, std::vector<Kind>{Kind::Cancelled});
  }
}

TEST(Client, SendsPiecesWithPausesAndEndsItsDirection) {
  boost::asio::io_context context;
  CannedServer server(context, "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok");
  Exchange exchange = to(server.port());
  exchange.pieces = {{"POST / HT", 0ms}, {"TP/1.0\r\n", 20ms}, {"\r\n", 20ms}};
  exchange.end_after_sending = true;
  exchange.read_to_end = true;
  const auto result = run(context, std::move(exchange));
  EXPECT_EQ(result.body, "ok");
  EXPECT_TRUE(result.closed);
  EXPECT_EQ(server.received(), "POST / HTTP/1.0\r\n\r\n");
}

TEST(Client, HeadersFollowTheDialect) {
  const Address address{"localhost", 9147};
  const auto text = [&](Dialect dialect) {
    return post_request(address, {dialect, "Ludens", "m.1", "host", 3}, "( INFO )");
  };
  EXPECT_EQ(text(Dialect::GgpBase),
            "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\n"
            "Receiver: Ludens\r\nContent-Type: text/acl\r\nContent-Length: 8\r\n\r\n( INFO )");
  EXPECT_EQ(text(Dialect::Dresden),
            "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: Ludens\r\n"
            "Content-type: text/acl\r\nContent-length: 8\r\n\r\n( INFO )");
  const std::string tiltyard = text(Dialect::Tiltyard);
  EXPECT_NE(tiltyard.find("GGP-Match-ID: m.1\r\nGGP-Match-Step: 3\r\nGGP-Match-Host: host\r\n"),
            std::string::npos);
  const auto has_host = [](const std::string& host, const std::string& line) {
    return post_request({host, 9147}, {}, "( INFO )").find("\r\n" + line + "\r\n") !=
           std::string::npos;
  };
  EXPECT_TRUE(has_host("::1", "Host: [::1]"));
  EXPECT_TRUE(has_host("fe80::1%eth0", "Host: [fe80::1]"));
}

TEST(Address, IsReadFromUrls) {
  const auto text = [](std::string_view url) {
    const auto parsed = parse_address(url);
    return parsed ? parsed->text() : parsed.error().text;
  };
  EXPECT_EQ(text("http://127.0.0.1:9148"), "127.0.0.1:9148");
  EXPECT_EQ(text("http://example.org/"), "example.org:9147");
  EXPECT_EQ(text("localhost:80"), "localhost:80");
  EXPECT_EQ(text("http://[::1]:9147/"), "[::1]:9147");
  EXPECT_EQ(parse_address("http://[fe80::1%25eth0]:9148")->host, "fe80::1%eth0");
  EXPECT_EQ(text("http://[fe80::1%25eth0]:9148"), "[fe80::1%25eth0]:9148");
  EXPECT_EQ(text("[fe80::1%25eth0]"), "[fe80::1%25eth0]:9147");
  for (const char* zone :
       {"[fe80::1%eth0]", "[fe80::1%25]", "[fe80::1%25a%0d%0ab]", "[::1%25a b]"}) {
    EXPECT_NE(text(zone).find("is not a player's address"), std::string::npos) << zone;
  }
  EXPECT_NE(text("https://example.org").find("plain http"), std::string::npos);
  EXPECT_NE(text("http://a%0d%0aX:y/").find("no escapes"), std::string::npos);
  EXPECT_NE(text("http://example.org:99999").find("port"), std::string::npos);
  EXPECT_NE(text("").find("http://HOST:PORT"), std::string::npos);
  EXPECT_NE(text("http://a b").find("http://HOST:PORT"), std::string::npos);
}

}  // namespace
}  // namespace ludens::server
