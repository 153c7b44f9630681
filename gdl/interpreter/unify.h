// SPDX-License-Identifier: MIT
// Unification of patterns: how a clause replaces a literal that calls it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdl/interpreter/clauses.h"

namespace ludens::gdl::interpreter {

/// A most general unifier under construction. Rigid variables have a value at run time that is not
/// known here: where one is matched with something else, an equality remains to be tested. Terms
/// that contain others twice may grow exponentially: it gives up when there is too much to do.
class Unifier {
 public:
  Unifier(std::uint32_t variables, const TermStore& terms) : bindings_(variables), terms_(terms) {}

  void make_rigid(std::uint32_t variable) {
    rigid_.resize(bindings_.size());
    rigid_[variable] = true;
  }
  /// False: no instance of the two is equal.
  bool unify(const Pattern& a, const Pattern& b);
  [[nodiscard]] Pattern apply(const Pattern& p) const;
  [[nodiscard]] Atom apply(const Atom& a) const;
  [[nodiscard]] std::vector<Atom> equalities() const;
  /// Then nothing that it returned means anything.
  [[nodiscard]] bool given_up() const { return left_ == 0; }

 private:
  static constexpr std::size_t kMostNodes = 2000;  // of patterns that are looked at

  /// Counts a node; false if there were too many.
  [[nodiscard]] bool look() const {
    if (left_ != 0) --left_;
    return left_ != 0;
  }
  [[nodiscard]] bool is_rigid(std::uint32_t v) const { return v < rigid_.size() && rigid_[v]; }
  [[nodiscard]] const Pattern& resolve(const Pattern& p) const;
  [[nodiscard]] bool occurs(std::uint32_t variable, const Pattern& p) const;
  bool bind(const Pattern& variable, const Pattern& p);

  std::vector<std::optional<Pattern>> bindings_;
  const TermStore& terms_;
  std::vector<bool> rigid_;
  std::vector<std::pair<Pattern, Pattern>> equal_;
  mutable std::size_t left_ = kMostNodes;
};

/// The pattern, its variables numbered from `offset` on.
Pattern shifted(const Pattern& p, std::uint32_t offset);

}  // namespace ludens::gdl::interpreter
