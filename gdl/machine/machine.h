// SPDX-License-Identifier: MIT
// The one interface that search sees: what a game is and what follows from a move.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdl/machine/rng.h"
#include "gdl/machine/state.h"
#include "gdl/machine/structure.h"
#include "gdl/machine/vocabulary.h"
#include "gdl/memory/limits.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

/// How a call ended. After anything but Ok, the outputs of the call are unspecified, the context
/// stays usable, and the same call may be made again.
enum class Status : std::uint8_t {
  Ok,
  Stopped,     // by the context's stop signal
  OverBudget,  // memory, or a derivation that does not end
};

/// A fault of the game, found in play. Values, not exceptions: a flawed game is still played.
struct Flaw {
  enum class Kind : std::uint8_t {
    NoLegalMove,     // a role without a legal move in a state that is not terminal
    GoalMissing,     // at the end; counted as 0
    GoalDoubled,     // at the end; the largest counts
    GoalNotANumber,  // at the end: not an integer of at most nine digits; counted as 0
  };
  Kind kind;
  RoleIndex role;
  std::string state;  // `( f1 f2 ... )`
};

std::string_view to_string(Flaw::Kind kind);

/// How often a move is chosen, relative to the role's other legal moves: [role][move id]. 0 counts
/// as 1, so that a role with a legal move has a choice; so does an id beyond the end of a row.
struct MoveWeights {
  std::vector<std::vector<std::uint8_t>> rows;
  [[nodiscard]] std::uint32_t of(RoleIndex role, MoveId move) const {
    if (role >= rows.size() || move >= rows[role].size()) return 1;
    return rows[role][move] == 0 ? 1 : rows[role][move];
  }
};

/// What is counted about the moves made in playouts.
struct MoveCounting {
  bool per_start = true;  // otherwise for all starts together
  int won_from = 100;     // 1..100: a role has won a playout if its goal is at least this
  int lost_to = 0;        // and lost it if its goal is at most this; less than won_from
};

struct PlayoutOptions {
  std::uint32_t per_start = 1;      // playouts from each start state
  std::uint32_t step_cap = 10'000;  // a longer playout is cut there
  // Owned by the caller. Null: moves are chosen uniformly, and none are counted.
  const MoveWeights* weights = nullptr;
  const MoveCounting* counting = nullptr;
};

/// Playouts in which a role made a move, once or more.
struct MoveCount {
  std::uint64_t made = 0;
  std::uint64_t won = 0, lost = 0;  // of these, by the role
};

/// Sums over the playouts of each start state. A truncated playout counts with the goals of its
/// last state (0 where it has none).
struct PlayoutSums {
  std::vector<std::uint64_t> goals;     // [start * roles + role]
  std::vector<std::uint32_t> playouts;  // [start]: number summed up
  std::uint64_t steps = 0;              // joint moves made, all starts
  std::uint64_t cut = 0;                // playouts that reached the step cap
  /// [group * roles + role][move id], if requested: each start is a group, or all together are one.
  /// Moves with ids beyond the end of a row were not made.
  std::vector<std::vector<MoveCount>> moves;
};

/// One query of a batch: the joint move is made in the state.
struct StateMove {
  StateView state;
  JointMove move;
};

