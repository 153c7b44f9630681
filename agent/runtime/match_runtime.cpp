// SPDX-License-Identifier: MIT
#include "agent/runtime/match_runtime.h"

#include <algorithm>
#include <utility>

#include "gdl/interpreter/interpreter.h"
#include "search/hidden/known_position.h"

namespace ludens::agent {
namespace {

/// The rules are followed on the interpreter: it is ready at once and keeps every fluent. The
/// strategy uses faster machines.
Referee::MakeMachine machine_maker(const MakeMachine& make) {
  if (!make) return gdl::make_interpreter;
  return [make](std::shared_ptr<gdl::Vocabulary> vocabulary, const gdl::Limits&) {
    return make(std::move(vocabulary));
  };
}

}  // namespace

MatchRuntime::MatchRuntime(Environment& environment, const ThinkingOptions& options,
                           std::string match, RuntimeListener& listener, std::string peer)
    : environment_(environment),
      options_(options),
      match_(std::move(match)),
      peer_(std::move(peer)),
      listener_(listener) {}

void MatchRuntime::begin(const MatchMemory& memory, GivenRules rules, std::string role,
                         std::vector<PastTurn> past) {
  turn_ = past.size();
  game_ = std::make_unique<GameThread>(memory, machine_maker(options_.make_machine),
                                       options_.repeatable, environment_.line, weak_from_this());
  deliberation_ =
      std::make_shared<Deliberation>(environment_, options_, match_, peer_, memory.search);
  game_->prepare(std::move(rules), std::move(role), std::move(past));
}

// ---- What is asked

void MatchRuntime::ask(TimePoint due) {
  if (phase_ == Phase::Over) return;
  set_timer(due);
  enter(Phase::Deriving);
  advance();
}

void MatchRuntime::play(ReportedMoves moves, TimePoint due, Gap gap) {
  begin_turn(due, true);
  game_->play(turn_, std::move(moves), sent_before_, gap);
}

void MatchRuntime::follow(ReportedMoves moves, TimePoint due) {
  begin_turn(due, false);
  game_->follow(turn_, std::move(moves), sent_before_);
}

void MatchRuntime::begin_turn(TimePoint due, bool choose) {
  ++turn_;
  choose_ = choose;
  first_legal_.reset();
  report_.reset();
  position_.reset();
  terminal_ = false;
  answered_.reset();
  sent_before_ = std::exchange(sent_, std::nullopt);
  deliberation_->stop(due);
  // A legal move is needed; what fits our percepts is found later if it takes longer than this.
  const auto left = due - environment_.clock.now();
  game_->hurry_at(Interrupt::Clock::now() + (options_.repeatable ? left / 8 * 7 : left / 2));
  ask(due);
}

void MatchRuntime::reschedule(TimePoint due) {
  if (asked()) set_timer(due);
}

void MatchRuntime::answer_now(std::string_view why) {
  if (asked()) answer(why);
}

void MatchRuntime::rest() {
  if (asked()) return deliberation_->stop();
  deliberation_->leave();
  enter(Phase::Resting);
}

void MatchRuntime::belong_to(const std::string& peer) {
  peer_ = peer;
  deliberation_->belong_to(peer);
}

void MatchRuntime::judge(ReportedMoves moves, std::function<void(std::optional<bool>)> answer) {
  game_->judge(std::move(moves), std::move(answer));
}

void MatchRuntime::finish(ReportedMoves moves, std::function<void(FinalReport)> answer) {
  game_->finish(std::move(moves), sent_, std::move(answer));
}

void MatchRuntime::interrupt() {
  game_->interrupt();
}

void MatchRuntime::end() {
  enter(Phase::Over);
}

// ---- Phases

/// The only place where the phase changes, and where the work of a phase begins.
void MatchRuntime::enter(Phase phase) {
  if (phase_ == Phase::Over) return;
  phase_ = phase;
  switch (phase) {
    case Phase::Unasked:
    case Phase::Deriving:
    case Phase::Answered:
      return;  // they last until more is known about the position
    case Phase::Thinking:
      return think();
    case Phase::Pondering:
      return ponder();
    case Phase::Resting:
      if (turn_ > 0) deliberation_->stop();
      return;
    case Phase::Over:
      cancel_timer();
      deliberation_->leave();
      environment_.retired.take_ending(
          game_->release(
              {std::move(names_), std::exchange(report_, {}), std::exchange(position_, {})}),
          {0, peer_});
  }
}

/// Continues as soon as the results of the rules allow it.
void MatchRuntime::advance() {
  if (phase_ == Phase::Deriving) {
    if (const auto why = reason_to_answer()) return answer(*why);
    if (position_) enter(Phase::Thinking);
  } else if (phase_ == Phase::Unasked || phase_ == Phase::Answered) {
    if (position_) enter(wants_to_ponder() ? Phase::Pondering : Phase::Resting);
  }
}

/// Why waiting is pointless, if so.
std::optional<std::string_view> MatchRuntime::reason_to_answer() const {
  if (!report_) return std::nullopt;
  if (!choose_) return "followed";
  if (turn_ == 0) {
    if (!report_->derived || report_->legal.empty()) return "no choice";
    if (!options_.think_at_start) return "prepared";
  } else {
    if (!report_->derived) return "legal moves could not be derived";
    if (report_->waits) return "another role moves";
    if (report_->legal.empty()) return "no legal move";
    if (report_->legal.size() == 1 && options_.answer_forced_at_once) return "forced";
  }
  if (position_ && terminal_) return "terminal";
  return std::nullopt;
}

bool MatchRuntime::wants_to_ponder() const {
  const bool wanted = turn_ == 0 ? options_.ponder_at_start : options_.ponder;
  return wanted && !terminal_ && !report_->legal.empty();
}

void MatchRuntime::think() {
  TimePoint until = due_ - options_.head_start;
  const auto& cap = turn_ == 0 ? options_.think_at_most_at_start : options_.think_at_most;
  if (cap) until = std::min(until, environment_.clock.now() + *cap);
  deliberation_->think(*position_, until, [weak = weak_from_this(), turn = turn_] {
    const auto self = weak.lock();
    if (self == nullptr || self->turn_ != turn) return;
    self->answer_now("search ended");
  });
}

/// Ponders the position that must follow our answer, or otherwise the current one.
void MatchRuntime::ponder() {
  if (turn_ == 0 || !sent_) return deliberation_->ponder(*position_);
  game_->foresee(*sent_,
                 [weak = weak_from_this(), turn = turn_](std::optional<search::Position> position) {
                   const auto self = weak.lock();
                   if (self == nullptr || self->turn_ != turn || self->phase_ != Phase::Pondering)
                     return;
                   self->deliberation_->ponder(position ? std::move(*position) : *self->position_);
                 });
}

// ---- Time

void MatchRuntime::set_timer(TimePoint due) {
  cancel_timer();
  due_ = due;
  expected_ = std::max(due, environment_.clock.now());
  timer_ = environment_.scheduler.at(due, [weak = weak_from_this(), turn = turn_] {
    const auto self = weak.lock();
    if (self != nullptr && self->turn_ == turn && self->asked()) self->answer("time", true);
  });
}

void MatchRuntime::cancel_timer() {
  if (timer_) environment_.scheduler.cancel(*timer_);
  timer_.reset();
}

// ---- What the rules say

void MatchRuntime::on_prepared(std::optional<std::string> refusal, gdl::NormalisedRules rules) {
  if (phase_ == Phase::Over) return;
  prepared_ = !refusal;
  listener_.on_prepared(refusal, std::move(rules));
}

void MatchRuntime::on_first_legal(std::size_t turn, gdl::MoveId move,
                                  std::shared_ptr<const gdl::Vocabulary> names) {
  if (phase_ == Phase::Over || turn != turn_) return;
  names_ = std::move(names);
  first_legal_ = move;
}

void MatchRuntime::on_legal(std::size_t turn, LegalReport report) {
  if (phase_ == Phase::Over) return;
  names_ = report.names;
  listener_.on_report(turn, report);
  if (turn != turn_) return;
  report_ = std::move(report);
  advance();
}

void MatchRuntime::on_position(std::size_t turn, bool terminal, search::Position position) {
  if (phase_ == Phase::Over || turn != turn_) return;
  terminal_ = terminal;
  position_ = std::move(position);
  position_->at_start = turn == 0;
  advance();
}

void MatchRuntime::on_flaws(std::vector<gdl::Flaw> flaws) {
  listener_.on_flaws(flaws);
}

void MatchRuntime::on_trouble(std::string what) {
  listener_.on_trouble(what);
}

// ---- The answer

std::optional<search::Choice> MatchRuntime::choice() const {
  // The position pondered afterwards may be another one.
  auto choice = phase_ == Phase::Thinking ? deliberation_->choice() : answered_;
  if (choice && report_ && report_->guessed) search::hidden::forget_proofs(*choice);
  return choice;
}

std::optional<gdl::MoveId> MatchRuntime::best_move() const {
  return sent_ ? sent_ : best_of(choice());
}

std::optional<gdl::MoveId> MatchRuntime::best_of(
    const std::optional<search::Choice>& choice) const {
  if (!report_ || !report_->derived) return first_legal_;
  if (report_->legal.empty()) return std::nullopt;
  const auto& legal = report_->legal;
  if (choice && std::find(legal.begin(), legal.end(), choice->move) != legal.end()) {
    return choice->move;
  }
  if (choice) environment_.log->error("match={} the strategy chose an illegal move", match_);
  return legal.front();
}

void MatchRuntime::answer(std::string_view why, bool timed_out) {
  using Kind = TurnAnswer::Kind;
  cancel_timer();
  TurnAnswer answer;
  answer.why = why;
  answer.timed_out = timed_out;
  answer.lateness = std::max(environment_.clock.now() - expected_, TimePoint::duration::zero());
  answer.choice = answered_ = choice();
  if (turn_ == 0) {
    answer.kind = Kind::Ready;
  } else if (report_ && report_->derived && !choose_) {
    answer.kind = Kind::Followed;
  } else if (report_ && report_->derived && report_->legal.empty()) {
    answer.kind = Kind::NoLegalMove;
  } else {
    answer.move = sent_ = best_of(answer.choice);
    answer.kind = !answer.move                ? Kind::Unknown
                  : report_ && report_->waits ? Kind::Waits
                                              : Kind::Move;
  }
  enter(Phase::Answered);
  listener_.on_answer(answer);
  advance();
}

}  // namespace ludens::agent
