// SPDX-License-Identifier: MIT
// Proof-number search: can a role force a goal, whatever the others do?
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/solve/proof_table.h"
#include "search/solve/prover.h"

namespace ludens::search {

/// Depth-first proof-number search (Allis, van der Meulen and van den Herik 1994; Nagai 2002). The
/// question of a threshold, "can the role force at least this?", makes an AND/OR tree. The proof
/// number of a node is the least number of leaves that must still be proved to prove it, the
/// disproof number the same for disproving it. The search goes to the leaf that counts for both,
/// and returns from a node only when one of its numbers exceeds what made it the best.
///
/// A node is a state, with an OR over the role's moves and an AND over the others' joint moves
/// after each. That is a plain OR or AND node if they take turns, and the pessimistic view of
/// simultaneous moves if they don't. All children of a state are expanded in one call of the
/// machine, which also reports how many moves each has: the initial estimate of its numbers.
///
/// Values between 0 and 100 are found by bisection of thresholds. Only goals that were seen at ends
/// of the game can be values: what is disproved for one threshold is worth at most the next goal
/// seen below it.
///
/// A state that recurs on the path is worth nothing there (`kNeverEnds`): a disproof that depends
/// on that is valid only for this path, and is stored under a key of state and path. Proofs are
/// valid anywhere.
///
/// Not for games with the role `random`. One thread, one machine, one role.
class ProofSearch final : public Prover {
 public:
  /// `deadline` and `memory` (null: no limit) must outlive it.
  ProofSearch(std::shared_ptr<const gdl::Machine> machine, gdl::RoleIndex role,
              const Deadline& deadline, gdl::MemoryBudget* memory);
  Solution solve(const Position& position) override;

 private:
  static constexpr std::uint32_t kInfinite = 1U << 30;
  static constexpr std::size_t kNoPath = static_cast<std::size_t>(-1);
  /// A node's numbers. If it is disproved (disproof 0), `rests_on` is the depth of the highest
  /// state of the path on whose recurrence the disproof depends, or kNoPath if it is valid
  /// anywhere.
  struct Numbers {
    std::uint32_t proof = 1, disproof = 1;
    std::size_t rests_on = kNoPath;
    [[nodiscard]] bool is_settled() const { return proof == 0 || disproof == 0; }
  };
  /// A state on the path, with all its successors. Groups of children: the replies to each move.
  struct Frame {
    gdl::StateHash key, path;  // path: of all states from the root to here
    std::uint32_t proof_bound = 0, disproof_bound = 0;
    std::uint64_t visited_before = 0;
    gdl::Expansion expansion;
    std::vector<gdl::StateHash> keys;  // [child]
    std::vector<Numbers> children;
    std::size_t moves = 0, replies = 0;
    std::vector<gdl::MoveId> my_moves;
    std::size_t at = 0;  // the child that is being searched
  };
  struct Choice {  // the numbers of a frame from its children, and where to continue
    Numbers numbers;
    std::size_t group = 0, child = 0;
    Numbers of_group;
    std::uint32_t second_proof = kInfinite;     // of the other groups
    std::uint32_t second_disproof = kInfinite;  // of the other children in the group
  };
  enum class Answer : std::uint8_t { Yes, No, Unknown };

  [[nodiscard]] Answer ask(const Position& position, int threshold);
  gdl::Status push_root(const Position& position);
  gdl::Status push_child(const Choice& choice);
  /// Expands `state` in the top frame; its legal moves are in `legal_`.
  gdl::Status expand(Frame& frame, gdl::StateView state);
  /// A state in which a role has no legal move counts as an end.
  gdl::Status end_where_nothing_follows(gdl::Expansion& expansion);
  void assess(Frame& frame);
  [[nodiscard]] Numbers first_numbers(const Frame& frame, std::size_t child) const;
  [[nodiscard]] Numbers known_numbers(const Frame& frame, std::size_t child);
  [[nodiscard]] Choice choose(const Frame& frame) const;
  [[nodiscard]] Numbers of_group(const Frame& frame, std::size_t group) const;
  void pop(const Choice& choice);
  void store(const Frame& frame, const Numbers& numbers);
  [[nodiscard]] Frame& top() { return *frames_[open_ - 1]; }
  Frame& push();
  [[nodiscard]] std::size_t depth_on_path(const gdl::StateHash& key) const;
  [[nodiscard]] int next_threshold(double low, double high) const;

  std::shared_ptr<const gdl::Machine> machine_;
  gdl::RoleIndex role_;
  std::unique_ptr<gdl::Machine::Context> context_;
  ProofTable table_;
  std::vector<std::unique_ptr<Frame>> frames_;  // the first open_ are the stack
  std::size_t open_ = 0;
  std::vector<std::uint16_t> on_path_;           // [part of a key]: states of the path
  std::vector<std::vector<gdl::MoveId>> legal_;  // [role]
  std::vector<gdl::MoveId> joints_;
  std::vector<gdl::StateMove> pairs_;
  std::set<int> goals_;  // seen at ends
  int threshold_ = 0;
  std::uint16_t question_ = 0;
  bool recurs_ = false;  // a state has been seen to recur
  std::uint64_t visited_ = 0;
  gdl::MoveId best_ = gdl::kNoMove;
};

/// Proof-number search; for one role, and for games of chance, the prover by search.
std::unique_ptr<Prover> make_proof_prover(std::shared_ptr<const gdl::Machine> machine,
                                          gdl::RoleIndex role, const Deadline& deadline,
                                          gdl::MemoryBudget* memory);

}  // namespace ludens::search
