// SPDX-License-Identifier: MIT
// The bridge as browsers and the page of the player find it, over sockets.
#include "server/gamemaster/bridge.h"
#include "gdl/text/file.h"

#include <gmock/gmock.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/ostream_sink.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

#include "server/game/rulesheet.h"
#include "server/player/player_server.h"
#include "tests/project_folder.h"
#include "tests/server/gamemaster/http_call.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace json = boost::json;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kOrigin = "http://venue.example";
constexpr const char* kToken = "0123456789abcdef0123456789abcdef";

/// A player that serves the page of one origin, on a thread of its own.
class Serving {
 public:
  explicit Serving(const std::string& journal = {}) {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(log_);
    PlayerServerOptions options;
    options.player.strategy = {"mcts", {{"playouts", "200"}}};
    options.player.margin_ms = 500;
    options.player.journal_dir = journal;
    options.player.log = std::make_shared<spdlog::logger>("test", std::move(sink));
    options.player.log->set_pattern("%l %v");
    options.port = 0;
    options.side = [log = options.player.log](auto& context, auto player, auto served) {
      return std::make_unique<Bridge>(context, BridgeOptions{{kOrigin, kToken}, {}, log},
                                      std::move(player), std::move(served));
    };
    server_ = std::make_unique<PlayerServer>(
        context_, options, [this](const Served& served) { served_.push_back(served); });
    EXPECT_EQ(server_->listen(), std::nullopt);
    thread_ = std::jthread([this] { context_.run(); });
  }
  ~Serving() { stop(); }
  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  /// The log, when nothing writes it any more.
  std::string stop() {
    if (thread_.joinable()) {
      boost::asio::post(context_, [this] { server_->shut_down([this] { context_.stop(); }); });
      thread_.join();
    }
    return log_.str();
  }
  /// What was told of all exchanges, when there are no more.
  [[nodiscard]] const std::vector<Served>& served() const { return served_; }

 private:
  std::ostringstream log_;
  std::vector<Served> served_;
  boost::asio::io_context context_{1};
  std::unique_ptr<PlayerServer> server_;
  std::jthread thread_;
};

class BridgeTest : public testing::Test {
 protected:
  static std::vector<std::string> fields(const std::string& origin = kOrigin,
                                         const std::string& token = kToken) {
    return {"Origin: " + origin, "Authorization: Bearer " + token,
            "Content-Type: application/json"};
  }
  json::object post(const std::string& path, const json::object& body) {
    const HttpReply reply =
        http_call(serving_->port(), "POST", "/gamemaster/" + path, fields(), json::serialize(body));
    EXPECT_EQ(reply.status, 200) << reply.body;
    return reply.status == 200 ? json::parse(reply.body).as_object() : json::object();
  }
  json::object send(const std::string& text, const std::string& player = "ludens") {
    return post("message", {{"player", player}, {"text", text}});
  }
  /// The answer to a message with that content; "nothing" if there is none.
  std::string tell(const std::string& id, const std::string& content) {
    json::object reply = send("message(" + id + ",manager,ludens," + content + ")");
    return reply["answer"].is_string() ? std::string(reply["answer"].as_string()) : "nothing";
  }
  static std::string start(const std::string& role, const std::string& game = "line") {
    std::string rules =
        *gdl::read_file(std::string(project_folder()) + "/tests/gdl/hrf/games/" + game + ".hrf");
    rules.erase(0, rules.find("role("));  // what stands before is a comment
    for (char& c : rules) {
      if (c == '\n') c = ' ';
    }
    return "start(" + role + ",ruleset(" + rules + "),2,2)";
  }
  /// What the page shows, which has that picture, when there is such a member.
  json::object view_with(const std::string& member, const json::value& picture = nullptr) {
    json::object view;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!view.contains(member) && std::chrono::steady_clock::now() < end) {
      view = post("view", {{"player", "ludens"}, {"picture", picture}});
    }
    return view;
  }
  /// The move in an answer.
  static std::string move_of(const std::string& answer, const std::string& id) {
    const std::string begin = "message(" + id + ",ludens,manager,";
    EXPECT_THAT(answer, testing::StartsWith(begin));
    return answer.size() > begin.size()
               ? answer.substr(begin.size(), answer.size() - begin.size() - 1)
               : "";
  }

  std::optional<Serving> serving_{std::in_place};
};

