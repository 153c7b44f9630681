// SPDX-License-Identifier: MIT
// What the names of an infix text mean: views, fluents, operations, builtins.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gdl/hrf/expression.h"
#include "gdl/hrf/parser.h"

namespace ludens::gdl::hrf {

/// Reads all statements once and keeps references to them: they must not move.
class Sheet {
 public:
  explicit Sheet(const std::vector<Statement>& statements, Dialect dialect = Dialect::Hrf);

  [[nodiscard]] Dialect dialect() const { return dialect_; }
  /// Whether the sheet is in a dialect of GDL and not in HRF.
  [[nodiscard]] bool is_gdl() const { return gdl::is_gdl(dialect_); }
  [[nodiscard]] const std::vector<Statement>& statements() const { return statements_; }
  /// Statements whose head has that signature and that are not operations.
  [[nodiscard]] const std::vector<const Statement*>& defined(const Signature& s) const;
  /// Operations of an action, in text order.
  [[nodiscard]] const std::vector<const Statement*>& operations(const Signature& s) const;
  [[nodiscard]] const std::map<Signature, std::vector<const Statement*>>& operations() const {
    return operations_;
  }

  /// Whether it is a sentence that the dialect reserves: `role(r)`, in GDL `next(p)`, ...
  [[nodiscard]] bool is_keyword(const Signature& s) const;
  /// A view has rules or facts of its own; any other name that `base`, `init`, an operation or
  /// `next` brings about is a fluent.
  [[nodiscard]] bool is_view(const Signature& s) const { return !defined(s).empty(); }
  [[nodiscard]] bool is_fluent(const Signature& s) const { return fluents_.contains(s); }
  /// Whether the sheet defines something of this name itself, with any number of arguments.
  [[nodiscard]] bool defines_name(const std::string& name) const {
    return defined_names_.contains(name);
  }
  /// Whether `legal`, with one argument, or `goal` occurs in a body.
  [[nodiscard]] bool asks_for_legal() const { return asks_for_legal_; }

  /// The moves that can be legal; false if the rules' heads don't determine them.
  [[nodiscard]] bool knows_moves() const { return knows_moves_; }
  [[nodiscard]] const std::set<Signature>& moves() const { return moves_; }
  [[nodiscard]] bool has_roles(std::size_t at_least) const { return roles_ >= at_least; }

  /// Reports names that are the same name in prefix GDL.
  void report_spellings(std::vector<Problem>& problems) const;
  /// Reports conditions of Prolog that nothing defines and that are not declared either: they are
  /// an error there, and not false.
  void report_undefined(const Names& declared, std::vector<Problem>& problems) const;

  /// An unused name of prefix GDL: `wanted`, or `wanted_2`, ...
  std::string fresh(const std::string& wanted);
  /// What a view is called in prefix GDL. A dialect of GDL has the same names.
  [[nodiscard]] const std::string& relation(const Signature& view);

 private:
  void read(const Statement& s);
  void read_effect(const Expression& effect);
  void note_names(const Expression& e);
  void find_fluents();
  bool add_arguments(const char* keyword, std::set<Signature>& forms) const;

  const std::vector<Statement>& statements_;
  Dialect dialect_;
  std::map<Signature, std::vector<const Statement*>> defined_, operations_;
  std::set<std::string> defined_names_;
  std::set<Signature> fluents_, moves_;
  std::set<std::string> names_;  // of anything, in lower case
  std::map<std::string, std::string> relations_;
  bool asks_for_legal_ = false, knows_moves_ = true;
  std::size_t roles_ = 0;
};

/// The sentences that HRF reserves: `role(r)`, `base(p)`, ...
bool is_keyword_of_hrf(const Signature& s);

}  // namespace ludens::gdl::hrf
