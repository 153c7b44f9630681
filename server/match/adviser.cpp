// SPDX-License-Identifier: MIT
#include "server/match/adviser.h"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "server/http/io_thread.h"
#include "server/match/builtin_player.h"
#include "server/match/told_game.h"

namespace ludens::server {

namespace {

namespace asio = boost::asio;
using Moves = std::vector<std::vector<std::string>>;
using Clock = std::chrono::steady_clock;

/// The time for reading the rules and following the moves, in addition to thinking.
constexpr std::chrono::seconds kPatience{20};

struct Question {
  std::string role;
  Moves moves;
  std::function<void(const Answer&)> done;
};

Answer none(std::string problem) {
  Answer answer;
  answer.kind = Answer::Kind::TimedOut;
  answer.problem = std::move(problem);
  return answer;
}

bool begins_with(const Moves& moves, const Moves& first) {
  return first.size() <= moves.size() && std::equal(first.begin(), first.end(), moves.begin());
}

BuiltinOptions player_options(search::StrategySpec strategy, std::chrono::milliseconds time,
                              std::size_t memory_bytes) {
  BuiltinOptions options;
  options.strategy = std::move(strategy);
  options.think_at_most = time;
  options.memory_bytes = memory_bytes;
  options.think_at_start = false;
  return options;
}

}  // namespace

/// Hosts a built-in player in a thread of its own, from question to question.
class Adviser::Implementation {
 public:
  Implementation(const Rulesheet& game, search::StrategySpec strategy,
                 std::chrono::milliseconds time, std::size_t memory_bytes)
      : game_(std::make_shared<ToldGame>(game.rules)),
        player_(make_builtin_player(player_options(std::move(strategy), time, memory_bytes),
                                    context_)) {}

  ~Implementation() {
    thread_.request_stop();
    const std::lock_guard lock(mutex_);
    current_.request_stop();
  }

  void ask(Question question) {
    {
      const std::lock_guard lock(mutex_);
      current_.request_stop();
      question_ = std::move(question);
    }
    wake_.notify_one();
  }

 private:
  using Request = std::function<void(MatchPlayer::Done)>;

  void run(const std::stop_token& stop) {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return question_.has_value(); })) return;
      const Question question = *std::exchange(question_, std::nullopt);
      current_ = std::stop_source();
      const std::stop_token broken_off = current_.get_token();
      if (stop.stop_requested()) return;
      lock.unlock();
      const Answer answer = think(question, broken_off);
      if (!broken_off.stop_requested()) question.done(answer);
    }
  }

  Answer think(const Question& question, const std::stop_token& broken_off) {
    const TimePoint deadline = Clock::now() + kPatience;
    if (question.role != role_ || !begins_with(question.moves, followed_)) {
      forget();
      const Answer ready = ask_player(broken_off, [&](MatchPlayer::Done done) {
        const int clock = static_cast<int>(kPatience.count());
        player_->start({"hint", question.role, game_, clock, clock}, deadline, std::move(done));
      });
      if (ready.text != "ready") return none("the rules could not be read");
      role_ = question.role;
    }
    while (followed_.size() < question.moves.size()) {
      const auto& joint = question.moves[followed_.size()];
      Answer answer = follow(joint, deadline, broken_off);
      if (answer.kind != Answer::Kind::Text) {
        forget();  // the player's position is not known: it starts again
        return answer;
      }
      followed_.push_back(joint);
    }
    return in_words(ask_player(
        broken_off, [&](MatchPlayer::Done done) { player_->play({}, deadline, std::move(done)); }));
  }

  Answer follow(const std::vector<std::string>& joint, TimePoint deadline,
                const std::stop_token& broken_off) {
    ToldTurn turn{.number = followed_.size() + 1};
    for (const std::string& text : joint) {
      auto move = game_->find_term(text);
      if (!move) return none("not a move of this game: " + text);
      turn.moves.push_back(std::move(*move));
    }
    return ask_player(broken_off, [&](MatchPlayer::Done done) {
      player_->follow(turn, deadline, std::move(done));
    });
  }

  /// Runs the context until the player has answered. If the question is cancelled, the player
  /// leaves its match.
  Answer ask_player(const std::stop_token& broken_off, const Request& request) {
    std::optional<Answer> answer;
    const auto work = asio::make_work_guard(context_);
    context_.restart();
    request([&answer](Answer given) { answer = std::move(given); });
    const std::stop_callback wake(broken_off, [this] { post_surely(context_, [] {}); });
    bool left = false;
    while (!answer) {
      if (broken_off.stop_requested() && !std::exchange(left, true)) leave_match();
      context_.run_one();
    }
    return *answer;
  }

  void leave_match() {
    forget();
    player_->abort({}, Clock::now(), [](const Answer&) {});
  }

  void forget() {
    role_.clear();
    followed_.clear();
  }

  [[nodiscard]] Answer in_words(Answer answer) const {
    if (answer.kind != Answer::Kind::Move) return answer;
    answer.kind = Answer::Kind::Text;
    answer.text = gdl::print(*game_->rules(), answer.move);
    return answer;
  }

  // Used by the thread only: the player, its role, and what it has seen.
  asio::io_context context_{1};
  const std::shared_ptr<const ToldGame> game_;
  const std::unique_ptr<MatchPlayer> player_;
  std::string role_;
  Moves followed_;

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Question> question_;
  std::stop_source current_;
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};  // last: ends first
};

Adviser::Adviser(const Rulesheet& game, search::StrategySpec strategy,
                 std::chrono::milliseconds time, std::size_t memory_bytes)
    : implementation_(
          std::make_unique<Implementation>(game, std::move(strategy), time, memory_bytes)) {}
Adviser::~Adviser() = default;

void Adviser::ask(const std::string& role, Moves moves, std::function<void(const Answer&)> done) {
  implementation_->ask({role, std::move(moves), std::move(done)});
}

}  // namespace ludens::server
