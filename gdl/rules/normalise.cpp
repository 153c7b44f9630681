// SPDX-License-Identifier: MIT
// Turns forms into rules: reads each into a clause, splits it, solves equalities, drops duplicates,
// and replaces calls that would leave a variable open.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "gdl/memory/hash.h"
#include "gdl/memory/held_memory.h"
#include "gdl/rules/bindings.h"
#include "gdl/rules/branches.h"
#include "gdl/rules/clause_reader.h"
#include "gdl/rules/fresh_relations.h"
#include "gdl/rules/negated_conjunctions.h"
#include "gdl/rules/open_relations.h"
#include "gdl/rules/possible_goals.h"
#include "gdl/rules/rule_size.h"
#include "gdl/rules/rule_solver.h"
#include "gdl/rules/rules.h"

namespace ludens::gdl {

namespace {

/// Rules that hold their part of a budget as long as they exist.
struct CountedRules {
  HeldMemory held;
  Rules rules;
};

/// The size of a rule's entry in the index of contents, with its bucket.
constexpr std::size_t kIndexBytes = 48;

class Normaliser {
 public:
  Normaliser(std::shared_ptr<const SyntaxTree> tree, NodeIndex forms, const NormaliseLimits& limits)
      : limits_(limits),
        poll_(limits.stop),
        budget_(limits.max_splitting),
        counted_(std::make_shared<CountedRules>()),
        rules_(&counted_->rules),
        diagnostics_(limits.max_findings),
        fresh_(*rules_),
        conjunctions_(*rules_, fresh_, diagnostics_, budget_, allowance()),
        solver_(rules_->terms, limits.max_term_size) {
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
      auto clause = reader.read(form);
      if (!clause) {
        if (reader.broken_head()) result_.left_out.push_back(*reader.broken_head());
      } else if (!add_all(*std::move(clause))) {
        break;
      }
    }
    replace_open_relations();
    if (!result_.unevaluable && !result_.given_up) find_unevaluable();
    for (const Term role : rules_->roles)
      rules_->symbols.set_listed(rules_->terms.value(role), false);
    find_random();
    if (!result_.given_up) rules_->goals = goal_scale(*rules_);
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
    return go_on(nodes, nodes * kBytesOfNode);
  }

  /// The same after this much work, with this many bytes beside the rules that were read so far.
  bool go_on(std::size_t work, std::size_t bytes) {
    constexpr std::size_t kPiece = std::size_t{64} << 10;
    if (poll_(work)) {
      result_.given_up = "stopped";
      return false;
    }
    const std::size_t needed = bytes + rules_->terms.bytes() + rules_->symbols.bytes() +
                               rules_->relations.size() * kRelationBytes + rule_bytes_ +
                               bytes_of(rules_->forms, rules_->rules);
    if (counted_->held.hold(needed, limits_.memory.get(), kPiece)) return true;
    result_.given_up = "the rules need more memory than there is";
    return false;
  }
  Allowance allowance() {
    return [this](std::size_t work, std::size_t bytes) { return go_on(work, bytes); };
  }

  /// False if the limits are reached and the rest of the rulesheet must be abandoned.
  bool add_all(Clause clause) {
    const NodeIndex form = clause.form;
    const auto clauses = conjunctions_.lift(std::move(clause));
    if (!clauses) {
      if (!result_.given_up) give_up(form);
      return false;
    }
    return std::ranges::all_of(*clauses, [&](const Clause& each) { return add(each); });
  }

  bool add(const Clause& clause) {
    if (clause.is_auxiliary) auxiliary_.insert(clause.head);
    const std::size_t before = added_;
    const std::size_t size = rules_->source->end(clause.form) - clause.form;
    const bool complete =
        split(clause.body, size, budget_, [&](const std::vector<SignedNode>& branch) {
          add_branch(clause, branch);
          return rules_->rules.size() < limits_.max_rules && affordable(size);
        });
    if (result_.given_up) return false;
    if (!complete) {
      give_up(clause.form);
      return false;
    }
    if (added_ == before) {
      if (!clause.is_auxiliary) {
        report(Severity::Warning, "impossible-rule", "this rule can never apply", clause.form);
      }
      result_.left_out.push_back(clause.head);
    }
    return true;
  }

  void give_up(NodeIndex form) {
    result_.given_up = "the rules split into too many";
    report(Severity::Error, "too-many-rules",
           "the rulesheet becomes too large here: more than " + std::to_string(limits_.max_rules) +
               " rules or " + std::to_string(limits_.max_splitting) + " symbols when 'or' is split",
           form);
  }

  void add_branch(const Clause& clause, const std::vector<SignedNode>& branch) {
    Rule rule{clause.head, clause.arguments, {}, {}, clause.form};
    solver_.begin();
    for (const SignedNode& node : branch) {
      const FormulaNode& formula = clause.body[node.formula];
      if (formula.kind == FormulaNode::Kind::Sentence) {
        const auto kind = node.negated ? Literal::Kind::Negative : Literal::Kind::Positive;
        rule.body.push_back({kind, formula.relation, formula.arguments, formula.where});
      } else if (!node.negated) {
        rule.body.push_back({Literal::Kind::Distinct, 0, formula.arguments, formula.where});
      } else if (!solver_.equate(formula.arguments[0], formula.arguments[1])) {
        return;
      }
    }
    const RuleSolver::Outcome outcome = solver_.solve(rule, clause.variables.size());
    if (outcome == RuleSolver::Outcome::TooLarge) {
      report(Severity::Error, "term-too-large",
             "the equalities of this rule make a term of more than " +
                 std::to_string(limits_.max_term_size) + " symbols",
             clause.form);
      ++added_;  // not impossible, only refused
      result_.left_out.push_back(clause.head);
    }
    if (outcome != RuleSolver::Outcome::Solved) return;
    poll_(symbols_of_rule(rules_->terms, rule));  // equations may have made it large
    solver_.number(rule, clause.variables);
    finish(clause, std::move(rule));
  }