TEST_F(BridgeTest, WhoFollowsMatchesIsToldThemAsThePlayerIs) {
  tell("1", "ping()");
  tell("2", start("x"));
  tell("3", "play([])");
  tell("4", start("o"));  // without a word on the first match
  serving_->stop();
  std::vector<std::string> told;
  for (const Served& served : serving_->served()) {
    if (served.message == nullptr) continue;
    const std::string said = served.kind == "PLAY" ? "a move" : served.said;
    told.push_back(served.kind + " " + served.match_id + " " + said);
  }
  EXPECT_THAT(told, testing::ElementsAre(
                        "START gamemaster.ludens.2 ready", "PLAY gamemaster.ludens.2 a move",
                        "ABORT gamemaster.ludens.2 ", "START gamemaster.ludens.4 ready"));
}

TEST_F(BridgeTest, OtherOriginsAreToldNothing) {
  const std::string body = json::serialize(json::object{{"player", "ludens"}});
  for (const char* method : {"GET", "POST", "OPTIONS", "PUT"}) {
    for (const char* path : {"/gamemaster", "/gamemaster/message", "/gamemaster/view"}) {
      for (const char* origin : {"http://venue.example.org", "https://venue.example", "null"}) {
        const auto reply = http_call(serving_->port(), method, path, fields(origin), body);
        EXPECT_EQ(reply.status, 403) << method << path << origin;
        EXPECT_EQ(reply.body, "");
        EXPECT_THAT(reply.head, Not(HasSubstr("Access-Control")));
        EXPECT_THAT(reply.head, Not(HasSubstr("venue.example")));
      }
    }
  }
  EXPECT_EQ(http_call(serving_->port(), "POST", "/gamemaster/view", {}, body).status, 403);
}

TEST_F(BridgeTest, TheTokenIsNeeded) {
  for (const std::string& token : {std::string("x"), std::string(32, '0'), std::string()}) {
    const auto reply =
        http_call(serving_->port(), "POST", "/gamemaster/view", fields(kOrigin, token), "{}");
    EXPECT_EQ(reply.status, 403);
    EXPECT_EQ(reply.body, "");
    EXPECT_TRUE(reply.has(std::string("Access-Control-Allow-Origin: ") + kOrigin));
  }
  const std::string origin = std::string("Origin: ") + kOrigin;
  EXPECT_EQ(http_call(serving_->port(), "POST", "/gamemaster/view", {origin}, "{}").status, 403);
  EXPECT_EQ(http_call(serving_->port(), "POST", "/gamemaster/view", fields(), "{}").status, 200);
}

TEST_F(BridgeTest, TheWindowOfTheProgramMayAskWithTheToken) {
  const auto page = http_call(serving_->port(), "GET", "/gamemaster/window");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr(kOrigin));
  EXPECT_THAT(page.body, Not(HasSubstr(kToken)));
  const auto ask = [&](const std::string& host, const std::string& origin,
                       const std::string& token) {
    return http_call(serving_->port(), "POST", "/gamemaster/view", fields(origin, token), "{}",
                     host)
        .status;
  };
  const std::string port = ":" + std::to_string(serving_->port());
  for (const std::string name : {"127.0.0.1", "localhost", "[::1]"}) {
    EXPECT_EQ(ask(name + port, "http://" + name + port, kToken), 200) << name;
    EXPECT_EQ(ask(name + port, "http://" + name + port, "x"), 403) << name;
    EXPECT_EQ(ask(name + port, "http://" + name + ":1", kToken), 403) << name;
  }
  EXPECT_EQ(ask("rebound.example" + port, "http://rebound.example" + port, kToken), 403);
}

