// SPDX-License-Identifier: MIT
// Relations with a rule that leaves a variable of the head open, as in `(adj ?x ?x)`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "gdl/rules/dependencies.h"
#include "gdl/rules/fresh_relations.h"
#include "gdl/rules/rule_solver.h"
#include "gdl/rules/rules.h"

namespace ludens::gdl {

/// A rule that leaves a variable of its head open has a meaning where it is called with a value, so
/// each call is replaced by the bodies of such rules. The other rules of the relation get a
/// relation of their own, to which the call refers as well. A negated call becomes the negation of
/// a new relation that has the same bodies, restricted to what the calling rule allows. Recursive
/// relations stay as they are. Keeps references to all it is made from.
class OpenRelations {
 public:
  /// A call whose variable neither the calling rule nor the called one binds.
  struct Loose {
    NodeIndex where;
    RelationId head, relation;  // of the calling rule, and called
    std::string variable;
  };
  struct Result {
    std::vector<Rule> rules;             // instead of all rules, in their order
    std::vector<RelationId> unfolded;    // open relations that had calls
    std::vector<Loose> left_out;         // cases of rules that were left out
    std::vector<RelationId> impossible;  // heads of rules of which no case is left
  };

  /// The auxiliary relations stand for negated conjunctions, whose variables may be their own.
  OpenRelations(Rules& rules, FreshRelations& fresh,
                const std::unordered_set<RelationId>& auxiliary, std::size_t max_term_size,
                Allowance allowance)
      : rules_(rules),
        fresh_(fresh),
        auxiliary_(auxiliary),
        solver_(rules.terms, max_term_size),
        go_on_(std::move(allowance)) {}

  /// nullopt if no relation is open, if the rules would become too many, or if the allowance ends:
  /// they then stay. They are moved from otherwise.
  std::optional<Result> run();

 private:
  struct Open {
    std::vector<Rule> rules;           // that leave something open
    std::optional<RelationId> closed;  // the relation of the others
  };
  /// One rule in the body of another: the terms of the inner one are shifted past the variables of
  /// the outer one.
  struct Inner {
    std::vector<Term> arguments;
    std::vector<Literal> body;
    std::vector<std::string> names;  // of all variables, the outer ones first
    std::vector<bool> own;           // by variable: of a negation alone, so never bound
  };

  [[nodiscard]] bool leaves_open(const Rule& rule) const;
  [[nodiscard]] const Open* open(const Literal& literal, Literal::Kind kind) const;
  void find_called();
  void rewrite(RelationId relation);
  void set_apart(RelationId relation);
  [[nodiscard]] bool is_link(const Rule& rule) const;
  RelationId move_others(RelationId relation);
  /// What a rule is now.
  [[nodiscard]] std::span<const Rule> now(std::uint32_t rule) const;
  void replace_calls(const Rule& rule, std::vector<Rule>& out);
  bool affordable(const Rule& rule, const Open& called);
  /// False if the allowance ends. `symbols`: how many are about to be looked at.
  bool go_on(std::size_t symbols);
  void alternatives(const Rule& rule, std::size_t call, const Open& called, std::vector<Rule>& out);
  void unfold(const Rule& rule, std::size_t call, const Rule& by, std::vector<Rule>& out);
  void replace_negations(Rule rule, std::vector<Rule>& out);
  bool negate(const Rule& rule, const Literal& call, const Open& called,
              std::vector<Literal>& literals, std::vector<Rule>& made);
  std::optional<bool> instance(const Rule& rule, const Literal& call, const Rule& of, Rule& made);
  void add_own(const Rule& rule, std::uint32_t first, std::vector<bool>& own) const;
  [[nodiscard]] Inner inner_of(const Rule& outer, const Rule& rule, NodeIndex where) const;
  [[nodiscard]] std::optional<std::uint32_t> loose_variable(const Rule& rule,
                                                            const std::vector<bool>& own) const;
  void mark(const std::vector<Term>& arguments, std::vector<bool>& variables) const;
  [[nodiscard]] std::vector<std::uint32_t> known_variables(const Rule& rule,
                                                           const Literal& call) const;
  void add_binder(const Rule& rule, std::uint32_t variable, std::vector<Literal>& body);
  [[nodiscard]] bool has_variable(const std::vector<Term>& arguments, std::uint32_t variable) const;

  Rules& rules_;
  FreshRelations& fresh_;
  const std::unordered_set<RelationId>& auxiliary_;
  RuleSolver solver_;
  const Allowance go_on_;
  Dependencies needs_;
  Result result_;
  std::vector<bool> called_;                               // by relation
  std::vector<std::optional<Open>> open_;                  // by relation
  std::vector<std::optional<std::vector<Rule>>> instead_;  // by rule; none: it stays
  RelationId current_ = 0;                                 // the relation whose rules are rewritten
  std::size_t symbols_ = 0;                                // of all new rules
  std::size_t made_bytes_ = 0;                             // their memory
  bool given_up_ = false;
};

}  // namespace ludens::gdl
