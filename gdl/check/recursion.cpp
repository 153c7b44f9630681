// SPDX-License-Identifier: MIT
// A pass of the checker: the recursion restriction, and terms that may grow without bound.
#include <algorithm>
#include <unordered_map>

#include "gdl/check/passes.h"

namespace ludens::gdl {

namespace {

/// Steps that the search for growing terms may take; a rulesheet that needs more gets a warning.
constexpr std::size_t kMaxRecursionSteps = 4'000'000;

/// An argument of a recursive literal must be ground, an argument of the head, or one of a positive
/// literal outside the recursion.
void check_restriction(Findings& findings, const Rule& rule) {
  const Rules& rules = findings.rules();
  const Dependencies& needs = findings.dependencies();
  std::vector<Term> limited = rule.arguments;
  for (const Literal& l : rule.body) {
    if (l.kind != Literal::Kind::Positive || needs.in_same_component(l.relation, rule.head))
      continue;
    limited.insert(limited.end(), l.arguments.begin(), l.arguments.end());
  }
  std::sort(limited.begin(), limited.end());
  for (const Literal& l : rule.body) {
    const bool recursive =
        l.kind != Literal::Kind::Distinct && needs.in_same_component(l.relation, rule.head);
    for (std::size_t k = 0; recursive && k < l.arguments.size(); ++k) {
      const Term t = l.arguments[k];
      if (!findings.go_on()) return;
      if (rules.terms.is_ground(t) || std::binary_search(limited.begin(), limited.end(), t))
        continue;
      findings.add(Severity::Warning, "recursion-restriction",
                   quoted(rules.name(l.relation)) + " recurs with " +
                       quoted(findings.shown(t, rule)) +
                       ", which neither the head nor a literal outside the recursion limits",
                   findings.argument(l.where, k));
    }
  }
}

/// Looks for a ranking of the arguments of one recursive component by how deep their terms can
/// become; without one they may grow forever (Lierler and Lifschitz, "One more decidable class of
/// finitely ground programs", 2009).
class GrowthSearch {
 public:
  explicit GrowthSearch(Findings& findings) : findings_(findings), rules_(findings.rules()) {}

  void run(const std::vector<std::uint32_t>& component_rules) {
    constraints_.clear();
    ranks_.clear();
    argument_ids_.clear();
    out_of_steps_ = false;
    for (const std::uint32_t i : component_rules) add_constraints(rules_.rules[i]);
    if (given_up_) return;
    std::size_t bound = 0;
    for (const Constraint& c : constraints_)
      bound += static_cast<std::size_t>(std::max(0, c.growth));
    if (bound == 0 || !exceeds(bound)) return;
    for (const Constraint& c : constraints_) {
      if (c.growth <= 0 || (!out_of_steps_ && ranks_[c.target] <= bound)) continue;
      findings_.add(Severity::Warning, "growing-terms",
                    quoted(rules_.name(c.rule->head)) +
                        " may build ever larger terms; in play their depth is bounded",
                    findings_.argument(findings_.head(*c.rule), c.argument));
      return;
    }
  }

 private:
  struct Source {
    std::uint32_t argument;
    int growth;
  };
  /// rank(target) >= the least of rank(source) + growth over all sources.
  struct Constraint {
    std::uint32_t target;
    std::vector<Source> sources;
    int growth;  // the least of the sources
    const Rule* rule;
    std::size_t argument;  // of the head
  };
  /// The greatest or least depth of a variable below an argument.
  using Depths = std::unordered_map<std::uint32_t, int>;

  std::uint32_t argument_id(RelationId relation, std::size_t k) {
    const std::uint64_t key = (std::uint64_t{relation} << 32) | k;
    const auto id = static_cast<std::uint32_t>(ranks_.size());
    const auto [entry, is_new] = argument_ids_.try_emplace(key, id);
    if (is_new) ranks_.push_back(0);
    return entry->second;
  }