TEST_F(BridgeTest, BrowsersMayAskWhetherAPageMayTalkToThisMachine) {
  const auto reply =
      http_call(serving_->port(), "OPTIONS", "/gamemaster/message",
                {std::string("Origin: ") + kOrigin, "Access-Control-Request-Method: POST",
                 "Access-Control-Request-Headers: authorization,content-type",
                 "Access-Control-Request-Private-Network: true"});
  EXPECT_EQ(reply.status, 204);
  EXPECT_TRUE(reply.has(std::string("Access-Control-Allow-Origin: ") + kOrigin));
  EXPECT_TRUE(reply.has("Access-Control-Allow-Methods: POST"));
  EXPECT_TRUE(reply.has("Access-Control-Allow-Headers: Authorization, Content-Type"));
  EXPECT_TRUE(reply.has("Access-Control-Allow-Private-Network: true"));
}

TEST_F(BridgeTest, ThePageHoldsNoSecretAndTheRestOfTheServerIsAsItWas) {
  const auto page = http_call(serving_->port(), "GET", "/gamemaster");
  EXPECT_EQ(page.status, 200);
  EXPECT_TRUE(page.has("Content-Type: text/html; charset=utf-8"));
  EXPECT_THAT(page.body, HasSubstr(kOrigin));
  EXPECT_THAT(page.body, Not(HasSubstr(kToken)));
  EXPECT_THAT(http_call(serving_->port(), "GET", "/").body, HasSubstr("available"));
  const auto info = http_call(serving_->port(), "POST", "/", {}, "( INFO )");
  EXPECT_EQ(info.body, "( ( name Ludens ) ( status available ) )");
  EXPECT_THAT(info.head, Not(HasSubstr("Access-Control")));
}

TEST_F(BridgeTest, AMatchIsPlayedAsTheVenueWantsIt) {
  EXPECT_EQ(tell("1", "ping()"), "message(1,ludens,manager,ready)");
  EXPECT_EQ(tell("2", start("x")), "message(2,ludens,manager,ready)");
  const std::string first = move_of(tell("3", "play([])"), "3");
  EXPECT_THAT(first, HasSubstr("mark("));
  EXPECT_EQ(tell("4", "play(" + first + ")"), "nothing");  // not in control
  const std::string other = first == "mark(1,1)" ? "mark(3,3)" : "mark(1,1)";
  const std::string second = move_of(tell("5", "play(" + other + ")"), "5");
  EXPECT_THAT(second, HasSubstr("mark("));
  EXPECT_NE(second, first);
  EXPECT_NE(second, other);
  EXPECT_EQ(tell("6", "play(" + second + ")"), "nothing");
  EXPECT_EQ(tell("7", "abort()"), "nothing");
  EXPECT_THAT(http_call(serving_->port(), "GET", "/").body, HasSubstr("available"));
}

TEST_F(BridgeTest, TheSecondRoleWaitsFirst) {
  EXPECT_EQ(tell("2", start("o")), "message(2,ludens,manager,ready)");
  EXPECT_EQ(tell("3", "play([])"), "nothing");
  EXPECT_THAT(move_of(tell("4", "play(mark(2,2))"), "4"), HasSubstr("mark("));
  EXPECT_EQ(tell("9", "stop(mark(1,1))"), "nothing");
}

TEST_F(BridgeTest, AMessageThatComesAgainIsAnsweredAgain) {
  tell("2", start("x"));
  const std::string first = tell("3", "play([])");
  EXPECT_EQ(tell("3", "play([])"), first);
  const std::string move = move_of(first, "3");
  EXPECT_EQ(tell("4", "play(" + move + ")"), "nothing");
  EXPECT_EQ(tell("4", "play(" + move + ")"), "nothing");
  EXPECT_EQ(tell("3", "play([])"), "nothing");  // an old one
  EXPECT_THAT(serving_->stop(), HasSubstr("ignored: the old message '3'"));
}

/// A manager that is loaded again counts its messages from the beginning.
TEST_F(BridgeTest, AManagerThatIsLoadedAgainInMidMatchBeginsItAgain) {
  tell("1", start("x"));
  const std::string first = move_of(tell("2", "play([])"), "2");
  EXPECT_EQ(tell("3", "play(" + first + ")"), "nothing");
  EXPECT_EQ(tell("1", start("x")), "message(1,ludens,manager,ready)");
  EXPECT_THAT(move_of(tell("2", "play([])"), "2"), HasSubstr("mark("));
  EXPECT_EQ(tell("3", "play(mark(3,2))"), "nothing");  // another one than ours, by the manager
  EXPECT_THAT(move_of(tell("4", "play(mark(1,2))"), "4"), HasSubstr("mark("));
  EXPECT_THAT(serving_->stop(), Not(HasSubstr("illegal")));
}

