// SPDX-License-Identifier: MIT
#include "server/http/server.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <random>

#include "server/http/client.h"

namespace ludens::server {
namespace {

using namespace std::chrono_literals;
using Kind = ExchangeResult::Kind;
using boost::asio::ip::tcp;

/// A server that answers with the body it got, and clients, on one context in one thread.
class ServerTest : public testing::Test {
 protected:
  /// A body of `wait` is kept in `waiting_` instead of being answered.
  void start(const HttpLimits& limits = {}) {
    server_.emplace(
        context_, limits,
        [this](HttpRequest request, Respond respond) {
          requests_.push_back(request);
          if (request.body == "( wait )") return waiting_.push_back(std::move(respond));
          respond(Response{200, "text/acl", "[" + request.body + "]", {}});
        },
        [this](const Refusal& refusal) { refusals_.push_back(refusal); });
    const auto problem = server_->listen("127.0.0.1", 0);
    ASSERT_FALSE(problem) << *problem;
  }

  Exchange exchange(std::vector<Piece> pieces, bool end = false) const {
    Exchange out;
    out.address = {"127.0.0.1", server_->port()};
    out.pieces = std::move(pieces);
    out.end_after_sending = end;
    out.read_to_end = true;
    out.deadline = std::chrono::steady_clock::now() + 60s;
    return out;
  }

  void send(Exchange exchange) {
    start_exchange(context_, std::move(exchange),
                   [this](ExchangeResult r) { results_.push_back(std::move(r)); });
  }

  bool run_until(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!condition() && std::chrono::steady_clock::now() < end) context_.run_one_for(100ms);
    return condition();
  }

  ExchangeResult ask(Exchange exchange) {
    results_.clear();
    send(std::move(exchange));
    EXPECT_TRUE(run_until([this] { return !results_.empty(); }));
    return results_.empty() ? ExchangeResult{} : results_[0];
  }
  ExchangeResult ask(std::vector<Piece> pieces, bool end = false) {
    return ask(exchange(std::move(pieces), end));
  }
  ExchangeResult ask(const std::string& bytes, bool end = false) {
    return ask(exchange({{bytes, 0ms}}, end));
  }

