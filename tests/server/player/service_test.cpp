// SPDX-License-Identifier: MIT
#include "server/player/service.h"

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <map>

#include "server/player/status_page.h"

namespace ludens::server {
namespace {

using namespace std::chrono_literals;

/// The service over a player that keeps its reply functions.
class ServiceTest : public testing::Test {
 protected:
  ServiceTest() { open({}); }
  void open(ServiceOptions options) {
    options.name = "Ludens <1>";
    options.version = "9.9";
    options.parse_aside_bytes = 1000;
    service_.emplace(context_, options,
                     PlayerCalls{[this](const agent::Message& message, TimePoint,
                                        agent::Reply reply, const agent::Sender& from) {
                                   messages_.push_back(message);
                                   from_ = from;
                                   replies_.push_back(std::move(reply));
                                 },
                                 [this] { return matches_; },
                                 [this](const std::string& peer) { return peer != busy_for_; },
                                 {},
                                 [this](const std::string& id) {
                                   const auto owner = owners_.find(id);
                                   return owner == owners_.end() ? std::nullopt
                                                                 : std::optional(owner->second);
                                 }},
                     [this](const Served& served) { served_.push_back(served); });
  }

  void send(const std::string& method, const std::string& target, std::string body = {},
            const std::string& address = "127.0.0.1", const Headers& headers = {}) {
    HttpRequest request;
    request.head.headers = headers;
    request.head.method = method;
    request.head.target = target;
    request.body = std::move(body);
    request.first_byte = std::chrono::steady_clock::now();
    request.peer = "peer:1";
    request.address = boost::asio::ip::make_address(address);
    service_->handle(std::move(request), [this](Response r) { responses_.push_back(r); });
  }
  void post(std::string body) { send("POST", "/", std::move(body)); }
  /// For what is parsed aside.
  void run_until(const std::function<bool()>& condition) {
    const auto work = boost::asio::make_work_guard(context_);
    context_.restart();
    while (!condition()) context_.run_one();
  }
  void post_from(const std::string& address, std::string body) {
    send("POST", "/", std::move(body), address);
  }

