// SPDX-License-Identifier: MIT
// A game in prefix GDL, prepared for writing it in HRF.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gdl/hrf/domains.h"
#include "gdl/hrf/expression.h"
#include "gdl/hrf/prefix.h"
#include "gdl/rules/rules.h"
#include "gdl/text/diagnostic.h"

namespace ludens::gdl::hrf {

/// The names of HRF for those of prefix GDL, and new ones.
class HrfNames {
 public:
  /// `symbols` are those of the rules: none of them becomes another one's new name.
  explicit HrfNames(const Symbols& symbols);

  /// A constant as every reader of HRF takes it: itself, in lower case if it begins with a capital,
  /// and under a new name if it has signs that HRF uses otherwise.
  std::string constant(const std::string& name);
  /// What all constants so far are called, by their folded names.
  [[nodiscard]] const std::map<std::string, std::string>& constants() const { return constants_; }
  /// A variable of the rule begun last.
  std::string variable(const std::string& name);
  void begin_rule();
  /// An unused name: `wanted`, or `wanted_2`, ...
  std::string fresh(const std::string& wanted);

 private:
  std::map<std::string, std::string> constants_;  // by the folded name
  std::set<std::string> taken_;                   // folded
  std::map<std::string, std::string> variables_;
  std::set<std::string> variables_taken_;
};

/// The rules as expressions, with names of HRF and the keywords of prefix GDL. `where` of a rule is
/// its index in the rules that were read.
struct PrefixGame {
  explicit PrefixGame(const Rules& from);

  void report(Severity severity, const char* code, std::string text, std::uint32_t rule);
  /// Whether a relation depends on the moves made.
  [[nodiscard]] bool depends(const Expression& atom) const {
    return atom.name == "does" || dependent.contains(signature(atom));
  }

  /// Gives a fluent or relation, and every term like it, another name.
  void rename(const Signature& s, const std::string& to);

  const Rules& source;
  HrfNames names;
  std::vector<PrefixRule> rules;
  std::vector<std::string> roles;
  std::set<Signature> fluents;
  std::set<Signature> moves;
  std::set<Signature> dependent;  // relations that depend on `does`
  Diagnostics diagnostics;

 private:
  void read();
  std::string written_name(const std::string& name, std::uint32_t rule);
  std::optional<Expression> expression(const SyntaxTree& tree, NodeIndex node, std::uint32_t rule,
                                       std::size_t depth);
  void keep_inputs_asked_for();
  void drop_what_repeats_itself();
  const PrefixRule* find_fluents();
  void find_moves();
  [[nodiscard]] bool is_misread(const Signature& fluent) const;
  void rename_fluents();
  void rename_misread(const Signature& fluent, std::uint32_t rule);
  [[nodiscard]] bool can_hold(const Expression& atom, const std::set<Signature>& defined) const;
  void drop_what_never_holds();
  void rename_relations();
  void find_dependent();
};

/// What a literal says, without the negation.
const Expression& atom_of(const Expression& literal);
bool is_negative(const Expression& literal);
/// The fluent of `true(F)`, `next(F)`, ...
bool is_about_fluent(const Expression& atom);

using Substitution = std::map<std::string, Expression>;
PrefixRule substitute(const PrefixRule& rule, const Substitution& by);
/// The most general unifier; nullopt if there is none. Terms of several rules must have no variable
/// in common.
std::optional<Substitution> unified(const Expression& a, const Expression& b);
/// `name(V1,V2,...)` with variables that no rule has.
Expression pattern(const Signature& s);

}  // namespace ludens::gdl::hrf
