// SPDX-License-Identifier: MIT
// Choosing a move: the one interface of all searches.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/reach/reach_machine.h"
#include "search/strategy/incumbent.h"
#include "search/strategy/stopping.h"
#include "search/strategy/trace.h"

namespace ludens::search {

/// What a role of a game with hidden information knows about one turn.
struct KnownTurn {
  gdl::MoveId own = gdl::kNoMove;
  std::vector<gdl::PerceptId> percepts = {};  // its percepts of the joint move; ascending

  bool operator==(const KnownTurn& other) const = default;
};

/// Where to choose a move and for which role. The machine may differ from that of the last call (a
/// match starts on the interpreter and switches later): states of the old one mean nothing to the
/// new one.
struct Position {
  std::shared_ptr<const gdl::Machine> machine;
  gdl::State state;
  gdl::RoleIndex role = 0;
  /// Joint moves made since the initial state, stored contiguously (one move per role and step).
  std::vector<gdl::MoveId> history;
  /// In a game with hidden information, what the role knows: a turn for each joint move since the
  /// initial state. `state` and `history` are then those of one of the histories that fit it; the
  /// role can't know which of them is the actual one. nullopt if everything is known.
  std::optional<std::vector<KnownTurn>> known = std::nullopt;
  /// Whether this is the time of START: no move is asked for yet.
  bool at_start = false;
};

class ValueFunction;
class KnowledgeStore;

/// What others have learned about the states of a game so far.
struct LearnedValues {
  std::shared_ptr<const ValueFunction> function = nullptr;  // null: nothing
  /// The machine of whose states they are; null: the machine that was asked about.
  std::shared_ptr<const gdl::ReachMachine> machine = nullptr;
};

/// Returns what others have learned about the game of a machine.
using ValueProvider = std::function<LearnedValues(const gdl::Machine&)>;

/// The machine that makes the playouts of a game, itself or one with the same states, and why.
struct PlayoutMachine {
  std::shared_ptr<const gdl::Machine> machine;
  std::string why;
};

/// Returns what was decided about the playouts of a machine; nullopt if nothing.
using PlayoutProvider = std::function<std::optional<PlayoutMachine>(const gdl::Machine&)>;

/// What a strategy may use during its whole life.
struct Resources {
  unsigned threads = 1;
  gdl::MemoryBudget* memory = nullptr;  // null: no limit
  SearchTrace* trace = nullptr;         // where tree searches record their tree; null: nowhere
  ValueProvider values = {};            // empty: strategies that need learned values learn them
  PlayoutProvider playouts = {};  // empty: searches by playouts choose their policies themselves
  /// What was learned in earlier matches, to continue from; null: nothing.
  std::shared_ptr<const KnowledgeStore> knowledge = nullptr;
};

/// Thinks about one position at a time, for one role of one match. Not thread-safe: only one call
/// at a time; a strategy that needs threads starts its own within `think`.
class Strategy {
 public:
  virtual ~Strategy() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Thinks until it is done or the deadline has come, ends within 5 ms of that, and publishes
  /// every better choice into the incumbent, the first one as early as possible and all of them in
  /// the thread of the call, so that a listener is never called twice at once. May be called
  /// again for the same position (to continue), for the one after the last joint move (to use what
  /// was found), or for any other. With a deadline that only a stop token ends, it ponders. At
  /// least one legal move must exist.
  virtual void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) = 0;

  /// False for a strategy that chooses without looking ahead, for which a fast machine is useless.
  [[nodiscard]] virtual bool looks_ahead() const { return true; }

  /// One line on how the choice was made, for logs; empty if there is nothing to say.
  [[nodiscard]] virtual std::string explanation() const { return {}; }
};

}  // namespace ludens::search
