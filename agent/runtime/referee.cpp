// SPDX-License-Identifier: MIT
#include "agent/runtime/referee.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ludens::agent {
namespace {

/// Diagnostics of each severity that are kept for a rulesheet.
constexpr std::size_t kFindingsOfReading = 1000;
/// One symbol may be copied in splitting `or` for this many bytes of memory.
constexpr std::size_t kBytesToSplit = 64;

/// The move of roles without a choice.
constexpr std::string_view kWait = "noop";

/// The machine is tuned in milliseconds; if it takes longer, a PLAY does not wait for it.
constexpr std::chrono::milliseconds kTuning{300};
/// The processor time spent on finding histories that fit the percepts: a legal move is needed
/// soon. If matches must repeat, it is so long that a search that reaches it would not succeed
/// anyway.
constexpr std::chrono::milliseconds kFitting{300}, kRepeatableFitting{1000};

/// Ends work that may be skipped when the host waits.
class HurriedStop final : public gdl::StopSignal {
 public:
  explicit HurriedStop(const Interrupt& interrupt)
      : interrupt_(interrupt), patient_until_(Interrupt::Clock::now() + kTuning) {}
  [[nodiscard]] bool stop_requested() const noexcept override {
    const gdl::StopSignal& hard = interrupt_.hard();
    return hard.stop_requested() ||
           (interrupt_.soft().stop_requested() && Interrupt::Clock::now() >= patient_until_);
  }

