// SPDX-License-Identifier: MIT
// Bodies of HRF to bodies of prefix GDL.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdl/hrf/builtins.h"
#include "gdl/hrf/prefix.h"
#include "gdl/hrf/sheet.h"

namespace ludens::gdl::hrf {

/// The names in prefix GDL of what HRF says without naming a role.
struct TurnNames {
  std::string can_move;  // (can_move MOVE), where a body asks for `legal`
  std::string reward;    // (reward ROLE NUMBER), which `goal` gives
};

/// Translates the conditions of one statement after another. Adds auxiliary relations to the rules
/// as they are needed.
class Conditions {
 public:
  Conditions(Sheet& sheet, TurnNames names, PrefixRules& out)
      : sheet_(sheet), names_(std::move(names)), out_(out) {}

  /// The body, or nullopt if it can never hold or has an error. `head` is the head that the
  /// statement becomes; `given` binds further variables: the move that is made.
  std::optional<std::vector<Expression>> translate(const std::vector<Expression>& body,
                                                   const std::vector<Expression>& head,
                                                   const std::vector<Expression>& given = {});
  /// One sentence as prefix GDL has it: `(true (cell 1 1 b))`.
  Expression sentence(const Expression& atom);

 private:
  using Body = std::vector<Expression>;
  struct Impossible {};  // thrown if this conjunction never holds

  void find_bound(const std::vector<Expression>& body);
  void add_bound(const Expression& e, Names& bound) const;
  void add_bound_by_atom(const Expression& atom, Names& bound) const;
  [[nodiscard]] BuiltinKind kind(const Expression& atom) const;
  Body conjunction(const std::vector<Expression>& parts);
  Body condition(const Expression& e);
  Body alternatives(const Expression& e);
  Body atom(const Expression& e);
  Body structural(const Expression& e, bool negated);
  Body builtin(const Expression& e);
  Body number_relation(const Expression& e);
  Body collection(const Expression& e);
  Body inside(const Expression& e, const Names& known, const Names& head);
  [[nodiscard]] std::optional<Expression> counted_by(const Expression& e) const;
  std::optional<Names> local_to(const Expression& negated);
  Body negated(const Expression& inner);
  Body negated_atom(const Expression& e);
  Body without_instance(const Expression& inner, const Names& local);
  void require_bound(const Expression& e, const Expression& in);

  Sheet& sheet_;
  TurnNames names_;
  PrefixRules& out_;
  // The variables of the current statement, or of the inside of a negation or a count in it.
  Names head_;   // those of its head
  Names bound_;  // what a positive condition binds
  Names left_;   // what one on the left of the current condition binds
  bool failed_ = false;
};

}  // namespace ludens::gdl::hrf