  boost::asio::io_context context_;
  std::vector<agent::Message> messages_;
  std::vector<agent::Reply> replies_;
  std::vector<agent::MatchStatus> matches_;
  std::map<std::string, std::string> owners_;  // by match id
  agent::Sender from_;                         // of the last message
  std::string busy_for_;                       // the peer for which there is no place
  std::vector<Served> served_;
  std::vector<Response> responses_;
  std::optional<MessageService> service_;
};

TEST_F(ServiceTest, MessagesGoToThePlayerAndRepliesBack) {
  post("( PLAY m.1 NIL )");
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_TRUE(responses_.empty());
  replies_[0]("( mark 1 1 )");
  ASSERT_EQ(responses_.size(), 1u);
  EXPECT_EQ(responses_[0].status, 200);
  EXPECT_EQ(responses_[0].content_type, "text/acl");
  EXPECT_EQ(responses_[0].body, "( mark 1 1 )");
  ASSERT_EQ(served_.size(), 1u);
  EXPECT_EQ(served_[0].kind, "PLAY");
  EXPECT_EQ(served_[0].match_id, "m.1");
  EXPECT_EQ(served_[0].peer, "peer:1");
  EXPECT_EQ(served_[0].reply, "( mark 1 1 )");
}

TEST_F(ServiceTest, EmptyBodiesAreInfo) {
  post("");
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<agent::Info>(messages_[0]));
}

TEST_F(ServiceTest, MalformedMessagesNeverReachThePlayer) {
  post("( PLAY");
  post("( JUMP m )");
  EXPECT_TRUE(messages_.empty());
  ASSERT_EQ(responses_.size(), 2u);
  EXPECT_EQ(responses_[0].status, 400);
  EXPECT_FALSE(responses_[0].body.empty());
  EXPECT_EQ(responses_[1].status, 400);
  EXPECT_EQ(served_[1].kind, "malformed");
}

TEST_F(ServiceTest, GetCarriesAMessage) {
  send("GET", "/%28+PLAY+m+%28+%28mark+1%201%29+%2B+%29+%29");
  ASSERT_EQ(messages_.size(), 1u);
  const auto& play = std::get<agent::Play>(messages_[0]);
  EXPECT_EQ(play.moves.tree->print(play.moves.node), "( ( mark 1 1 ) + )");
}

TEST_F(ServiceTest, ThePageShowsNameVersionStatusAndMatchesEscaped) {
  send("GET", "/");
  ASSERT_EQ(responses_.size(), 1u);
  EXPECT_TRUE(responses_[0].content_type.starts_with("text/html"));
  EXPECT_NE(responses_[0].body.find("Ludens &lt;1&gt;"), std::string::npos);
  EXPECT_NE(responses_[0].body.find("9.9"), std::string::npos);
  EXPECT_NE(responses_[0].body.find("available"), std::string::npos);
  matches_ = {{"<script>", "x\"player", 7, "mcts & more", {}}};
  busy_for_ = "127.0.0.1";
  send("GET", "/?x=1");
  const std::string& page = responses_[1].body;
  EXPECT_NE(page.find("busy"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  EXPECT_NE(page.find("mcts &amp; more"), std::string::npos);
  EXPECT_TRUE(messages_.empty());
}

TEST_F(ServiceTest, ThePageSaysWhatInfoSays) {
  matches_ = {{"one", "x", 7, "", {}}};
  busy_for_ = "10.0.0.1";
  send("GET", "/", {}, "10.0.0.2");
  send("GET", "/", {}, "10.0.0.1");
  EXPECT_NE(responses_[0].body.find("<b>available</b>"), std::string::npos);
  EXPECT_NE(responses_[0].body.find("<td>one</td>"), std::string::npos);
  EXPECT_NE(responses_[1].body.find("<b>busy</b>"), std::string::npos);
}

TEST_F(ServiceTest, OtherPathsAndMethods) {
  send("GET", "/favicon.ico");
  send("GET", "/%zz");
  send("OPTIONS", "*");
  send("DELETE", "/");
  ASSERT_EQ(responses_.size(), 4u);
  EXPECT_EQ(responses_[0].status, 404);
  EXPECT_EQ(responses_[1].status, 404);
  EXPECT_EQ(responses_[2].status, 200);
  EXPECT_TRUE(responses_[2].body.empty());
  EXPECT_EQ(responses_[3].status, 405);
  EXPECT_EQ(responses_[3].headers.find("Allow"), "POST, GET, OPTIONS");
}

TEST_F(ServiceTest, LongMessagesAreParsedAside) {
  std::string rules;
  for (int i = 0; i < 1000; ++i) rules += "( role r" + std::to_string(i) + " ) ";
  post("( START m r1 ( " + rules + ") 30 15 )");
  EXPECT_TRUE(messages_.empty());
  post("( INFO )");
  ASSERT_EQ(messages_.size(), 1u);  // did not wait
  while (messages_.size() < 2) {
    context_.restart();
    context_.run_for(10ms);
  }
  EXPECT_EQ(std::get<agent::Start>(messages_[1]).role, "r1");
}

TEST_F(ServiceTest, RepliesAfterTheServiceIsGoneStillGoToTheirConnection) {
  post("( INFO )");
  post("( START m r1 ( " + std::string(100'000, ' ') + ") 30 15 )");
  service_.reset();
  replies_[0]("late");
  context_.run_for(100ms);
  ASSERT_EQ(responses_.size(), 1u);
  EXPECT_EQ(responses_[0].body, "late");
  EXPECT_EQ(messages_.size(), 1u);
  EXPECT_TRUE(served_.empty());
}

Headers field(const std::string& name, const std::string& value) {
  Headers headers;
  headers.add(name, value);
  return headers;
}

TEST_F(ServiceTest, NoPageMayTalkToThePlayer) {
  for (const auto& headers :
       {field("Origin", "http://evil.example"), field("Origin", "null"),
        field("origin", "http://127.0.0.1:9147"), field("Sec-Fetch-Site", "cross-site"),
        field("Sec-Fetch-Site", "same-site"), field("Sec-Fetch-Site", "same-origin")}) {
    responses_.clear();
    send("POST", "/", "( ABORT m )", "127.0.0.1", headers);
    send("GET", "/%28ABORT%20m%29", {}, "127.0.0.1", headers);
    send("OPTIONS", "/", {}, "127.0.0.1", headers);
    ASSERT_EQ(responses_.size(), 3u);
    for (const Response& response : responses_) {
      EXPECT_EQ(response.status, 403);
      EXPECT_FALSE(response.headers.find("Access-Control-Allow-Origin"));
    }
  }
  EXPECT_TRUE(messages_.empty());
  send("GET", "/%28ABORT%20m%29", {}, "127.0.0.1", field("Sec-Fetch-Site", "none"));
  EXPECT_EQ(messages_.size(), 1u) << "a person has typed it";
}

TEST_F(ServiceTest, PagesOfOriginsThatAreAllowedMay) {
  ServiceOptions options;
  options.origins = {"https://host.example"};
  open(options);
  const Headers good = field("Origin", "https://host.example");
  send("OPTIONS", "/", {}, "127.0.0.1", good);
  send("POST", "/", "( INFO )", "127.0.0.1", good);
  ASSERT_EQ(replies_.size(), 1u);
  replies_[0]("known");
  ASSERT_EQ(responses_.size(), 2u);
  for (const Response& response : responses_) {
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.headers.find("Access-Control-Allow-Origin"), "https://host.example");
    EXPECT_EQ(response.headers.find("Vary"), "Origin");
  }
  send("POST", "/", "( INFO )", "127.0.0.1", field("Origin", "https://other.example"));
  EXPECT_EQ(responses_.back().status, 403);
  post("( INFO )");
  replies_.back()("known");
  EXPECT_FALSE(responses_.back().headers.find("Access-Control-Allow-Origin"));
}

TEST_F(ServiceTest, WhereAllPagesMayTheStatusPageIsStillForPeople) {
  ServiceOptions options;
  options.origins = {"*"};
  open(options);
  post("nonsense");
  send("OPTIONS", "/");
  send("POST", "/", "nonsense", "127.0.0.1", field("Origin", "null"));
  send("GET", "/");
  ASSERT_EQ(responses_.size(), 4u);
  for (const int host : {0, 1, 2}) {
    EXPECT_EQ(responses_[host].headers.find("Access-Control-Allow-Origin"), "*");
  }
  const Headers& page = responses_[3].headers;
  EXPECT_FALSE(page.find("Access-Control-Allow-Origin"));
  EXPECT_EQ(page.find("X-Frame-Options"), "DENY");
  EXPECT_EQ(page.find("X-Content-Type-Options"), "nosniff");
  EXPECT_NE(page.find("Content-Security-Policy")->find("frame-ancestors 'none'"),
            std::string_view::npos);
}

TEST_F(ServiceTest, TreesAreCountedAsLongAsTheyLive) {
  ServiceOptions options;
  options.memory = std::make_shared<WireMemory>(1 << 20);
  open(options);
  post("( START m r ( " + std::string(900, 'x') + " ) 1 1 )");
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_GT(options.memory->used(), 900u);
  messages_.clear();
  served_.clear();
  replies_.clear();
  EXPECT_EQ(options.memory->used(), 0u);
}

TEST_F(ServiceTest, AMessageForWhichThereIsNoMemoryIs503) {
  ServiceOptions options;
  options.memory = std::make_shared<WireMemory>(1 << 20);
  open(options);
  std::string body = "( PLAY m ( ";
  while (body.size() < 200'000) body += "a ";
  post(body + ") )");
  run_until([this] { return !responses_.empty(); });
  EXPECT_EQ(responses_[0].status, 503);
  EXPECT_TRUE(messages_.empty());
  EXPECT_EQ(options.memory->used(), 0u);
  post("( PLAY m NIL )");
  EXPECT_EQ(messages_.size(), 1u);
}

TEST_F(ServiceTest, AMatchBelongsToTheAddressThatStartedIt) {
  ServiceOptions options;
  options.pin_hosts = true;
  open(options);
  owners_ = {{"m", "10.0.0.1"}, {"n", ""}};
  for (const char* message :
       {"( PLAY m NIL )", "( STOP m NIL )", "( ABORT m )", "( START m r ( ) 1 1 )"}) {
    post_from("10.0.0.2", message);
  }
  EXPECT_EQ(messages_.size(), 0u);
  ASSERT_EQ(responses_.size(), 4u);
  for (const Response& response : responses_) EXPECT_EQ(response.body, "busy");
  // The page that follows what was served does not get what strangers say.
  for (const Served& served : served_) EXPECT_EQ(served.message, nullptr);
  post_from("10.0.0.2", "( INFO )");
  post_from("10.0.0.1", "( PLAY m NIL )");
  EXPECT_EQ(from_.address, "10.0.0.1");
  post_from("10.0.0.2", "( PLAY n NIL )");  // nobody's
  EXPECT_EQ(messages_.size(), 3u);
  owners_.clear();  // it has ended
  post_from("10.0.0.2", "( START m r ( ) 1 1 )");
  EXPECT_EQ(messages_.size(), 4u);
}

TEST_F(ServiceTest, ThePlayerIsToldTheAddressAndItsNetwork) {
  post_from("2001:db8::1:2:3:4", "( INFO )");
  EXPECT_EQ(from_.address, "2001:db8::1:2:3:4");
  EXPECT_EQ(from_.peer, "2001:db8::");
}

TEST_F(ServiceTest, NamesThatNobodyCouldReadAreMalformed) {
  post("( START " + std::string(1001, 'm') + " r ( ) 1 1 )");
  post("( START m " + std::string(1001, 'r') + " ( ) 1 1 )");
  run_until([this] { return responses_.size() == 2; });
  for (const Response& response : responses_) EXPECT_EQ(response.status, 400);
  post("( START " + std::string(1000, 'm') + " r ( ) 1 1 )");
  run_until([this] { return !messages_.empty(); });
  EXPECT_EQ(responses_.size(), 2u);
}

}  // namespace
}  // namespace ludens::server