  boost::asio::io_context context_;
  std::optional<HttpServer> server_;
  std::vector<HttpRequest> requests_;
  std::vector<Respond> waiting_;
  std::vector<Refusal> refusals_;
  std::vector<ExchangeResult> results_;
};

std::string post(std::string_view body) {
  return post_request({"127.0.0.1", 1}, {}, body);
}
std::string post_without_length(std::string_view body) {
  return "POST / HTTP/1.0\r\n\r\n" + std::string(body);
}

TEST_F(ServerTest, AnswersAndCloses) {
  start();
  const auto result = ask(post("( INFO )"));
  EXPECT_EQ(result.kind, Kind::Reply) << result.problem;
  EXPECT_EQ(result.head.status, 200);
  EXPECT_EQ(result.head.version, 10);
  EXPECT_EQ(result.body, "[( INFO )]");
  EXPECT_TRUE(result.closed);
}

TEST_F(ServerTest, NeedsNoHeaders) {
  start();
  EXPECT_EQ(ask(post_without_length("( INFO )")).body, "[( INFO )]");
  EXPECT_EQ(ask("POST / HTTP/1.1\n\n( INFO )").body, "[( INFO )]");
}

TEST_F(ServerTest, BodyWithoutLengthEndsWithTheStream) {
  start();
  EXPECT_EQ(ask(post_without_length("( INFO"), true).body, "[( INFO]");
}

TEST_F(ServerTest, EmptyBodyInEveryForm) {
  start();
  EXPECT_EQ(ask(post("")).body, "[]");
  EXPECT_EQ(ask(post_without_length(""), true).body, "[]");
  EXPECT_EQ(ask(post_without_length("")).body, "[]");  // neither a length nor an end
}

TEST_F(ServerTest, BodyBehindContentLengthIsRead) {
  start();
  const std::string body = "( PLAY m ( \xc3\xa4 \xc3\xb6 ) )";
  const std::string head =
      "POST / HTTP/1.0\r\nContent-Length: " + std::to_string(body.size() - 2) + "\r\n\r\n";
  EXPECT_EQ(ask(head + body).body, "[" + body + "]");
  const auto cut = body.size() - 1;
  EXPECT_EQ(ask({{head + body.substr(0, cut), 0ms}, {body.substr(cut), 0ms}}).body,
            "[" + body + "]");
}

TEST_F(ServerTest, WhatNeverComesBehindContentLengthIsNotWaitedForLong) {
  start();
  const auto result = ask("POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n( INFO");
  EXPECT_EQ(result.body, "[( INFO]");
  EXPECT_GE(result.latency_ms, 190);
}

TEST_F(ServerTest, BytesBehindTheBodyDontLoseTheReply) {
  start();
  EXPECT_EQ(ask(post("( INFO )") + "\r\n" + std::string(100'000, 'x')).body, "[( INFO )]");
}

TEST_F(ServerTest, ChunkedBodyIsRead) {
  start();
  EXPECT_EQ(ask("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                "4\r\n( IN\r\n4\r\nFO )\r\n0\r\n\r\n")
                .body,
            "[( INFO )]");
}

TEST_F(ServerTest, Expect100ContinueIsHonoured) {
  start();
  Exchange curl =
      exchange({{"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 8\r\n\r\n", 0ms},
                {"( INFO )", 50ms}});
  EXPECT_EQ(ask(curl).body, "[( INFO )]");
  // The interim reply itself:
  tcp::socket socket(context_);
  socket.connect({boost::asio::ip::address_v4::loopback(), server_->port()});
  boost::asio::write(socket, boost::asio::buffer(curl.pieces[0].bytes));
  ASSERT_TRUE(run_until([&] { return socket.available() > 0; }));
  std::string interim(socket.available(), '\0');
  socket.read_some(boost::asio::buffer(interim));
  EXPECT_EQ(interim, "HTTP/1.1 100 Continue\r\n\r\n");
}

TEST_F(ServerTest, FirstByteIsTheTimeOfReceipt) {
  start();
  const std::string request = post("( INFO )");
  tcp::socket socket(context_);
  socket.connect({boost::asio::ip::address_v4::loopback(), server_->port()});
  const auto before = std::chrono::steady_clock::now();
  boost::asio::write(socket, boost::asio::buffer(request.substr(0, 1)));
  ASSERT_TRUE(run_until([&] { return server_->connections() == 1; }));
  while (context_.poll() > 0) {
  }
  const auto read = std::chrono::steady_clock::now();
  boost::asio::write(socket, boost::asio::buffer(request.substr(1)));
  ASSERT_TRUE(run_until([&] { return !requests_.empty(); }));
  EXPECT_GE(requests_[0].first_byte, before);
  EXPECT_LE(requests_[0].first_byte, read);
}

TEST_F(ServerTest, TooLargeIs413AndTheReplyArrives) {
  HttpLimits limits;
  limits.body_bytes = 1000;
  start(limits);
  EXPECT_EQ(ask(post(std::string(300'000, '('))).head.status, 413);
  EXPECT_EQ(ask(post_without_length(std::string(300'000, '('))).head.status, 413);
  EXPECT_EQ(ask("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n" +
                std::string(0xffff, 'x'))
                .head.status,
            413);
  EXPECT_TRUE(requests_.empty());
  ASSERT_EQ(refusals_.size(), 3u);
  EXPECT_EQ(refusals_[0].status, 413);
  EXPECT_EQ(ask(post("( INFO )")).head.status, 200);
}

TEST_F(ServerTest, ALongHeadIs431) {
  start();
  EXPECT_EQ(ask("POST / HTTP/1.0\r\nA: " + std::string(100'000, 'a')).head.status, 431);
  EXPECT_EQ(ask("POST / HTTP/1.0\r\nA: " + std::string(60'000, 'a') + "\r\n\r\n( x )").head.status,
            200);
}

TEST_F(ServerTest, MalformedIs400) {
  start();
  EXPECT_EQ(ask("nonsense\r\n\r\n").head.status, 400);
  EXPECT_EQ(ask("POST / HTTP/1.0\r\nContent-Length: -1\r\n\r\n").head.status, 400);
  EXPECT_EQ(ask("POST / HT", true).head.status, 400);
  EXPECT_EQ(ask(std::string("\0\1\2\r\n\r\n", 7)).head.status, 400);
  EXPECT_TRUE(requests_.empty());
}

TEST_F(ServerTest, SlowRequestsAre408) {
  HttpLimits limits;
  limits.request = 300ms;
  start(limits);
  EXPECT_EQ(ask("POST / HTTP/1.0\r\n").head.status, 408);          // head never ends
  EXPECT_EQ(ask(post_without_length("( PLAY")).head.status, 408);  // nor does the body
  std::vector<Piece> drip;
  for (int i = 0; i < 100; ++i) drip.push_back({"(", 20ms});
  drip[0].bytes = post_without_length("(");
  EXPECT_EQ(ask(drip).head.status, 408);
  EXPECT_EQ(ask("").head.status, 408);
}

TEST_F(ServerTest, SlowClientsDelayNobody) {
  start();
  for (int i = 0; i < 50; ++i) {
    std::vector<Piece> drip;
    for (int k = 0; k < 6000; ++k) drip.push_back({"(", 10ms});  // until the test is over
    drip[0].bytes = i % 2 ? "POST / HTTP/1.0\r\nContent-Length: 1000\r\n\r\n(" : "POST / HT";
    send(exchange(std::move(drip)));
  }
  ASSERT_TRUE(run_until([this] { return server_->connections() == 50; }));
  const auto result = ask(post("( INFO )"));
  EXPECT_EQ(result.body, "[( INFO )]");
  EXPECT_GE(server_->connections(), 50u);
}

TEST_F(ServerTest, WithoutRoomTheSlowestSenderMakesRoom) {
  HttpLimits limits;
  limits.connections = 4;
  start(limits);
  for (int i = 0; i < 4; ++i) send(exchange({{"POST / HTTP/1.0\r\n", 0ms}}));
  ASSERT_TRUE(run_until([this] { return server_->connections() == 4; }));
  send(exchange({{post("( INFO )"), 0ms}}));
  ASSERT_TRUE(run_until([this] { return results_.size() == 2; }));
  std::vector<int> statuses{results_[0].head.status, results_[1].head.status};
  std::sort(statuses.begin(), statuses.end());
  EXPECT_EQ(statuses, (std::vector{200, 503}));
}

TEST_F(ServerTest, ThoseWhoWaitForTheirReplyAreNotDropped) {
  HttpLimits limits;
  limits.connections = 3;
  start(limits);
  for (int i = 0; i < 3; ++i) send(exchange({{post("( wait )"), 0ms}}));
  ASSERT_TRUE(run_until([this] { return waiting_.size() == 3; }));
  EXPECT_EQ(ask(exchange({{"", 0ms}})).head.status, 503);
  results_.clear();
  for (const auto& respond : waiting_) respond(Response{200, "text/acl", "late", {}});
  ASSERT_TRUE(run_until([this] { return results_.size() == 3; }));
  for (const auto& result : results_) EXPECT_EQ(result.body, "late");
}

/// A connection from another loopback address that has sent something.
tcp::socket connect_from(boost::asio::io_context& context, const std::string& address,
                         std::uint16_t port, const std::string& bytes) {
  tcp::socket socket(context);
  socket.open(tcp::v4());
  socket.bind({boost::asio::ip::make_address(address), 0});
  socket.connect({boost::asio::ip::address_v4::loopback(), port});
  boost::asio::write(socket, boost::asio::buffer(bytes));
  return socket;
}

TEST_F(ServerTest, AClientThatBreaksOffWhileItWaitsIsNoticed) {
  start();
  tcp::socket client = connect_from(context_, "127.0.0.1", server_->port(), post("( wait )"));
  ASSERT_TRUE(run_until([this] { return waiting_.size() == 1; }));
  EXPECT_EQ(server_->connections(), 1u);
  client.set_option(boost::asio::socket_base::linger(true, 0));
  client.close();  // with a reset
  EXPECT_TRUE(run_until([this] { return server_->connections() == 0; }));
  waiting_[0](Response{200, "text/acl", "late", {}});  // hurts nobody
}

TEST_F(ServerTest, WhoHasHungUpMakesRoomForOthers) {
  HttpLimits limits;
  limits.connections = 2;
  start(limits);
  tcp::socket hung_up = connect_from(context_, "127.0.0.1", server_->port(), post("( wait )"));
  ASSERT_TRUE(run_until([this] { return waiting_.size() == 1; }));
  tcp::socket patient = connect_from(context_, "127.0.0.1", server_->port(), post("( wait )"));
  ASSERT_TRUE(run_until([this] { return waiting_.size() == 2; }));
  hung_up.close();
  // The server is told of it some time after this.
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (ask(post("( here )")).body == "[( here )]") break;
    context_.run_one_for(20ms);
  }
  EXPECT_EQ(results_[0].body, "[( here )]");
  waiting_[1](Response{200, "text/acl", "late", {}});
  ASSERT_TRUE(run_until([&] { return patient.available() > 0; }));
  std::string reply(patient.available(), ' ');
  patient.read_some(boost::asio::buffer(reply));
  EXPECT_NE(reply.find("200"), std::string::npos);
}

TEST_F(ServerTest, WhoOnlyEndsItsSideGetsItsReply) {
  HttpLimits limits;
  limits.connections = 2;
  start(limits);
  send(exchange({{post("( wait )"), 0ms}}, true));
  ASSERT_TRUE(run_until([this] { return waiting_.size() == 1; }));
  EXPECT_EQ(ask(post("( here )")).body, "[( here )]");
  results_.clear();
  waiting_[0](Response{200, "text/acl", "ready", {}});
  ASSERT_TRUE(run_until([this] { return !results_.empty(); }));
  EXPECT_EQ(results_[0].body, "ready");
}

TEST_F(ServerTest, WhoHasMostConnectionsMakesRoom) {
  HttpLimits limits;
  limits.connections = 4;
  start(limits);
  const tcp::socket host = connect_from(context_, "127.0.0.2", server_->port(), "POST / HTTP/1.0");
  ASSERT_TRUE(run_until([this] { return server_->connections() == 1; }));
  for (int i = 0; i < 20; ++i) send(exchange({{"POST / HTTP/1.0\r\n", 0ms}}));
  ASSERT_TRUE(run_until([this] { return results_.size() == 17; }));
  for (const auto& result : results_) EXPECT_EQ(result.head.status, 503);
  EXPECT_EQ(host.available(), 0u);  // was there first, and was not sent away
}

TEST_F(ServerTest, OneAddressHasSoManyConnectionsAtMost) {
  HttpLimits limits;
  limits.peer_connections = 2;
  start(limits);
  for (int i = 0; i < 2; ++i) send(exchange({{post("( wait )"), 0ms}}));
  ASSERT_TRUE(run_until([this] { return waiting_.size() == 2; }));
  EXPECT_EQ(ask(post("( INFO )")).head.status, 429);
  tcp::socket other = connect_from(context_, "127.0.0.2", server_->port(), post("( INFO )"));
  ASSERT_TRUE(run_until([&] { return other.available() > 0; }));
  EXPECT_EQ(requests_.back().body, "( INFO )");
}

TEST_F(ServerTest, OneAddressMakesSoManyConnectionsASecond) {
  HttpLimits limits;
  limits.peer_rate = 0.001;  // one, and then none for longer than any test takes
  start(limits);
  EXPECT_EQ(ask(post("( INFO )")).head.status, 200);
  EXPECT_EQ(ask(post("( INFO )")).head.status, 429);
  EXPECT_EQ(refusals_.size(), 1u);
  tcp::socket other = connect_from(context_, "127.0.0.2", server_->port(), post("( INFO )"));
  ASSERT_TRUE(run_until([&] { return other.available() > 0; }));
  EXPECT_EQ(requests_.size(), 2u);
}

TEST_F(ServerTest, OnlyThoseWhoAreAllowedAreServed) {
  HttpLimits limits;
  limits.allowed = {Network::parse("127.0.0.2/31").value()};
  start(limits);
  EXPECT_EQ(ask(post("( INFO )")).head.status, 403);
  EXPECT_TRUE(requests_.empty());
  tcp::socket other = connect_from(context_, "127.0.0.3", server_->port(), post("( INFO )"));
  ASSERT_TRUE(run_until([&] { return other.available() > 0; }));
  EXPECT_EQ(requests_.size(), 1u);
}

TEST_F(ServerTest, BodiesForWhichThereIsNoMemoryAreRefused) {
  HttpLimits limits;
  limits.memory = std::make_shared<WireMemory>(4 << 20);
  start(limits);
  const std::string body = "( START m r ( " + std::string(1 << 20, 'x');
  const std::string large = "POST / HTTP/1.0\r\nContent-Length: 2000000\r\n\r\n" + body;
  std::size_t most = 0;
  for (int i = 0; i < 20; ++i) send(exchange({{large, 0ms}}));
  ASSERT_TRUE(run_until([&] {
    most = std::max(most, limits.memory->used());
    return results_.size() >= 17;
  }));
  EXPECT_LE(most, limits.memory->limit());
  for (const auto& result : results_) EXPECT_EQ(result.head.status, 503);
  results_.clear();
  EXPECT_EQ(ask(post("( INFO )")).body, "[( INFO )]");
  server_.reset();
  requests_.clear();
  context_.poll();
  EXPECT_EQ(limits.memory->used(), 0u);
}

TEST_F(ServerTest, WhatIsThrownEndsOneRequestOnly) {
  start();
  HttpServer thrower(context_, {}, [](const HttpRequest& request, const Respond& respond) {
    if (request.body == "( throw )") throw std::bad_alloc();
    respond(Response{200, "text/acl", "well", {}});
  });
  ASSERT_FALSE(thrower.listen("127.0.0.1", 0));
  Exchange bad = exchange({{post("( throw )"), 0ms}}), good = exchange({{post("( INFO )"), 0ms}});
  bad.address.port = good.address.port = thrower.port();
  EXPECT_EQ(ask(bad).head.status, 500);
  EXPECT_EQ(ask(good).body, "well");
}

TEST_F(ServerTest, ATlsHandshakeIsAnsweredInPlainWords) {
  start();
  const auto result = ask(std::string("\x16\x03\x01\x02\0\x01", 6) + std::string(500, '\xff'));
  EXPECT_EQ(result.head.status, 400);
  EXPECT_NE(result.body.find("http://"), std::string::npos) << result.body;
}

TEST_F(ServerTest, ASecondRequestOnAConnectionIsNotRead) {
  start();
  const auto result = ask(post("( INFO )") + post("( wait )"));
  EXPECT_EQ(result.body, "[( INFO )]");
  EXPECT_TRUE(result.closed);
  EXPECT_EQ(requests_.size(), 1u);
}

TEST_F(ServerTest, UnknownCodingsAndExpectationsAreToldSo) {
  start();
  EXPECT_EQ(ask("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n").head.status, 501);
  EXPECT_EQ(ask("POST / HTTP/1.1\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n(").head.status, 417);
}

TEST_F(ServerTest, AnExpectationIsNotMetForABodyThatIsTooLarge) {
  start();
  const auto result =
      ask("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n");
  EXPECT_EQ(result.head.status, 413);
}

/// Endless parts of a request: what is read of them is bounded, and so is the time.
TEST_F(ServerTest, EndlessChunksAreRefusedAsTheyCome) {
  start();
  const std::string head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string& start : {head + "5;", head + "5 ", head + "0\r\nA: ", head + "0\r\n"}) {
    EXPECT_EQ(ask(start + std::string(300'000, 'x')).head.status, 400);
  }
  EXPECT_EQ(refusals_.size(), 4u);
}

TEST_F(ServerTest, OnlyTheFirstReplyCounts) {
  start();
  send(exchange({{post("( wait )"), 0ms}}));
  ASSERT_TRUE(run_until([this] { return waiting_.size() == 1; }));
  waiting_[0](Response{200, "text/acl", "first", {}});
  waiting_[0](Response{200, "text/acl", "second", {}});
  ASSERT_TRUE(run_until([this] { return !results_.empty(); }));
  EXPECT_EQ(results_[0].body, "first");
}

TEST_F(ServerTest, AForgottenReplyIs500) {
  start();
  send(exchange({{post("( wait )"), 0ms}}));
  ASSERT_TRUE(run_until([this] { return waiting_.size() == 1; }));
  waiting_.clear();
  ASSERT_TRUE(run_until([this] { return !results_.empty(); }));
  EXPECT_EQ(results_[0].head.status, 500);
}

TEST_F(ServerTest, AClientThatGoesAwayHurtsNobody) {
  start();
  for (int i = 0; i < 10; ++i) {
    tcp::socket socket(context_);
    socket.connect({boost::asio::ip::address_v4::loopback(), server_->port()});
    boost::asio::write(socket, boost::asio::buffer(post("( wait )")));
    if (i % 2) socket.set_option(tcp::socket::linger(true, 0));  // resets the connection
    ASSERT_TRUE(run_until([&] { return waiting_.size() == static_cast<std::size_t>(i) + 1; }));
  }
  for (const auto& respond : waiting_) {
    respond(Response{200, "text/acl", std::string(100'000, 'x'), {}});
  }
  EXPECT_EQ(ask(post("( INFO )")).body, "[( INFO )]");
  EXPECT_TRUE(run_until([this] { return server_->connections() == 0; }));
}

TEST_F(ServerTest, ClosingLetsRepliesUnderWayLeave) {
  start();
  send(exchange({{post("( wait )"), 0ms}}));
  send(exchange({{"POST / HTTP", 0ms}}));
  ASSERT_TRUE(run_until([this] { return waiting_.size() == 1 && server_->connections() == 2; }));
  bool closed = false;
  server_->close([&] { closed = true; });
  ASSERT_TRUE(run_until([this] { return results_.size() == 1; }));  // the half request
  EXPECT_EQ(results_[0].kind, Kind::NoReply);
  EXPECT_FALSE(closed);
  waiting_[0](Response{200, "text/acl", "( mark 1 1 )", {}});
  ASSERT_TRUE(run_until([&] { return closed && results_.size() == 2; }));
  EXPECT_EQ(results_[1].body, "( mark 1 1 )");
  results_.clear();
  EXPECT_EQ(ask(post("( INFO )")).kind, Kind::ConnectionFailed);
}

TEST_F(ServerTest, RepliesAfterTheServerIsGoneAreLost) {
  start();
  send(exchange({{post("( wait )"), 0ms}}));
  ASSERT_TRUE(run_until([this] { return waiting_.size() == 1; }));
  server_.reset();
  waiting_[0](Response{200, "text/acl", "too late", {}});
  ASSERT_TRUE(run_until([this] { return !results_.empty(); }));
  EXPECT_NE(results_[0].kind, Kind::Reply);
}

TEST_F(ServerTest, APortInUseIsSaid) {
  start();
  HttpServer other(context_, {}, [](HttpRequest, const Respond&) {});
  const auto problem = other.listen("127.0.0.1", server_->port());
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->find(std::to_string(server_->port())), std::string::npos) << *problem;
  EXPECT_TRUE(other.listen("nowhere", 0));
}

TEST_F(ServerTest, ArbitraryBytesGetAReplyOrAClosedConnection) {
  HttpLimits limits;
  limits.request = 2s;
  start(limits);
  std::mt19937 random(11);
  const std::vector<std::string> parts = {"POST",
                                          " ",
                                          "/",
                                          "HTTP/1.0",
                                          "HTTP/1.1",
                                          "\r\n",
                                          "\n",
                                          "Content-Length: ",
                                          "12",
                                          "GET",
                                          "(",
                                          ")",
                                          "INFO",
                                          "%28",
                                          ";",
                                          "\xff",
                                          "Expect: 100-continue",
                                          "Transfer-Encoding: chunked",
                                          "\r\n\r\n",
                                          std::string(1, '\0'),
                                          "a: b",
                                          "#|"};
  constexpr std::size_t kRounds = 300;
  for (std::size_t round = 0; round < kRounds; ++round) {
    std::string bytes = random() % 2 ? "POST / HTTP/1.0\r\n" : "";
    for (std::size_t n = random() % 20; n > 0; --n) bytes += parts[random() % parts.size()];
    send(exchange({{bytes, 0ms}}, random() % 4 != 0));
  }
  ASSERT_TRUE(run_until([this] { return results_.size() == kRounds; }));
  for (const auto& result : results_) {
    EXPECT_TRUE(result.kind == Kind::Reply || result.kind == Kind::NoReply) << result.problem;
  }
  EXPECT_EQ(ask(post("( INFO )")).body, "[( INFO )]");
}

}  // namespace
}  // namespace ludens::server
