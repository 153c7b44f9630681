// SPDX-License-Identifier: MIT
// Turns forms into rules: reads each into a clause, splits it, solves equalities and drops
// duplicates.
#include <algorithm>

#include "gdl/memory/hash.h"
#include "gdl/memory/held_memory.h"
#include "gdl/rules/branches.h"
#include "gdl/rules/clause_reader.h"
#include "gdl/rules/rules.h"
#include "gdl/rules/substitution.h"
#include "gdl/rules/unifier.h"

namespace ludens::gdl {

namespace {

/// Rules that hold their part of a budget as long as they exist.
struct CountedRules {
  HeldMemory held;
  Rules rules;
};

/// The overhead of an allocation.
constexpr std::size_t kAllocation = 16;
/// The size of a rule's entry in the index of contents, with its bucket.
constexpr std::size_t kIndexBytes = 48;

/// The memory of a rule outside of the object itself.
std::size_t bytes_of(const Rule& rule) {
  std::size_t bytes = ludens::gdl::bytes_of(rule.arguments, rule.body, rule.variables);
  for (const Literal& l : rule.body) bytes += ludens::gdl::bytes_of(l.arguments) + kAllocation;
  for (const std::string& name : rule.variables) bytes += name.capacity();
  return bytes + 3 * kAllocation + kIndexBytes;
}

class Normaliser {
 public:
  Normaliser(std::shared_ptr<const SyntaxTree> tree, NodeIndex forms, const NormaliseLimits& limits)
      : limits_(limits),
        poll_(limits.stop),
        budget_(limits.max_splitting),
        counted_(std::make_shared<CountedRules>()),
        rules_(&counted_->rules),
        diagnostics_(limits.max_findings),
        unifier_(rules_->terms) {
    rules_->source = std::move(tree);
    const SyntaxTree& source = *rules_->source;
    for (const NodeIndex f : forms == kNoNode ? source.forms() : source.children(forms)) {
      rules_->forms.push_back(f);
    }
    for (RelationId k = 0; k < kKeywordCount; ++k) {
      const KeywordForm& form = keyword_form(static_cast<Keyword>(k));
      rules_->intern_relation(rules_->symbols.add_reserved(form.name), form.arity);
    }
  }

  NormalisedRules run() {
    ClauseReader reader(*rules_, diagnostics_);
    for (const NodeIndex form : rules_->forms) {
      if (!affordable(rules_->source->end(form) - form)) break;
      const auto clause = reader.read(form);
      if (!clause) {
        if (reader.broken_head()) result_.left_out.push_back(*reader.broken_head());
      } else if (!add(*clause)) {
        break;
      }
    }
    find_random();
    result_.diagnostics = diagnostics_.take();
    result_.rules = {counted_, rules_};
    return std::move(result_);
  }

 private:
  void report(Severity severity, const char* code, std::string text, NodeIndex where) {
    diagnostics_.add({severity, code, std::move(text), rules_->location(where)});
  }

  /// False if the rest must be abandoned: there is no memory for what was read so far and a form of
  /// this many nodes, or it was stopped.
  bool affordable(std::size_t nodes) {
    constexpr std::size_t kBytesOfNode = 256;  // of a clause that is being read, at most
    constexpr std::size_t kPiece = std::size_t{64} << 10;
    if (poll_(nodes)) {
      result_.given_up = "stopped";
      return false;
    }
    const std::size_t bytes = rules_->terms.bytes() + rules_->symbols.bytes() +
                              rules_->relations.size() * kRelationBytes + rule_bytes_ +
                              ludens::gdl::bytes_of(rules_->forms, rules_->rules);
    const std::size_t needed = bytes + nodes * kBytesOfNode;
    if (counted_->held.hold(needed, limits_.memory.get(), kPiece)) return true;
    result_.given_up = "the rules need more memory than there is";
    return false;
  }