TEST_F(BridgeTest, AMoveThatTheManagerReplacedIsSaid) {
  tell("1", start("x"));
  const std::string mine = move_of(tell("2", "play([])"), "2");
  const std::string other = mine == "mark(3,2)" ? "mark(1,2)" : "mark(3,2)";
  EXPECT_EQ(tell("3", "play(" + other + ")"), "nothing");
  EXPECT_THAT(serving_->stop(), HasSubstr("the host replaced our ( mark"));
}

TEST_F(BridgeTest, WhatIsWrongIsIgnoredWithALineOfLog) {
  const auto problem = [&](const std::string& text) {
    json::object reply = send(text);
    EXPECT_TRUE(reply["answer"].is_null());
    return reply.contains("problem") ? std::string(reply["problem"].as_string()) : "";
  };
  EXPECT_THAT(problem("hello"), HasSubstr("not message("));
  EXPECT_THAT(problem("message(1,somebody,ludens,ping())"), HasSubstr("'somebody'"));
  EXPECT_THAT(problem("message(1,manager,other,ping())"), HasSubstr("for 'other'"));
  EXPECT_THAT(problem("message(1,manager,ludens,dance)"), HasSubstr("unknown message 'dance'"));
  EXPECT_THAT(problem("message(1,manager,ludens,play([]))"), HasSubstr("not known"));
  EXPECT_THAT(problem("message(1,manager,ludens,stop([]))"), HasSubstr("not known"));
  EXPECT_THAT(problem("message(1,manager,ludens,abort())"), HasSubstr("not known"));
  EXPECT_THAT(problem("message(1,manager,ludens,start(x,ruleset(role(x) :- ),3,3))"),
              HasSubstr("rules:1:"));
  EXPECT_THAT(problem("message(1,manager,ludens,start(x,ruleset(role(x)),3,3))"),
              HasSubstr("'busy'"));
  const std::string log = serving_->stop();
  std::size_t lines = 0;
  for (auto at = log.find("gamemaster: ignored"); at != std::string::npos;
       at = log.find("gamemaster: ignored", at + 1)) {
    ++lines;
  }
  EXPECT_EQ(lines, 8u) << log;
}

TEST_F(BridgeTest, ABadBodyIsRefused) {
  for (const char* body : {"", "[]", "{", "7"}) {
    EXPECT_EQ(http_call(serving_->port(), "POST", "/gamemaster/message", fields(), body).status,
              400);
  }
  EXPECT_EQ(http_call(serving_->port(), "POST", "/gamemaster/other", fields(), "{}").status, 404);
  EXPECT_EQ(http_call(serving_->port(), "PUT", "/gamemaster/view", fields(), "{}").status, 405);
}

TEST_F(BridgeTest, TheViewTellsRoleMoveAndBoard) {
  EXPECT_TRUE(post("view", {{"player", "ludens"}})["match"].is_null());
  tell("2", start("x"));
  tell("3", "play([])");
  json::object view = view_with("state");
  EXPECT_EQ(view["match"], "gamemaster.ludens.2");
  EXPECT_EQ(view["role"], "x");
  EXPECT_EQ(view["message"], "3");
  ASSERT_TRUE(view.contains("game"));
  EXPECT_EQ(view["game"].as_object()["rows"].as_array().size(), 3u);
  const json::value picture = view["picture"];
  view = post("view", {{"player", "ludens"}, {"picture", picture}});
  EXPECT_FALSE(view.contains("game"));  // the page has it
  EXPECT_TRUE(post("view", {{"player", "other"}})["match"].is_null());
}