 private:
  const Interrupt& interrupt_;
  const Interrupt::Clock::time_point patient_until_;
};

bool contains(const std::vector<gdl::MoveId>& moves, gdl::MoveId move) {
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

}  // namespace

Referee::Referee(const Interrupt& interrupt, const MatchMemory& memory, MakeMachine make_machine,
                 bool repeatable)
    : interrupt_(interrupt),
      memory_(memory.rules),
      names_(memory.names),
      make_machine_(std::move(make_machine)),
      repeatable_(repeatable) {}

/// Calls the machine. A call that ran out of memory is repeated in a new context, because data
/// about earlier states may have filled the old one.
template <class Call>
gdl::Status Referee::derive(const gdl::StopSignal& stop, const Call& call) {
  for (const bool again : {true, false}) {
    if (context_ == nullptr) context_ = machine_->make_context({&stop, memory_.get()});
    context_->limits.stop = &stop;
    const gdl::Status status = call(*context_);
    flaws_.insert(flaws_.end(), context_->flaws.begin(), context_->flaws.end());
    context_->flaws.clear();
    if (status != gdl::Status::OverBudget) return status;
    context_.reset();
    if (!again) return status;
  }
  return gdl::Status::OverBudget;
}

std::optional<std::string> Referee::read(const GivenRules& given) {
  if (const auto* rules = std::get_if<std::shared_ptr<const gdl::Rules>>(&given)) {
    normalised_.rules = *rules;
    return std::nullopt;
  }
  const Part& description = std::get<Part>(given);
  if (description.tree == nullptr || description.node == gdl::kNoNode ||
      description.tree->is_atom(description.node)) {
    return "the description is not a list of rules";
  }
  gdl::NormaliseLimits limits;
  limits.max_splitting = std::min(limits.max_splitting, memory_->limit() / kBytesToSplit);
  limits.max_findings = kFindingsOfReading;
  limits.stop = &interrupt_.hard();
  limits.memory = memory_;
  normalised_ = gdl::normalise(description.tree, description.node, limits);
  return normalised_.given_up ? normalised_.given_up : normalised_.unevaluable;
}

std::optional<std::string> Referee::prepare(const GivenRules& given, std::string_view role) {
  if (auto problem = read(given)) return problem;
  const gdl::Rules& rules = *normalised_.rules;
  if (auto problem = choose_role(role)) return problem;
  if (!rules.has_rule(gdl::kLegal)) return "the rules make no move legal";
  const HurriedStop stop(interrupt_);
  machine_ = make_machine_(std::make_shared<gdl::Vocabulary>(normalised_.rules, names_),
                           {&stop, memory_.get()});
  legal_.resize(rules.roles.size());
  if (rules.has_rule(gdl::kSees)) {
    hidden_.emplace(machine_, role_, memory_.get(), repeatable_ ? kRepeatableFitting : kFitting);
  }
  if (catch_up() != gdl::Status::Ok) return std::nullopt;
  derive_all_legal();
  const bool stuck = std::all_of(legal_.begin(), legal_.end(),
                                 [](const auto& moves) { return moves && moves->empty(); });
  if (stuck) return "no role has a legal move in the initial state";
  return std::nullopt;
}

std::optional<std::string> Referee::choose_role(std::string_view role) {
  const gdl::Rules& rules = *normalised_.rules;
  if (rules.roles.empty()) return "the rules have no roles";
  const std::string wanted = gdl::fold_case(role);
  for (gdl::RoleIndex i = 0; i < rules.roles.size(); ++i) {
    if (rules.symbols.folded(rules.terms.value(rules.roles[i])) != wanted) continue;
    role_ = i;
    return std::nullopt;
  }
  return "the rules have no role '" + wanted.substr(0, 80) + "'";
}

gdl::Status Referee::catch_up() {
  if (!begun_) {
    gdl::State initial;
    const auto call = [&](auto& context) { return machine_->initial(context, initial); };
    const gdl::Status status = derive(interrupt_.hard(), call);
    if (status != gdl::Status::Ok) return status;
    state_ = std::move(initial);
    begun_ = true;
  }
  if (hidden_) {
    const gdl::Status status = hidden_->catch_up(interrupt_);
    if (status == gdl::Status::Ok) look();
    return status;
  }
  while (!ahead_.empty()) {
    const Joint joint = ahead_.front();
    gdl::State next;
    const auto call = [&](auto& context) { return machine_->next(context, state_, joint, next); };
    const gdl::Status status = derive(interrupt_.hard(), call);
    if (status != gdl::Status::Ok) return status;
    ahead_.erase(ahead_.begin());
    advance(std::move(next), joint);
  }
  return gdl::Status::Ok;
}

void Referee::advance(gdl::State next, const Joint& joint) {
  state_ = std::move(next);
  history_.insert(history_.end(), joint.begin(), joint.end());
  for (auto& moves : legal_) moves.reset();
}

/// Adopts the history that fits what is known now.
void Referee::look() {
  const std::size_t turns = hidden_->known().size();
  if (history_.size() == turns * legal_.size()) return;
  state_.assign(hidden_->state());
  history_.assign(hidden_->history().begin(), hidden_->history().end());
  for (auto& moves : legal_) moves.reset();
  if (auto legal = hidden_->legal()) legal_[role_] = *std::move(legal);
}

gdl::Status Referee::legal_in(gdl::StateView state, gdl::RoleIndex role,
                              std::vector<gdl::MoveId>& out, const gdl::StopSignal& stop) {
  const auto call = [&](auto& context) { return machine_->legal(context, state, role, out); };
  return derive(stop, call);
}

gdl::Status Referee::legal(gdl::RoleIndex role, const std::vector<gdl::MoveId>*& out,
                           const gdl::StopSignal& stop) {
  if (!legal_[role]) {
    std::vector<gdl::MoveId> moves;
    const gdl::Status status = legal_in(state_, role, moves, stop);
    if (status != gdl::Status::Ok) return status;
    legal_[role] = std::move(moves);
  }
  out = &*legal_[role];
  return gdl::Status::Ok;
}

std::optional<gdl::MoveId> Referee::first_own_legal() {
  if (legal_[role_]) return std::nullopt;
  std::vector<gdl::MoveId> moves;
  bool all = false;
  const auto call = [&](auto& context) {
    return machine_->some_legal(context, state_, role_, moves, all);
  };
  if (derive(interrupt_.soft(), call) != gdl::Status::Ok) return std::nullopt;
  if (!all) return moves.front();
  legal_[role_] = std::move(moves);
  return std::nullopt;
}

gdl::Status Referee::own_legal(std::vector<gdl::MoveId>& out) {
  const std::vector<gdl::MoveId>* moves = nullptr;
  const gdl::Status status = legal(role_, moves, interrupt_.soft());
  if (status == gdl::Status::Ok) out = *moves;
  return status;
}

void Referee::derive_all_legal() {
  const std::vector<gdl::MoveId>* moves = nullptr;
  for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
    if (legal(role, moves, interrupt_.soft()) == gdl::Status::Stopped) return;
  }
}

bool Referee::waits() {
  const auto only_waits = [&](gdl::RoleIndex role) -> std::optional<bool> {
    const std::vector<gdl::MoveId>* moves = nullptr;
    if (legal(role, moves, interrupt_.soft()) != gdl::Status::Ok) return std::nullopt;
    return moves->size() == 1 && machine_->vocabulary()->move_name(moves->front()) == kWait;
  };
  if (!only_waits(role_).value_or(false)) return false;
  for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
    if (!only_waits(role).value_or(true)) return true;
  }
  return false;
}

