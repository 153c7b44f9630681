// SPDX-License-Identifier: MIT
// Joins the ground rules of a rule literal by literal, under what each literal implies.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "gdl/ground/grounder.h"
#include "gdl/network/implications.h"

namespace ludens::gdl {

/// Searches the bindings of a rule's body depth first. Each literal is assumed, and what follows
/// from that decides later literals: one that can't hold any more ends the binding, and one that
/// must hold is left out of the ground rule. The ground rules are equivalent to the rule in every
/// state in which the facts hold, and none follows from an earlier one of the same branch.
class RowSearch {
 public:
  struct Limits {
    std::size_t literals = 400'000;       // of all ground rules together
    std::uint64_t bindings = 20'000'000;  // that are looked at
  };

  /// `edges`: those of the atoms of `program` that rules ask for. All must outlive this; the
  /// program gets indices.
  RowSearch(GroundProgram& program, const std::vector<Edge>& edges, Implications& facts,
            StopPoll& poll, const Limits& limits);

  /// Adds the ground rules of a rule, over the relations of the program. False: too many, too much
  /// work, or stopped.
  bool add(const FlatRule& rule);
  [[nodiscard]] std::vector<GroundRules> take() { return std::move(found_); }

 private:
  // A positive literal that binds variables, and the literals that can be decided after it.
  struct Level {
    const FlatLiteral* binder = nullptr;  // null: of the first level, which binds nothing
    Tuples::Index* index = nullptr;       // null: all rows are looked at
    std::vector<bool> binds;              // [column]
    std::vector<const FlatLiteral*> tests;
    bool head_known = false;  // before a row of the binder is chosen
  };
  struct Frame {
    std::size_t level;
    RowId row;         // to look at next
    std::size_t mark;  // of the facts, before a row was chosen
    std::size_t kept;
  };

  bool plan(const FlatRule& rule);
  const FlatLiteral* best_binder(const std::vector<const FlatLiteral*>& left);
  void add_tests(std::vector<const FlatLiteral*>& left);
  bool add_binder(const FlatLiteral& literal);
  [[nodiscard]] bool known(const std::vector<FlatTerm>& columns) const;
  Frame enter(std::size_t level);
  bool next_row(Frame& frame);
  bool match(const Level& level, RowId row);
  bool hold(const Level& level);
  bool test(const FlatLiteral& literal);
  bool assume(AtomLiteral literal);
  void found(const FlatRule& rule);
  void leave_what_follows(std::vector<Frame>& frames) const;
  [[nodiscard]] bool given_up();
  [[nodiscard]] std::uint32_t value(const FlatTerm& t) const {
    return t.variable ? values_[t.value] : t.value;
  }
  const std::uint32_t* fill(const std::vector<FlatTerm>& columns);
  [[nodiscard]] std::pair<std::uint32_t, RowId> place_of(Atom atom) const;
  GroundRules& rules_like(const FlatRule& rule);

  GroundProgram& program_;
  const std::vector<Edge>& edges_;  // [atom]
  Implications& facts_;
  StopPoll& poll_;
  const Limits limits_;
  std::vector<Level> levels_;
  std::vector<bool> bound_;  // [variable], while planning
  std::vector<std::uint32_t> values_, row_;
  std::vector<AtomLiteral> kept_;                         // of the current binding
  std::vector<std::pair<Atom, std::uint32_t>> numbered_;  // first atom, relation
  std::set<std::vector<std::uint32_t>> seen_;             // literals and head
  std::vector<GroundRules> found_;
  std::map<std::vector<std::uint32_t>, std::size_t> forms_;  // head and relations: of those found
  std::size_t literals_ = 0;
  std::uint64_t bindings_ = 0;
};

}  // namespace ludens::gdl
