// SPDX-License-Identifier: MIT
// A pass of the checker: no relation may need its own negation.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "gdl/check/passes.h"
#include "gdl/rules/unifier.h"

namespace ludens::gdl {

namespace {

/// A rulesheet may have this many pairs of literal and rule; beyond that the test is abandoned.
constexpr std::size_t kMaxDependencyPairs = 4'000'000;

/// The rules of one recursive component of relations, and which can feed which.
class RuleGraph {
 public:
  RuleGraph(Findings& findings, const std::vector<std::uint32_t>& rules, std::size_t& pairs)
      : findings_(findings),
        rules_(findings.rules()),
        unifier_(findings.rules().terms),
        nodes_(rules),
        successors_(rules.size()) {
    find_edges(pairs);
  }

  void report() {
    if (given_up_) return;
    const Components components = strong_components(successors_);
    std::vector<bool> reported(components.count);
    for (const Negation& edge : negations_) {
      const std::uint32_t c = components.of[edge.from];
      if (c != components.of[edge.to] || reported[c]) continue;
      reported[c] = true;
      report_cycle(edge);
    }
    const bool none = std::find(reported.begin(), reported.end(), true) == reported.end();
    if (none) report_by_name();
  }

 private:
  struct Negation {
    std::uint32_t from, to;
    NodeIndex where;
  };

  [[nodiscard]] const Rule& rule(std::uint32_t node) const { return rules_.rules[nodes_[node]]; }

  /// Rules of one relation by what their first argument is: a name, or anything.
  struct Heads {
    std::vector<std::uint32_t> all, open;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_name;
  };

  /// The name that the first argument of a sentence has in all its instances.
  [[nodiscard]] std::optional<std::uint32_t> first_name(const std::vector<Term>& arguments) const {
    const bool none = arguments.empty() || rules_.terms.kind(arguments[0]) == Terms::Kind::Variable;
    return none ? std::nullopt : std::optional(rules_.terms.value(arguments[0]));
  }

  std::unordered_map<RelationId, Heads> index_heads() const {
    std::unordered_map<RelationId, Heads> heads;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      Heads& own = heads[rule(n).head];
      const auto name = first_name(rule(n).arguments);
      own.all.push_back(n);
      (name ? own.by_name[*name] : own.open).push_back(n);
    }
    return heads;
  }

  /// Every pair compared is subtracted from `pairs`.
  void find_edges(std::size_t& pairs) {
    std::unordered_map<RelationId, Heads> heads = index_heads();
    for (std::uint32_t n = 0; n < nodes_.size() && !given_up_; ++n) {
      for (const Literal& l : rule(n).body) {
        if (l.kind == Literal::Kind::Distinct || !heads.contains(l.relation)) continue;
        Heads& own = heads[l.relation];
        if (const auto name = first_name(l.arguments)) {
          compare(n, l, own.by_name[*name], pairs);
          compare(n, l, own.open, pairs);
        } else {
          compare(n, l, own.all, pairs);
        }
      }
    }
    if (given_up_) report_given_up();
  }

  void compare(std::uint32_t n, const Literal& l, const std::vector<std::uint32_t>& heads,
               std::size_t& pairs) {
    given_up_ = given_up_ || pairs < heads.size();
    if (given_up_) return;
    pairs -= heads.size();
    std::size_t edges = 0;
    for (const std::uint32_t m : heads) {
      const std::vector<Term>& head = rule(m).arguments;
      given_up_ = given_up_ || !findings_.go_on_unifying(l.arguments, head);
      if (given_up_) return;
      if (!unifiable(unifier_, l.arguments, head)) continue;
      add_edge(n, m, l);
      ++edges;
    }
    given_up_ = !findings_.hold(edges * (2 * sizeof(std::uint32_t) + sizeof(Negation)));
  }

  void add_edge(std::uint32_t from, std::uint32_t to, const Literal& l) {
    successors_[from].push_back(to);
    if (l.kind == Literal::Kind::Negative) negations_.push_back({from, to, l.where});
  }

  void report_given_up() {
    findings_.add(Severity::Note, "stratification-not-tested",
                  "too many rules to test whether one depends on its own negation", rule(0).where);
  }

  void report_cycle(const Negation& edge) {
    std::string chain = rules_.name(rule(edge.from).head);
    const std::string name = chain;
    if (edge.from == edge.to) {
      chain += ", " + name;
    } else {
      for (const std::uint32_t n : shortest_path(successors_, edge.to, edge.from)) {
        chain += ", " + rules_.name(rule(n).head);
      }
    }
    findings_.add(Severity::Error, "negation-cycle",
                  quoted(name) + " depends on its own negation: " + chain, edge.where);
  }

  /// The relations need their own negation, but no rule does: the arguments differ.
  void report_by_name() {
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      for (const Literal& l : rule(n).body) {
        if (l.kind != Literal::Kind::Negative ||
            !findings_.dependencies().in_same_component(l.relation, rule(n).head)) {
          continue;
        }
        findings_.add(Severity::Note, "negation-cycle-by-name",
                      quoted(rules_.name(rule(n).head)) +
                          " depends on its own negation by name alone, no rule on itself",
                      l.where);
        return;
      }
    }
  }

  Findings& findings_;
  const Rules& rules_;
  Unifier unifier_;
  const std::vector<std::uint32_t>& nodes_;
  Graph successors_;
  std::vector<Negation> negations_;
  bool given_up_ = false;
};

}  // namespace

void check_stratification(Findings& findings) {
  const Rules& rules = findings.rules();
  const Dependencies& needs = findings.dependencies();
  std::vector<std::vector<std::uint32_t>> rules_of(needs.components.count);
  for (std::uint32_t i = 0; i < rules.rules.size(); ++i) {
    const std::uint32_t c = needs.components.of[rules.rules[i].head];
    if (needs.negative[c] && !rules.rules[i].body.empty()) rules_of[c].push_back(i);
  }
  std::size_t pairs = kMaxDependencyPairs;
  for (const auto& members : rules_of) {
    if (!members.empty()) RuleGraph(findings, members, pairs).report();
  }
}

}  // namespace ludens::gdl