gdl::Status Referee::terminal(bool& out) {
  return derive(interrupt_.soft(),
                [&](auto& context) { return machine_->terminal(context, state_, out); });
}

gdl::Status Referee::goals(std::vector<int>& out) {
  out.assign(legal_.size(), 0);
  return derive(interrupt_.hard(),
                [&](auto& context) { return machine_->stated_goals(context, state_, out); });
}

gdl::Result<ReportedTurn> Referee::intern(const ReportedMoves& moves) {
  const std::size_t count = move_count(moves);
  ReportedTurn told;
  told.one = std::holds_alternative<OneMove>(moves);
  if (count != (told.one ? 1 : legal_.size())) {
    return gdl::Error{std::to_string(count) + " moves for " + std::to_string(legal_.size()) +
                      (legal_.size() == 1 ? " role" : " roles")};
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto move = intern_move(*machine_->vocabulary(), moves, i);
    if (!move) {
      return gdl::Error{"not a move of this game: " +
                        move_text(*normalised_.rules, moves, i).substr(0, 200)};
    }
    told.moves.push_back(*move);
  }
  return told;
}

/// Adds the only moves of the waiting roles if the host has sent one move.
gdl::Result<Referee::Joint> Referee::joint_of(const ReportedTurn& told,
                                              const gdl::StopSignal& stop) {
  if (!told.one) return told.moves;
  std::vector<std::vector<gdl::MoveId>> legal_moves;
  for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
    const std::vector<gdl::MoveId>* moves = nullptr;
    if (!begun_ || !ahead_.empty() || legal(role, moves, stop) != gdl::Status::Ok) {
      return gdl::Error{"it is not known which role can make the move"};
    }
    legal_moves.push_back(*moves);
  }
  if (auto joint = with_waiting(legal_moves, told.moves[0])) return *std::move(joint);
  return gdl::Error{"no role can make the move " +
                    machine_->vocabulary()->move_name(told.moves[0])};
}

std::optional<std::size_t> Referee::first_illegal(const Joint& joint, const gdl::StopSignal& stop) {
  for (std::size_t role = 0; role < joint.size(); ++role) {
    const std::vector<gdl::MoveId>* moves = nullptr;
    if (legal(static_cast<gdl::RoleIndex>(role), moves, stop) != gdl::Status::Ok)
      return std::nullopt;
    if (!contains(*moves, joint[role])) return role;
  }
  return joint.size();
}

Adoption Referee::adopt(const ReportedMoves& moves, std::optional<gdl::MoveId> sent,
                        search::hidden::MatchPhase match, Gap gap) {
  Adoption adoption;
  const auto* perceived = std::get_if<Perceived>(&moves);
  if (hidden_ && perceived != nullptr) {
    adoption = hidden_->adopt(*perceived, sent, match, interrupt_);
    catch_up();
    return adoption;
  }
  if (move_count(moves) == 0 && perceived == nullptr) return adoption;
  adoption.kind = Adoption::Kind::Illegal;
  if (hidden_ || perceived != nullptr) {
    adoption.problem = hidden_ ? "moves are told where percepts are expected"
                               : "percepts are told where moves are expected";
    return adoption;
  }
  auto told = intern(moves);
  if (!told) {
    adoption.problem = told.error().text;
    return adoption;
  }
  told->sent = sent;
  const bool known = catch_up() == gdl::Status::Ok;
  const auto joint = joint_of(*told, interrupt_.brief());
  if (!joint) adoption.problem = joint.error().text;
  // If the legal moves can't be derived in time, the host is trusted.
  if (known && joint) {
    const auto culprit = first_illegal(*joint, interrupt_.brief());
    if (culprit && *culprit < joint->size()) {
      const gdl::Vocabulary& names = *machine_->vocabulary();
      adoption.problem = machine_->role_name(static_cast<gdl::RoleIndex>(*culprit)) +
                         " can't make the move " + names.move_name((*joint)[*culprit]);
    }
  }
  const bool possible = adoption.problem.empty();
  if (known && (!possible || doubts(*joint, sent, gap))) {
    if (const auto way = settle(*told, gap, match)) {
      adoption.own = way->history[way->history.size() - legal_.size() + role_];
      adoption.kind = Adoption::Kind::Adopted;
      if (way->missed == 0) return adoption;
      adoption.kind = Adoption::Kind::Recovered;
      if (possible) adoption.problem = "the joint move is none after our answer";
      adoption.problem += "; it fits after " + std::to_string(way->missed) +
                          (way->missed == 1 ? " other turn" : " other turns");
      return adoption;
    }
  }
  if (joint) adoption.own = (*joint)[role_];
  lost_ = lost_ || (known && !possible);
  if (!possible) return adoption;
  adoption.kind = Adoption::Kind::Adopted;
  if (guess_) guess_->missed.add(*std::move(told));
  ahead_.push_back(*joint);
  catch_up();
  return adoption;
}

