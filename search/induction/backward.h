// SPDX-License-Identifier: MIT
// Backward induction over all reachable states: computes values starting at the ends.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/memory/held_memory.h"
#include "search/strategy/incumbent.h"
#include "search/strategy/stopping.h"
#include "search/tree/state_map.h"

namespace ludens::search {

/// The value of a state for a role is what the role can force: the maximum over its moves of the
/// minimum over the others' joint moves of the mean over the moves of `random`. A play that never
/// ends is worth 0, so values are the least fixed point: they start at 0 and rise from the ends of
/// the game to the states that lead there (retrograde analysis), however states recur. With
/// `Choices::Mixed`, the role may draw its move, and the value is what the best mixture guarantees
/// on average (Bosansky, Lisy, Lanctot, Cermak and Winands 2016): in a game of two whose goals have
/// one sum, the equilibrium.
///
/// Time and space are linear in the number of joint moves from all states. For one thread.
class BackwardInduction {
 public:
  using Index = std::uint32_t;  // of a state; 0 is the root
  enum class Outcome : std::uint8_t {
    Complete,
    Stopped,     // by the deadline
    OverBudget,  // memory was used up, or the machine's budget was; or there are too many states
  };
  /// Whether the others see the role's move before they reply.
  enum class Choices : std::uint8_t { Seen, Mixed };
  /// The role's move in a state if only one should be considered; kNoMove: all are.
  using Filter = std::function<gdl::MoveId(gdl::StateView)>;

  /// `deadline` must outlive this; `memory` too, null: no limit.
  BackwardInduction(std::shared_ptr<const gdl::Machine> machine, gdl::RoleIndex role,
                    const Deadline& deadline, gdl::MemoryBudget* memory,
                    Choices choices = Choices::Seen);

  /// To be called before `solve`, which ends with OverBudget if there are more states.
  void cap_states(Index most) { most_states_ = most; }
  /// What is known about the number of states, and when to give up. To be set before `solve`.
  struct Patience {
    /// From then on it counts as stopped unless all states are in sight: either there is time for
    /// as many as `states`, or fewer can be reached in one step more than in one step less.
    TimePoint trial = TimePoint::max();
    double states = 0;  // not more than these; 0: unknown
  };
  void set_patience(const Patience& patience) { patience_ = patience; }
  /// To be called before `solve`: partial results are of no use to the caller, so `solve` returns
  /// as soon as it is cut short.
  void need_all() { needs_all_ = true; }
  /// Finds all states that can be reached from `root`, once, and their values. If that is cut
  /// short, unknown values count as 0, so that values are proved lower bounds.
  Outcome solve(gdl::StateView root, const Filter& filter = {});

  [[nodiscard]] std::size_t size() const { return first_edge_.size(); }
  [[nodiscard]] gdl::StateView state(Index i) const { return states_[i]; }
  /// nullopt if it was not reached.
  [[nodiscard]] std::optional<Index> find(gdl::StateView state) const;
  [[nodiscard]] double value(Index i) const { return values_[i]; }
  [[nodiscard]] bool is_end(Index i) const { return first_edge_[i] == kEnd; }
  /// The role's best move, one that ends the game if there is one. Following it actually reaches
  /// the value: it never goes in cycles.
  [[nodiscard]] gdl::MoveId best_move(Index i) const;
  /// All moves of which that can be said, in their order: those that end the game, if they are as
  /// good as any; otherwise, if states recur anywhere, `best_move` alone. None at the end. Needs
  /// all (`need_all`).
  [[nodiscard]] std::vector<gdl::MoveId> best_moves(Index i) const;
  /// The role's moves in a state and their chances in the best mixture, with `Choices::Mixed`; no
  /// moves at the end. Playing by it reaches the value: it does not go in cycles for ever.
  struct Mixture {
    std::vector<gdl::MoveId> moves;
    std::vector<double> chances;  // [move]
  };
  [[nodiscard]] Mixture mixture(Index i) const;
  /// The values of all moves of the role in a state, exact or lower bounds.
  [[nodiscard]] std::vector<RootMove> values_of_moves(Index i) const;
  /// The states that the others, and chance, can lead to after that move.
  void successors(Index i, std::vector<Index>& out) const;
  /// Whether values are exact, and not limits of an infinite sum (chance, or mixtures of moves, in
  /// a cycle of states).
  [[nodiscard]] bool is_exact() const { return exact_; }

