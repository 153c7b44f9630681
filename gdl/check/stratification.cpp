#include <algorithm>

#include "gdl/check/passes.h"
#include "gdl/rules/unifier.h"

namespace ludens::gdl {

namespace {

/// A rulesheet may have that many pairs of literal and rule; beyond them the test is given up.
constexpr std::size_t kMaxPairs = 4'000'000;

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

  /// Every pair compared is taken off `pairs`.
  void find_edges(std::size_t& pairs) {
    std::unordered_map<RelationId, std::vector<std::uint32_t>> nodes_of;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) nodes_of[rule(n).head].push_back(n);
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      for (const Literal& l : rule(n).body) {
        if (l.kind == Literal::Kind::Distinct) continue;
        for (const std::uint32_t m : nodes_of[l.relation]) {
          if (pairs == 0) return give_up();
          --pairs;
          if (unifiable(unifier_, l.arguments, rule(m).arguments)) add_edge(n, m, l);
        }
      }
    }
  }

  void add_edge(std::uint32_t from, std::uint32_t to, const Literal& l) {
    successors_[from].push_back(to);
    if (l.kind == Literal::Kind::Negative) negations_.push_back({from, to, l.where});
  }

  void give_up() {
    given_up_ = true;
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
  std::size_t pairs = kMaxPairs;
  for (const auto& members : rules_of) {
    if (!members.empty()) RuleGraph(findings, members, pairs).report();
  }
}

}  // namespace ludens::gdl
