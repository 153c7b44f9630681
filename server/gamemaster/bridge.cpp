// SPDX-License-Identifier: MIT
#include "server/gamemaster/bridge.h"

#include <spdlog/logger.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/json.hpp>
#include <exception>
#include <map>
#include <optional>
#include <utility>

#include "agent/message/heard_plays.h"
#include "agent/runtime/environment.h"
#include "agent/runtime/match_log.h"
#include "server/gamemaster/boards.h"
#include "server/gamemaster/page.h"
#include "server/http/io_thread.h"
#include "server/records/match_record.h"
#include "server/venue/translation.h"

namespace ludens::server {
namespace {

namespace json = boost::json;

constexpr std::string_view kPath = "/gamemaster", kWindowPath = "/gamemaster/window";
constexpr std::string_view kScheme = "Bearer ";

/// The page speaks for the venue: no address may speak in its matches instead.
agent::Sender from_page() {
  return {{}, "the page of Gamemaster"};
}

/// The same reply for all: the sender learns nothing about what is wrong.
Response forbidden() {
  return {403, "text/plain", {}, {}};
}

/// Takes the same time for every text of the same length, so that no attacker can find a token
/// letter by letter.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differences = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    differences |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return differences == 0;
}

/// The number of the picture that the page has; nullopt if it has none.
std::optional<std::uint64_t> picture_of(const json::object& body) {
  const json::value* picture = body.if_contains("picture");
  json::error_code error;
  const auto number = picture != nullptr ? picture->to_number<std::uint64_t>(error) : 0;
  return picture == nullptr || error ? std::nullopt : std::optional(number);
}

std::string text_member(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

/// The path of a request; pages may send it with or without a query.
std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find_first_of("?#"));
}

/// Whether a page of this program asks, on this machine: the window (page.h). The name in `Host` is
/// one that always means this machine, so that no rebound name counts.
bool is_own(std::string_view origin, const RequestHead& head) {
  const auto host = head.headers.find("Host");
  if (!host || origin != "http://" + std::string(*host)) return false;
  const std::string_view name = host->substr(0, host->rfind(':'));
  return name == "127.0.0.1" || name == "localhost" || name == "[::1]";
}

}  // namespace

gdl::Result<std::string> read_origin(std::string_view text) {
  std::string origin = gdl::fold_case(text);
  if (origin.ends_with('/')) origin.pop_back();
  const std::size_t slashes = origin.find("://");
  const bool scheme = origin.starts_with("http://") || origin.starts_with("https://");
  if (!scheme || origin.size() == slashes + 3 ||
      origin.find_first_of("/?#@ \t\r\n", slashes + 3) != std::string::npos) {
    return gdl::Error{"'" + std::string(text) +
                      "' is not an origin; one is SCHEME://HOST[:PORT], as in " +
                      std::string(kVenue)};
  }
  return {boost::system::in_place_value, std::move(origin)};
}

class Bridge::Implementation : public std::enable_shared_from_this<Implementation> {
 public:
  Implementation(boost::asio::io_context& context, BridgeOptions options, PlayerCalls player,
                 std::function<void(const Served&)> served)
      : context_(context),
        options_(std::move(options)),
        player_(std::move(player)),
        served_(std::move(served)) {
    if (options_.log == nullptr) options_.log = agent::silent_log();
  }

