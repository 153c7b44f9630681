// SPDX-License-Identifier: MIT
#include "agent/runtime/hidden_match.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "search/strategy/processor_time.h"

namespace ludens::agent {
namespace {

using gdl::MoveId;
using gdl::Status;
using search::KnownTurn;
using search::hidden::Belief;
using search::hidden::MatchPhase;

/// The number of histories kept for the referee; strategies that reason about hidden information
/// keep their own.
constexpr std::size_t kHistoriesKept = 64;
/// The number of joint moves drawn to find possible turns, and how many of these turns are tried.
/// These are counts and not a time, so that a match resumed from its journal guesses the same.
constexpr std::size_t kTurnsDrawn = 64, kTurnsTried = 16;
/// The number of turns in a row that are guessed: no match misses as many, but a number is cheap to
/// send.
constexpr std::size_t kMostMissed = 1000;

/// Also stops when this thread has worked long enough, or when the answer is due soon.
class PatientStop final : public gdl::StopSignal {
 public:
  PatientStop(const Interrupt& interrupt, std::optional<std::chrono::milliseconds> patience)
      : interrupt_(interrupt) {
    if (patience) {
      until_ = search::processor_seconds() + std::chrono::duration<double>(*patience).count();
    }
  }
  [[nodiscard]] bool stop_requested() const noexcept override {
    return interrupt_.ended() || interrupt_.hurries() ||
           (until_ && search::processor_seconds() >= *until_);
  }