  void finish(const Clause& clause, Rule rule) {
    ++added_;
    if (rule.head == kRole && !is_role_fact(clause, rule)) return;
    if (!is_sound_declaration(clause, rule)) return;
    if (const Rule* other = same_rule(rule)) {
      if (other->where != rule.where) report_duplicate(rule, *other);
      return;
    }
    if (rule.head == kRole) rules_->roles.push_back(rule.arguments[0]);
    keep(std::move(rule));
  }

  /// A rule with the same content; null if there is none.
  [[nodiscard]] const Rule* same_rule(const Rule& rule) const {
    const auto [first, last] = by_content_.equal_range(hash_of(rule));
    for (auto it = first; it != last; ++it) {
      if (same_content(rule, rules_->rules[it->second])) return &rules_->rules[it->second];
    }
    return nullptr;
  }

  void keep(Rule rule) {
    by_content_.emplace(hash_of(rule), rules_->rules.size());
    rule_bytes_ += bytes_of_rule(rule) + kIndexBytes;
    rules_->rules.push_back(std::move(rule));
  }

  void replace_open_relations() {
    if (result_.given_up) return;
    auto replaced =
        OpenRelations(*rules_, fresh_, auxiliary_, limits_.max_term_size, allowance()).run();
    if (!replaced) return;
    rules_->rules.clear();
    by_content_.clear();
    rule_bytes_ = 0;
    std::unordered_set<RelationId> called;
    for (const Rule& rule : replaced->rules) {
      for (const Literal& l : rule.body) called.insert(l.relation);
    }
    for (Rule& rule : replaced->rules) {
      const bool needless = auxiliary_.contains(rule.head) && !called.contains(rule.head);
      if (!needless && same_rule(rule) == nullptr) keep(std::move(rule));
    }
    for (const OpenRelations::Loose& loose : replaced->left_out) {
      const bool declares = loose.head == kBase || loose.head == kInput;
      std::string text = loose.variable + " stays unbound: '" + rules_->name(loose.relation) +
                         "' has a rule that leaves it open, which is left out here";
      if (!declares && !result_.unevaluable) result_.unevaluable = text;
      report(declares ? Severity::Warning : Severity::Error, "loosely-bound-variable",
             std::move(text), rules_->place(loose.variable, loose.where));
    }
    result_.left_out.insert(result_.left_out.end(), replaced->impossible.begin(),
                            replaced->impossible.end());
    result_.unfolded = std::move(replaced->unfolded);
    (void)affordable(0);
  }

  void find_unevaluable() {
    const Rule* const rule = Bindings(*rules_).unevaluable_rule();
    if (rule == nullptr) return;
    result_.unevaluable = "a rule for '" + rules_->name(rule->head) + "' (line " +
                          std::to_string(rules_->location(rule->where).line) +
                          ") has a variable that nothing binds";
  }

  /// `base` and `input` only tell what may be true and done: a rule that leaves this open tells
  /// nothing, and would spoil the others.
  bool is_sound_declaration(const Clause& clause, const Rule& rule) {
    if (rule.head != kBase && rule.head != kInput) return true;
    const std::vector<bool> bound = bound_variables(rules_->terms, rule, rule.variables.size());
    std::vector<std::uint32_t> used;
    for (const Term t : rule.arguments) rules_->terms.append_variables(t, used);
    for (const Literal& l : rule.body) {
      if (l.kind != Literal::Kind::Distinct) continue;
      for (const Term t : l.arguments) rules_->terms.append_variables(t, used);
    }
    const auto open = std::ranges::find_if(used, [&](std::uint32_t v) { return !bound[v]; });
    if (open == used.end()) return true;
    const std::string& name = rule.variables[*open];
    report(Severity::Warning, "unsafe-variable",
           name + " is bound by no positive literal; this declaration is left out",
           rules_->place(name, clause.form));
    result_.left_out.push_back(rule.head);
    return false;
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
  FreshRelations fresh_;
  NegatedConjunctions conjunctions_;
  RuleSolver solver_;
  NormalisedRules result_;
  std::size_t rule_bytes_ = 0;  // outside of the rules themselves
  std::size_t added_ = 0;       // branches that can hold, duplicates included
  std::unordered_multimap<std::uint64_t, std::size_t> by_content_;
  std::unordered_set<RelationId> auxiliary_;  // that the text does not name
};

}  // namespace

NormalisedRules normalise(std::shared_ptr<const SyntaxTree> tree, NodeIndex forms,
                          const NormaliseLimits& limits) {
  return Normaliser(std::move(tree), forms, limits).run();
}

}  // namespace ludens::gdl
