// SPDX-License-Identifier: MIT
// Which role moves, in a game in which one role moves at a time.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gdl/to_hrf/prefix_game.h"

namespace ludens::gdl::hrf {

/// Finds what determines the role in control, from the rules of `legal`.
class Control {
 public:
  /// Reports an error to the game if it can't be seen that all roles but the ones in control wait,
  /// or if several begin; notes if it can't be seen that one role is in control. Renames what is
  /// called `control` and does not say which one.
  explicit Control(PrefixGame& game);

  /// Whether there is more than one role, so that some role waits.
  [[nodiscard]] bool in_turn() const { return game_.roles.size() > 1; }
  /// Whether a rule of `legal` only says that a role waits.
  [[nodiscard]] bool is_waiting(const PrefixRule& rule) const;
  /// Whether `literal` says, of the fluents or by a relation, that `role` is in control.
  [[nodiscard]] bool says_control(const Expression& literal, const Expression& role) const;
  /// What must be added to HRF so that `control(R)` is known.
  [[nodiscard]] std::optional<Statement> definition() const;
  /// Proves that in every state exactly one role is in control; otherwise reports an error, once.
  bool prove_one(std::uint32_t rule);

 private:
  [[nodiscard]] std::pair<std::string, bool> chosen() const;
  void free_name();
  void look_at_waiting();
  void look_for_several(std::uint32_t waiting);
  [[nodiscard]] std::string not_seen() const;
  bool is_one();
  [[nodiscard]] bool waits_by_negation(const PrefixRule& rule) const;
  [[nodiscard]] bool waits(const std::string& role, const std::string& in_control) const;
  [[nodiscard]] bool is_role(const Expression& e) const;
  [[nodiscard]] bool next_is_one() const;
  [[nodiscard]] std::optional<std::vector<Expression>> instances(
      const Expression& literal, const std::string& in_control) const;
  [[nodiscard]] std::optional<bool> holds(const Expression& literal,
                                          const std::string& in_control) const;
  template <class Use>
  bool for_each_case(const PrefixRule& rule, const std::string& in_control, const Use& use) const;

  PrefixGame& game_;
  std::string name_;     // of the fluent or relation with one argument
  bool fluent_ = false;  // it is a fluent
  std::optional<bool> one_;
  bool reported_ = false;  // that it is not
};

/// The move of the roles that wait.
Expression waiting_move();

}  // namespace ludens::gdl::hrf
