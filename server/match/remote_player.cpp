// SPDX-License-Identifier: MIT
#include "server/match/remote_player.h"

#include <chrono>
#include <utility>

#include "server/player/protocol.h"

namespace ludens::server {

namespace {

Trouble trouble(const ExchangeResult& result) {
  using Kind = ExchangeResult::Kind;
  if (result.kind == Kind::TimedOut) return result.begun ? Trouble::Unfinished : Trouble::Late;
  return result.kind == Kind::ConnectionFailed ? Trouble::Refused : Trouble::Dropped;
}

Answer to_answer(ExchangeResult&& result) {
  using Kind = ExchangeResult::Kind;
  Answer answer;
  answer.latency_ms = result.latency_ms;
  if (result.kind == Kind::Reply && result.head.status < 400) {
    answer.text = std::move(result.body);
    return answer;
  }
  answer.trouble = trouble(result);
  answer.kind =
      result.kind == Kind::TimedOut ? Answer::Kind::TimedOut : Answer::Kind::ConnectionFailed;
  answer.problem = result.kind == Kind::Reply
                       ? "HTTP status " + std::to_string(result.head.status) + ": " + result.body
                       : std::move(result.problem);
  return answer;
}

std::vector<std::string> texts(const ToldMoves& moves) {
  std::vector<std::string> texts;
  for (const ToldMove& move : moves) texts.push_back(move.text);
  return texts;
}

OwnView view(const ToldTurn& turn) {
  return {turn.number, turn.own ? turn.own->text : "", texts(turn.percepts)};
}

class RemotePlayer final : public MatchPlayer {
 public:
  RemotePlayer(Address address, const HostDialect& dialect, boost::asio::io_context& context,
               LookUp look_up)
      : address_(std::move(address)),
        dialect_(dialect),
        context_(context),
        look_up_(std::move(look_up)) {}

  [[nodiscard]] std::string name() const override { return "http://" + address_.text(); }

  void preview(const ToldGame& game, int seconds, TimePoint deadline, Done done) override {
    send(preview_text(game.description(), seconds), deadline, std::move(done));
  }

  void start(const MatchInvitation& invitation, TimePoint deadline, Done done) override {
    match_id_ = invitation.match_id;
    hides_moves_ = invitation.game->hides_moves();
    send(start_text(match_id_, invitation.role, invitation.game->description(),
                    invitation.start_clock_seconds, invitation.play_clock_seconds),
         deadline, std::move(done));
  }

  void play(const ToldTurn& turn, TimePoint deadline, Done done) override {
    send(hides_moves_ ? play_text(match_id_, view(turn), dialect_.percepts)
                      : play_text(match_id_, texts(turn.moves)),
         deadline, std::move(done));
  }

  void stop(const ToldTurn& turn, TimePoint deadline, Done done) override {
    send(hides_moves_ ? stop_text(match_id_, view(turn), dialect_.percepts)
                      : stop_text(match_id_, texts(turn.moves)),
         deadline, std::move(done));
  }

  /// A player that hears of no end is busy for a minute. Dresden's players know no ABORT, but STOP.
  void abort(const ToldTurn& turn, TimePoint deadline, Done done) override {
    if (!dialect_.has_preview_and_abort) return stop(turn, deadline, std::move(done));
    send(abort_text(match_id_), deadline, std::move(done));
  }

 private:
  void send(std::string message, TimePoint deadline, Done done) {
    Exchange exchange;
    exchange.address = address_;
    PostHeaders headers;
    headers.dialect = dialect_.headers;
    exchange.pieces.push_back(
        {post_request(address_, headers, in_dialect(dialect_, std::move(message)))});
    exchange.deadline = deadline;
    exchange.connect_limit = dialect_.connect_limit;
    exchange.known = *known_;
    exchange.look_up = look_up_;
    start_exchange(context_, std::move(exchange),
                   [done = std::move(done), known = known_](ExchangeResult result) {
                     known->clear();
                     if (result.kind != ExchangeResult::Kind::ConnectionFailed) {
                       *known = std::move(result.known);
                     }
                     done(to_answer(std::move(result)));
                   });
  }

  Address address_;
  const HostDialect& dialect_;
  boost::asio::io_context& context_;
  const LookUp look_up_;
  /// The addresses of the name, if the host is one. An exchange may outlive the player.
  const std::shared_ptr<NumericAddresses> known_ = std::make_shared<NumericAddresses>();
  std::string match_id_;
  bool hides_moves_ = false;
};

}  // namespace

std::unique_ptr<MatchPlayer> make_remote_player(Address address, const HostDialect& dialect,
                                                boost::asio::io_context& context, LookUp look_up) {
  return std::make_unique<RemotePlayer>(std::move(address), dialect, context, std::move(look_up));
}

}  // namespace ludens::server
