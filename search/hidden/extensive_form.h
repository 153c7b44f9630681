// SPDX-License-Identifier: MIT
// A complete game of hidden information as histories with information sets (Kuhn 1953): as a tree,
// or with histories merged that continue in the same way.
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

/// Indices of a history, of a step of knowledge, and of an information set.
using HistoryId = std::uint32_t;
using KnowledgeId = std::uint32_t;
using SetId = std::uint32_t;

/// All histories of a game, from one state on. In a step the roles that have a choice decide one
/// after another, in role order, and none knows what the others chose; `random` chooses uniformly.
/// Steps without a choice are skipped. A role never forgets its moves, its percepts and which moves
/// it could choose from: perfect recall. If the rules have no `sees`, every role perceives the
/// joint move, as in GDL-I. Built once, then read-only.
///
/// A merged form (`merged_form.h`) is a graph instead: histories of a step are merged if the state
/// is the same and each role knows the same, and a role knows the same if the same states are
/// possible. Its roles forget what does not distinguish states, such as the order of their own
/// moves, so an equilibrium of it need not be one of the game. Nevertheless its distance from an
/// equilibrium of the game can be computed exactly (`exploitability.h`).
class ExtensiveForm {
 public:
  struct History {
    enum class Kind : std::uint8_t { Decision, Chance, End };
    Kind kind = Kind::End;
    std::uint32_t children = 0;  // how many; each has a greater index than the history itself
    HistoryId first_child = 0;   // they are contiguous; merged: in `edges`
    std::uint32_t which = 0;     // Decision: the information set; End: the row of goals
  };
  /// What a role has learned in one step, in addition to what it knew before.
  struct Knowledge {
    KnowledgeId before;
    gdl::MoveId move;                      // its own
    bool chosen;                           // whether it was chosen from several
    std::vector<gdl::PerceptId> percepts;  // ascending
    std::vector<gdl::MoveId> joint;        // [role]; empty in games with `sees`
  };
  /// The histories that a role can't distinguish when it has to decide.
  struct InformationSet {
    gdl::RoleIndex role;
    KnowledgeId knowledge;
    std::uint32_t first_action;  // index into arrays over the actions of all sets
    std::vector<gdl::MoveId> moves;
  };

  /// Merged forms: how a role's knowledge continues in a step. Links of a role from earlier steps
  /// come first.
  struct Link {
    static constexpr std::uint32_t kNoChoice = ~std::uint32_t{0};
    KnowledgeId from, to;
    std::uint32_t action;  // of the set; kNoChoice: no decision
    gdl::MoveId move;      // its own
    std::uint32_t told;    // index into `told`
  };

  /// The knowledge before the first step.
  static constexpr KnowledgeId kBeginning = 0;

  /// Follows every history from `state` on. Fails with a sentence if there are too many for
  /// `memory` (may be null), more than `most` (0: any number), or if the deadline came first.
  static gdl::Result<ExtensiveForm> build(const gdl::Machine& machine, gdl::StateView state,
                                          const Deadline& deadline, gdl::MemoryBudget* memory,
                                          std::uint64_t most = 0);

  /// Why there is none, where a machine or memory said this.
  static const char* why_not(gdl::Status status);

  [[nodiscard]] std::span<const History> histories() const { return histories_; }
  [[nodiscard]] std::span<const InformationSet> sets() const { return sets_; }
  [[nodiscard]] HistoryId child(const History& history, std::uint32_t i) const {
    return merged() ? edges_[history.first_child + i] : history.first_child + i;
  }
  [[nodiscard]] bool merged() const { return !edges_.empty(); }
  [[nodiscard]] std::span<const Link> links(gdl::RoleIndex role) const { return links_[role]; }
  /// The link of a role along an edge (`first_child + i`) into the next step; kInside if the step
  /// continues, or the game ends.
  static constexpr std::uint32_t kInside = ~std::uint32_t{0};
  [[nodiscard]] std::uint32_t link_along(std::uint32_t edge, gdl::RoleIndex role) const {
    return edge_links_[edge * roles_ + role];
  }
  [[nodiscard]] std::size_t knowledge_size() const { return knowledge_.size(); }
  [[nodiscard]] std::size_t actions() const { return actions_; }
  [[nodiscard]] std::size_t roles() const { return roles_; }
  /// The roles that decide: all except `random`.
  [[nodiscard]] std::span<const gdl::RoleIndex> players() const { return players_; }
  /// The goals of an end: [role], 0 to 100.
  [[nodiscard]] std::span<const std::uint8_t> goals(const History& end) const {
    return std::span(goals_).subspan(end.which * roles_, roles_);
  }
  /// The steps to a set, oldest first, as its role knows them.
  [[nodiscard]] std::vector<const Knowledge*> known_in(const InformationSet& set) const;
  /// The set in which a role decides that knows this, has these legal moves and, in a game without
  /// `sees`, has seen the joint moves `history` (one move per role and turn; otherwise it may be
  /// empty). nullopt if there is none.
  [[nodiscard]] std::optional<SetId> find(gdl::RoleIndex role, std::span<const KnownTurn> known,
                                          std::span<const gdl::MoveId> history,
                                          std::span<const gdl::MoveId> legal) const;

 private:
  friend class FormBuilder;
  friend class MergedBuilder;
  /// An empty form: no histories, and `kBeginning` as the only knowledge.
  explicit ExtensiveForm(const gdl::Machine& machine);
  [[nodiscard]] bool leads_to(const InformationSet& set, std::span<const KnownTurn> known,
                              std::span<const gdl::MoveId> history) const;
  /// Merged: all knowledge that is possible after these turns (differing in which moves are legal).
  [[nodiscard]] std::vector<KnowledgeId> follow(gdl::RoleIndex role,
                                                std::span<const KnownTurn> known,
                                                std::span<const gdl::MoveId> history) const;

  std::vector<History> histories_;
  std::vector<HistoryId> edges_;           // merged: children
  std::vector<std::uint32_t> edge_links_;  // merged: [edge * roles + role]
  std::vector<std::vector<Link>> links_;   // merged: [role]
  /// Merged: percepts, or the joint move if the rules have no `sees`.
  std::vector<std::vector<std::uint32_t>> told_;
  bool all_is_seen_;
  std::vector<Knowledge> knowledge_;  // merged: the first path to it
  std::vector<InformationSet> sets_;
  std::vector<std::uint8_t> goals_;  // [end * roles + role]
  std::vector<gdl::RoleIndex> players_;
  std::size_t actions_ = 0, roles_;
  std::shared_ptr<gdl::HeldMemory> held_ = std::make_shared<gdl::HeldMemory>();
};

/// A probability for each action of each set, [first_action + i].
using BehaviourStrategy = std::vector<double>;

/// Whether a sweep over all histories has to end at this one; it asks now and then. `stop` may be
/// null.
inline bool stops_at(HistoryId history, const gdl::StopSignal* stop) {
  constexpr HistoryId kBetween = HistoryId{1} << 16;
  return history % kBetween == 0 && stop != nullptr && stop->stop_requested();
}

}  // namespace ludens::search::hidden
