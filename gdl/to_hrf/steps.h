// SPDX-License-Identifier: MIT
// What a move does: from `next` to operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gdl/hrf/expression.h"
#include "gdl/to_hrf/control.h"
#include "gdl/to_hrf/prefix_game.h"

namespace ludens::gdl::hrf {

/// Puts positive conditions first: they bind the variables of the others.
void sort_for_reading(std::vector<Expression>& body);

/// Writes operations, and views for what depends on the move made.
class Steps {
 public:
  Steps(PrefixGame& game, Control& control, std::vector<Statement>& out);

  /// All rules of `next`, and the frame.
  void write();
  /// A literal about the state in HRF; reports what HRF can't express.
  Expression state_literal(const Expression& literal, std::uint32_t rule);

 private:
  /// A rule in which it is known which role makes the moves that it names.
  struct Case {
    Expression head;
    std::vector<Expression> moves;      // that are made by the role in control: one or none
    std::vector<Expression> dependent;  // literals, of either sign
    std::vector<Expression> state;      // all other conditions
  };
  /// A case that is decided up to a literal of the body.
  struct OpenCase {
    PrefixRule rule;
    std::size_t at;
    Case done;
  };
  [[nodiscard]] std::vector<Case> cases_of(const PrefixRule& rule);
  bool decide(OpenCase now, std::vector<OpenCase>& open);
  [[nodiscard]] std::optional<OpenCase> waiting(const OpenCase& now, const Expression& does) const;
  bool add_made(const PrefixRule& rule, const Expression& does, Case& to);
  [[nodiscard]] bool says_control(const PrefixRule& rule, const Expression& role) const;
  [[nodiscard]] bool asks_who(const PrefixRule& rule, const Expression& does) const;

  /// The effect of a rule with this head.
  using Effect = Expression (*)(const Expression& head);
  void operation(const PrefixRule& rule, Effect effect);
  void operation(const Case& decided, Effect effect, std::uint32_t rule);
  void for_each_move(const Case& decided, Effect effect, std::uint32_t rule);
  void under_move(const Expression& move, const Case& decided, Effect effect, std::uint32_t rule);
  void check_fluent(const Expression& fluent, std::uint32_t rule);
  void skip_moves_that_stay();
  bool chain(const Expression& atom);
  bool leads_to_itself(const Signature& s) const;
  Expression given(const Expression& literal, const Expression& move, std::uint32_t rule);
  std::string view_given(const Signature& what, const Signature& move);
  void write_view(const Signature& what, const Signature& move, const std::string& name);
  void add(const Expression& trigger, std::vector<Expression> body, const Expression& effect);

  [[nodiscard]] bool is_general_frame(const PrefixRule& rule, Signature& deleted) const;
  void write_deletions();
  bool keeps(const PrefixRule& rule, const Signature& fluent) const;
  void delete_unless_kept(const Signature& fluent);

  PrefixGame& game_;
  Control& control_;
  std::vector<Statement>& out_;
  std::string each_step_;        // the operation that every move triggers; empty: none yet
  std::set<Signature> chained_;  // relations that have become operations
  std::map<std::pair<Signature, Signature>, std::string> views_;
  std::set<std::uint32_t> frame_;  // rules that need no operation
};

}  // namespace ludens::gdl::hrf
