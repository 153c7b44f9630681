// SPDX-License-Identifier: MIT
#include "server/board/neighbours.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace ludens::server {

namespace {

using gdl::Term;

/// Longer steps than this do not lead to a neighbour.
constexpr long kFar = 2;

/// How far a relation of two constants goes along an order; `known` is false if that depends on
/// more than is known here, or is far.
struct Steps {
  bool known = true;
  std::set<long> by;  // not farther than kFar

  /// Returns whether that changes something, which it does a few times at most.
  bool add(const Steps& other, bool backwards) {
    const std::size_t before = by.size();
    const bool was_known = known;
    known &= other.known;
    for (const long step : other.by) {
      if (std::abs(step) <= kFar) {
        by.insert(backwards ? -step : step);
      } else {
        known = false;
      }
    }
    return by.size() != before || known != was_known;
  }
};

/// The steps of all relations of two arguments along one order, by following rules whose body has a
/// relation between the head's two variables.
class Axis {
 public:
  Axis(const gdl::Rules& rules, const std::vector<std::string>& order) : rules_(rules) {
    for (std::size_t i = 0; i < order.size(); ++i) place_[order[i]] = static_cast<long>(i);
    for (std::uint32_t rule = 0; rule < rules.rules.size(); ++rule) {
      for (const gdl::Literal& literal : rules.rules[rule].body) {
        if (literal.arguments.size() == 2) readers_[literal.relation].push_back(rule);
      }
    }
    follow_rules(false);
    follow_rules(true);
  }

  /// The steps between two terms, according to the literals of a rule's body. Unknown if none says.
  [[nodiscard]] Steps between(Term from, Term to, const gdl::Rule& rule) const {
    if (from == to) return {true, {0}};
    Steps unknown{false, {}};
    if (!is_variable(from) || !is_variable(to)) return constants(from, to).value_or(unknown);
    for (const gdl::Literal& literal : rule.body) {
      if (literal.kind != gdl::Literal::Kind::Positive || literal.arguments.size() != 2) continue;
      const bool forwards = literal.arguments[0] == from && literal.arguments[1] == to;
      const bool backwards = literal.arguments[0] == to && literal.arguments[1] == from;
      const auto relation = steps_.find(literal.relation);
      if (!(forwards || backwards) || relation == steps_.end()) continue;
      Steps found;
      found.add(relation->second, backwards);
      return found;
    }
    return unknown;
  }

 private:
  [[nodiscard]] bool is_variable(Term term) const {
    return rules_.terms.kind(term) == gdl::Terms::Kind::Variable;
  }
  [[nodiscard]] std::optional<Steps> constants(Term from, Term to) const {
    const auto place = [&](Term term) {
      return rules_.terms.kind(term) == gdl::Terms::Kind::Constant
                 ? place_.find(rules_.symbols.folded(rules_.terms.value(term)))
                 : place_.end();
    };
    const auto a = place(from), b = place(to);
    if (a == place_.end() || b == place_.end()) return std::nullopt;
    return Steps{true, {b->second - a->second}};
  }
  /// Follows all rules, and again those that read a relation that has changed. At first, rules that
  /// lead nowhere yet are skipped; the last time they make their head unknown.
  void follow_rules(bool last) {
    std::set<std::uint32_t> open;
    for (std::uint32_t rule = 0; rule < rules_.rules.size(); ++rule) open.insert(open.end(), rule);
    while (!open.empty()) {
      const gdl::Rule& rule = rules_.rules[open.extract(open.begin()).value()];
      if (!follow(rule, last)) continue;
      const auto readers = readers_.find(rule.head);
      if (readers != readers_.end()) open.insert(readers->second.begin(), readers->second.end());
    }
  }
  /// Returns whether the steps of the rule's head have changed.
  bool follow(const gdl::Rule& rule, bool last) {
    if (rule.head < gdl::kKeywordCount || rule.arguments.size() != 2) return false;
    if (rule.body.empty() && !constants(rule.arguments[0], rule.arguments[1]) &&
        rule.arguments[0] != rule.arguments[1]) {
      return false;  // about other constants
    }
    const Steps found = between(rule.arguments[0], rule.arguments[1], rule);
    const bool nothing = !found.known && found.by.empty();
    if (nothing && (!last || !steps_.contains(rule.head))) return false;
    return steps_[rule.head].add(found, false);
  }

  const gdl::Rules& rules_;
  std::map<std::string, long> place_;
  std::map<gdl::RelationId, std::vector<std::uint32_t>> readers_;  // rules, by what they read
  std::map<gdl::RelationId, Steps> steps_;
};

using Offset = std::pair<long, long>;

/// The offsets of one relation, or nothing if a rule of it can't be followed.
struct Neighbourhood {
  bool known = true;
  std::set<Offset> offsets;
};

/// The slant of a set of offsets, with the reverse of each step added, if they are those of a
/// hexagon.
std::optional<int> slant(const std::set<Offset>& offsets) {
  for (const int s : {1, -1}) {
    const std::set<Offset> six{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, s}, {-1, -s}};
    if (offsets == six) return s;
  }
  return std::nullopt;
}

/// The neighbourhoods of all relations with four arguments.
std::map<gdl::RelationId, Neighbourhood> neighbourhoods(const gdl::Rules& rules,
                                                        const std::vector<std::string>& first,
                                                        const std::vector<std::string>& second) {
  const Axis first_axis(rules, first), second_axis(rules, second);
  std::map<gdl::RelationId, Neighbourhood> relations;
  for (const gdl::Rule& rule : rules.rules) {
    if (rule.head < gdl::kKeywordCount || rule.arguments.size() != 4) continue;
    Neighbourhood& relation = relations[rule.head];
    const std::span<const Term> square(rule.arguments);
    const Steps one = first_axis.between(square[0], square[2], rule);
    const Steps other = second_axis.between(square[1], square[3], rule);
    relation.known &= one.known && other.known;
    for (const long a : one.by) {
      for (const long b : other.by) {
        relation.offsets.emplace(a, b);
        relation.offsets.emplace(-a, -b);
      }
    }
  }
  return relations;
}

}  // namespace

std::optional<int> hexagon_slant(const gdl::Rules& rules, const std::vector<std::string>& first,
                                 const std::vector<std::string>& second) {
  for (const auto& [id, relation] : neighbourhoods(rules, first, second)) {
    if (!relation.known) continue;
    if (const auto found = slant(relation.offsets)) return found;
  }
  return std::nullopt;
}

bool relates_neighbours(const gdl::Rules& rules, const std::vector<std::string>& first,
                        const std::vector<std::string>& second) {
  const std::set<Offset> four{{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  for (const auto& [id, relation] : neighbourhoods(rules, first, second)) {
    if (relation.known && relation.offsets == four) return true;
  }
  return false;
}

}  // namespace ludens::server
