// SPDX-License-Identifier: MIT
#include "agent/runtime/missed_turns.h"

#include <algorithm>
#include <array>
#include <utility>

#include "agent/message/moves.h"
#include "gdl/machine/rng.h"

namespace ludens::agent {
namespace {

using gdl::MoveId;
using gdl::Status;
using Joint = AskedRules::Joint;
using LegalMoves = std::vector<std::vector<MoveId>>;  // by role

/// The number of missing turns that are tried. What was guessed for more would hardly be right.
constexpr std::size_t kMostTurns = 6;
/// Random ways on, and how many are made even if two numbers fit at once.
constexpr std::size_t kWalks = 16, kFewWalks = 4;
/// Joint moves that are tried, one after the other, if one turn is missing.
constexpr std::size_t kTries = 256;

bool includes(const std::vector<MoveId>& moves, MoveId move) {
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

/// Counts up a number whose digit i runs below `choices[i].size()`; false after the last.
bool next_choice(std::vector<std::size_t>& digits, const LegalMoves& choices) {
  for (std::size_t i = digits.size(); i-- > 0;) {
    if (++digits[i] < choices[i].size()) return true;
    digits[i] = 0;
  }
  return false;
}

}  // namespace

class MissedTurns::Search {
 public:
  Search(const MissedTurns& missed, const AskedRules& rules, bool rather, bool goes_on)
      : missed_(missed), rules_(rules), rather_(rather), goes_on_(goes_on) {}

  std::optional<Way> find() {
    bool complete = walk();
    if (!best() || best()->way.missed == 1) {
      Found& one = found_[1];
      complete = try_each(one) && complete;
    }
    Found* const chosen = best();
    if (chosen == nullptr) return std::nullopt;
    chosen->way.only = complete && chosen->against == 0 && count() == 1 &&
                       (chosen->way.missed == 0 || (chosen->way.missed == 1 && one_joint_move()));
    return std::move(chosen->way);
  }

 private:
  /// The best way for one number of missing turns.
  struct Found {
    bool fits = false;
    /// What speaks against it: our answers that were legal, and that the host replaced; an end of
    /// the game after which the host goes on.
    std::size_t against = 0;
    Way way;
  };

