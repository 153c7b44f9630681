// SPDX-License-Identifier: MIT
#include "server/web/human_player.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <mutex>
#include <utility>

#include "server/match/answers.h"
#include "server/web/human_choice.h"

namespace ludens::server {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

/// The state that the threads of the match and the feed share. The feed's thread only posts.
class HumanPlayer::Chair : public std::enable_shared_from_this<Chair> {
 public:
  Chair(MatchFeed& feed, asio::io_context& context, std::size_t role,
        std::chrono::milliseconds clock)
      : feed_(feed), context_(context), role_(role), clock_(clock), timer_(context) {}

  void offer(const std::string& match_id, std::size_t step, std::vector<std::string> moves,
             boost::json::array moves_json) {
    sit_down(match_id);
    const std::lock_guard lock(mutex_);
    step_ = step;
    moves_ = std::move(moves);
    moves_json_ = std::move(moves_json);
  }

  void ask(Done done) {
    done_ = std::move(done);
    begun_ = Clock::now();
    std::size_t number = 0;
    {
      const std::lock_guard lock(mutex_);
      number = ++question_;
      open_ = is_choice(moves_);
    }
    if (!is_choice(moves_)) {
      Answer only;
      only.text = moves_.front();
      asio::post(context_,
                 [self = shared_from_this(), number, only] { self->finish(number, only); });
      return;
    }
    timer_.expires_after(clock_);
    timer_.async_wait([self = shared_from_this(), number](const boost::system::error_code& error) {
      if (error) return;
      Answer late;
      late.kind = Answer::Kind::TimedOut;
      late.trouble = Trouble::Late;
      late.problem = "no move was chosen in time";
      self->finish(number, std::move(late));
    });
    feed_.turn(match_id_, role_, step_, moves_json_, clock_.count());
  }

  void answer_at_once(std::string text, Done done) {
    asio::post(context_,
               [text = std::move(text), done = std::move(done)] { done(text_answer(text)); });
  }

  /// No caller waits for an answer any more.
  void break_off() {
    timer_.cancel();
    close();
    done_ = nullptr;
  }

  void get_up() {
    break_off();
    if (!match_id_.empty()) feed_.leave_seat(match_id_, role_);
  }

 private:
  void sit_down(const std::string& match_id) {
    if (match_id == match_id_) return;
    match_id_ = match_id;
    feed_.seat(match_id, role_, [weak = weak_from_this()](const HumanAnswer& answer) {
      const auto self = weak.lock();
      return self && self->take(answer);
    });
  }

  /// Called on the feed's thread.
  bool take(const HumanAnswer& chosen) {
    const std::lock_guard lock(mutex_);
    const bool known = std::find(moves_.begin(), moves_.end(), chosen.move) != moves_.end();
    if (!open_ || chosen.step != step_ || !(known || chosen.resign)) return false;
    open_ = false;
    Answer answer;
    answer.kind = chosen.resign ? Answer::Kind::Resigned : Answer::Kind::Text;
    answer.text = chosen.move;
    asio::post(context_, [self = shared_from_this(), number = question_, answer] {
      self->finish(number, answer);
    });
    return true;
  }

  /// Ends the current question. An answer to an earlier one, which may still arrive, is ignored.
  void finish(std::size_t question, Answer answer) {
    if (!done_ || question != question_) return;
    timer_.cancel();
    close();
    answer.latency_ms = std::chrono::duration<double, std::milli>(Clock::now() - begun_).count();
    std::exchange(done_, nullptr)(std::move(answer));
  }

  void close() {
    {
      const std::lock_guard lock(mutex_);
      open_ = false;
    }
    feed_.turn_over(match_id_, role_);
  }

  MatchFeed& feed_;
  asio::io_context& context_;
  const std::size_t role_;
  const std::chrono::milliseconds clock_;

  // Used by the match's thread only:
  std::string match_id_;
  asio::steady_timer timer_;
  Done done_;
  TimePoint begun_;
  boost::json::array moves_json_;

  std::mutex mutex_;  // guards what follows
  bool open_ = false;
  std::size_t question_ = 0;  // questions so far; written by the match's thread only
  std::size_t step_ = 0;
  std::vector<std::string> moves_;
};

HumanPlayer::HumanPlayer(MatchFeed& feed, asio::io_context& context, std::size_t role,
                         std::chrono::milliseconds clock)
    : chair_(std::make_shared<Chair>(feed, context, role, clock)) {}

HumanPlayer::~HumanPlayer() {
  try {
    chair_->get_up();
  } catch (const std::exception&) {  // no memory: the page learns of the end together with the
                                     // match's end
  }
}

void HumanPlayer::offer(const std::string& match_id, std::size_t step,
                        std::vector<std::string> moves, boost::json::array moves_json) {
  chair_->offer(match_id, step, std::move(moves), std::move(moves_json));
}

void HumanPlayer::preview(const ToldGame& /*game*/, int /*seconds*/, TimePoint /*deadline*/,
                          Done done) {
  chair_->answer_at_once("ready", std::move(done));
}

void HumanPlayer::start(const MatchInvitation& /*invitation*/, TimePoint /*deadline*/, Done done) {
  chair_->answer_at_once("ready", std::move(done));
}

void HumanPlayer::play(const ToldTurn& /*turn*/, TimePoint /*deadline*/, Done done) {
  chair_->ask(std::move(done));
}

void HumanPlayer::follow(const ToldTurn& /*turn*/, TimePoint /*deadline*/, Done done) {
  chair_->answer_at_once("drawn", std::move(done));
}

void HumanPlayer::stop(const ToldTurn& /*turn*/, TimePoint /*deadline*/, Done done) {
  chair_->answer_at_once("done", std::move(done));
}

void HumanPlayer::abort(const ToldTurn& /*turn*/, TimePoint /*deadline*/, Done done) {
  chair_->break_off();
  chair_->answer_at_once("aborted", std::move(done));
}

}  // namespace ludens::server