  /// False if the limits are reached and the rest of the rulesheet must be abandoned.
  bool add(const Clause& clause) {
    const std::size_t before = added_;
    const std::size_t size = rules_->source->end(clause.form) - clause.form;
    const bool complete =
        split(clause.body, size, budget_, [&](const std::vector<SignedNode>& branch) {
          add_branch(clause, branch);
          return rules_->rules.size() < limits_.max_rules && affordable(size);
        });
    if (result_.given_up) return false;
    if (!complete) {
      result_.given_up = "the rules split into too many";
      report(Severity::Error, "too-many-rules",
             "the rulesheet becomes too large here: more than " +
                 std::to_string(limits_.max_rules) + " rules or " +
                 std::to_string(limits_.max_splitting) + " symbols when 'or' is split",
             clause.form);
      return false;
    }
    if (added_ == before) {
      report(Severity::Warning, "impossible-rule", "this rule can never apply", clause.form);
      result_.left_out.push_back(clause.head);
    }
    return true;
  }

  void add_branch(const Clause& clause, const std::vector<SignedNode>& branch) {
    Rule rule{clause.head, clause.arguments, {}, {}, clause.form};
    unifier_.reset();
    std::vector<Term> equated;
    for (const SignedNode& node : branch) {
      const FormulaNode& formula = clause.body[node.formula];
      if (formula.kind == FormulaNode::Kind::Sentence) {
        const auto kind = node.negated ? Literal::Kind::Negative : Literal::Kind::Positive;
        rule.body.push_back({kind, formula.relation, formula.arguments, formula.where});
      } else if (!node.negated) {
        rule.body.push_back({Literal::Kind::Distinct, 0, formula.arguments, formula.where});
      } else {
        if (!equate(formula.arguments)) return;
        equated.insert(equated.end(), formula.arguments.begin(), formula.arguments.end());
      }
    }
    if (!equated.empty() && !settle(clause, rule)) return;
    if (!decide_distinct(rule)) return;
    number_variables(clause, rule);
    finish(clause, std::move(rule));
  }

  bool equate(const std::vector<Term>& sides) {
    return unifier_.unify(sides[0], Unifier::Side::Left, sides[1], Unifier::Side::Left);
  }

  /// Substitutes the equalities of a branch into its terms; false if they can't hold.
  bool settle(const Clause& clause, Rule& rule) {
    if (!unifier_.acyclic()) return false;
    Substitution substitution(rules_->terms, Substitution::Mode::Follow);
    for (std::uint32_t v = 0; v < clause.variables.size(); ++v) {
      if (const auto image = unifier_.binding(rules_->terms.variable(v))) {
        substitution.bind(v, *image);
      }
    }
    bool small = true;
    for_each_argument(rule, [&](Term& t) {
      t = substitution.apply(t);
      small = small && rules_->terms.symbol_count(t) <= limits_.max_term_size;
    });
    if (!small) {
      report(Severity::Error, "term-too-large",
             "the equalities of this rule make a term of more than " +
                 std::to_string(limits_.max_term_size) + " symbols",
             clause.form);
      ++added_;  // not impossible, only refused
      result_.left_out.push_back(clause.head);
    }
    return small;
  }

  /// Drops `distinct` of two terms that always differ; false if two terms never differ.
  bool decide_distinct(Rule& rule) const {
    const auto distinct = [](const Literal& l) { return l.kind == Literal::Kind::Distinct; };
    for (const Literal& l : rule.body) {
      if (distinct(l) && l.arguments[0] == l.arguments[1]) return false;
    }
    std::erase_if(rule.body, [&](const Literal& l) {
      return distinct(l) && rules_->terms.is_ground(l.arguments[0]) &&
             rules_->terms.is_ground(l.arguments[1]);
    });
    return true;
  }

  /// Numbers the variables of a rule in the order in which they occur, from 0.
  void number_variables(const Clause& clause, Rule& rule) {
    std::vector<std::uint32_t> order;
    std::vector<bool> seen(clause.variables.size());
    for_each_argument(rule, [&](const Term& t) {
      occurrences_.clear();
      rules_->terms.append_variables(t, occurrences_);
      for (const std::uint32_t v : occurrences_) {
        if (!seen[v]) order.push_back(v);
        seen[v] = true;
      }
    });
    bool same = true;
    for (std::uint32_t i = 0; i < order.size(); ++i) same = same && order[i] == i;
    if (!same) {
      Substitution renaming(rules_->terms, Substitution::Mode::Once);
      for (std::uint32_t i = 0; i < order.size(); ++i) {
        renaming.bind(order[i], rules_->terms.variable(i));
      }
      for_each_argument(rule, [&](Term& t) { t = renaming.apply(t); });
    }
    for (const std::uint32_t v : order) rule.variables.push_back(clause.variables[v]);
  }