/// A game of one move each.
TEST_F(BridgeTest, TheViewTellsTheLastPositionAndTheResult) {
  EXPECT_EQ(tell("2",
                 "start(a,ruleset(role(a),role(b),base(control(R)) :- role(R),base(won(R)) :- "
                 "role(R),action(take),action(leave),init(control(a)),legal(take) :- "
                 "control(R),legal(leave) :- control(R),take :: control(R) ==> won(R),take :: "
                 "control(a) ==> ~control(a) & control(b),take :: control(b) ==> "
                 "~control(b),leave :: control(a) ==> ~control(a) & control(b),leave :: "
                 "control(b) ==> ~control(b),goal(R,70) :- won(R),goal(R,20) :- role(R) & "
                 "~won(R),terminal :- ~control(a) & ~control(b)),2,2)"),
            "message(2,ludens,manager,ready)");
  EXPECT_EQ(move_of(tell("3", "play([])"), "3"), "take");
  EXPECT_EQ(tell("4", "play(take)"), "nothing");
  view_with("state");
  EXPECT_EQ(tell("5", "stop(leave)"), "nothing");
  const json::object view = view_with("result");
  EXPECT_EQ(json::serialize(view.at("result")), R"({"a":70,"b":20})");
  EXPECT_TRUE(view.at("match").is_null());
  EXPECT_THAT(json::serialize(view.at("state")), HasSubstr("won"));
  tell("6", start("x"));
  EXPECT_FALSE(view_with("match").contains("result"));
}

TEST_F(BridgeTest, AViewWithoutAUsablePictureIsOneWithout) {
  tell("2", start("x"));
  view_with("game");
  for (const json::value& picture : {json::value(-1), json::value(1.5), json::value(1e300),
                                     json::value("1"), json::value(json::array{1})}) {
    EXPECT_TRUE(post("view", {{"player", "ludens"}, {"picture", picture}}).contains("game"))
        << json::serialize(picture);
  }
}

TEST_F(BridgeTest, AnotherGameUnderTheNameOfTheOneBeforeHasItsOwnBoard) {
  tell("1", start("x"));
  const json::value picture = view_with("game")["picture"];
  EXPECT_EQ(tell("1", start("ann", "harvest")), "message(1,ludens,manager,ready)");
  json::object view = view_with("game", picture);
  ASSERT_TRUE(view.contains("game"));
  EXPECT_NE(view["picture"], picture);
  EXPECT_EQ(view["role"], "ann");
}

TEST_F(BridgeTest, AGameAfterARestartHasItsOwnBoard) {
  tell("1", start("x"));
  const json::value picture = view_with("game")["picture"];
  serving_.reset();
  serving_.emplace();
  tell("1", start("ann", "harvest"));
  const json::object view = view_with("state", picture);
  EXPECT_TRUE(view.contains("game")) << "the page would draw it on the board of the game before";
}

TEST_F(BridgeTest, ANewMatchEndsTheOneBefore) {
  tell("2", start("x"));
  EXPECT_EQ(tell("8", start("o")), "message(8,ludens,manager,ready)");
  EXPECT_EQ(tell("9", "play([])"), "nothing");
}

TEST_F(BridgeTest, AMatchGoesOnAfterARestart) {
  const ScratchFolder folder;
  serving_.emplace(folder.path().string());
  tell("2", start("x"));
  const std::string move = move_of(tell("3", "play([])"), "3");
  EXPECT_EQ(tell("4", "play(" + move + ")"), "nothing");
  serving_.reset();
  serving_.emplace(folder.path().string());
  EXPECT_EQ(tell("4", "play(" + move + ")"), "nothing");  // the page was loaded again
  const std::string other = move == "mark(1,1)" ? "mark(3,3)" : "mark(1,1)";
  const std::string answer = tell("5", "play(" + other + ")");
  EXPECT_THAT(move_of(answer, "5"), HasSubstr("mark("));
  serving_.reset();
  serving_.emplace(folder.path().string());
  EXPECT_EQ(tell("5", "play(" + other + ")"), answer);
}

TEST(Origin, IsReadAsBrowsersSendIt) {
  EXPECT_EQ(*read_origin("http://Venue.Example/"), "http://venue.example");
  EXPECT_EQ(*read_origin("https://[::1]:8080"), "https://[::1]:8080");
  for (const char* text : {"", "venue.example", "ftp://x", "http://", "http://a/b", "http://a b"}) {
    EXPECT_FALSE(read_origin(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace ludens::server
