#include "server/match/thinker.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <optional>
#include <variant>

#include "agent/reasoner/acceleration.h"
#include "gdl/interpreter/interpreter.h"

namespace ludens::server {

namespace {

Answer text_answer(std::string text) {
  Answer answer;
  answer.text = std::move(text);
  return answer;
}

Answer failure(std::string problem) {
  Answer answer;
  answer.kind = Answer::Kind::ConnectionFailed;
  answer.trouble = Trouble::Dropped;
  answer.problem = std::move(problem);
  return answer;
}

std::string underived(const std::string& what, gdl::Status status) {
  return "the " + what + " could not be derived " +
         (status == gdl::Status::OverBudget ? "in the memory granted" : "in time");
}

unsigned threads(const search::StrategySpec& spec) {
  unsigned count = 1;
  const auto found = spec.options.find("threads");
  if (found != spec.options.end()) {
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), count);
  }
  return count;
}

/// Whether a match of such a player is to be the same wherever it is played.
bool limited_by_count(const search::StrategySpec& spec) {
  return std::ranges::any_of(std::array{"playouts", "nodes", "depth"}, [&](const char* cap) {
    const auto found = spec.options.find(cap);
    return found != spec.options.end() && found->second != "0";
  });
}

}  // namespace

std::optional<Answer> Thought::answer() const {
  const auto choice = incumbent.get();
  if (!choice) return ready ? std::optional(text_answer("ready")) : std::nullopt;
  Answer answer = text_answer(vocabulary->move_name(choice->move));
  // Strategies that do not look at the game have no opinion.
  if (choice->nodes > 0 || choice->iterations > 0) answer.value = choice->value;
  const auto chosen = std::ranges::find(choice->root, choice->move, &search::RootMove::move);
  if (chosen != choice->root.end() && chosen->low > 0) answer.sure = chosen->low;
  return answer;
}

Thinker::Thinker(search::StrategySpec spec, std::size_t memory_bytes)
    : spec_(std::move(spec)), memory_(memory_bytes) {}

Answer Thinker::start(const MatchInvitation& invitation, const AnswerTimes& times,
                      Thought& thought) {
  if (const auto problem = make_strategy()) return failure(*problem);
  const auto working = work_until(times.due);
  referee_ = std::make_unique<agent::Referee>(interrupt_, memory_, gdl::make_interpreter);
  if (referee_->prepare(agent::part_of(invitation.description), invitation.role)) {
    referee_.reset();
    return text_answer("busy");
  }
  thought.ready = true;
  const bool time_to_think = times.think_until > std::chrono::steady_clock::now();
  if (time_to_think && strategy_->looks_ahead() && !limited_by_count(spec_)) {
    search::Incumbent incumbent;  // a move is no answer to START
    think(times, incumbent);
  }
  return text_answer("ready");
}

std::optional<std::string> Thinker::make_strategy() {
  auto made = search::make_strategy(spec_, {threads(spec_), memory_.search.get()});
  if (auto* problem = std::get_if<std::string>(&made)) return std::move(*problem);
  strategy_ = agent::accelerate(std::get<std::unique_ptr<search::Strategy>>(std::move(made)), spec_,
                                memory_.search.get());
  return std::nullopt;
}

Answer Thinker::follow(const std::vector<std::string>& moves, const search::Deadline& due) {
  const auto working = work_until(due);
  if (const auto problem = adopt(moves)) return failure(*problem);
  return text_answer("drawn");
}

/// Lets the referee work until the answer is due, or nobody waits for it any more.
Thinker::Working Thinker::work_until(const search::Deadline& due) {
  interrupt_.end_at(due.at());
  return Working(due.token(), [this] { interrupt_.end(); });
}

/// A search that fails costs strength, never the move: what it has published stands, and the next
/// move is thought about by a new one.
void Thinker::think(const AnswerTimes& times, search::Incumbent& incumbent) {
  if (referee_->catch_up() != gdl::Status::Ok) return;
  try {
    if (!strategy_ && make_strategy()) return;
    strategy_->think(referee_->position(), times.due.no_later_than(times.think_until), incumbent);
  } catch (const std::exception&) {
    strategy_.reset();
  }
}

Answer Thinker::play(const std::vector<std::string>& moves, const AnswerTimes& times,
                     Thought& thought) {
  const auto working = work_until(times.due);
  if (const auto problem = adopt(moves)) return failure(*problem);
  std::vector<gdl::MoveId> legal;
  const gdl::Status status = referee_->own_legal(legal);
  if (status != gdl::Status::Ok) return failure(underived("legal moves", status));
  if (legal.empty()) return text_answer("nil");
  thought.vocabulary = referee_->machine()->vocabulary();
  search::Choice first;
  first.move = legal.front();
  thought.incumbent.publish(first);
  if (legal.size() > 1) think(times, thought.incumbent);
  return *thought.answer();
}

/// Follows the joint move; a sentence where that can't be done, or not yet.
std::optional<std::string> Thinker::adopt(const std::vector<std::string>& moves) {
  if (!referee_) return "no match has been started";
  std::string joint = "(";
  for (const std::string& move : moves) joint += " " + move;
  const agent::Adoption adoption = referee_->adopt(agent::part_of(joint + " )"), std::nullopt);
  referee_->take_flaws();  // the host has found them itself
  if (adoption.kind == agent::Adoption::Kind::Illegal) {
    return "the joint move can't be followed: " + adoption.problem;
  }
  const gdl::Status status = referee_->catch_up();
  if (status != gdl::Status::Ok) return underived("state", status);
  return std::nullopt;
}

}  // namespace ludens::server
