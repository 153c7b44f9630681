// SPDX-License-Identifier: MIT
// Who may move and what it is worth: from HRF, where one role is in control, to `legal` and `goal`
// of GDL, which the other dialects have themselves.
#pragma once

#include <vector>

#include "gdl/hrf/conditions.h"
#include "gdl/hrf/prefix.h"
#include "gdl/hrf/sheet.h"

namespace ludens::gdl::hrf {

/// Names for what only prefix GDL says, where the sheet needs them.
TurnNames turn_names(Sheet& sheet);

class Turns {
 public:
  Turns(Sheet& sheet, Conditions& conditions, const TurnNames& names, PrefixRules& out)
      : sheet_(sheet), conditions_(conditions), names_(names), out_(out) {}

  /// Translates a rule or fact with any head, but not an operation.
  void translate(const Statement& s);
  /// Adds what the rules leave out: roles that wait, missing goals, declared moves.
  void complete();

 private:
  [[nodiscard]] std::vector<Expression> roles_asked(const Expression& head) const;
  void state_an_end();
  void legal(const Statement& s, std::vector<Expression> body);
  [[nodiscard]] bool has_control();
  [[nodiscard]] Expression in_control(const Expression& role) const;
  void add_waiting(std::uint32_t where);
  void add_goals(std::uint32_t where);
  void add_inputs(std::uint32_t where);
  [[nodiscard]] std::uint32_t place_of(const Signature& s) const;

  Sheet& sheet_;
  Conditions& conditions_;
  const TurnNames& names_;
  PrefixRules& out_;
};

}  // namespace ludens::gdl::hrf
