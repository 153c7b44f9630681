// SPDX-License-Identifier: MIT
// The program `ludens serve`: how it begins, what it reports, how it ends.
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "server/compliance/expectation.h"
#include "server/compliance/test_match.h"
#include "server/game/bundled_games.h"
#include "tests/project_folder.h"
#include "tests/protocol/serve_process.h"
#include "tests/sanitizers.h"

namespace ludens::server {
namespace {

using namespace std::chrono_literals;

TestGame bundled(const std::string& name) {
  auto loaded = load_game(project_folder() + "/config/games/" + name + ".kif");
  auto game = make_test_game(*std::move(loaded));
  return *std::move(game);
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string string_of(const boost::json::value& event, const char* key) {
  return std::string(event.at(key).as_string());
}

TEST(Serve, AnswersTellsAndEndsOnSigterm) {
  ServeProcess serve({"--name", "Homo"});
  Peer peer({"127.0.0.1", serve.port()});
  EXPECT_EQ(normal_text(peer.ask("( INFO )").result.body),
            "( ( name Homo ) ( status available ) )");
  EXPECT_EQ(peer.ask("( JUMP )").result.head.status, 400);
  const auto message = boost::json::parse(serve.process().read_line().value_or("{}"));
  EXPECT_EQ(string_of(message, "event"), "message");
  EXPECT_EQ(string_of(message, "kind"), "INFO");
  const auto malformed = boost::json::parse(serve.process().read_line().value_or("{}"));
  EXPECT_EQ(string_of(malformed, "kind"), "malformed");
  EXPECT_EQ(malformed.at("status").to_number<int>(), 400);
  serve.process().signal(SIGTERM);
  EXPECT_EQ(serve.process().wait(), 0) << serve.process().errors();
}

TEST(Serve, LogsOneLineAMessage) {
  ServeProcess serve;
  Peer peer({"127.0.0.1", serve.port()});
  for (int i = 0; i < 3; ++i) (void)peer.ask("( INFO )");
  serve.process().signal(SIGINT);
  EXPECT_EQ(serve.process().wait(), 0);
  const auto lines = split_lines(serve.process().errors());
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const auto& line) { return line.find("INFO") != line.npos; }),
            3)
      << serve.process().errors();
}

TEST(Serve, APortInUseIsOneLineAndExitCode3) {
  ServeProcess first;
  Process second({ludens_program(), "serve", "--strategy", "mcts", "--journal", "off", "--port",
                  std::to_string(first.port())});
  EXPECT_EQ(second.wait(), 3);
  const auto lines = split_lines(second.errors());
  ASSERT_EQ(lines.size(), 1u) << second.errors();
  EXPECT_TRUE(lines[0].starts_with("ludens: ")) << lines[0];
  EXPECT_NE(lines[0].find(std::to_string(first.port())), std::string::npos) << lines[0];
}

TEST(Serve, WrongUseIsExitCode2) {
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--strategy", "alphabetical"},
        std::vector<std::string>{"--strategy", "mcts:no_such_key=1"},
        std::vector<std::string>{"--ponder", "perhaps"}, std::vector<std::string>{"--prot", "1"}}) {
    std::vector<std::string> arguments = {ludens_program(), "serve", "--port", "0"};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    Process process(arguments);
    EXPECT_EQ(process.wait(), 2) << wrong[0] << " " << wrong[1];
    EXPECT_TRUE(process.errors().starts_with("ludens: ")) << process.errors();
  }
}

/// In seconds: no machine is too slow for it.
constexpr int kClock = 60;

/// A PLAY that runs when the signal comes.
class ServeInMatch : public testing::Test {
 protected:
  ServeProcess serve_{{"--strategy", "mcts:seconds=5"}};
  Peer peer_{{"127.0.0.1", serve_.port()}};
  const TestGame game_ = bundled("connect_four");
  Trial trial_{peer_, game_, kClock, kClock, "serve"};
};

TEST_F(ServeInMatch, ARunningReplyFinishes) {
  TestMatch match(trial_);
  ASSERT_TRUE(match.ready()) << match.start().result.body;
  const auto play = match.begin_play();
  peer_.pause(200ms);
  ASSERT_FALSE(play->done);
  serve_.process().signal(SIGTERM);
  const Outcome move = expect(peer_.wait(play), {match.is_legal()});
  EXPECT_EQ(move.verdict, Outcome::Verdict::Passed) << move.got;
  match.ended();
  EXPECT_EQ(serve_.process().wait(), 0) << serve_.process().errors();
}

TEST_F(ServeInMatch, ASecondSignalDoesNotWait) {
  TestMatch match(trial_);
  ASSERT_TRUE(match.ready()) << match.start().result.body;
  const auto play = match.begin_play();
  peer_.pause(200ms);
  ASSERT_FALSE(play->done);
  serve_.process().signal(SIGTERM);
  peer_.pause(100ms);
  serve_.process().signal(SIGTERM);
  EXPECT_NE(peer_.wait(play).result.kind, ExchangeResult::Kind::Reply);
  match.ended();
  EXPECT_EQ(serve_.process().wait(), 0) << serve_.process().errors();
}