  void handle(HttpRequest request, Respond respond) {
    auto exchange = std::make_shared<Exchange>(request, std::move(respond));
    const std::string_view path = path_of(request.head.target);
    const auto origin = request.head.headers.find("Origin");
    const bool own = origin && is_own(*origin, request.head);
    if (origin && *origin != options_.access.origin && !own) return answer(*exchange, forbidden());
    if (request.head.method == "GET" && (path == kPath || path == kWindowPath)) {
      exchange->served.kind = "GET " + std::string(path);
      return answer(*exchange, page_response(path == kPath));
    }
    if (!origin) return answer(*exchange, forbidden());
    exchange->of_page = !own;
    if (request.head.method == "OPTIONS") return answer(*exchange, {204, "text/plain", {}, {}});
    if (!has_token(request.head.headers)) return answer(*exchange, forbidden());
    if (request.head.method != "POST") {
      return answer(*exchange, {405, "text/plain", "the method is POST\n", {}});
    }
    json::error_code error;
    const json::value body = json::parse(request.body, error);
    if (error || !body.is_object()) {
      return answer(*exchange, {400, "text/plain", "not an object of JSON\n", {}});
    }
    if (path == "/gamemaster/message") return message(body.get_object(), exchange);
    if (path == "/gamemaster/view") return view(body.get_object(), *exchange);
    answer(*exchange, {404, "text/plain", "there is nothing here\n", {}});
  }

  /// Nothing reaches the player or the log any more.
  void close() {
    aside_.stop();
    aside_.join();
    player_ = {};
    served_ = {};
  }

 private:
  struct Exchange : OpenRequest {
    using OpenRequest::OpenRequest;
    bool of_page = false;  // of the permitted origin
  };
  using ExchangePointer = std::shared_ptr<Exchange>;

  [[nodiscard]] bool has_token(const Headers& headers) const {
    const auto shown = headers.find("Authorization");
    return shown && shown->starts_with(kScheme) &&
           same(shown->substr(kScheme.size()), options_.access.token);
  }

  // ---- Messages of the manager

  void message(const json::object& body, const ExchangePointer& exchange) {
    auto envelope = read_envelope_for(text_member(body, "player"), text_member(body, "text"));
    if (!envelope) return ignore(*exchange, envelope.error().text);
    const OuterTerm& content = envelope->content;
    if (content.name == "ping") return give(*exchange, *envelope, "ready");
    if (content.name == "start") return start(*std::move(envelope), exchange);
    if (content.name == "play") return play(*envelope, exchange);
    end(*envelope, exchange);
  }

  /// Rules may be long, and their text in prefix GDL even longer, so they are read in another
  /// thread.
  void start(Envelope envelope, const ExchangePointer& exchange) {
    auto read = std::make_shared<gdl::Result<agent::Start>>(gdl::Error{"there is no memory left"});
    post_aside(aside_, [self = shared_from_this(), exchange, read = std::move(read),
                        envelope = std::move(envelope)]() mutable {
      try {
        *read = read_start(envelope, self->options_.parsing);
      } catch (const std::exception&) {  // no memory
      }
      post_surely(self->context_, [self, exchange, read, envelope = std::move(envelope)] {
        self->started(envelope, *read, exchange);
      });
    });
  }

  void started(const Envelope& envelope, const gdl::Result<agent::Start>& start,
               const ExchangePointer& exchange) {
    if (!player_.handle) return;
    if (!start) return ignore(*exchange, start.error().text);
    const std::string& player = envelope.receiver;
    const std::string before = match_of(player);
    if (!before.empty() && before != start->match_id) {  // the manager began another match without
                                                         // a message
      leave(before, *exchange);
    }
    Seat& seat = seats_[player];
    seat.match = start->match_id;
    seat.heard = agent::HeardPlays(envelope.id);
    seat.message = envelope.id;
    hand_over(*start, envelope, exchange);
  }

  /// Ends a match whose manager has begun another one, to which `exchange` belongs.
  void leave(const std::string& match, const Exchange& exchange) {
    const auto abort = std::make_shared<const agent::Message>(agent::Abort{match});
    player_.handle(
        *abort, exchange.first_byte, [](const std::string&) {}, from_page());
    boards_.forget(match);
    if (!served_) return;
    Served served;
    served.peer = exchange.served.peer;
    served.kind = agent::kind(*abort);
    served.match_id = match;
    served.message = abort;
    served_(served);
  }

