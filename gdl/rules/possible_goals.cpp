// SPDX-License-Identifier: MIT
#include "gdl/rules/possible_goals.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ludens::gdl {

namespace {

using Numbers = std::vector<int>;  // ascending

/// Numbers that an argument can have, found backwards from the goals: an argument has what the
/// heads of its relation have there, and a variable of a head what all conditions that bind it
/// allow.
class PossibleNumbers {
 public:
  explicit PossibleNumbers(const Rules& rules) : rules_(rules) {
    for (std::uint32_t i = 0; i < rules.rules.size(); ++i) {
      const Rule& rule = rules.rules[i];
      rules_of_[rule.head == kInit ? kNext : rule.head].push_back(i);
    }
  }

  /// nullopt if that can't be told, or takes too long.
  std::optional<Numbers> of_goals() {
    const std::size_t goals = place({kGoal, 0, 0, 1});
    for (std::size_t p = 0; p < places_.size(); ++p) {  // it grows
      if (!find_sources(p)) return std::nullopt;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (Place& p : places_) {
        if (!grow(p, changed)) return std::nullopt;
      }
    }
    return places_[goals].numbers;
  }

 private:
  /// An argument of a relation, or of fluents or moves of one form.
  struct Key {
    RelationId relation;  // kNext for fluents, kLegal for moves
    SymbolId functor;     // of fluents and moves
    std::uint32_t arity;  // of fluents and moves
    std::uint32_t argument;
    auto operator<=>(const Key&) const = default;
  };
  /// The places that all must allow what a variable of a head is.
  using Source = std::vector<std::size_t>;
  struct Place {
    Key key;
    std::vector<Source> sources;
    Numbers numbers;
  };
  static constexpr std::size_t kMostWork = 2'000'000;

  std::size_t place(const Key& key) {
    const auto [entry, is_new] = ids_.try_emplace(key, places_.size());
    if (is_new) places_.push_back({key, {}, {}});
    return entry->second;
  }

  bool find_sources(std::size_t p) {
    const Key key = places_[p].key;
    for (const std::uint32_t i : rules_of_[key.relation]) {
      const Rule& rule = rules_.rules[i];
      work_ += 1 + rule.body.size();
      if (work_ > kMostWork) return false;
      const auto value = argument(rule.arguments, key);
      if (!value) continue;
      if (rules_.terms.kind(*value) == Terms::Kind::Constant) {
        if (const auto n = rules_.number(rules_.terms.value(*value))) add(places_[p].numbers, *n);
      } else if (rules_.terms.kind(*value) == Terms::Kind::Variable) {
        Source source = binders(rule, *value);
        if (source.empty()) return false;
        places_[p].sources.push_back(std::move(source));
      }
    }
    return true;
  }

  /// The argument of a sentence that is a fluent or a move; nullopt if there is none.
  static std::optional<std::size_t> form_argument(RelationId relation) {
    if (relation == kNext || relation == kTrue || relation == kInit) return 0;
    if (relation == kLegal || relation == kDoes) return 1;
    return std::nullopt;
  }

  /// The argument of a head at a place; nullopt if the head is of another form.
  [[nodiscard]] std::optional<Term> argument(const std::vector<Term>& head, const Key& key) const {
    const auto form = form_argument(key.relation);
    if (!form) return head[key.argument];
    const Terms& terms = rules_.terms;
    const Term t = head[*form];
    const bool same = terms.kind(t) == Terms::Kind::Compound && terms.value(t) == key.functor &&
                      terms.arguments(t).size() == key.arity;
    if (!same) return std::nullopt;
    return terms.arguments(t)[key.argument];
  }

  /// Where positive conditions have a variable as an argument.
  Source binders(const Rule& rule, Term variable) {
    Source found;
    for (const Literal& l : rule.body) {
      if (l.kind != Literal::Kind::Positive) continue;
      const auto form = form_argument(l.relation);
      if (form && rules_.terms.kind(l.arguments[*form]) != Terms::Kind::Compound) continue;
      const auto arguments =
          form ? rules_.terms.arguments(l.arguments[*form]) : std::span<const Term>(l.arguments);
      const auto arity = static_cast<std::uint32_t>(arguments.size());
      work_ += arity;
      for (std::uint32_t k = 0; k < arity; ++k) {
        if (arguments[k] != variable) continue;
        if (!form) {
          found.push_back(place({l.relation, 0, 0, k}));
        } else {
          const RelationId of = *form == 0 ? kNext : kLegal;
          found.push_back(place({of, rules_.terms.value(l.arguments[*form]), arity, k}));
        }
      }
    }
    return found;
  }

  bool grow(Place& p, bool& changed) {
    for (const Source& source : p.sources) {
      Numbers allowed = places_[source[0]].numbers;
      for (std::size_t i = 1; i < source.size(); ++i) {
        const Numbers& others = places_[source[i]].numbers;
        Numbers both;
        std::set_intersection(allowed.begin(), allowed.end(), others.begin(), others.end(),
                              std::back_inserter(both));
        allowed = std::move(both);
      }
      Numbers all;
      std::set_union(p.numbers.begin(), p.numbers.end(), allowed.begin(), allowed.end(),
                     std::back_inserter(all));
      work_ += 1 + all.size();
      if (work_ > kMostWork) return false;
      changed = changed || all.size() > p.numbers.size();
      p.numbers = std::move(all);
    }
    return true;
  }

  static void add(Numbers& numbers, int n) {
    const auto at = std::ranges::lower_bound(numbers, n);
    if (at == numbers.end() || *at != n) numbers.insert(at, n);
  }

  const Rules& rules_;
  std::map<RelationId, std::vector<std::uint32_t>> rules_of_;
  std::map<Key, std::size_t> ids_;
  std::vector<Place> places_;
  std::size_t work_ = 0;
};

/// Whether a rule gives this very goal, so that it is no matter of what a variable could be.
bool is_stated(const Rules& rules, int goal) {
  return std::ranges::any_of(rules.rules, [&](const Rule& rule) {
    return rule.head == kGoal && rules.terms.kind(rule.arguments[1]) == Terms::Kind::Constant &&
           rules.number(rules.terms.value(rule.arguments[1])) == goal;
  });
}

}  // namespace

GoalScale goal_scale(const Rules& rules) {
  constexpr int kBest = GoalScale::kBest, kDoubt = kBest / 4;
  const auto numbers = PossibleNumbers(rules).of_goals();
  if (!numbers || numbers->empty()) return {};
  const int least = numbers->front(), greatest = numbers->back();
  if (least >= 0 && greatest <= kBest) return {};
  // Tables of sums have more numbers than points are made. Where scaling would merge goals, those
  // that are only just beyond the range are not worth it.
  const bool merges = numbers->size() > kBest + 1;
  const bool near = least >= -kDoubt && greatest <= kBest + kDoubt;
  if (merges && near && !is_stated(rules, least) && !is_stated(rules, greatest)) return {};
  return GoalScale(*numbers);
}

}  // namespace ludens::gdl