/// Cases that pass against the program.
struct Part {
  std::string name;
  std::span<const Case> (*cases)();
  /// The second and further ones are for cases for which the one before it has moved too soon.
  std::vector<std::string> strategies;
};

class ServeCompliance : public testing::TestWithParam<Part> {
 protected:
  /// Runs the cases; returns those that came to nothing because a move came before what was to
  /// happen, as where the process is held up.
  std::vector<Case> run(std::span<const Case> cases, const std::string& strategy) {
    std::vector<std::string> options{"--strategy", strategy};
    // The one that waits for the end of a slow request.
    if (GetParam().name == "BadInput") options.insert(options.end(), {"--request-seconds", "6"});
    ServeProcess serve(options);
    Peer peer({"127.0.0.1", serve.port()});
    Trial trial{peer, game_, kClock, kClock, "compliance"};
    std::vector<Case> too_soon;
    for (const Case& each : cases) {
      const Outcome outcome = each.run(trial);
      if (outcome.why.find(" before ") != std::string::npos &&
          strategy != GetParam().strategies.back()) {
        too_soon.push_back(each);
        continue;
      }
      EXPECT_EQ(outcome.verdict, Outcome::Verdict::Passed)
          << each.name << ": " << outcome.why << "; sent " << outcome.sent << "; got "
          << outcome.got;
    }
    return too_soon;
  }

 private:
  const TestGame game_ = bundled("connect_four");
};

TEST_P(ServeCompliance, EveryCasePasses) {
  const auto all = GetParam().cases();
  std::vector<Case> cases(all.begin(), all.end());
  for (const std::string& strategy : GetParam().strategies) {
    if (!cases.empty()) cases = run(cases, strategy);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ServeCompliance,
    testing::Values(Part{"Framing", framing_cases, {"mcts:playouts=200"}},
                    Part{"BadInput", bad_input_cases, {"mcts:playouts=200"}},
                    Part{"Messages", message_cases, {"mcts:playouts=200"}},
                    Part{"Match", match_cases, {"mcts:playouts=200"}},
                    Part{"Search", search_cases, {"mcts:seconds=1", "mcts:seconds=6"}}),
    [](const auto& part) { return part.param.name; });

/// `ludens serve` in a process with a limit of the shell's `ulimit`.
class LimitedServe {
 public:
  explicit LimitedServe(const std::string& limit)
      : process_({"/bin/sh", "-c",
                  "ulimit " + limit + " && exec '" + ludens_program() +
                      "' serve --port 0 --json --journal off --strategy random --threads 1"}) {
    const auto line = process_.read_line();
    if (!line) throw std::runtime_error("ludens serve does not listen");
    port_ = boost::json::parse(*line).at("port").to_number<std::uint16_t>();
  }
  [[nodiscard]] Address address() const { return {"127.0.0.1", port_}; }
  Process& process() { return process_; }

 private:
  Process process_;
  std::uint16_t port_ = 0;
};

TEST(Serve, GoesOnWhereTheSystemGivesNoMemory) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer needs more addresses than the limit leaves";
  LimitedServe serve("-v 300000");
  Peer peer(serve.address());
  for (const char* piece : {"( a b ) ", "a ", "\n", "x"}) {
    std::string body = "( START m r ( ";
    while (body.size() < std::size_t{14} << 20) body += piece;
    const auto result = peer.ask(body + ") 1 1 )", 60s).result;
    EXPECT_NE(result.kind, ExchangeResult::Kind::ConnectionFailed) << result.problem;
    const std::string info = normal_text(peer.ask("( INFO )", 60s).result.body);
    EXPECT_TRUE(info.starts_with("( ( name Ludens )")) << info;
    (void)peer.ask("( ABORT m )", 60s);
  }
  serve.process().signal(SIGTERM);
  EXPECT_EQ(serve.process().wait(), 0) << serve.process().errors();
}

TEST(Serve, AnswersWhileConnectionsTakeAllItsDescriptors) {
  LimitedServe serve("-n 64");
  boost::asio::io_context context;
  std::vector<boost::asio::ip::tcp::socket> idle;
  for (int i = 0; i < 200; ++i) {
    idle.emplace_back(context).connect(
        {boost::asio::ip::address_v4::loopback(), serve.address().port});
  }
  Peer peer(serve.address());
  for (int i = 0; i < 20; ++i) {
    const std::string info = normal_text(peer.ask("( INFO )", 60s).result.body);
    EXPECT_TRUE(info.starts_with("( ( name Ludens )")) << info;
  }
  serve.process().signal(SIGTERM);
  EXPECT_EQ(serve.process().wait(), 0) << serve.process().errors();
}

}  // namespace
}  // namespace ludens::server
