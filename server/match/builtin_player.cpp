// SPDX-License-Identifier: MIT
#include "server/match/builtin_player.h"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <charconv>
#include <exception>
#include <optional>
#include <utility>

#include "agent/runtime/match_runtime.h"
#include "search/registry/registry.h"
#include "server/http/asio_scheduler.h"
#include "server/match/answers.h"

namespace ludens::server {

namespace {

namespace asio = boost::asio;
using agent::TurnAnswer;
using Clock = std::chrono::steady_clock;

/// The move, with the strategy's opinion of it.
Answer move_answer(std::vector<std::uint32_t> term, gdl::MoveId move,
                   const std::optional<search::Choice>& choice) {
  Answer answer;
  answer.kind = Answer::Kind::Move;
  answer.move = std::move(term);
  if (!choice || choice->move != move) return answer;
  // Strategies that do not look at the game have no opinion.
  if (choice->nodes > 0 || choice->iterations > 0) answer.value = choice->value;
  const auto chosen = std::ranges::find(choice->root, move, &search::RootMove::move);
  if (chosen == choice->root.end()) return answer;
  if (chosen->low > 0) answer.sure = chosen->low;
  const double surest = std::ranges::max(choice->root, {}, &search::RootMove::low).low;
  if (chosen->low < surest && surest < choice->value) answer.risked = surest;
  return answer;
}

unsigned threads(const search::StrategySpec& spec) {
  unsigned count = 1;
  const auto found = spec.options.find("threads");
  if (found != spec.options.end()) {
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), count);
  }
  return count;
}

/// Strategies that do not look ahead have nothing to think about before the first move.
bool looks_ahead(const search::StrategySpec& spec, unsigned threads) {
  const auto made = search::make_strategy(spec, {threads, nullptr});
  return made && (*made)->looks_ahead();
}

agent::ThinkingOptions thinking(const BuiltinOptions& options) {
  agent::ThinkingOptions thinking;
  thinking.strategy = options.strategy;
  thinking.strategy.options.try_emplace("seed", std::to_string(options.seed));
  thinking.threads = threads(options.strategy);
  thinking.think_at_most =
      options.think_at_most ? options.think_at_most : search::thinking_cap(options.strategy);
  thinking.head_start = options.margin;
  thinking.think_at_start = options.think_at_start && !search::limits_work(options.strategy) &&
                            looks_ahead(thinking.strategy, thinking.threads);
  thinking.ponder_at_start = false;
  thinking.ponder = false;
  thinking.repeatable = true;
  return thinking;
}

/// The runtime of the agent, with the requests of a host in the same process.
class BuiltinPlayer final : public MatchPlayer, public agent::RuntimeListener {
 public:
  BuiltinPlayer(const BuiltinOptions& options, asio::io_context& context)
      : name_(search::to_string(options.strategy)),
        memory_bytes_(options.memory_bytes),
        thinking_(thinking(options)),
        context_(context),
        scheduler_(context),
        environment_{clock_, scheduler_, std::make_shared<agent::Line>(scheduler_),
                     agent::silent_log()} {}

  ~BuiltinPlayer() override {
    try {
      end_match();
    } catch (const std::bad_alloc&) {  // no caller waits for an answer any more
    }
    environment_.line->close();
    environment_.retired.leave(TimePoint::max());
  }

  [[nodiscard]] std::string name() const override { return name_; }

  void preview(const ToldGame& /*game*/, int /*seconds*/, TimePoint /*deadline*/,
               Done done) override {
    post(text_answer("ready"), std::move(done));
  }

  void start(const MatchInvitation& invitation, TimePoint deadline, Done done) override {
    end_match();
    play_clock_ = std::chrono::seconds(invitation.play_clock_seconds);
    hides_moves_ = invitation.game->hides_moves();
    ask(std::move(done), [&] {
      const auto runtime =
          std::make_shared<agent::MatchRuntime>(environment_, thinking_, "", *this);
      runtime->begin(agent::MatchMemory(memory_bytes_), invitation.game->rules(), invitation.role,
                     {});
      runtime_ = runtime;
      runtime_->ask(due(deadline, std::chrono::seconds(invitation.start_clock_seconds)));
    });
  }

  void play(const ToldTurn& turn, TimePoint deadline, Done done) override {
    ask(std::move(done), [&] {
      if (runtime_ == nullptr) return finish(dropped_answer("no match has been started"));
      runtime_->play(reported(turn), due(deadline, play_clock_));
    });
  }

  void follow(const ToldTurn& turn, TimePoint deadline, Done done) override {
    ask(std::move(done), [&] {
      if (runtime_ == nullptr) return finish(dropped_answer("no match has been started"));
      runtime_->follow(reported(turn), due(deadline, play_clock_));
    });
  }

