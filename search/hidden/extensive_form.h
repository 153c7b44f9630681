// SPDX-License-Identifier: MIT
// A game of hidden information as a tree of histories with information sets (Kuhn 1953), whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/memory/held_memory.h"
#include "search/strategy/stopping.h"
#include "search/strategy/strategy.h"

namespace ludens::search::hidden {

/// Index of a history, of a step of knowledge, and of an information set.
using HistoryId = std::uint32_t;
using KnowledgeId = std::uint32_t;
using SetId = std::uint32_t;

/// All histories of a game, from one state on. In a step the roles that have a choice decide one
/// after the other, in role order, and none knows what the others chose; `random` chooses with
/// equal chances. Steps without a choice are passed over. A role never forgets its moves, its
/// percepts and which moves it had to choose from: perfect recall. Where the rules have no `sees`,
/// every role perceives the joint move, as in GDL-I. Made once, then only read.
class ExtensiveForm {
 public:
  struct History {
    enum class Kind : std::uint8_t { Decision, Chance, End };
    Kind kind = Kind::End;
    std::uint32_t children = 0;  // how many; they stand behind one another
    HistoryId first_child = 0;   // greater than the history itself
    std::uint32_t which = 0;     // Decision: the information set; End: the row of goals
  };
  /// What a role has learned in one step, behind what it knew before.
  struct Knowledge {
    KnowledgeId before;
    gdl::MoveId move;                      // its own
    bool chosen;                           // from several
    std::vector<gdl::PerceptId> percepts;  // ascending
    std::vector<gdl::MoveId> joint;        // [role]; empty in games with `sees`
  };
  /// The histories that a role can't tell apart where it has to decide.
  struct InformationSet {
    gdl::RoleIndex role;
    KnowledgeId knowledge;
    std::uint32_t first_action;  // index into arrays over the actions of all sets
    std::vector<gdl::MoveId> moves;
  };

  /// What is known of nothing.
  static constexpr KnowledgeId kBeginning = 0;

  /// Follows every history from `state` on. A sentence where there are too many for `memory` (may
  /// be null), more than `most` (0: any number), or where the deadline came first.
  static gdl::Result<ExtensiveForm> build(const gdl::Machine& machine, gdl::StateView state,
                                          const Deadline& deadline, gdl::MemoryBudget* memory,
                                          std::uint64_t most = 0);

  [[nodiscard]] std::span<const History> histories() const { return histories_; }
  [[nodiscard]] std::span<const InformationSet> sets() const { return sets_; }
  [[nodiscard]] std::size_t actions() const { return actions_; }
  [[nodiscard]] std::size_t roles() const { return roles_; }
  /// The roles that decide: all but `random`.
  [[nodiscard]] std::span<const gdl::RoleIndex> players() const { return players_; }
  /// What an end is worth: [role], 0 to 100.
  [[nodiscard]] std::span<const std::uint8_t> goals(const History& end) const {
    return std::span(goals_).subspan(end.which * roles_, roles_);
  }
  /// The steps that led to a set, oldest first, as its role knows them.
  [[nodiscard]] std::vector<const Knowledge*> known_in(const InformationSet& set) const;
  /// The set in which a role has to decide that knows this, has these legal moves and, in a game
  /// without `sees`, has seen the joint moves `history` (roles a turn; else it may be empty).
  /// nullopt where there is none.
  [[nodiscard]] std::optional<SetId> find(gdl::RoleIndex role, std::span<const KnownTurn> known,
                                          std::span<const gdl::MoveId> history,
                                          std::span<const gdl::MoveId> legal) const;

 private:
  friend class FormBuilder;
  ExtensiveForm() = default;

  std::vector<History> histories_;
  std::vector<Knowledge> knowledge_;
  std::vector<InformationSet> sets_;
  std::vector<std::uint8_t> goals_;  // [end * roles + role]
  std::vector<gdl::RoleIndex> players_;
  std::size_t actions_ = 0, roles_ = 0;
  std::shared_ptr<gdl::HeldMemory> held_ = std::make_shared<gdl::HeldMemory>();
};

/// A probability for each action of each set, [first_action + i].
using BehaviourStrategy = std::vector<double>;

}  // namespace ludens::search::hidden
