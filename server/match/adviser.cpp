#include "server/match/adviser.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "server/match/match.h"
#include "server/match/thinker.h"

namespace ludens::server {

namespace {

using Moves = std::vector<std::vector<std::string>>;
using Clock = std::chrono::steady_clock;

/// For reading the rules and following the moves, beside thinking.
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

}  // namespace

class Adviser::Implementation {
 public:
  Implementation(const Rulesheet& game, search::StrategySpec strategy,
                 std::chrono::milliseconds time, std::size_t memory_bytes)
      : description_(start_description(*game.rules->source)),
        time_(time),
        thinker_(std::move(strategy), memory_bytes) {}

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
    Thought thought;
    const AnswerTimes reading{search::Deadline(Clock::now() + kPatience, broken_off), {}};
    if (question.role != role_ || !begins_with(question.moves, followed_)) {
      role_.clear();
      followed_.clear();
      const Answer ready =
          thinker_.start({"hint", question.role, description_, 0, 0}, reading, thought);
      if (ready.text != "ready") return none("the rules could not be read");
      role_ = question.role;
    }
    while (followed_.size() < question.moves.size()) {
      const auto& joint = question.moves[followed_.size()];
      Answer answer = thinker_.follow(joint, reading.due);
      if (answer.kind != Answer::Kind::Text) {
        role_.clear();  // where the thinker stands is not known: it starts anew
        return answer;
      }
      followed_.push_back(joint);
    }
    return thinker_.play({}, {reading.due, Clock::now() + time_}, thought);
  }

  const std::string description_;
  const std::chrono::milliseconds time_;

  // The thread's: whose part the thinker has, and what it has seen.
  Thinker thinker_;
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