  void play(const Envelope& envelope, const ExchangePointer& exchange) {
    const std::string match = match_of(envelope.receiver);
    if (match.empty()) return ignore(*exchange, "a move of a match that is not known");
    auto play = read_play(envelope, match);
    if (!play) return ignore(*exchange, play.error().text);
    Seat& seat = seats_[envelope.receiver];
    seat.match = match;
    if (seat.heard.kind_of(play->id, {}) == agent::HeardPlays::Kind::Old) {
      return ignore(*exchange, "the old message '" + envelope.id + "'");
    }
    seat.heard.add(play->id, {});
    seat.message = envelope.id;
    hand_over(*play, envelope, exchange);
  }

  /// `stop` or `abort`.
  void end(const Envelope& envelope, const ExchangePointer& exchange) {
    const std::string match = match_of(envelope.receiver);
    if (match.empty()) return ignore(*exchange, "the end of a match that is not known");
    agent::Message end = agent::Abort{match};
    if (envelope.content.name == "stop") {
      auto stop = read_stop(envelope, match);
      if (!stop) return ignore(*exchange, stop.error().text);
      show_end(match, *stop);
      end = *std::move(stop);
    }
    Seat& seat = seats_[envelope.receiver];
    seat = {};
    const bool ended = envelope.content.name == "stop";
    if (ended) seat.ended = match;
    hand_over(end, envelope, exchange);
    if (!ended) boards_.forget(match);
  }

  void show_end(const std::string& match, const agent::Stop& stop) {
    const agent::MatchView seen = player_.view(match);
    if (seen.position) boards_.finish(match, *seen.position, stop.moves);
  }

  void hand_over(const agent::Message& message, const Envelope& envelope,
                 const ExchangePointer& exchange) {
    exchange->served.kind = agent::kind(message);
    exchange->served.match_id = agent::match_id_of(message);
    exchange->served.message = std::make_shared<const agent::Message>(message);
    player_.handle(
        message, exchange->first_byte,
        [self = shared_from_this(), exchange, envelope = without_content(envelope),
         asks = asks_for_answer(message)](const std::string& reply) {
          exchange->served.said = reply;
          const auto said = answer_in_hrf(reply);
          if (!asks || !said) return self->give(*exchange, envelope, {}, asks ? reply : "");
          self->give(*exchange, envelope, *said);
        },
        from_page());
  }

  /// The match that is played for the player of that name; empty if there is none. After a restart
  /// only the agent knows, from its journal.
  [[nodiscard]] std::string match_of(const std::string& player) const {
    const auto seat = seats_.find(player);
    const std::string prefix = match_prefix(player);
    for (const agent::MatchStatus& match : player_.matches()) {
      const bool known = seat != seats_.end() && !seat->second.match.empty();
      if (known ? match.match_id == seat->second.match : match.match_id.starts_with(prefix)) {
        return match.match_id;
      }
    }
    return {};
  }

  // ---- What the page shows

  void view(const json::object& body, Exchange& exchange) {
    const std::string player = text_member(body, "player");
    const auto picture = picture_of(body);
    json::object out{{"match", nullptr}};
    std::vector<std::string> played;
    for (const agent::MatchStatus& match : player_.matches()) {
      played.push_back(match.match_id);
      if (match.match_id != match_of(player)) continue;
      describe(match, player, out);
      const agent::MatchView seen = player_.view(match.match_id);
      out["asked"] = seen.asked;
      out["move"] = storable(seen.move.empty() ? "" : answer_in_hrf(seen.move).value_or(""));
      if (seen.goal) out["goal"] = *seen.goal;
      out["exact"] = seen.exact;
      const auto board = seen.position ? boards_.draw(match.match_id, *seen.position)
                                       : boards_.latest(match.match_id);
      if (board != nullptr) add_board(*board, picture, out);
    }
    for (const auto& [name, seat] : seats_) {
      if (seat.ended.empty()) continue;
      played.push_back(seat.ended);
      const auto board = name == player ? boards_.latest(seat.ended) : nullptr;
      if (board != nullptr && out["match"].is_null()) add_board(*board, picture, out);
    }
    boards_.keep(played);
    answer(exchange, {200, "application/json", json::serialize(out), {}}, false);
  }

