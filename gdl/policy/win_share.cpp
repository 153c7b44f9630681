// SPDX-License-Identifier: MIT
#include "gdl/policy/win_share.h"

#include <algorithm>
#include <optional>

namespace ludens::gdl {

namespace {

/// Plays games in step, so that the expansion of all their states is one batch.
class Sample {
 public:
  /// Uses few enough games that all of them end within this many pairs.
  Sample(const Machine& machine, Machine::Context& context, StateView start, std::uint64_t pairs,
         Rng& rng)
      : machine_(machine),
        context_(context),
        start_(start),
        rng_(rng),
        roles_(machine.role_count()) {
    constexpr std::uint64_t kPlies = 400;
    std::uint64_t widest = 1;
    legal_.resize(roles_);
    for (RoleIndex r = 0; r < roles_; ++r) {
      if (machine.legal(context, start_, r, legal_[r]) != Status::Ok) break;
      widest = std::max<std::uint64_t>(widest, legal_[r].size());
    }
    const std::uint64_t most = std::max<std::size_t>(1, machine.preferred_batch() / 8);
    const std::uint64_t games = std::clamp<std::uint64_t>(pairs / (widest * kPlies), 1, most);
    now_.resize(games, start_);
    legal_.resize(games * roles_);
  }

  /// Counts the current states of the games, and makes a random move in each. False if stopped.
  bool step(WinShare& result) {
    moves_.clear();
    owner_.clear();
    for (std::size_t g = 0; g < now_.size(); ++g) {
      if (!list_moves(g)) return false;
    }
    pairs_.clear();
    for (std::size_t i = 0; i < owner_.size(); ++i) {
      pairs_.push_back({now_[owner_[i].game], std::span(moves_).subspan(i * roles_, roles_)});
    }
    if (machine_.expand(context_, pairs_, after_) != Status::Ok) return false;
    for (std::size_t first = 0; first < owner_.size();) {
      std::size_t end = first;
      while (end < owner_.size() && owner_[end].game == owner_[first].game) ++end;
      look_at(first, end, result);
      first = end;
    }
    return true;
  }

  [[nodiscard]] std::size_t pairs() const { return owner_.size(); }

 private:
  struct Owner {
    std::size_t game;
    std::optional<RoleIndex> chooser;
    bool at_once;
  };

  // Joint moves from the game's state: all moves of a role that can choose, combined with random
  // ones of the others. False if stopped, or if the game can't even begin.
  bool list_moves(std::size_t game) {
    if (!draw(game)) {
      now_[game].assign(start_);  // it got stuck
      if (!draw(game)) return false;
    }
    if (!chooser_) {
      add(game);
      return true;
    }
    for (const MoveId move : legal_[game * roles_ + *chooser_]) {
      joint_[*chooser_] = move;
      add(game);
    }
    return true;
  }

  // A random joint move, and one of the roles that have a choice. False where a role has no move.
  bool draw(std::size_t game) {
    joint_.clear();
    chooser_.reset();
    choosers_ = 0;
    for (RoleIndex r = 0; r < roles_; ++r) {
      auto& legal = legal_[game * roles_ + r];
      if (machine_.legal(context_, now_[game], r, legal) != Status::Ok || legal.empty()) {
        return false;
      }
      joint_.push_back(legal[rng_.below(static_cast<std::uint32_t>(legal.size()))]);
      if (legal.size() < 2 || r == machine_.random_role()) continue;
      if (rng_.below(++choosers_) == 0) chooser_ = r;
    }
    return true;
  }

  void add(std::size_t game) {
    owner_.push_back({game, chooser_, choosers_ > 1});
    moves_.insert(moves_.end(), joint_.begin(), joint_.end());
  }

  void look_at(std::size_t first, std::size_t end, WinShare& result) {
    const auto [game, chooser, at_once] = owner_[first];
    if (chooser) {
      ++result.states;
      result.at_once += at_once ? 1 : 0;
      for (std::size_t i = first; i < end; ++i) {
        if (after_.terminal[i] == 0 || after_.goals[i * roles_ + *chooser] != 100) continue;
        ++result.with_win;
        break;
      }
      result.may_keep += !at_once && may_keep(first, end, *chooser) ? 1 : 0;
    }
    const std::size_t taken = first + rng_.below(static_cast<std::uint32_t>(end - first));
    now_[game].assign(after_.terminal[taken] != 0 ? start_ : after_.states[taken]);
  }

  // Whether some moves leave the choice to the role, and others give it to another.
  bool may_keep(std::size_t first, std::size_t end, RoleIndex role) const {
    bool kept = false, passed = false;
    for (std::size_t i = first; i < end; ++i) {
      bool others = false;
      for (RoleIndex r = 0; r < roles_; ++r) others |= r != role && has_choice(i, r);
      const bool own = has_choice(i, role);
      kept |= own && !others;
      passed |= others && !own;
    }
    return kept && passed;
  }

  bool has_choice(std::size_t pair, RoleIndex role) const {
    return after_.legal(pair, role, roles_).size() > 1;
  }

  const Machine& machine_;
  Machine::Context& context_;
  const State start_;
  Rng& rng_;
  std::size_t roles_;
  std::vector<State> now_;                  // [game]
  std::vector<std::vector<MoveId>> legal_;  // [game * roles + role]
  std::vector<Owner> owner_;                // [pair]
  std::vector<MoveId> moves_;               // [pair * roles + role]
  std::vector<StateMove> pairs_;
  Expansion after_;
  // State of the current game.
  std::vector<MoveId> joint_;
  std::optional<RoleIndex> chooser_;
  std::uint32_t choosers_ = 0;
};

}  // namespace

WinShare measure_win_share(const Machine& machine, Machine::Context& context, StateView start,
                           std::uint64_t pairs, Rng& rng) {
  WinShare result;
  Sample sample(machine, context, start, pairs, rng);
  for (std::uint64_t seen = 0; seen < pairs && sample.step(result);) seen += sample.pairs();
  return result;
}

}  // namespace ludens::gdl