  template <typename Use>
  static void for_each_argument(Rule& rule, const Use& use) {
    for (Term& t : rule.arguments) use(t);
    for (Literal& l : rule.body) {
      for (Term& t : l.arguments) use(t);
    }
  }

  void finish(const Clause& clause, Rule rule) {
    ++added_;
    if (rule.head == kRole && !is_role_fact(clause, rule)) return;
    const std::uint64_t hash = hash_of(rule);
    const auto [first, last] = by_content_.equal_range(hash);
    for (auto it = first; it != last; ++it) {
      const Rule& other = rules_->rules[it->second];
      if (!same_content(rule, other)) continue;
      if (other.where != rule.where) report_duplicate(rule, other);
      return;
    }
    by_content_.emplace(hash, rules_->rules.size());
    if (rule.head == kRole) rules_->roles.push_back(rule.arguments[0]);
    rule_bytes_ += bytes_of(rule);
    rules_->rules.push_back(std::move(rule));
  }

  bool is_role_fact(const Clause& clause, const Rule& rule) {
    const bool constant = rules_->terms.kind(rule.arguments[0]) == Terms::Kind::Constant;
    if (constant && rule.body.empty()) return true;
    result_.left_out.push_back(kRole);
    report(Severity::Error, "role-not-constant", "roles are constants, fixed before the game",
           clause.head_where);
    return false;
  }

  void report_duplicate(const Rule& rule, const Rule& other) {
    const Location first = rules_->location(other.where);
    report(Severity::Note, "duplicate",
           std::string(rule.body.empty() ? "fact" : "rule") + " already stated at " +
               std::to_string(first.line) + ':' + std::to_string(first.column),
           rule.where);
  }

  static std::uint64_t hash_of(const Rule& rule) {
    std::uint64_t hash = rule.head;
    for (const Term t : rule.arguments) hash = mix(hash, t);
    for (const Literal& l : rule.body) {
      hash = mix(hash, (std::uint64_t{l.relation} << 2) | static_cast<std::uint64_t>(l.kind));
      for (const Term t : l.arguments) hash = mix(hash, t);
    }
    return hash;
  }

  static bool same_content(const Rule& a, const Rule& b) {
    const auto same = [](const Literal& x, const Literal& y) {
      return x.kind == y.kind && x.relation == y.relation && x.arguments == y.arguments;
    };
    return a.head == b.head && a.arguments == b.arguments &&
           std::ranges::equal(a.body, b.body, same);
  }

  void find_random() {
    for (RoleIndex r = 0; r < rules_->roles.size(); ++r) {
      if (rules_->symbols.folded(rules_->terms.value(rules_->roles[r])) == "random") {
        rules_->random = r;
      }
    }
  }

  static constexpr std::size_t kRelationBytes = 64;  // with its entry in the index

  const NormaliseLimits limits_;
  StopPoll poll_;
  std::size_t budget_;
  std::shared_ptr<CountedRules> counted_;
  Rules* rules_;
  DiagnosticList diagnostics_;
  NormalisedRules result_;
  Unifier unifier_;
  std::size_t rule_bytes_ = 0;  // outside of the rules themselves
  std::size_t added_ = 0;       // branches that can hold, duplicates included
  std::unordered_multimap<std::uint64_t, std::size_t> by_content_;
  std::vector<std::uint32_t> occurrences_;
};

}  // namespace

NormalisedRules normalise(std::shared_ptr<const SyntaxTree> tree, NodeIndex forms,
                          const NormaliseLimits& limits) {
  return Normaliser(std::move(tree), forms, limits).run();
}

}  // namespace ludens::gdl