/// What follows from each pair of a batch; all arrays are reused by the caller from batch to batch.
struct Expansion {
  StateBatch states;                   // [pair]
  std::vector<std::uint8_t> terminal;  // [pair]
  std::vector<std::uint8_t> goals;     // [pair * roles + role], 0 where not terminal
  std::vector<MoveId> moves;           // legal moves of all pairs and roles, stored contiguously;
                                       // entries after the last are unspecified
  std::vector<std::uint32_t> begin;    // [pair * roles + role], one more at the end; empty ranges
                                       // where terminal
  [[nodiscard]] std::span<const MoveId> legal(std::size_t pair, RoleIndex role,
                                              std::size_t roles) const {
    const std::size_t i = pair * roles + role;
    return std::span(moves).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

/// What each role perceives of each pair of a batch; all arrays are reused by the caller.
struct Percepts {
  std::vector<PerceptId> percepts;   // of all pairs and roles, stored contiguously
  std::vector<std::uint32_t> begin;  // [pair * roles + role], one more at the end
  /// Ascending.
  [[nodiscard]] std::span<const PerceptId> of(std::size_t pair, RoleIndex role,
                                              std::size_t roles) const {
    const std::size_t i = pair * roles + role;
    return std::span(percepts).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

/// Bytes of the longest state that is printed.
inline constexpr std::size_t kLongestState = kLongestName;

class Walker;
class MachineNetwork;

/// A game as a state machine. Immutable and shared by threads; every thread works in a `Context` of
/// its own. Legal moves come in ascending id. Batch calls and the walker have defaults over the
/// single calls; a fast machine overrides them.
class Machine {
 public:
  /// Scratch, memo and limits of one thread. Made by a machine, used with that machine only.
  class Context {
   public:
    explicit Context(const Limits& granted) : limits(granted) {}
    virtual ~Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    Limits limits;  // may be changed between calls
    /// Flaws found since the caller last emptied it; each kind and role once.
    std::vector<Flaw> flaws;
    void report(Flaw::Kind kind, RoleIndex role, std::string state);

   protected:
    /// Calls f with the context of another machine, which works under the limits of this one, and
    /// takes the flaws that it reports.
    template <typename F>
    Status ask(Context& other, F f) {
      other.limits = limits;
      const Status status = f(other);
      for (Flaw& flaw : other.flaws) report(flaw.kind, flaw.role, std::move(flaw.state));
      other.flaws.clear();
      return status;
    }
  };

  virtual ~Machine() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;  // "interpreter", "scalar", ...
  [[nodiscard]] virtual const std::shared_ptr<Vocabulary>& vocabulary() const = 0;
  [[nodiscard]] std::size_t role_count() const { return vocabulary()->rules().roles.size(); }
  [[nodiscard]] std::string role_name(RoleIndex role) const;
  /// The role `random`, which picks uniformly among its legal moves.
  [[nodiscard]] std::optional<RoleIndex> random_role() const {
    return vocabulary()->rules().random;
  }
  [[nodiscard]] virtual std::unique_ptr<Context> make_context(const Limits& limits = {}) const = 0;

  /// The initial state.
  virtual Status initial(Context& context, State& out) const = 0;
  /// Empty, with a flaw reported, if the role has no legal move.
  virtual Status legal(Context& context, StateView state, RoleIndex role,
                       std::vector<MoveId>& out) const = 0;
  /// Some legal moves, ascending: all of them unless that takes long, and otherwise what was found
  /// in the moments until there was one. `all`: whether there are no others.
  virtual Status some_legal(Context& context, StateView state, RoleIndex role,
                            std::vector<MoveId>& out, bool& all) const;
  /// `move` need not be legal.
  virtual Status next(Context& context, StateView state, JointMove move, State& out) const = 0;
  /// What the role perceives where the joint move is made in the state (`sees` of GDL-II),
  /// ascending. In a game whose rules have no `sees`, nothing is perceived.
  virtual Status percepts(Context& context, StateView state, JointMove move, RoleIndex role,
                          std::vector<PerceptId>& out) const;
  /// Whether the state is terminal.
  virtual Status terminal(Context& context, StateView state, bool& out) const = 0;
  /// Goals 0..100 of all roles as searches see them, by the rules of `Flaw` if the game has none or
  /// several. `out` has room for all roles. In a state that is not terminal no flaws are reported.
  virtual Status goals(Context& context, StateView state, std::span<int> out) const = 0;
  /// The goals as the rules state them, for hosts, records and people; 0 for a role without one.
  /// They are other than those of searches if the rules have goals beyond 0 to 100
  /// (`Rules::goals`). Not by the interpreter, and of more than 101 goals, the nearest.
  virtual Status stated_goals(Context& context, StateView state, std::span<int> out) const;
  /// The fluents of a state, ascending. A machine may leave out what nothing depends on; the
  /// interpreter keeps all.
  virtual Status fluents(Context& context, StateView state, std::vector<FluentId>& out) const = 0;

  /// For each pair the next state, whether it is terminal, its goals if it is, and otherwise the
  /// legal moves of all roles. Overwrites `out`.
  virtual Status expand(Context& context, std::span<const StateMove> pairs, Expansion& out) const;
  /// The percepts of all roles. The moves must be legal.
  virtual Status perceive(Context& context, std::span<const StateMove> pairs, Percepts& out) const;
  /// Plays `options.per_start` times from every start, with random choice among the legal moves of
  /// each role.
  virtual Status playouts(Context& context, std::span<const StateView> starts,
                          const PlayoutOptions& options, Rng& rng, PlayoutSums& out) const;
  /// How many pairs or starts a batch should have to be efficient.
  [[nodiscard]] virtual std::size_t preferred_batch() const { return 1; }
  /// Whether `fluents` would list this fluent: false if the machine dropped it.
  [[nodiscard]] virtual bool keeps(FluentId /*fluent*/) const { return true; }
  /// Size of the network in gates of two inputs; 0 for a machine without one.
  [[nodiscard]] virtual std::size_t gates() const { return 0; }
  /// What is known about the game; empty unless the machine computed it. Valid as long as the
  /// machine.
  [[nodiscard]] virtual const Structure& structure() const;
  /// The network it plays (sliced/machine_network.h); null if it has none. Valid as long as the
  /// machine.
  [[nodiscard]] virtual const MachineNetwork* network() const { return nullptr; }
  /// For depth-first searches. The walker uses `context`, which must outlive it.
  [[nodiscard]] virtual std::unique_ptr<Walker> walker(Context& context) const;

  /// `( f1 f2 ... )`, in the order of the fluents' names. OverBudget if that is longer than
  /// `kLongestState`.
  Status print(Context& context, StateView state, std::string& out) const;
  /// The same as a return value; empty if it failed.
  [[nodiscard]] std::string print(Context& context, StateView state) const;
  /// The same for people: of a long state it shows some fluents, followed by `...`.
  [[nodiscard]] std::string brief(Context& context, StateView state) const;

 private:
  Status names(Context& context, StateView state, std::size_t most,
               std::vector<std::string>& out) const;
};

/// A position that moves forward and back. Answers are those of the machine in the current state.
class Walker {
 public:
  virtual ~Walker() = default;
  /// Moves to a state and forgets the way there.
  virtual Status reset(StateView state) = 0;
  /// Makes a joint move in the current state. If that is not Ok, nothing is made.
  virtual Status step(JointMove move) = 0;
  /// Undoes the last step; at least one must have been made since reset.
  virtual void undo() = 0;
  [[nodiscard]] virtual StateView state() const = 0;
  virtual Status legal(RoleIndex role, std::vector<MoveId>& out) = 0;
  virtual Status terminal(bool& out) = 0;
  virtual Status goals(std::span<int> out) = 0;
};

/// A machine, or a sentence that says why this game can't have it.
using MachineOrReason = Result<std::shared_ptr<const Machine>>;

/// Called by the building thread with a machine that can already play while a faster one is built.
using EarlyMachine = std::function<void(std::shared_ptr<const Machine>)>;

}  // namespace ludens::gdl
