// SPDX-License-Identifier: MIT
#include "server/match/remote_player.h"

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "tests/server/crooked_server.h"

namespace ludens::server {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using std::chrono::milliseconds;

/// Asks for a first move and waits.
Answer ask(const Address& address, milliseconds limit = milliseconds(10'000),
           const HostDialect& dialect = kGgpDialect) {
  asio::io_context context(1);
  const auto player = make_remote_player(address, dialect, context);
  std::optional<Answer> answer;
  player->play({}, std::chrono::steady_clock::now() + limit,
               [&](Answer a) { answer = std::move(a); });
  EXPECT_FALSE(answer.has_value());  // never from within the call
  context.run();
  EXPECT_TRUE(answer.has_value());
  return answer.value_or(Answer{});
}

TEST(RemotePlayer, HandsOnTheReply) {
  CrookedServer server([](tcp::socket& s) { send_bytes(s, http_reply("( mark 1 1 )")); });
  const Answer answer = ask(server.address());
  EXPECT_EQ(answer.kind, Answer::Kind::Text);
  EXPECT_EQ(answer.text, "( mark 1 1 )");
  EXPECT_GT(answer.latency_ms, 0);
}

TEST(RemotePlayer, TimesOutOnSilence) {
  std::mutex hold;
  hold.lock();
  CrookedServer server([&](tcp::socket&) { std::lock_guard wait(hold); });
  EXPECT_EQ(ask(server.address(), milliseconds(200)).kind, Answer::Kind::TimedOut);
  hold.unlock();
}

TEST(RemotePlayer, TimesOutOnBytesThatDrip) {
  CrookedServer server([](tcp::socket& socket) {
    send_bytes(socket, "HTTP/1.0 200 OK\r\nContent-Length: 1000000\r\n\r\n");
    while (send_bytes(socket, " ")) std::this_thread::sleep_for(milliseconds(30));
  });
  EXPECT_EQ(ask(server.address(), milliseconds(300)).kind, Answer::Kind::TimedOut);
}

TEST(RemotePlayer, LooksItsNameUpOnceAndAgainWhenAConnectionFailed) {
  std::optional<CrookedServer> server(std::in_place,
                                      [](tcp::socket& s) { send_bytes(s, http_reply("noop")); });
  const Address address{"player", server->address().port};
  int asked = 0;
  asio::io_context context(1);
  const auto player = make_remote_player(address, kGgpDialect, context, [&](const std::string&) {
    ++asked;  // read when the answer is there
    return NumericAddresses{"127.0.0.1"};
  });
  const auto play = [&](milliseconds limit = milliseconds(10'000)) {
    Answer answer;
    player->play({}, std::chrono::steady_clock::now() + limit,
                 [&](Answer a) { answer = std::move(a); });
    context.restart();
    context.run();
    return answer.kind;
  };
  EXPECT_EQ(play(), Answer::Kind::Text);
  EXPECT_EQ(play(), Answer::Kind::Text);
  EXPECT_EQ(asked, 1);
  server.reset();
  const milliseconds time_for_one_try(200);
  EXPECT_EQ(play(time_for_one_try), Answer::Kind::ConnectionFailed);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(play(time_for_one_try), Answer::Kind::ConnectionFailed);
  EXPECT_EQ(asked, 2);
}

TEST(RemotePlayer, ThatIsStartedAgainGetsItsRequestWithinTheClock) {
  // The first one replies once and hangs up the next time, as a process that is killed does.
  int asked = 0;
  std::optional<CrookedServer> first(std::in_place, [&](tcp::socket& socket) {
    if (++asked == 1) send_bytes(socket, http_reply("( mark 1 1 )"));
  });
  const std::uint16_t port = first->address().port;
  asio::io_context context(1);
  const auto player = make_remote_player({"127.0.0.1", port}, kGgpDialect, context);
  const auto begin = [&](std::optional<Answer>& answer) {
    player->play({}, std::chrono::steady_clock::now() + std::chrono::seconds(60),
                 [&](Answer a) { answer = std::move(a); });
    context.restart();
  };
  std::optional<Answer> before, after;
  begin(before);
  context.run();
  ASSERT_TRUE(before);
  EXPECT_EQ(before->text, "( mark 1 1 )");
  begin(after);
  context.run_for(milliseconds(600));
  EXPECT_FALSE(after) << "the connection broke, and there is time";
  first.reset();
  context.run_for(milliseconds(600));
  EXPECT_FALSE(after) << "nothing listens, and there is time";
  const CrookedServer second([](tcp::socket& s) { send_bytes(s, http_reply("( mark 2 2 )")); },
                             port);
  context.run();
  ASSERT_TRUE(after);
  EXPECT_EQ(after->kind, Answer::Kind::Text) << after->problem;
  EXPECT_EQ(after->text, "( mark 2 2 )");
  EXPECT_GT(after->latency_ms, 1000) << "from the first try";
}

/// As a process does that is killed while it prepares for its match.
TEST(RemotePlayer, ThatHangsUpOnItsFirstRequestIsAskedAgain) {
  std::optional<CrookedServer> first(std::in_place, [](tcp::socket&) {});
  const std::uint16_t port = first->address().port;
  asio::io_context context(1);
  const auto player = make_remote_player(first->address(), kGgpDialect, context);
  std::optional<Answer> answer;
  player->play({}, std::chrono::steady_clock::now() + std::chrono::seconds(60),
               [&](Answer a) { answer = std::move(a); });
  context.run_for(milliseconds(100));
  EXPECT_FALSE(answer) << "the connection broke, and there is time";
  first.reset();
  context.run_for(milliseconds(600));
  EXPECT_FALSE(answer) << "nothing listens, and there is time";
  const CrookedServer second([](tcp::socket& s) { send_bytes(s, http_reply("ready")); }, port);
  context.run();
  EXPECT_EQ(answer.value().text, "ready");
}

TEST(RemotePlayer, ThatIsStartedAgainHearsThatItsMatchHasEnded) {
  const auto reply = [](tcp::socket& s) { send_bytes(s, http_reply("done")); };
  std::optional<CrookedServer> first(std::in_place, reply);
  const std::uint16_t port = first->address().port;
  asio::io_context context(1);
  const auto player = make_remote_player(first->address(), kGgpDialect, context);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  player->play({}, until, [](const Answer&) {});
  context.run();
  first.reset();
  std::optional<Answer> answer;
  player->stop({}, until, [&](Answer a) { answer = std::move(a); });
  context.restart();
  context.run_for(milliseconds(300));
  EXPECT_FALSE(answer) << "a player that hears of no end keeps the place of the match";
  const CrookedServer second(reply, port);
  context.run();
  EXPECT_EQ(answer.value().text, "done");
}

TEST(RemotePlayer, TellsADeadPlayerFromALateOne) {
  Address nobody;
  {
    CrookedServer server([](tcp::socket&) {});
    nobody = server.address();
  }
  const Answer answer = ask(nobody);
  EXPECT_EQ(answer.kind, Answer::Kind::ConnectionFailed);
  EXPECT_FALSE(answer.problem.empty());
}

TEST(RemotePlayer, TakesHangingUpAndNoiseForABrokenConnection) {
  CrookedServer silent([](tcp::socket&) {});
  EXPECT_EQ(ask(silent.address(), milliseconds(3000)).kind, Answer::Kind::ConnectionFailed);
  CrookedServer noisy(
      [](tcp::socket& s) { send_bytes(s, std::string("\0\x16\x03 noise\r\n\r\n", 14)); });
  EXPECT_EQ(ask(noisy.address()).kind, Answer::Kind::ConnectionFailed);
}

TEST(RemotePlayer, TakesAnErrorStatusForAFailure) {
  CrookedServer server(
      [](tcp::socket& s) { send_bytes(s, "HTTP/1.0 400 Bad\r\nContent-Length: 3\r\n\r\nwhy"); });
  const Answer answer = ask(server.address());
  EXPECT_EQ(answer.kind, Answer::Kind::ConnectionFailed);
  EXPECT_EQ(answer.problem, "HTTP status 400: why");
}

TEST(RemotePlayer, SpeaksBothDialects) {
  CrookedServer server([](tcp::socket& s) { send_bytes(s, http_reply("noop")); });
  ask(server.address());
  ask(server.address(), milliseconds(10'000), kDresdenDialect);
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_THAT(requests[0], testing::StartsWith("POST / HTTP/1.0\r\n"));
  EXPECT_THAT(requests[0], testing::HasSubstr("Sender: GAMESERVER"));
  EXPECT_THAT(requests[0], testing::EndsWith("( PLAY  NIL )"));
  EXPECT_THAT(requests[1], testing::Not(testing::HasSubstr("Host:")));
}

TEST(RemotePlayer, EndsAMatchOfDresdenByStop) {
  CrookedServer server([](tcp::socket& s) { send_bytes(s, http_reply("done")); });
  for (const HostDialect* dialect : {&kGgpDialect, &kDresdenDialect}) {
    asio::io_context context(1);
    const auto player = make_remote_player(server.address(), *dialect, context);
    ToldTurn turn;
    turn.moves = {{"noop", {}}};
    player->abort(turn, std::chrono::steady_clock::now() + milliseconds(10'000), [](Answer) {});
    context.run();
  }
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_THAT(requests[0], testing::EndsWith("( ABORT  )"));
  EXPECT_THAT(requests[1], testing::EndsWith("( STOP  ( NOOP ) )"));
}

TEST(RemotePlayer, WritesDresdenInUpperCase) {
  EXPECT_EQ(in_dialect(kDresdenDialect, "( PLAY m.1 (( mark 1 1 ) noop ) )"),
            "( PLAY M.1 (( MARK 1 1 ) NOOP ) )");
  EXPECT_EQ(in_dialect(kGgpDialect, "( mark )"), "( mark )");
}

}  // namespace
}  // namespace ludens::server
