// SPDX-License-Identifier: MIT
#include "server/match/remote_player.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <utility>

#include "server/player/protocol.h"

namespace ludens::server {

namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

/// Pauses between the tries of one request, from the first to the longest: a player that is started
/// again takes a moment, and one that fails each time is not flooded.
constexpr std::chrono::milliseconds kFirstPause{250}, kLongestPause{2000};
/// Further tries in a match, within about 4 s, with a player that takes connections but has never
/// replied: it may have been killed in its first request, or it may hang up on everybody.
constexpr int kTriesWithoutReply = 4;

Trouble trouble(const ExchangeResult& result) {
  using Ended = ExchangeResult::Kind;
  if (result.kind == Ended::TimedOut) return result.begun ? Trouble::Unfinished : Trouble::Late;
  return result.kind == Ended::ConnectionFailed ? Trouble::Refused : Trouble::Dropped;
}

Answer to_answer(ExchangeResult&& result) {
  using Ended = ExchangeResult::Kind;
  Answer answer;
  answer.latency_ms = result.latency_ms;
  if (result.kind == Ended::Reply && result.head.status < 400) {
    answer.text = std::move(result.body);
    return answer;
  }
  answer.trouble = trouble(result);
  answer.kind =
      result.kind == Ended::TimedOut ? Answer::Kind::TimedOut : Answer::Kind::ConnectionFailed;
  answer.problem = result.kind == Ended::Reply
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

/// What the requests to one player have in common. An exchange may outlive the player.
struct Reach {
  NumericAddresses known;  // the addresses of the name, if the host is one
  bool seen = false;       // the player has taken a connection: it is there, or was
  bool replied = false;
  int tries_left = kTriesWithoutReply;

  /// Whether a player that is gone is worth another try; counts it.
  bool may_return() { return replied || (seen && tries_left-- > 0); }
};

/// One request. It is made again while the player hangs up without a byte, or can't be reached
/// though it was there before, since such a player is being started again: until the deadline if it
/// has ever replied, otherwise a few times.
class Attempts : public std::enable_shared_from_this<Attempts> {
 public:
  Attempts(asio::io_context& context, Exchange exchange, std::shared_ptr<Reach> reach,
           MatchPlayer::Done done)
      : context_(context),
        timer_(context),
        exchange_(std::move(exchange)),
        reach_(std::move(reach)),
        done_(std::move(done)) {}

  void begin() {
    Exchange exchange = exchange_;
    exchange.known = reach_->known;
    start_exchange(context_, std::move(exchange), [self = shared_from_this()](auto result) {
      self->on_result(std::move(result));
    });
  }

 private:
  void on_result(ExchangeResult result) {
    using Ended = ExchangeResult::Kind;
    const bool failed = result.kind == Ended::ConnectionFailed;
    reach_->known.clear();
    if (!failed) reach_->known = std::move(result.known);
    const bool gone = failed || (result.kind == Ended::NoReply && !result.begun);
    reach_->seen = reach_->seen || (gone && !failed);
    reach_->replied = reach_->replied || result.kind == Ended::Reply;
    const bool in_time = Clock::now() + pause_ < exchange_.deadline;
    if (gone && in_time && reach_->may_return()) return wait();
    const std::chrono::duration<double, std::milli> taken = Clock::now() - begun_;
    if (tries_ > 0) result.latency_ms = taken.count();
    done_(to_answer(std::move(result)));
  }

  void wait() {
    ++tries_;
    timer_.expires_after(pause_);
    pause_ = std::min(2 * pause_, kLongestPause);
    timer_.async_wait([self = shared_from_this()](auto) { self->begin(); });
  }

  asio::io_context& context_;
  asio::steady_timer timer_;
  const Exchange exchange_;
  const std::shared_ptr<Reach> reach_;
  const MatchPlayer::Done done_;
  const Clock::time_point begun_ = Clock::now();
  std::chrono::milliseconds pause_ = kFirstPause;
  int tries_ = 0;  // after the first
};

class RemotePlayer final : public MatchPlayer {
 public:
  RemotePlayer(Address address, const HostDialect& dialect, asio::io_context& context,
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
    exchange.look_up = look_up_;
    std::make_shared<Attempts>(context_, std::move(exchange), reach_, std::move(done))->begin();
  }

  Address address_;
  const HostDialect& dialect_;
  asio::io_context& context_;
  const LookUp look_up_;
  const std::shared_ptr<Reach> reach_ = std::make_shared<Reach>();
  std::string match_id_;
  bool hides_moves_ = false;
};

}  // namespace

std::unique_ptr<MatchPlayer> make_remote_player(Address address, const HostDialect& dialect,
                                                boost::asio::io_context& context, LookUp look_up) {
  return std::make_unique<RemotePlayer>(std::move(address), dialect, context, std::move(look_up));
}

}  // namespace ludens::server