  /// The game only if the page has another picture.
  static void add_board(const DrawnBoard& board, std::optional<std::uint64_t> picture,
                        json::object& out) {
    if (picture != board.picture) out["game"] = board.game;
    out["picture"] = board.picture;
    out["state"] = board.state;
    if (!board.result.empty()) out["result"] = board.result;
  }

  void describe(const agent::MatchStatus& match, const std::string& player,
                json::object& out) const {
    out["match"] = storable(match.match_id);
    out["role"] = storable(match.role);
    out["step"] = match.step;
    out["thinking"] = storable(match.thinking);
    const auto seat = seats_.find(player);
    if (seat != seats_.end() && !seat->second.message.empty()) {
      out["message"] = storable(seat->second.message);
    }
  }

  // ---- Answers

  /// Answers with what the page sends to the manager: nothing if `said` is empty. `problem` says
  /// why, unless it is only that it is not our turn.
  void give(Exchange& exchange, const Envelope& envelope, std::string_view said,
            const std::string& problem = {}) {
    json::object out{{"answer", nullptr}};
    if (!said.empty()) {
      out["answer"] = storable(write_envelope(envelope.id, envelope.receiver, kManager, said));
    } else if (!problem.empty()) {
      out["problem"] = storable("Ludens answers '" + problem + "', see its log");
    }
    answer(exchange, {200, "application/json", json::serialize(out), {}});
  }

  void ignore(Exchange& exchange, const std::string& why) {
    options_.log->warn("gamemaster: ignored: {}", agent::printable(why, 400));
    exchange.served.kind = "ignored";
    const json::object out{{"answer", nullptr}, {"problem", storable(why)}};
    answer(exchange, {200, "application/json", json::serialize(out), {}});
  }

  void answer(Exchange& exchange, Response response, bool told = true) {
    if (exchange.of_page) add_headers(response.headers);
    std::string reply = response.content_type.starts_with("text/html") ? "" : response.body;
    exchange.answer(std::move(response), std::move(reply));
    if (told && served_) served_(exchange.served);
  }

  /// For pages of the one origin: what browsers ask before a page may talk to this machine.
  void add_headers(Headers& headers) const {
    headers.add("Access-Control-Allow-Origin", options_.access.origin);
    headers.add("Access-Control-Allow-Methods", "POST");
    headers.add("Access-Control-Allow-Headers", "Authorization, Content-Type");
    headers.add("Access-Control-Allow-Private-Network", "true");
    headers.add("Access-Control-Max-Age", "600");
    headers.add("Vary", "Origin");
    headers.add("Cache-Control", "no-store");
  }

  [[nodiscard]] Response page_response(bool of_player) const {
    const std::string& origin = options_.access.origin;
    Response page{200,
                  "text/html; charset=utf-8",
                  of_player ? gamemaster_page(origin) : gamemaster_window(origin),
                  {}};
    add_page_headers(page.headers);
    return page;
  }

  /// What is known of the player of one identifier.
  struct Seat {
    std::string match;
    agent::HeardPlays heard;
    std::string message;  // the identifier of the last one
    std::string ended;    // the match whose end is shown; empty: none
  };

  boost::asio::io_context& context_;
  BridgeOptions options_;
  PlayerCalls player_;
  std::function<void(const Served&)> served_;
  std::map<std::string, Seat> seats_;  // by the identifier of the player
  Boards boards_;
  boost::asio::thread_pool aside_{1};
};

Bridge::Bridge(boost::asio::io_context& context, BridgeOptions options, PlayerCalls player,
               std::function<void(const Served&)> served)
    : implementation_(std::make_shared<Implementation>(context, std::move(options),
                                                       std::move(player), std::move(served))) {}

Bridge::~Bridge() {
  implementation_->close();
}

bool Bridge::is_for(const RequestHead& head) const {
  const std::string_view path = path_of(head.target);
  return path == kPath || path.starts_with(std::string(kPath) + "/");
}

void Bridge::handle(HttpRequest request, Respond respond) {
  implementation_->handle(std::move(request), std::move(respond));
}

}  // namespace ludens::server