 private:
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  static constexpr Index kNone = 0xffffffff;
  /// The head of a state's edges. It is followed by the role's moves, then by the successors: for
  /// each move, for each joint move of the others, for each move of chance.
  struct EdgeCounts {
    std::uint32_t moves, replies, outcomes;
  };
  Outcome explore(const Filter& filter);
  gdl::Status look_at_root();
  gdl::Status end(Index i, gdl::StateView state);
  gdl::Status expand(const Filter& filter);
  gdl::Status expand_part();
  [[nodiscard]] std::size_t enough() const;  // pairs of a pass
  void look_at_next();
  [[nodiscard]] bool gives_up() const;
  std::optional<EdgeCounts> add_pairs(Index i, const Filter& filter);
  gdl::Status add_successors(Index i, const EdgeCounts& counts, std::size_t& pair);
  gdl::Status arrive(std::size_t pair, Index& index);
  Index index_of(gdl::StateView state);
  bool grow(std::size_t bytes);
  bool list(std::size_t pairs);
  bool add_ahead(std::span<const gdl::MoveId> legal);
  void take_ahead(std::vector<gdl::MoveId>& legal);

  bool link_predecessors();
  bool propagate(bool limits);
  bool raise(Index i);
  bool raise_by_mixture(Index i, const EdgeCounts& counts);
  [[nodiscard]] std::vector<double> matrix(Index i, const EdgeCounts& counts) const;
  [[nodiscard]] std::uint32_t choice(Index i) const;
  [[nodiscard]] double mean(std::span<const Index> successors) const;
  [[nodiscard]] double worth(const EdgeCounts& counts, const Index* successors) const;
  [[nodiscard]] EdgeCounts edge_counts(Index i) const;
  [[nodiscard]] bool has_cycle() const;
  [[nodiscard]] bool move_ends(const EdgeCounts& counts, const Index* successors) const;

  std::shared_ptr<const gdl::Machine> machine_;
  gdl::RoleIndex role_;
  const Deadline& deadline_;
  Choices choices_;
  gdl::MemoryBudget* memory_;
  Index most_states_ = kNone - 1;
  bool needs_all_ = false;
  Patience patience_;
  gdl::HeldMemory held_;
  std::size_t needed_ = 0;  // bytes
  std::unique_ptr<gdl::Machine::Context> context_;

  StateMap indices_;
  gdl::StateBatch states_;
  std::vector<std::uint64_t> first_edge_;  // [state]: into edges_; kEnd
  std::vector<std::uint32_t> edges_;
  std::vector<double> values_;                    // [state]
  std::vector<std::uint32_t> best_;               // [state]: number of the move that determines the
                                                  // value
  std::vector<std::vector<double>> rows_;         // Mixed: [state]: chances of the moves, if more
                                                  // than one and replies matter
  std::vector<std::uint64_t> first_predecessor_;  // [state], one more at the end
  std::vector<Index> predecessors_;
  bool exact_ = true;
  bool solved_ = true;   // all matrices were
  bool cycles_ = false;  // states recur; false if nobody asked

  // Used during exploration.
  Index looked_into_ = 0;
  TimePoint begin_;
  std::size_t layer_begin_ = 0, layer_end_ = 1;  // the states found in one and the same step
  bool narrows_ = false;                         // that layer has fewer than the one before it
  // Legal moves of the states that are not expanded yet, in their order: for each role the number
  // of moves, then the moves.
  std::deque<std::uint32_t> ahead_;
  std::vector<std::vector<gdl::MoveId>> legal_;  // [role], of a state
  std::vector<EdgeCounts> edge_counts_;          // of the states of a pass
  std::vector<gdl::MoveId> joint_moves_;         // of a pass, stored contiguously
  std::vector<Index> from_;                      // [pair]
  std::size_t most_pairs_ = 0;                   // of a pass so far
  std::size_t part_begin_ = 0, part_end_ = 0;    // pairs of the pass that are expanded at once
  std::vector<gdl::StateMove> pairs_;            // of the part
  gdl::Expansion expansion_;                     // of the part
};

}  // namespace ludens::search
