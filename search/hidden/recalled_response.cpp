// SPDX-License-Identifier: MIT
#include "search/hidden/recalled_response.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ludens::search::hidden {

namespace {

using History = ExtensiveForm::History;

/// The stop signal is polled once per this many situations.
constexpr std::uint32_t kAskEvery = 4096;
constexpr double kUnknown = -1;

/// A merged history at the beginning of a step, and its probability by the others and chance. The
/// number after the role's link comes first, so that histories that it can't distinguish are
/// adjacent.
struct Fitting {
  std::uint64_t key;
  double weight;
  [[nodiscard]] HistoryId history() const { return static_cast<HistoryId>(key); }
  [[nodiscard]] std::uint64_t link() const { return key >> 32; }
};

/// What the role knows, while it is visited: the places that fit are [begin, end). The successors
/// of its move are from `top` on, grouped by what it would know then; [next, limit) must still be
/// visited.
struct Situation {
  std::size_t begin, end;
  std::size_t top = 0, next = 0, limit = 0;
  std::uint32_t moves = 0, move = 0;  // no moves: not begun
  double best = 0, value = 0;
  KnowledgeId knowledge = ExtensiveForm::kBeginning;
  double weight = 1;  // of its places together
};

class RecalledResponse {
 public:
  RecalledResponse(const ExtensiveForm& form, const BehaviourStrategy& strategy,
                   gdl::RoleIndex role)
      : form_(form), strategy_(strategy), role_(role) {
    if (form.players().size() == 1) worth_.assign(form.knowledge_size(), kUnknown);
  }

  std::optional<double> run(const gdl::StopSignal* stop) {
    if (form_.histories()[0].kind == History::Kind::End) return goal(form_.histories()[0]);
    places_.push_back({0, 1});
    stack_.push_back({.begin = 0, .end = 1});
    double value = 0;
    for (std::uint32_t asked = 0; !stack_.empty();) {
      if (stack_.back().next < stack_.back().limit) {
        enter();
      } else if (!more_moves(stack_.back())) {
        value = stack_.back().best;
        if (!worth_.empty()) worth_[stack_.back().knowledge] = value / stack_.back().weight;
        stack_.pop_back();
        if (!stack_.empty()) stack_.back().value += value;
      }
      if (stop != nullptr && ++asked % kAskEvery == 0 && stop->stop_requested()) {
        return std::nullopt;
      }
    }
    return value;
  }

 private:
  /// One of all its places in a step whose role still has to choose, or is skipped.
  struct Inside {
    HistoryId history;
    double weight;
  };

  [[nodiscard]] double goal(const History& end) const { return form_.goals(end)[role_]; }
  [[nodiscard]] bool is_own(const History& history) const {
    return history.kind == History::Kind::Decision && form_.sets()[history.which].role == role_;
  }
  [[nodiscard]] bool goes_on_inside(const History& history) const {
    return form_.histories()[form_.child(history, 0)].kind != History::Kind::End &&
           form_.link_along(history.first_child, role_) == ExtensiveForm::kInside;
  }

  /// How many moves the role has in the step that begins here: the same at all places that it can't
  /// distinguish.
  [[nodiscard]] std::uint32_t moves_at(HistoryId at) const {
    for (;;) {
      const History& history = form_.histories()[at];
      if (is_own(history)) return history.children;
      if (!goes_on_inside(history)) return 1;
      at = form_.child(history, 0);
    }
  }

  /// Enters the next of the situations that may follow.
  void enter() {
    Situation& now = stack_.back();
    std::size_t end = now.next + 1;
    while (end < now.limit && places_[end].link() == places_[now.next].link()) ++end;
    Situation after{.begin = std::exchange(now.next, end), .end = end};
    after.knowledge = form_.links(role_)[places_[after.begin].link()].to;
    after.weight = 0;
    for (std::size_t i = after.begin; i < end; ++i) after.weight += places_[i].weight;
    if (!worth_.empty() && worth_[after.knowledge] != kUnknown) {
      now.value += after.weight * worth_[after.knowledge];
    } else {
      stack_.push_back(after);
    }
  }

  /// Continues with the next move of the role; false if all have been tried.
  bool more_moves(Situation& now) {
    if (now.moves == 0) {
      now.moves = moves_at(places_[now.begin].history());
      now.top = places_.size();
    } else {
      now.best = now.move == 0 ? now.value : std::max(now.best, now.value);
      places_.resize(now.top);
      if (++now.move == now.moves) return false;
    }
    now.value = 0;
    for (std::size_t i = now.begin; i < now.end; ++i) {
      make(now, {places_[i].history(), places_[i].weight});
    }
    now.next = now.top;
    now.limit = join(now.top);
    return true;
  }

  /// Adds the successors of one place where the role makes its move.
  void make(Situation& now, Inside start) {
    inside_.assign(1, start);
    while (!inside_.empty()) {
      const Inside at = inside_.back();
      inside_.pop_back();
      const History& history = form_.histories()[at.history];
      if (is_own(history)) {
        go(now, history, now.move, at.weight);
        continue;
      }
      for (std::uint32_t i = 0; i < history.children; ++i) {
        const double p = history.kind == History::Kind::Chance
                             ? 1.0 / history.children
                             : strategy_[form_.sets()[history.which].first_action + i];
        if (p > 0) go(now, history, i, at.weight * p);
      }
    }
  }

  void go(Situation& now, const History& history, std::uint32_t i, double weight) {
    const HistoryId child = form_.child(history, i);
    const History& after = form_.histories()[child];
    if (after.kind == History::Kind::End) {
      now.value += weight * goal(after);
      return;
    }
    const std::uint32_t link = form_.link_along(history.first_child + i, role_);
    if (link == ExtensiveForm::kInside) {
      inside_.push_back({child, weight});
    } else {
      places_.push_back({(std::uint64_t{link} << 32) | child, weight});
    }
  }

  /// Sorts the places from `top` on, and merges equal ones.
  std::size_t join(std::size_t top) {
    const auto first = places_.begin() + static_cast<std::ptrdiff_t>(top);
    std::sort(first, places_.end(),
              [](const Fitting& a, const Fitting& b) { return a.key < b.key; });
    std::size_t kept = top;
    for (std::size_t i = top; i < places_.size(); ++i) {
      if (kept > top && places_[kept - 1].key == places_[i].key) {
        places_[kept - 1].weight += places_[i].weight;
      } else {
        places_[kept++] = places_[i];
      }
    }
    places_.resize(kept);
    return kept;
  }

  const ExtensiveForm& form_;
  const BehaviourStrategy& strategy_;
  const gdl::RoleIndex role_;
  std::vector<Fitting> places_;
  std::vector<Situation> stack_;
  std::vector<Inside> inside_;
  /// [knowledge]: if the role is alone, so that the same knowledge always has the same
  /// probabilities.
  std::vector<double> worth_;
};

}  // namespace

std::optional<double> recalled_response(const ExtensiveForm& form,
                                        const BehaviourStrategy& strategy, gdl::RoleIndex role,
                                        const gdl::StopSignal* stop) {
  return RecalledResponse(form, strategy, role).run(stop);
}

}  // namespace ludens::search::hidden