 private:
  const Interrupt& interrupt_;
  std::optional<double> until_;  // the processor time of this thread
};

/// Draws a random joint move of the legal moves that `legal` returns for each role, with `own` as
/// our role's move if it is one of them; false if some role has none.
template <class Legal>
bool draw_joint(const Legal& legal, gdl::RoleIndex our, std::optional<MoveId> own, gdl::Rng& rng,
                std::vector<MoveId>& joint) {
  for (gdl::RoleIndex role = 0; role < joint.size(); ++role) {
    const std::span<const MoveId> moves = legal(role);
    if (moves.empty()) return false;
    const bool given = role == our && own && std::ranges::binary_search(moves, *own);
    joint[role] = given ? *own : moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
  }
  return true;
}

}  // namespace

HiddenMatch::HiddenMatch(std::shared_ptr<const gdl::Machine> machine, gdl::RoleIndex role,
                         gdl::MemoryBudget* memory,
                         std::optional<std::chrono::milliseconds> patience)
    : machine_(std::move(machine)),
      role_(role),
      memory_(memory),
      belief_(make_belief()),
      patience_(patience) {}

Adoption HiddenMatch::adopt(const Perceived& told, std::optional<MoveId> sent, MatchPhase match,
                            const Interrupt& interrupt) {
  ahead_.push_back({told, sent, match});
  Adoption adoption{Adoption::Kind::Adopted, {}, sent};
  follow(interrupt, adoption);
  return adoption;
}

Status HiddenMatch::catch_up(const Interrupt& interrupt) {
  Adoption adoption;
  return follow(interrupt, adoption);
}

/// Follows the reports that were not followed yet. Sets `adoption` to the adoption of the last
/// report, if that was reached.
Status HiddenMatch::follow(const Interrupt& interrupt, Adoption& adoption) {
  while (!ahead_.empty()) {
    Adoption taken;
    const Status status = take(ahead_.front(), interrupt, taken);
    if (status != Status::Ok) return status;
    ahead_.erase(ahead_.begin());
    if (ahead_.empty()) adoption = std::move(taken);
  }
  return Status::Ok;
}

/// Takes one report. After anything but Ok it must be taken again.
Status HiddenMatch::take(const Report& report, const Interrupt& interrupt, Adoption& adoption) {
  const gdl::StopSignal& stop = interrupt.hard();
  const std::size_t made = report.told.turn.value_or(known_.size() + 1);
  if (made <= known_.size()) return Status::Ok;  // nothing new, for example the first PLAY
  if (made - known_.size() > kMostMissed) {
    adoption.kind = Adoption::Kind::Illegal;
    adoption.problem =
        "turn " + std::to_string(made) + ": the last one known is " + std::to_string(known_.size());
    return Status::Ok;
  }
  bool found = true;
  // If several turns were missed, only the last can be guessed from what came after it.
  while (found && known_.size() + 2 < made) {
    const auto status = go_on(std::nullopt, nullptr, MatchPhase::GoesOn, stop, found);
    if (status != Status::Ok) return status;
  }
  std::string problem;
  auto turn = read(report, problem);
  bool impossible = !turn;
  if (turn && found) {
    const PatientStop patient(interrupt, patience_);
    Status status = restore(patient);
    const bool missed = known_.size() + 1 < made, looked = fits();
    if (status == Status::Ok && looked) {
      status = missed ? find_behind_missed(report, *turn, patient, adoption)
                      : find(report, *turn, patient, adoption);
      if (adoption.kind != Adoption::Kind::NoMoves) return Status::Ok;
    }
    if (status != Status::Ok && (status != Status::Stopped || stop.stop_requested())) return status;
    impossible = status == Status::Ok && looked && !missed;  // a belief is only empty by proof
    lost_ = lost_ || (status == Status::Ok && !impossible);
    problem = text_of(*turn, impossible);
  }
  while (found && known_.size() < made) {
    const bool last = known_.size() + 1 == made;
    const auto status =
        last ? go_on(own_move(report), turn ? &*turn : nullptr, report.match, stop, found)
             : go_on(std::nullopt, nullptr, MatchPhase::GoesOn, stop, found);
    if (status != Status::Ok) return status;
  }
  adoption.problem = "turn " + std::to_string(made) + ": " + problem;
  adoption.kind = found ? Adoption::Kind::Replaced : Adoption::Kind::Illegal;
  if (!found) {
    // The turn may still be possible after another history than the current one.
    if (impossible || turn->own == gdl::kNoMove || known_.size() + 1 < made) return Status::Ok;
    adoption.kind = Adoption::Kind::Adopted;
    adoption.own = turn->own;
    known_.push_back(*std::move(turn));
    return Status::Ok;
  }
  adoption.own = known_.back().own;
  if (impossible) return Status::Ok;
  // The reported turn is possible, so it is what we know, even if the current history differs.
  if (turn->own == gdl::kNoMove) turn->own = known_.back().own;
  if (*turn == known_.back()) adoption.kind = Adoption::Kind::Adopted;
  known_.back() = *std::move(turn);
  return Status::Ok;
}

/// Our move as the host reported it, otherwise as we sent it; nullopt if it has other words than
/// the game, or is not known.
std::optional<MoveId> HiddenMatch::own_move(const Report& report) const {
  if (!report.told.own) return report.sent;
  return intern_move(*machine_->vocabulary(), *report.told.own);
}

/// The report in ids; nullopt if it has other words than the game.
std::optional<KnownTurn> HiddenMatch::read(const Report& report, std::string& problem) const {
  gdl::Vocabulary& names = *machine_->vocabulary();
  const auto own = own_move(report);
  KnownTurn turn{own.value_or(gdl::kNoMove)};
  if (!own && report.told.own) {
    problem = "not a move of this game: " + term_text(names.rules(), *report.told.own);
  }
  for (const ReportedTerm& term : report.told.percepts) {
    const auto percept = intern_percept(names, term);
    if (!percept) problem = "no percept of this game: " + term_text(names.rules(), term);
    turn.percepts.push_back(percept.value_or(0));
  }
  if (!problem.empty()) return std::nullopt;
  std::ranges::sort(turn.percepts);
  const auto again = std::unique(turn.percepts.begin(), turn.percepts.end());
  turn.percepts.erase(again, turn.percepts.end());
  return turn;
}

/// Takes the turn as it was reported. A host that does not count turns may report another move of
/// ours than we sent, or a turn after one that it did not report. `adoption` does not change if
/// nothing fits.
Status HiddenMatch::find(const Report& report, const KnownTurn& turn, const gdl::StopSignal& stop,
                         Adoption& adoption) {
  bool fitting = false;
  Status status = attempt({turn}, report.match, stop, fitting);
  if (status == Status::Ok && !fitting && !report.told.turn) {
    Turns others;
    status = restore(stop);
    if (status == Status::Ok) status = possible_turns(std::nullopt, stop, others);
    for (std::size_t i = 0; status == Status::Ok && !fitting && i < others.size(); ++i) {
      status = attempt({{others[i].own, turn.percepts}}, report.match, stop, fitting);
    }
    if (status == Status::Ok && !fitting) return find_behind_missed(report, turn, stop, adoption);
  }
  if (status != Status::Ok || !fitting) return status;
  adoption.kind = Adoption::Kind::Adopted;
  adoption.own = known_.back().own;
  return Status::Ok;
}

/// The same if the turn before was not reported.
Status HiddenMatch::find_behind_missed(const Report& report, const KnownTurn& turn,
                                       const gdl::StopSignal& stop, Adoption& adoption) {
  Turns guesses;
  bool fitting = false;
  Status status = restore(stop);
  if (status == Status::Ok) status = possible_turns(report.sent, stop, guesses);
  for (std::size_t i = 0; status == Status::Ok && !fitting && i < guesses.size(); ++i) {
    status = attempt({guesses[i], turn}, report.match, stop, fitting);
  }
  if (status != Status::Ok || !fitting) return status;
  adoption.kind = Adoption::Kind::Recovered;
  adoption.problem = "turn " + std::to_string(known_.size() - 1) + " was not told";
  adoption.own = turn.own;
  return Status::Ok;
}

/// Adopts the turns if some history fits all of them.
Status HiddenMatch::attempt(const Turns& turns, MatchPhase match, const gdl::StopSignal& stop,
                            bool& fitting) {
  const Status ready = restore(stop);
  if (ready != Status::Ok || !fits()) return ready;
  for (const KnownTurn& turn : turns) {
    const bool last = &turn == &turns.back();
    const Status status = belief_.advance(turn, stop, last ? match : MatchPhase::GoesOn);
    if (status != Status::Ok || belief_.empty()) return status;
  }
  fitting = true;
  known_.insert(known_.end(), turns.begin(), turns.end());
  const std::size_t likeliest = belief_.likeliest();
  state_.assign(belief_.state(likeliest));
  history_.assign(belief_.history(likeliest).begin(), belief_.history(likeliest).end());
  return Status::Ok;
}

/// Restores the belief for what is known, after an attempt that did not fit or a turn for which
/// there was no time. A new sample may not find what the old one had found: then the belief is
/// lost.
Status HiddenMatch::restore(const gdl::StopSignal& stop) {
  if (lost_ || fits()) return Status::Ok;
  if (belief_.empty()) belief_ = make_belief();
  const Status status = belief_.follow(known_, stop);
  if (status == Status::Ok) lost_ = belief_.empty() || belief_.turns() != known_.size();
  return status;
}

Belief HiddenMatch::make_belief() const {
  return {machine_, role_, {.most = kHistoriesKept, .memory = memory_}};
}

/// What we would know after random joint moves in the stored histories, each once; with `own` as
/// our move if it is legal.
Status HiddenMatch::possible_turns(std::optional<MoveId> own, const gdl::StopSignal& stop,
                                   Turns& out) const {
  if (!fits()) return Status::Ok;
  const auto context = machine_->make_context({&stop, memory_});
  std::vector<MoveId> joint(machine_->role_count());
  gdl::Rng rng(known_.size() + 1);
  for (std::size_t draw = 0; draw < kTurnsDrawn && out.size() < kTurnsTried; ++draw) {
    const std::size_t i = draw % belief_.size();
    const auto legal = [&](gdl::RoleIndex role) { return belief_.legal(i, role); };
    if (!draw_joint(legal, role_, own, rng, joint)) continue;
    KnownTurn turn{joint[role_]};
    const Status status =
        machine_->percepts(*context, belief_.state(i), joint, role_, turn.percepts);
    if (status != Status::Ok) return status;
    if (std::ranges::find(out, turn) == out.end()) out.push_back(std::move(turn));
  }
  return Status::Ok;
}

/// Continues the current history with a random joint move in its state, if possible one after which
/// we know what was `told`. `found` is false if the match can't continue.
Status HiddenMatch::go_on(std::optional<MoveId> own, const KnownTurn* told, MatchPhase match,
                          const gdl::StopSignal& stop, bool& found) {
  const auto context = machine_->make_context({&stop, memory_});
  if (known_.empty()) {
    const Status status = machine_->initial(*context, state_);
    if (status != Status::Ok) return status;
  }
  std::vector<std::vector<MoveId>> legal(machine_->role_count());
  for (gdl::RoleIndex role = 0; role < legal.size(); ++role) {
    const Status status = machine_->legal(*context, state_, role, legal[role]);
    if (status != Status::Ok) return status;
  }
  const auto legal_of = [&](gdl::RoleIndex role) { return std::span<const MoveId>(legal[role]); };
  std::vector<MoveId> joint(legal.size()), chosen;
  KnownTurn known;
  gdl::State after;
  gdl::Rng rng(known_.size() + 1);
  for (std::size_t draw = 0; draw < kTurnsDrawn; ++draw) {
    if (!draw_joint(legal_of, role_, own, rng, joint)) break;
    KnownTurn turn{joint[role_]};
    Status status = machine_->percepts(*context, state_, joint, role_, turn.percepts);
    const bool fitting = told != nullptr && turn.percepts == told->percepts;
    if (status == Status::Ok && !chosen.empty() && !fitting) continue;
    gdl::State next;
    bool over = false;
    if (status == Status::Ok) status = machine_->next(*context, state_, joint, next);
    if (status == Status::Ok) status = machine_->terminal(*context, next, over);
    if (status != Status::Ok) return status;
    if (over != (match == MatchPhase::IsOver)) continue;
    chosen = joint;
    known = std::move(turn);
    after = std::move(next);
    if (fitting || told == nullptr) break;
  }
  found = !chosen.empty();
  if (!found) return Status::Ok;
  state_ = std::move(after);
  history_.insert(history_.end(), chosen.begin(), chosen.end());
  known_.push_back(std::move(known));
  return Status::Ok;
}

std::optional<std::vector<MoveId>> HiddenMatch::legal() const {
  if (!fits()) return std::nullopt;
  const auto first = belief_.legal(0, role_);
  std::vector<MoveId> common(first.begin(), first.end());
  for (std::size_t i = 1; i < belief_.size(); ++i) {
    const auto other = belief_.legal(i, role_);
    std::erase_if(common, [&](MoveId move) { return !std::ranges::binary_search(other, move); });
  }
  if (common.empty()) return std::nullopt;
  return common;
}

/// What is wrong with the turn.
std::string HiddenMatch::text_of(const KnownTurn& turn, bool impossible) const {
  const gdl::Vocabulary& names = *machine_->vocabulary();
  std::string text;
  for (const gdl::PerceptId percept : turn.percepts) {
    text += (text.empty() ? "" : " ") + names.percept_name(percept);
  }
  if (text.empty()) text = "nothing";
  text += impossible ? " can't be what " : " was found in no history to be what ";
  text += machine_->role_name(role_) + " perceives";
  if (turn.own == gdl::kNoMove) return text;
  return text + " after its move " + names.move_name(turn.own);
}

}  // namespace ludens::agent
