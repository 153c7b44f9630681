// SPDX-License-Identifier: MIT
#include "gdl/ground/wide.h"

#include <algorithm>

#include "gdl/rules/components.h"

namespace ludens::gdl {

namespace {

bool is_atom(const FlatLiteral& l) {
  return l.kind != Literal::Kind::Distinct;
}

class WideFinder {
 public:
  WideFinder(const Grounding& g, const Domains& domains, std::uint64_t most, WorkMeter& meter)
      : rules_(g.flat.flat_rules),
        g_(g),
        domains_(domains),
        most_(static_cast<double>(most)),
        meter_(meter) {}

  /// Whether there is one that could have too many rows.
  bool find_relations() {
    out_.relations.assign(g_.flat.relations.size(), false);
    for (std::uint32_t r = 0; r < g_.flat.relations.size(); ++r) {
      out_.relations[r] = g_.dynamic[r] && !is_output_or_given(g_.flat.relations[r].relation) &&
                          domains_.product(r) > most_;
    }
    if (std::ranges::find(out_.relations, true) == out_.relations.end()) return false;
    find_needed();
    for (std::uint32_t r = 0; r < needed_.size(); ++r) {
      if (needed_[r]) out_.relations[r] = false;
    }
    leave_negated();
    leave_recursive();
    return std::ranges::find(out_.relations, true) != out_.relations.end();
  }

  /// Those of the relations, or, if there is none, those that are wide by themselves.
  WideRules find_rules(bool by_relation) {
    if (needed_.empty()) find_needed();
    out_.rules.assign(rules_.size(), false);
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const FlatRule& rule = rules_[i];
      out_.rules[i] = by_relation ? out_.relations[rule.head] || asks(rule, out_.relations)
                                  : !needed_[rule.head] && has_many_instances(rule);
    }
    if (!by_relation) keep_topmost();
    find_above();
    const std::vector<bool> below = find_below();
    for (std::uint32_t r = 0; r < below.size(); ++r) {
      const bool moves = g_.flat.relations[r].relation == kDoes;
      if (below[r] && (moves || out_.above[r])) return {};
    }
    return std::move(out_);
  }

 private:
  static bool asks(const FlatRule& rule, const std::vector<bool>& relations) {
    return std::ranges::any_of(
        rule.body, [&](const FlatLiteral& l) { return is_atom(l) && relations[l.relation]; });
  }

  // What is next, legal and perceived depends on it.
  void find_needed() {
    needed_.assign(g_.flat.relations.size(), false);
    for (std::uint32_t r = 0; r < needed_.size(); ++r) {
      const RelationId keyword = g_.flat.relations[r].relation;
      needed_[r] = keyword == kNext || keyword == kLegal || keyword == kSees;
    }
    go_down(needed_);
  }

  // Adds what the rules of marked relations ask for.
  void go_down(std::vector<bool>& marked) const {
    for (bool changed = true; changed && !meter_.over();) {
      meter_.spend(rules_.size());
      changed = false;
      for (const FlatRule& rule : rules_) {
        if (!marked[rule.head] || rule.relaxed_only) continue;
        for (const FlatLiteral& l : rule.body) {
          if (!is_atom(l) || marked[l.relation]) continue;
          marked[l.relation] = changed = true;
        }
      }
    }
  }

  void leave_negated() {
    for (const FlatRule& rule : rules_) {
      for (const FlatLiteral& l : rule.body) {
        if (l.kind == Literal::Kind::Negative) out_.relations[l.relation] = false;
      }
    }
  }

  void leave_recursive() {
    Graph needs(g_.flat.relations.size());
    std::vector<bool> recursive(needs.size(), false);
    for (const FlatRule& rule : rules_) {
      if (rule.relaxed_only) continue;
      for (const FlatLiteral& l : rule.body) {
        if (!is_atom(l)) continue;
        needs[rule.head].push_back(l.relation);
        if (l.relation == rule.head) recursive[rule.head] = true;
      }
    }
    const Components components = strong_components(needs);
    std::vector<std::uint32_t> sizes(components.count, 0);
    for (const std::uint32_t c : components.of) ++sizes[c];
    for (std::uint32_t r = 0; r < needs.size(); ++r) {
      if (recursive[r] || sizes[components.of[r]] > 1) out_.relations[r] = false;
    }
  }

  [[nodiscard]] bool has_many_instances(const FlatRule& rule) const {
    const std::vector<bool> all(rule.body.size(), true);
    return domains_.matches(g_, rule, domains_.variables(rule), all,
                            std::vector<bool>(rule.variables)) > most_;
  }

  void find_above() {
    out_.above.assign(g_.flat.relations.size(), false);
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (out_.rules[i]) out_.above[rules_[i].head] = true;
    }
    for (bool changed = true; changed && !meter_.over();) {
      meter_.spend(rules_.size());
      changed = false;
      for (const FlatRule& rule : rules_) {
        if (out_.above[rule.head] || !asks(rule, out_.above)) continue;
        out_.above[rule.head] = changed = true;
      }
    }
  }

  // What the chosen rules depend on, but for the wide relations.
  [[nodiscard]] std::vector<bool> find_below() const {
    std::vector<bool> below(g_.flat.relations.size(), false);
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (!out_.rules[i]) continue;
      for (const FlatLiteral& l : rules_[i].body) {
        if (is_atom(l) && !out_.relations[l.relation]) below[l.relation] = true;
      }
    }
    go_down(below);
    return below;
  }

  void keep_topmost() {
    const std::vector<bool> below = find_below();
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (below[rules_[i].head]) out_.rules[i] = false;
    }
  }

  const std::vector<FlatRule>& rules_;
  const Grounding& g_;
  const Domains& domains_;
  const double most_;
  WorkMeter& meter_;
  std::vector<bool> needed_;  // [flat relation]: for more than goals and the end
  WideRules out_;
};

}  // namespace

WideRules find_wide_rules(const Grounding& g, const Domains& domains, std::uint64_t most,
                          WorkMeter& meter) {
  WideFinder finder(g, domains, most, meter);
  return finder.find_rules(finder.find_relations());
}

std::vector<std::uint32_t> wide_relations(const Grounding& g, const Domains& domains,
                                          std::uint64_t most, WorkMeter& meter) {
  WideFinder finder(g, domains, most, meter);
  if (!finder.find_relations()) return {};
  const WideRules found = finder.find_rules(true);
  std::vector<std::uint32_t> relations;
  for (std::uint32_t r = 0; r < found.relations.size(); ++r) {
    if (found.relations[r]) relations.push_back(r);
  }
  return relations;
}

std::vector<FlatRule> take_wide_rules(Grounding& g, const std::vector<bool>& chosen) {
  std::vector<FlatRule> taken, rest;
  for (std::size_t i = 0; i < g.flat.flat_rules.size(); ++i) {
    const bool wide = i < chosen.size() && chosen[i];
    (wide ? taken : rest).push_back(std::move(g.flat.flat_rules[i]));
  }
  g.flat.flat_rules = std::move(rest);
  return taken;
}

}  // namespace ludens::gdl