  void stop(const ToldTurn& /*turn*/, TimePoint /*deadline*/, Done done) override {
    end_match();
    post(text_answer("done"), std::move(done));
  }

  void abort(const ToldTurn& /*turn*/, TimePoint /*deadline*/, Done done) override {
    end_match();
    post(text_answer("aborted"), std::move(done));
  }

 private:
  [[nodiscard]] agent::ReportedMoves reported(const ToldTurn& turn) const {
    if (hides_moves_) {
      agent::Perceived told;
      told.turn = turn.number;
      if (turn.own) told.own = turn.own->term;
      for (const ToldMove& percept : turn.percepts) told.percepts.emplace_back(percept.term);
      return told;
    }
    agent::GroundMoves terms;
    for (const ToldMove& move : turn.moves) terms.push_back(move.term);
    return terms;
  }

  /// The deadline of the host may come later than the clock that players are told.
  [[nodiscard]] TimePoint due(TimePoint deadline, std::chrono::seconds clock) const {
    return std::min(deadline, clock_.now() + clock);
  }

  /// Answers are never given from within the call that asks for them.
  void post(Answer answer, Done done) {
    asio::post(context_, [answer = std::move(answer), done = std::move(done)] { done(answer); });
  }

  template <class Request>
  void ask(Done done, const Request& request) {
    done_ = std::move(done);
    begun_ = clock_.now();
    problem_.clear();
    try {
      request();
    } catch (const std::exception& exception) {  // no memory, no thread
      finish(dropped_answer(std::string("it has failed: ") + exception.what()));
    }
  }

  void finish(Answer answer) {
    if (!done_) return;
    answer.latency_ms = std::chrono::duration<double, std::milli>(clock_.now() - begun_).count();
    post(std::move(answer), std::exchange(done_, nullptr));
  }

  /// Answers the pending request and ends all work.
  void end_match() {
    if (runtime_ == nullptr) return;
    runtime_->answer_now("interrupted");
    const auto runtime = std::exchange(runtime_, nullptr);  // ended once, even if that throws
    runtime->interrupt();
    runtime->end();
  }

  void on_prepared(const std::optional<std::string>& refusal,
                   gdl::NormalisedRules /*rules*/) override {
    if (!refusal) return;
    finish(text_answer("busy"));
    end_match();
  }

  void on_report(std::size_t turn, const agent::LegalReport& report) override {
    if (turn != runtime_->turn() || !problem_.empty()) return;
    problem_ = report.problem;
    if (report.adoption.kind != agent::Adoption::Kind::Illegal) return;
    problem_ = "the joint move can't be followed: " + report.adoption.problem;
    runtime_->answer_now("not followed");  // no legal move of this turn is known yet
  }

  void on_trouble(const std::string& what) override { problem_ = "it has failed: " + what; }

  void on_flaws(const std::vector<gdl::Flaw>& /*flaws*/) override {}  // the host finds them itself

  void on_answer(const TurnAnswer& answer) override { finish(told(answer)); }

  [[nodiscard]] Answer told(const TurnAnswer& answer) const {
    switch (answer.kind) {
      case TurnAnswer::Kind::Ready:
        // Even if the rules are still being read: only a move needs them.
        return text_answer("ready");
      case TurnAnswer::Kind::Followed:
        return text_answer("drawn");
      case TurnAnswer::Kind::Move:
        return move_answer(runtime_->names()->move_term(*answer.move), *answer.move, answer.choice);
      case TurnAnswer::Kind::NoLegalMove:
        return text_answer("nil");
      case TurnAnswer::Kind::Waits:  // hosts in this process send the moves of all roles
      case TurnAnswer::Kind::Unknown:
        break;
    }
    if (!problem_.empty()) return dropped_answer(problem_);
    return late_answer(runtime_->prepared() ? "the position could not be derived in time"
                                            : "the strategy has no move in time");
  }

  const std::string name_;
  const std::size_t memory_bytes_;
  const agent::ThinkingOptions thinking_;
  asio::io_context& context_;
  SteadyClock clock_;
  AsioScheduler scheduler_;
  agent::Environment environment_;
  std::chrono::seconds play_clock_{0};
  bool hides_moves_ = false;
  std::shared_ptr<agent::MatchRuntime> runtime_;  // null: no match

  // The current request.
  Done done_;  // null: there is none
  TimePoint begun_;
  std::string problem_;  // why the rules could not be loaded
};

}  // namespace

std::unique_ptr<MatchPlayer> make_builtin_player(const BuiltinOptions& options,
                                                 asio::io_context& context) {
  return std::make_unique<BuiltinPlayer>(options, context);
}

}  // namespace ludens::server
