#include "server/match/thinker.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <optional>
#include <variant>

#include "agent/reasoner/acceleration.h"
#include "gdl/interpreter/interpreter.h"
#include "gdl/rules/rules.h"
#include "gdl/text/syntax.h"

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

/// The rules in `( rule rule ... )`; null if it is no such list.
std::shared_ptr<const gdl::Rules> read_rules(const std::string& description) {
  gdl::ParsedText parsed = gdl::parse(description);
  if (!parsed.errors.empty() || parsed.tree.size() == 0) return nullptr;
  return gdl::normalise(std::make_shared<const gdl::SyntaxTree>(std::move(parsed.tree)), 0).rules;
}

std::optional<gdl::RoleIndex> find_role(const gdl::Machine& machine, const std::string& name) {
  for (gdl::RoleIndex role = 0; role < machine.role_count(); ++role) {
    if (gdl::fold_case(machine.role_name(role)) == gdl::fold_case(name)) return role;
  }
  return std::nullopt;
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

Answer Thinker::start(const MatchInvitation& invitation, const search::Deadline& deadline,
                      Thought& thought) {
  auto made = search::make_strategy(spec_, {threads(spec_), &memory_});
  if (auto* problem = std::get_if<std::string>(&made)) return failure(std::move(*problem));
  strategy_ = agent::accelerate(std::get<std::unique_ptr<search::Strategy>>(std::move(made)), spec_,
                                &memory_);

  const auto rules = read_rules(invitation.description);
  if (!rules) return text_answer("busy");
  context_.reset();
  position_ = {};
  position_.machine = gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(rules));
  const auto role = find_role(*position_.machine, invitation.role);
  if (!role) return text_answer("busy");
  position_.role = *role;
  context_ = position_.machine->make_context({&deadline, &memory_});
  const gdl::Status status = position_.machine->initial(*context_, position_.state);
  context_->limits.stop = nullptr;
  if (status != gdl::Status::Ok) return text_answer("busy");
  thought.ready = true;
  if (strategy_->looks_ahead() && !limited_by_count(spec_)) {
    search::Incumbent incumbent;  // a move is no answer to START
    think(deadline, incumbent);
  }
  return text_answer("ready");
}

Answer Thinker::follow(const std::vector<std::string>& moves, const search::Deadline& deadline) {
  if (!context_) return failure("no match has been started");
  context_->limits.stop = &deadline;
  const bool followed = moves.empty() || adopt(moves);
  context_->limits.stop = nullptr;
  return followed ? text_answer("drawn") : failure("the joint move can't be followed");
}

/// A search that fails costs strength, never the move: what it has published stands.
void Thinker::think(const search::Deadline& deadline, search::Incumbent& incumbent) {
  try {
    strategy_->think(position_, deadline, incumbent);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
  }
}

Answer Thinker::play(const std::vector<std::string>& moves, const search::Deadline& deadline,
                     Thought& thought) {
  if (!context_) return failure("no match has been started");
  context_->limits.stop = &deadline;
  if (!moves.empty() && !adopt(moves)) return failure("the joint move can't be followed");
  std::vector<gdl::MoveId> legal;
  const gdl::Status status =
      position_.machine->legal(*context_, position_.state, position_.role, legal);
  context_->limits.stop = nullptr;
  if (status != gdl::Status::Ok) return failure("the legal moves could not be found in time");
  if (legal.empty()) return text_answer("nil");
  thought.vocabulary = position_.machine->vocabulary();
  search::Choice first;
  first.move = legal.front();
  thought.incumbent.publish(first);
  if (legal.size() > 1) think(deadline, thought.incumbent);
  return *thought.answer();
}

bool Thinker::adopt(const std::vector<std::string>& moves) {
  if (moves.size() != position_.machine->role_count()) return false;
  std::vector<gdl::MoveId> joint;
  for (gdl::RoleIndex role = 0; role < moves.size(); ++role) {
    const auto move = find_move(role, moves[role]);
    if (!move) return false;
    joint.push_back(*move);
  }
  gdl::State next;
  if (position_.machine->next(*context_, position_.state, joint, next) != gdl::Status::Ok) {
    return false;
  }
  position_.state = std::move(next);
  position_.history.insert(position_.history.end(), joint.begin(), joint.end());
  return true;
}

/// A move gets its id when a machine first derives it, which for another role's may be now.
std::optional<gdl::MoveId> Thinker::find_move(gdl::RoleIndex role, const std::string& text) {
  const auto& vocabulary = *position_.machine->vocabulary();
  if (const auto move = vocabulary.find_move(text)) return move;
  std::vector<gdl::MoveId> legal;
  if (position_.machine->legal(*context_, position_.state, role, legal) != gdl::Status::Ok) {
    return std::nullopt;
  }
  return vocabulary.find_move(text);
}

}  // namespace ludens::server