  /// Makes random ways on, and looks at each step whether what was told fits. False if not all were
  /// made.
  bool walk() {
    gdl::Rng rng(missed_.told_.size());
    for (std::size_t walk = 0; walk < kWalks; ++walk) {
      if (walk >= kFewWalks && count() > 1 && best()->against == 0) return true;
      Way way;
      way.state = missed_.position_;
      for (;; ++way.missed) {
        if (rules_.hurried()) return false;
        if (way.missed > 0 || walk == 0) look(way);
        LegalMoves legal;
        if (way.missed == kMostTurns || !all_legal(way.state, legal)) break;
        Joint joint;
        for (const auto& moves : legal) {
          joint.push_back(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
        }
        const auto& sent = missed_.sent_;
        MoveId& own = joint[rules_.role];
        if (way.missed == 0 && sent && includes(legal[rules_.role], *sent)) own = *sent;
        if (!advance(way, joint) || is_over(way.state)) break;
      }
    }
    return true;
  }

  /// The same for one missing turn, with one joint move after the other, first those with the
  /// answer that we sent. What is found replaces `one`. False if not all were tried.
  bool try_each(Found& one) {
    LegalMoves choices;
    if (!all_legal(missed_.position_, choices)) return true;
    auto& own = choices[rules_.role];
    const auto& sent = missed_.sent_;
    if (sent && includes(own, *sent)) std::swap(*std::find(own.begin(), own.end(), *sent), own[0]);
    // Our own move is the slowest digit, so that all with the answer that we sent come first.
    std::swap(choices[0], choices[rules_.role]);
    std::vector<std::size_t> digits(choices.size(), 0);
    Found first;
    std::swap(first, one);
    for (std::size_t tries = 0; tries < kTries; ++tries) {
      if (tries > 0 && rules_.hurried()) break;
      Joint joint;
      for (std::size_t i = 0; i < digits.size(); ++i) joint.push_back(choices[i][digits[i]]);
      std::swap(joint[0], joint[rules_.role]);
      Way way;
      way.state = missed_.position_;
      way.missed = 1;
      if (advance(way, joint)) look(way);
      if (one.fits && one.against == 0) return true;
      if (!next_choice(digits, choices)) break;
    }
    if (!one.fits) one = std::move(first);
    return one.fits || !rules_.hurried();
  }

  /// Keeps the way, with the turns that were told, if they fit behind it and it is better than what
  /// was found.
  void look(const Way& begun) {
    Found found{true, 0, begun};
    for (std::size_t i = 0; i < missed_.told_.size(); ++i) {
      const ReportedTurn& turn = missed_.told_[i];
      LegalMoves legal;
      if (!all_legal(found.way.state, legal)) return;
      const auto joint = turn.one ? with_waiting(legal, turn.moves[0]) : turn.moves;
      if (!joint) return;
      for (std::size_t role = 0; role < legal.size(); ++role) {
        if (!includes(legal[role], (*joint)[role])) return;
      }
      // The first answer belongs to the position, which other turns may follow.
      const bool own_turn = i > 0 || begun.missed == 0;
      const MoveId own = (*joint)[rules_.role];
      found.against +=
          own_turn && turn.sent && own != *turn.sent && includes(legal[rules_.role], *turn.sent);
      if (!advance(found.way, *joint)) return;
      const bool last = i + 1 == missed_.told_.size();
      if ((last && !goes_on_) || !is_over(found.way.state)) continue;
      if (!last) return;
      ++found.against;
    }
    Found& kept = found_[begun.missed];
    if (!kept.fits || found.against < kept.against) kept = std::move(found);
  }

  bool all_legal(gdl::StateView state, LegalMoves& out) {
    out.resize(rules_.roles);
    for (std::size_t role = 0; role < out.size(); ++role) {
      const auto index = static_cast<gdl::RoleIndex>(role);
      if (rules_.legal(state, index, out[role]) != Status::Ok || out[role].empty()) return false;
    }
    return true;
  }

  bool advance(Way& way, const Joint& joint) {
    gdl::State after;
    if (rules_.next(way.state, joint, after) != Status::Ok) return false;
    way.state = std::move(after);
    way.history.insert(way.history.end(), joint.begin(), joint.end());
    return true;
  }

  bool is_over(gdl::StateView state) {
    bool over = true;
    return rules_.terminal(state, over) != Status::Ok || over;
  }

  /// Whether only one joint move can have been made in the position, if our answer was.
  bool one_joint_move() {
    LegalMoves legal;
    if (!all_legal(missed_.position_, legal)) return false;
    for (std::size_t role = 0; role < legal.size(); ++role) {
      const bool ours = role == rules_.role && missed_.sent_;
      if (ours ? !includes(legal[role], *missed_.sent_) : legal[role].size() > 1) return false;
    }
    return true;
  }

  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(
        std::count_if(found_.begin(), found_.end(), [](const Found& f) { return f.fits; }));
  }

  Found* best() {
    Found* chosen = nullptr;
    const auto rank = [this](const Found& found) {
      const bool none = found.way.missed == 0;
      return std::pair(found.against, none && rather_ ? kMostTurns + 1 : found.way.missed);
    };
    for (Found& found : found_) {
      if (found.fits && (chosen == nullptr || rank(found) < rank(*chosen))) chosen = &found;
    }
    return chosen;
  }

  const MissedTurns& missed_;
  const AskedRules& rules_;
  const bool rather_, goes_on_;
  std::array<Found, kMostTurns + 1> found_;  // by the number of missing turns
};

MissedTurns::MissedTurns(gdl::StateView position, std::optional<MoveId> sent)
    : position_(position), sent_(sent) {}

std::optional<MissedTurns::Way> MissedTurns::find(const AskedRules& rules, bool rather,
                                                  bool goes_on) const {
  return Search(*this, rules, rather, goes_on).find();
}

}  // namespace ludens::agent