/// Whether a joint move that is legal may yet not be the one that followed our answer. After a gap
/// it is that one if it contains an answer for which we had a choice. Once the position is guessed,
/// a host that replaced a move that is legal there speaks against the guess.
bool Referee::doubts(const Joint& joint, std::optional<gdl::MoveId> sent, Gap gap) {
  if (gap == Gap::None && !guess_) return false;
  const std::vector<gdl::MoveId>* own = nullptr;
  if (legal(role_, own, interrupt_.brief()) != gdl::Status::Ok) return false;
  if (gap == Gap::None) return sent && joint[role_] != *sent && contains(*own, *sent);
  return !sent || joint[role_] != *sent || own->size() < 2;
}

/// Searches for the turns that were missed before this one, and adopts all of them with it.
std::optional<MissedTurns::Way> Referee::settle(const ReportedTurn& turn, Gap gap,
                                                search::hidden::MatchPhase match) {
  const bool fresh = !guess_ || gap != Gap::None;
  if (fresh) guess_ = Guess{MissedTurns(state_, turn.sent), history_.size(), !guesses()};
  guess_->missed.add(turn);
  auto way = guess_->missed.find(asked_rules(), gap == Gap::Likely,
                                 match == search::hidden::MatchPhase::GoesOn);
  if (!way) {
    guess_->missed.drop_last();
    if (fresh && gap == Gap::None) guess_.reset();
    return std::nullopt;
  }
  history_.resize(guess_->made);
  advance(way->state, way->history);
  if (way->only && guess_->known) guess_.reset();
  return way;
}

AskedRules Referee::asked_rules() {
  return {legal_.size(),
          role_,
          [this](gdl::StateView state, gdl::RoleIndex role, std::vector<gdl::MoveId>& out) {
            return legal_in(state, role, out, interrupt_.brief());
          },
          [this](gdl::StateView state, const Joint& joint, gdl::State& out) {
            return derive(interrupt_.brief(), [&](auto& context) {
              return machine_->next(context, state, joint, out);
            });
          },
          [this](gdl::StateView state, bool& out) {
            return derive(interrupt_.brief(),
                          [&](auto& context) { return machine_->terminal(context, state, out); });
          },
          [this] { return interrupt_.brief().stop_requested(); }};
}

std::optional<bool> Referee::is_legal(const ReportedMoves& moves) {
  if (catch_up() != gdl::Status::Ok) return std::nullopt;
  const auto told = intern(moves);
  if (!told) return false;
  const auto joint = joint_of(*told, interrupt_.soft());
  if (!joint) return false;
  const auto culprit = first_illegal(*joint, interrupt_.soft());
  if (!culprit) return std::nullopt;
  return *culprit == joint->size();
}

std::optional<search::Position> Referee::foresee(gdl::MoveId own) {
  if (!begun_ || !ahead_.empty() || hidden_) return std::nullopt;
  Joint joint;
  for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
    const std::vector<gdl::MoveId>* moves = nullptr;
    if (legal(role, moves, interrupt_.soft()) != gdl::Status::Ok) return std::nullopt;
    if (role != role_ && moves->size() != 1) return std::nullopt;
    joint.push_back(role == role_ ? own : moves->front());
  }
  search::Position after = position();
  const auto step = [&](auto& context) {
    return machine_->next(context, state_, joint, after.state);
  };
  if (derive(interrupt_.soft(), step) != gdl::Status::Ok) return std::nullopt;
  after.history.insert(after.history.end(), joint.begin(), joint.end());
  bool over = true;
  const auto ended = [&](auto& context) { return machine_->terminal(context, after.state, over); };
  if (derive(interrupt_.soft(), ended) != gdl::Status::Ok || over) return std::nullopt;
  std::vector<gdl::MoveId> moves;
  if (legal_in(after.state, role_, moves, interrupt_.soft()) != gdl::Status::Ok || moves.empty())
    return std::nullopt;
  return after;
}

search::Position Referee::position() const {
  search::Position position{machine_, state_, role_, history_};
  if (hidden_) position.known = hidden_->known();
  return position;
}

std::vector<gdl::Flaw> Referee::take_flaws() {
  return std::exchange(flaws_, {});
}

}  // namespace ludens::agent
