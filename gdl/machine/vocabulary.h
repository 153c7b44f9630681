// SPDX-License-Identifier: MIT
// The names of a match: small integers for fluents, moves and percepts, the same on every machine
// of the match.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gdl/machine/shared_network.h"
#include "gdl/memory/held_memory.h"
#include "gdl/rules/rules.h"
#include "gdl/text/syntax.h"

namespace ludens::gdl {

using FluentId = std::uint32_t;
using MoveId = std::uint32_t;
/// Numbers the percepts of `sees` (GDL-II).
using PerceptId = std::uint32_t;

/// One move per role, in role order.
using JointMove = std::span<const MoveId>;
inline constexpr MoveId kNoMove = 0xffffffff;

/// A ground term as a preorder row of cells that needs no term store: a constant, however it is
/// spelled, is one cell `symbol * 2`; a compound is `functor * 2 + 1`, the number of its arguments,
/// then the arguments.
using GroundTerm = std::span<const std::uint32_t>;

/// Bytes of the longest term that is given an id. A machine stores equal parts of a term once, so
/// that a small term may be astronomically long when it is written out.
inline constexpr std::size_t kLongestName = std::size_t{4} << 20;
/// Each cell of a term takes at least two bytes.
inline constexpr std::size_t kMostCells = kLongestName / 2;

/// Append-only and thread-safe: an id never changes its meaning. Ids are given in the order in
/// which terms are first seen, which for one thread is the order in which the rules derive them.
/// Its memory is counted against a budget (null: `kUnbudgetedBytes`), and stays counted as long as
/// the vocabulary lives. A term for which there is no memory left, or which is longer than
/// `kLongestName`, gets no id: BudgetExhausted is thrown.
class Vocabulary {
 public:
  explicit Vocabulary(std::shared_ptr<const Rules> rules,
                      std::shared_ptr<MemoryBudget> memory = nullptr);

  [[nodiscard]] const Rules& rules() const { return *rules_; }
  /// Where the machines of a match find the network that one of them has made.
  [[nodiscard]] SharedNetwork& network() { return network_; }

  FluentId fluent(GroundTerm term);
  MoveId move(GroundTerm term);
  PerceptId percept(GroundTerm term);
  [[nodiscard]] std::size_t fluent_count() const;
  [[nodiscard]] std::size_t move_count() const;
  /// A copy of the term with this id.
  [[nodiscard]] std::vector<std::uint32_t> fluent_term(FluentId id) const;
  [[nodiscard]] std::vector<std::uint32_t> move_term(MoveId id) const;

  /// `( cell 1 1 b )`, `noop`: one space between tokens, the spelling of the rulesheet.
  [[nodiscard]] std::string fluent_name(FluentId id) const;
  [[nodiscard]] std::string move_name(MoveId id) const;
  [[nodiscard]] std::string percept_name(PerceptId id) const;

  /// The same for people, in the language of the rulesheet: `cell(1,1,b)` if that is infix.
  [[nodiscard]] std::string fluent_text(FluentId id) const;
  [[nodiscard]] std::string move_text(MoveId id) const;

  /// The id of a term as a host or player writes it, compared without regard to case; nullopt for a
  /// term that no machine has derived yet. `( noop )` and `noop` are one term.
  [[nodiscard]] std::optional<MoveId> find_move(const SyntaxTree& tree, NodeIndex node) const;
  [[nodiscard]] std::optional<MoveId> find_move(std::string_view text) const;
  [[nodiscard]] std::optional<FluentId> find_fluent(std::string_view text) const;
  [[nodiscard]] std::optional<PerceptId> find_percept(const SyntaxTree& tree, NodeIndex node) const;
  [[nodiscard]] std::optional<PerceptId> find_percept(std::string_view text) const;

 private:
  struct Table {
    std::vector<std::uint32_t> cells;
    std::vector<std::size_t> begin{0};
    std::unordered_multimap<std::uint64_t, std::uint32_t> index;
  };
  std::uint32_t intern(Table& table, GroundTerm term);
  void make_room(GroundTerm term);
  [[nodiscard]] std::optional<std::uint32_t> find(const Table& table, GroundTerm term) const;
  [[nodiscard]] std::optional<std::uint32_t> find(const Table& table, const SyntaxTree& tree,
                                                  NodeIndex node) const;
  [[nodiscard]] std::optional<std::uint32_t> find(const Table& table, std::string_view text) const;
  [[nodiscard]] std::vector<std::uint32_t> term(const Table& table, std::uint32_t id) const;

  std::shared_ptr<const Rules> rules_;
  std::shared_ptr<MemoryBudget> memory_;
  HeldMemory held_;
  std::size_t used_ = 0;  // bytes
  mutable std::shared_mutex mutex_;
  Table fluents_, moves_, percepts_;
  SharedNetwork network_;
};

/// The cells of a term as somebody else writes it, compared without regard to case; nullopt if it
/// is not one, or has words that the rules don't have. `( noop )` and `noop` are one term.
std::optional<std::vector<std::uint32_t>> ground_term(const Symbols& symbols,
                                                      const SyntaxTree& tree, NodeIndex node);

/// A ground term as text, with the spelling of the rulesheet.
std::string print(const Rules& rules, GroundTerm term);

}  // namespace ludens::gdl
