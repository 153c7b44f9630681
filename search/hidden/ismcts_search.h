// SPDX-License-Identifier: MIT
// The passes of information set Monte Carlo tree search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/machine/rng.h"
#include "search/hidden/bandit.h"
#include "search/hidden/information_sets.h"
#include "search/hidden/roots.h"

namespace ludens::search::hidden {

/// On which knowledge the moves of a role in the tree are based.
enum class Observers : std::uint8_t {
  All,      // what the role knows: a tree for each (MO-ISMCTS)
  Defence,  // the searching role by what it knows, the others by the state, as if they knew it
};

struct IsmctsPolicy {
  Observers observers = Observers::All;
  double gamma = 0.7;          // weight of exploration in the UCB score
  std::uint32_t steps = 1000;  // of a playout
  std::uint32_t depth = 0;     // cap on the turns of a descent; 0: none
};

/// The search of one position. The arguments must outlive it. The descents of a pass go down
/// together, one turn at a time, so that machines are called in batches. A descent in progress
/// counts as a visit with value 0 (virtual loss).
class IsmctsSearch {
 public:
  IsmctsSearch(const gdl::Machine& machine, gdl::RoleIndex role, const Roots& roots,
               const IsmctsPolicy& policy, InformationSets<Bandit>& sets, gdl::Rng& rng,
               gdl::MemoryBudget* memory);

  /// Makes a pass: this many descents, each from a history drawn at random, with one playout each,
  /// and the backup. If the machine fails, nothing is counted of the descents that did not end.
  gdl::Status run(std::size_t descents, const gdl::StopSignal& stop);

  [[nodiscard]] std::uint64_t states() const { return states_; }
  [[nodiscard]] std::uint32_t depth() const { return depth_; }
  /// The bandit of the searching role at the root; null before the first pass.
  [[nodiscard]] Bandit* root();

 private:
  struct Chosen {
    Bandit* bandit;
    gdl::RoleIndex role;
    std::uint32_t arm;
    std::size_t legal;  // arms that were legal
  };
  struct Descent {
    std::vector<Chosen> path;
    std::vector<std::uint32_t> legal;  // arms of the bandits of the path, in its order
    std::vector<std::uint64_t> known;  // [role]
    std::size_t place = 0;             // among the states of the turn
    bool leaf = false;                 // a playout follows the next turn
  };

  void begin(std::size_t descents);
  [[nodiscard]] gdl::StateView state_of(const Descent& descent) const {
    return at_root_ ? roots_.histories().states[descent.place] : now_.states[descent.place];
  }
  [[nodiscard]] bool choose_all(Descent& descent);
  gdl::MoveId choose(Descent& descent, gdl::RoleIndex role, std::span<const gdl::MoveId> legal);
  std::uint32_t select_ucb(const Bandit& bandit);
  gdl::Status step();
  void sort_out();
  gdl::Status play_out();
  void back_up(const Descent& descent, std::span<const double> goals);
  void take_back();
  [[nodiscard]] std::span<const gdl::MoveId> legal(const Descent& descent,
                                                   gdl::RoleIndex role) const;

  const gdl::Machine& machine_;
  const gdl::RoleIndex role_;
  const Roots& roots_;
  const IsmctsPolicy policy_;
  InformationSets<Bandit>& sets_;
  gdl::Rng& rng_;
  std::unique_ptr<gdl::Machine::Context> context_;
  const std::size_t roles_;

  std::vector<Descent> descents_;
  std::vector<std::size_t> active_;  // indices of descents
  std::vector<std::size_t> done_;    // the same, of those that wait for playouts
  gdl::StateBatch leaves_;           // [done]
  std::vector<gdl::MoveId> joints_;  // [active * roles + role]
  std::vector<gdl::StateMove> pairs_;
  std::vector<std::uint32_t> places_;  // of legal moves, in a bandit
  std::vector<double> goals_;          // [role], 0..1
  gdl::Expansion now_, next_;
  gdl::Percepts percepts_;
  gdl::PlayoutSums sums_;
  bool at_root_ = true;
  std::uint32_t turn_ = 0, depth_ = 0;
  std::uint64_t states_ = 0;
};

}  // namespace ludens::search::hidden
