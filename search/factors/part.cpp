// SPDX-License-Identifier: MIT
#include "search/factors/part.h"

#include <algorithm>

namespace ludens::search::factors {

namespace {

/// Memory is reserved from the budget in pieces of this size.
constexpr std::size_t kPiece = 64 * 1024;
/// Pairs of state and move per call of the machine, unless it prefers more.
constexpr std::size_t kFewest = 16;

bool stopped(const gdl::Machine::Context& context) {
  return context.limits.stop != nullptr && context.limits.stop->stop_requested();
}

}  // namespace

Part::Part(const gdl::Machine& machine, Projection& projection, std::uint32_t factor,
           gdl::MemoryBudget* memory)
    : machine_(machine),
      projection_(projection),
      factor_(factor),
      memory_(memory),
      is_own_(machine.vocabulary()->move_count(), false),
      numbers_(memory) {
  for (const auto& [role, move] : machine.structure().factors[factor].moves) {
    is_own_[move] = true;
    ++own_count_;
  }
  const auto other = std::ranges::find(is_own_, false);
  if (other != is_own_.end()) other_ = static_cast<gdl::MoveId>(other - is_own_.begin());
  states_.clear();
}

gdl::Status Part::explore(gdl::Machine::Context& context, gdl::StateView root, std::size_t most,
                          std::uint64_t& visits) {
  Index first = 0;
  gdl::Status status =
      numbers_.size() == 0 ? number(context, root, std::nullopt, first) : gdl::Status::Ok;
  while (status == gdl::Status::Ok && !given_up_ && size() < states_.size()) {
    if (stopped(context)) return gdl::Status::Stopped;
    const Index before = size();
    status = follow(context);
    visits += size() - before;
    given_up_ = states_.size() > most;
  }
  if (status == gdl::Status::Stopped) return status;
  given_up_ |= status == gdl::Status::OverBudget;
  complete_ = !given_up_;
  states_ = {};
  moves_ = {};
  return gdl::Status::Ok;
}

/// The number of this part's state in a state of the whole game, whose legal moves may be given.
gdl::Status Part::number(gdl::Machine::Context& context, gdl::StateView state,
                         std::optional<std::span<const gdl::MoveId>> legal, Index& out) {
  gdl::Status status = projection_.read(context, state);
  if (status != gdl::Status::Ok) return status;
  out = current();
  if (out != kNone) return status;
  if (!legal) {
    status = machine_.legal(context, state, 0, legal_);
    if (status != gdl::Status::Ok) return status;
    legal = legal_;
  }
  out = static_cast<Index>(states_.size());
  projection_.append_fluents(factor_, fluents_);
  for (const gdl::MoveId move : *legal) {
    if (move < is_own_.size() && is_own_[move]) moves_.push_back(move);
  }
  used_ += state.words().size_bytes() + 3 * sizeof(std::size_t) + sizeof(Index) +
           (fluents_.size() - fluents_begin_.back()) * sizeof(gdl::FluentId) +
           (moves_.size() - moves_begin_.back()) * (sizeof(gdl::MoveId) + sizeof(Index));
  fluents_begin_.push_back(fluents_.size());
  moves_begin_.push_back(moves_.size());
  states_.push_back(state);
  const bool fits =
      held_.hold(used_, memory_, kPiece) && numbers_.insert(projection_.key(factor_), out);
  return fits ? gdl::Status::Ok : gdl::Status::OverBudget;
}

/// Gathers pairs of the next states with each own move and a move of another part, until the batch
/// is large enough; returns the number of states.
std::size_t Part::gather() {
  const std::size_t enough = std::max(kFewest, machine_.preferred_batch());
  made_.clear();
  std::vector<Index> from;
  Index i = size();
  for (; i < states_.size() && made_.size() < enough; ++i) {
    made_.insert(made_.end(), moves_.begin() + static_cast<std::ptrdiff_t>(moves_begin_[i]),
                 moves_.begin() + static_cast<std::ptrdiff_t>(moves_begin_[i + 1]));
    if (other_ != gdl::kNoMove) made_.push_back(other_);
    from.resize(made_.size(), i);
  }
  pairs_.clear();
  for (std::size_t p = 0; p < made_.size(); ++p) {
    pairs_.push_back({states_[from[p]], gdl::JointMove(&made_[p], 1)});
  }
  return i - size();
}

/// Expands some states.
gdl::Status Part::follow(gdl::Machine::Context& context) {
  const std::size_t count = gather();
  gdl::Status status = machine_.expand(context, pairs_, expansion_);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < count && status == gdl::Status::Ok; ++i) {
    status = absorb(context, pair);
  }
  return status;
}

/// Stores the successors of the next state.
gdl::Status Part::absorb(gdl::Machine::Context& context, std::size_t& pair) {
  const Index from = size();
  reached_.clear();
  const std::size_t own = moves_begin_[from + 1] - moves_begin_[from];
  const std::size_t end = pair + own + (other_ != gdl::kNoMove ? 1 : 0);
  for (; pair < end; ++pair) {
    // Even if the whole game is over the part continues, because it may have been reached on
    // another path.
    std::optional<std::span<const gdl::MoveId>> legal;
    if (expansion_.terminal[pair] == 0) legal = expansion_.legal(pair, 0, 1);
    Index to = kNone;
    const auto status = number(context, expansion_.states[pair], legal, to);
    if (status != gdl::Status::Ok) return status;
    reached_.push_back(to);
  }
  Index idle = kNone;
  if (other_ != gdl::kNoMove) {
    idle = reached_.back();
    reached_.pop_back();
  }
  std::ranges::sort(reached_);
  reached_.erase(std::unique(reached_.begin(), reached_.end()), reached_.end());
  own_.insert(own_.end(), reached_.begin(), reached_.end());
  own_begin_.push_back(own_.size());
  idle_.push_back(idle);
  return gdl::Status::Ok;
}

}  // namespace ludens::search::factors
