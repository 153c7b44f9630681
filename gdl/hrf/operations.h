// SPDX-License-Identifier: MIT
// Operations of HRF to `next`, with a frame.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gdl/hrf/conditions.h"
#include "gdl/hrf/prefix.h"
#include "gdl/hrf/sheet.h"

namespace ludens::gdl::hrf {

/// The move of the roles that wait.
inline constexpr const char* kWait = "noop";

/// What a move adds holds next, and what holds keeps holding unless a move deletes it. An operation
/// that other operations trigger becomes a relation that holds when they do.
class Operations {
 public:
  Operations(Sheet& sheet, Conditions& conditions, PrefixRules& out)
      : sheet_(sheet), conditions_(conditions), out_(out) {}

  void translate();

 private:
  void find_chained();
  void find_endless();
  void visit(const Signature& first, std::set<Signature>& done);
  [[nodiscard]] bool is_operation(const Expression& effect) const;
  void report_endless(const Statement& operation, const Expression& effect);
  [[nodiscard]] bool leads_always(const Signature& move, const Signature& to) const;
  [[nodiscard]] bool always_made(const Statement& operation) const;
  void translate(const Statement& operation);
  void add_effect(const Statement& operation, const Expression& effect,
                  const std::vector<Expression>& body);
  void add_fluent_or_operation(const Statement& operation, const Expression& effect,
                               std::vector<Expression> body);
  std::vector<Expression> made(const Expression& action, const Names& taken);
  void add_made_relations();
  void add_legal_moves(const Signature& action, const Expression& made);
  void add_unmatched(const Signature& action, const Expression& made);
  void add_moves_without_operations();
  void add_frame();

  Sheet& sheet_;
  Conditions& conditions_;
  PrefixRules& out_;
  std::map<Signature, std::string> chained_;  // the relations of operations that others trigger
  std::string deleted_;                       // empty: nothing is ever deleted
};

}  // namespace ludens::gdl::hrf
