// SPDX-License-Identifier: MIT
// A game of hidden information as histories with information sets (Kuhn 1953), whole: as a tree, or
// with histories merged that go on alike.
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
///
/// A merged form (`merged_form.h`) is a graph instead: histories of a step are one where the state
/// is the same and each role knows the same, and what a role knows is the same where the same
/// states are possible. Its roles forget what does not tell states apart, such as the order of
/// their own moves, so that an equilibrium of it need not be one of the game; how far it is from
/// one is told exactly all the same (`exploitability.h`).
class ExtensiveForm {
 public:
  struct History {
    enum class Kind : std::uint8_t { Decision, Chance, End };
    Kind kind = Kind::End;
    std::uint32_t children = 0;  // how many; each greater than the history itself
    HistoryId first_child = 0;   // they stand behind one another; merged: in `edges`
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

  /// Merged forms: how a role's knowledge goes on in a step. Of all links of a role those from
  /// earlier steps come first.
  struct Link {
    static constexpr std::uint32_t kNoChoice = ~std::uint32_t{0};
    KnowledgeId from, to;
    std::uint32_t action;  // of the set; kNoChoice: there was nothing to decide
    gdl::MoveId move;      // its own
    std::uint32_t told;    // index into `told`
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
  [[nodiscard]] HistoryId child(const History& history, std::uint32_t i) const {
    return merged() ? edges_[history.first_child + i] : history.first_child + i;
  }
  [[nodiscard]] bool merged() const { return !edges_.empty(); }
  [[nodiscard]] std::span<const Link> links(gdl::RoleIndex role) const { return links_[role]; }
  /// The link of a role along an edge (`first_child + i`) into the next step; kInside where the
  /// step goes on, or the game ends.
  static constexpr std::uint32_t kInside = ~std::uint32_t{0};
  [[nodiscard]] std::uint32_t link_along(std::uint32_t edge, gdl::RoleIndex role) const {
    return edge_links_[edge * roles_ + role];
  }
  [[nodiscard]] std::size_t knowledge_size() const { return knowledge_.size(); }
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
  friend class MergedBuilder;
  ExtensiveForm() = default;
  [[nodiscard]] bool leads_to(const InformationSet& set, std::span<const KnownTurn> known,
                              std::span<const gdl::MoveId> history) const;
  /// Merged: all that can be known behind these turns (differing in what moves are legal).
  [[nodiscard]] std::vector<KnowledgeId> follow(gdl::RoleIndex role,
                                                std::span<const KnownTurn> known,
                                                std::span<const gdl::MoveId> history) const;

  std::vector<History> histories_;
  std::vector<HistoryId> edges_;           // merged: children
  std::vector<std::uint32_t> edge_links_;  // merged: [edge * roles + role]
  std::vector<std::vector<Link>> links_;   // merged: [role]
  /// Merged: percepts, or where the rules have no `sees` the joint move.
  std::vector<std::vector<std::uint32_t>> told_;
  bool all_is_seen_ = false;
  std::vector<Knowledge> knowledge_;  // merged: the first way to it
  std::vector<InformationSet> sets_;
  std::vector<std::uint8_t> goals_;  // [end * roles + role]
  std::vector<gdl::RoleIndex> players_;
  std::size_t actions_ = 0, roles_ = 0;
  std::shared_ptr<gdl::HeldMemory> held_ = std::make_shared<gdl::HeldMemory>();
};

/// A probability for each action of each set, [first_action + i].
using BehaviourStrategy = std::vector<double>;

}  // namespace ludens::search::hidden