  [[nodiscard]] Depths depths(Term t) const {
    Depths result;
    std::vector<std::pair<Term, int>> pending{{t, 0}};
    while (!pending.empty()) {
      const auto [top, depth] = pending.back();
      pending.pop_back();
      if (rules_.terms.is_ground(top)) continue;
      if (rules_.terms.kind(top) == Terms::Kind::Variable) {
        int& deepest = result[rules_.terms.value(top)];
        deepest = std::max(deepest, depth);
      }
      for (const Term a : rules_.terms.arguments(top)) pending.emplace_back(a, depth + 1);
    }
    return result;
  }

  void add_constraints(const Rule& rule) {
    std::unordered_map<std::uint32_t, std::vector<Source>> sources;  // of each variable
    std::vector<bool> limited(rule.variables.size());
    for (const Literal& l : rule.body) {
      if (l.kind != Literal::Kind::Positive) continue;
      if (!findings_.go_on(symbols_of(rules_.terms, l.arguments))) return;
      const bool recursive = findings_.dependencies().in_same_component(l.relation, rule.head);
      for (std::size_t k = 0; k < l.arguments.size(); ++k) {
        for (const auto& [v, depth] : depths(l.arguments[k])) {
          if (recursive) {
            sources[v].push_back({argument_id(l.relation, k), -depth});
          } else {
            limited[v] = true;
          }
        }
      }
    }
    for (std::size_t k = 0; k < rule.arguments.size(); ++k) {
      for (const auto& [v, depth] : depths(rule.arguments[k])) {
        const auto found = sources.find(v);
        if (!limited[v] && found != sources.end()) add_constraint(rule, k, depth, found->second);
      }
    }
  }

  void add_constraint(const Rule& rule, std::size_t k, int depth,
                      const std::vector<Source>& known) {
    given_up_ = given_up_ || !findings_.go_on(known.size()) ||
                !findings_.hold(known.size() * sizeof(Source) + sizeof(Constraint));
    if (given_up_) return;
    int least = known.front().growth + depth;
    std::vector<Source> sources = known;
    for (Source& s : sources) {
      s.growth += depth;
      least = std::min(least, s.growth);
    }
    constraints_.push_back({argument_id(rule.head, k), std::move(sources), least, &rule, k});
  }

  /// Raises the ranks until all constraints hold; true once one has to be above the bound, or if
  /// `kMaxRecursionSteps` steps did not decide it.
  bool exceeds(std::size_t bound) {
    std::size_t steps = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Constraint& c : constraints_) {
        if (!findings_.go_on(c.sources.size())) return false;
        steps += c.sources.size();
        long least = static_cast<long>(bound) + 1;
        for (const Source& s : c.sources) {
          least = std::min(least, static_cast<long>(ranks_[s.argument]) + s.growth);
        }
        if (least <= static_cast<long>(ranks_[c.target])) continue;
        ranks_[c.target] = static_cast<std::size_t>(least);
        changed = true;
      }
      out_of_steps_ = steps > kMaxRecursionSteps;
      if (out_of_steps_) return true;
    }
    return std::any_of(ranks_.begin(), ranks_.end(), [&](std::size_t r) { return r > bound; });
  }

  Findings& findings_;
  const Rules& rules_;
  std::vector<Constraint> constraints_;
  std::vector<std::size_t> ranks_;  // by argument
  bool given_up_ = false;           // there is no time or memory left
  bool out_of_steps_ = false;       // in the current component
  std::unordered_map<std::uint64_t, std::uint32_t> argument_ids_;
};

}  // namespace

void check_recursion(Findings& findings) {
  const Dependencies& needs = findings.dependencies();
  std::vector<std::vector<std::uint32_t>> rules_of(needs.components.count);
  const auto& rules = findings.rules().rules;
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    if (!findings.go_on()) return;
    if (!needs.is_recursive(rules[i].head) || rules[i].body.empty()) continue;
    check_restriction(findings, rules[i]);
    rules_of[needs.components.of[rules[i].head]].push_back(i);
  }
  GrowthSearch growth(findings);
  for (const auto& members : rules_of) {
    if (!members.empty() && findings.go_on()) growth.run(members);
  }
}

}  // namespace ludens::gdl
