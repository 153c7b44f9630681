// SPDX-License-Identifier: MIT
#include "gdl/sliced/network_machine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <span>

#include "gdl/memory/held_memory.h"
#include "gdl/program/footprint.h"
#include "gdl/program/move_places.h"
#include "gdl/program/program.h"
#include "gdl/scalar/engines.h"
#include "gdl/scalar/playouts.h"
#include "gdl/sliced/batches.h"
#include "gdl/sliced/machine_network.h"

namespace ludens::gdl {

namespace {

/// Gates of two inputs in a network that is kept: 10 MB.
constexpr std::size_t kMostKeptGates = 200'000;

class NetworkContext final : public Machine::Context {
 public:
  using Context::Context;
  // For the single-state calls; position and slots are created when first needed.
  std::unique_ptr<scalar::Position> position;
  std::vector<scalar::MoveIndex> moves;
  std::vector<std::uint64_t> slots;  // for goals and percepts of one state
  HeldMemory of_position, of_slots;  // limits may change between calls
  Batches::Scratch batch;
};

class NetworkMachine final : public Machine {
 public:
  NetworkMachine(std::shared_ptr<Vocabulary> vocabulary,
                 const std::shared_ptr<const GameNetwork>& game, Program program,
                 const NetworkMachineOptions& options)
      : vocabulary_(std::move(vocabulary)),
        program_(std::move(program)),
        structure_(game->structure),
        places_(program_),
        move_index_(places_.count(), scalar::kNoMove),
        engine_(options.form == EvaluationForm::Early
                    ? scalar::first_engine(game->network, program_, options.limits)
                    : scalar::choose_engine(game->network, program_, options.limits)) {
    if (options.lanes != 1) {
      const auto& kernel = options.lanes == 0 ? kernel::widest() : *kernel::find(options.lanes);
      batches_.emplace(game->network, game->observed_exclusions, program_, kernel, options.form,
                       options.limits, NetworkExtras{.reach = game->reach.size()});
    }
    for (scalar::MoveIndex i = 0; i < program_.moves.size(); ++i) {
      const Program::Move& m = program_.moves[i];
      move_index_[places_.of(m.role, m.id)] = i;
    }
    kept_ = program_.fluents;
    std::ranges::sort(kept_);
    const bool kept =
        program_.two_input_gates <= kMostKeptGates && options.form != EvaluationForm::Early;
    network_.emplace(kept ? game : nullptr, preferred_batch(), options.form,
                     batches_ && batches_->generated());
  }

  /// Counts the memory that it holds against the budget, as long as it lives. False if that is too
  /// much.
  [[nodiscard]] bool hold(MemoryBudget* memory) {
    const auto& game = network_->game();
    const bool room = held_.reserve(
        bytes_of(program_) + bytes_of(structure()) + places_.bytes() +
            bytes_of(move_index_, kept_) + engine_->bytes() + (batches_ ? batches_->bytes() : 0) +
            (game != nullptr ? bytes_of(game->network) + bytes_of_rows(game->observed_exclusions)
                             : 0),
        memory);
    if (room) network_->hold_ground_rules(memory);
    return room;
  }

  [[nodiscard]] std::string_view name() const override { return batches_ ? "sliced" : "scalar"; }
  [[nodiscard]] const std::shared_ptr<Vocabulary>& vocabulary() const override {
    return vocabulary_;
  }
  [[nodiscard]] std::size_t preferred_batch() const override {
    return batches_ ? batches_->lanes() : 1;
  }
  [[nodiscard]] bool keeps(FluentId fluent) const override {
    return std::ranges::binary_search(kept_, fluent);
  }
  [[nodiscard]] std::size_t gates() const override { return program_.two_input_gates; }
  [[nodiscard]] const Structure& structure() const override {
    return structure_ != nullptr ? *structure_ : Machine::structure();
  }
  [[nodiscard]] const MachineNetwork* network() const override { return &*network_; }
  [[nodiscard]] std::unique_ptr<Context> make_context(const Limits& limits) const override {
    return std::make_unique<NetworkContext>(limits);
  }

  Status initial(Context&, State& out) const override {
    out.words() = program_.initial_words();
    return Status::Ok;
  }

  Status legal(Context& context, StateView state, RoleIndex role,
               std::vector<MoveId>& out) const override {
    scalar::Position* const position = at(context, state);
    if (position == nullptr) return Status::OverBudget;
    position->legal(role, out);
    for (MoveId& move : out) move = program_.moves[move].id;
    if (out.empty() && !position->terminal()) {
      context.report(Flaw::Kind::NoLegalMove, role, brief(context, state));
    }
    return status(context);
  }

  Status next(Context& context, StateView state, JointMove move, State& out) const override {
    scalar::Position* const position = at(context, state);
    if (position == nullptr) return Status::OverBudget;
    auto& moves = static_cast<NetworkContext&>(context).moves;
    moves.clear();
    for (RoleIndex r = 0; r < move.size(); ++r) moves.push_back(index_of(r, move[r]));
    position->next(moves, out.words());
    return status(context);
  }

  Status percepts(Context& context, StateView state, JointMove move, RoleIndex role,
                  std::vector<PerceptId>& out) const override {
    out.clear();
    if (program_.percepts.empty()) return status(context);
    if (!fill_slots(context, state)) return Status::OverBudget;
    auto& slots = static_cast<NetworkContext&>(context).slots;
    for (RoleIndex r = 0; r < move.size(); ++r) set_move(slots, r, move[r], ~std::uint64_t{0});
    kernel::kLanes64.evaluate(program_.phase(Phase::Percepts), slots.data());
    for (const Program::Percept& p : program_.percepts) {
      if (p.role == role && holds(slots, p.edge)) out.push_back(p.id);
    }
    for (RoleIndex r = 0; r < move.size(); ++r) set_move(slots, r, move[r], 0);
    return status(context);
  }

  Status perceive(Context& context, std::span<const StateMove> pairs,
                  Percepts& out) const override {
    if (!batches_) return Machine::perceive(context, pairs, out);
    return batches_->perceive(context, static_cast<NetworkContext&>(context).batch, pairs, out);
  }

  Status terminal(Context& context, StateView state, bool& out) const override {
    scalar::Position* const position = at(context, state);
    if (position == nullptr) return Status::OverBudget;
    out = position->terminal();
    return status(context);
  }

  Status goals(Context& context, StateView state, std::span<int> out) const override {
    const Status s = goal_rows(context, state, out);
    for (int& goal : out) goal = std::max(goal, 0);
    return s;
  }

  Status stated_goals(Context& context, StateView state, std::span<int> out) const override {
    const Status s = goal_rows(context, state, out);
    const GoalScale& scale = vocabulary()->rules().goals;
    for (int& goal : out) {
      goal = goal < 0 ? 0 : static_cast<int>(std::lround(scale.shown(goal)));
    }
    return s;
  }

  // The goals as searches see them; -1 for a role without one.
  Status goal_rows(Context& context, StateView state, std::span<int> out) const {
    if (!fill_slots(context, state)) return Status::OverBudget;
    auto& slots = static_cast<NetworkContext&>(context).slots;
    kernel::kLanes64.evaluate(program_.phase(Phase::Goals), slots.data());
    std::ranges::fill(out, -1);
    bool flawed = false;
    for (const Program::Goal& g : program_.goals) {
      if (!holds(slots, g.edge)) continue;
      flawed = flawed || out[g.role] >= 0;
      if (out[g.role] < 0) out[g.role] = static_cast<int>(g.value);
    }
    if (flawed || std::ranges::find(out, -1) != out.end()) {
      if (!report_goals(context, state)) return Status::OverBudget;
    }
    return status(context);
  }

  Status fluents(Context& context, StateView state, std::vector<FluentId>& out) const override {
    out.clear();
    const auto words = state.words();
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
        out.push_back(program_.fluents[64 * word + static_cast<unsigned>(std::countr_zero(bits))]);
      }
    }
    if (!std::ranges::is_sorted(out)) std::ranges::sort(out);
    return status(context);
  }

  Status expand(Context& context, std::span<const StateMove> pairs, Expansion& out) const override {
    if (!batches_) return Machine::expand(context, pairs, out);
    return batches_->expand(context, static_cast<NetworkContext&>(context).batch, pairs, out);
  }

  Status playouts(Context& context, std::span<const StateView> starts,
                  const PlayoutOptions& options, Rng& rng, PlayoutSums& out) const override {
    if (!batches_ && (options.weights != nullptr || options.counting != nullptr)) {
      return Machine::playouts(context, starts, options, rng, out);
    }
    if (!batches_) return play_one_by_one(context, starts, options, rng, out);
    return batches_->playouts(context, static_cast<NetworkContext&>(context).batch, starts, options,
                              rng, out);
  }

 private:
  static Status status(const Context& context) {
    return context.limits.stop != nullptr && context.limits.stop->stop_requested() ? Status::Stopped
                                                                                   : Status::Ok;
  }
  static bool holds(const std::vector<std::uint64_t>& slots, SlotEdge e) {
    return (slots[e.slot] & 1) != e.inverted;
  }

  /// Brings the fluents of the state into the slots of the program, in all lanes. False if there is
  /// no memory for slots.
  [[nodiscard]] bool fill_slots(Context& context, StateView state) const {
    auto& c = static_cast<NetworkContext&>(context);
    auto& slots = c.slots;
    if (slots.size() != program_.slots) {
      const std::size_t bytes = program_.slots * sizeof(slots[0]);
      if (!c.of_slots.hold(bytes, c.limits.memory)) return false;
      slots.resize(program_.slots, 0);
    }
    for (std::size_t f = 0; f < program_.fluents.size(); ++f) {
      slots[f] = std::uint64_t{0} - (state.words()[f / 64] >> (f % 64) & 1);
    }
    return true;
  }
  void set_move(std::vector<std::uint64_t>& slots, RoleIndex role, MoveId move,
                std::uint64_t lanes) const {
    const scalar::MoveIndex i = index_of(role, move);
    if (i != scalar::kNoMove) slots[program_.moves[i].slot] = lanes;
  }

  [[nodiscard]] scalar::MoveIndex index_of(RoleIndex role, MoveId move) const {
    return move_index_[places_.of(role, move)];
  }

  // Questions about one state follow each other, and so do states that differ little. Null if there
  // is no memory for a position.
  scalar::Position* at(Context& context, StateView state) const {
    auto& c = static_cast<NetworkContext&>(context);
    if (c.position == nullptr) {
      if (!c.of_position.hold(engine_->position_bytes(), c.limits.memory)) return nullptr;
      c.position = engine_->position();
    }
    c.position->go_to(state);
    return c.position.get();
  }

  // Reports roles without a goal, or with several, at the end. False if there is no memory for
  // that.
  [[nodiscard]] bool report_goals(Context& context, StateView state) const {
    scalar::Position* const position = at(context, state);
    if (position == nullptr) return false;
    if (!position->terminal()) return true;
    const auto& slots = static_cast<const NetworkContext&>(context).slots;
    std::vector<int> count(program_.roles(), 0);
    for (const Program::Goal& g : program_.goals) count[g.role] += holds(slots, g.edge) ? 1 : 0;
    for (RoleIndex r = 0; r < count.size(); ++r) {
      if (count[r] == 0) context.report(Flaw::Kind::GoalMissing, r, brief(context, state));
      if (count[r] > 1) context.report(Flaw::Kind::GoalDoubled, r, brief(context, state));
    }
    return true;
  }

  Status play_one_by_one(Context& context, std::span<const StateView> starts,
                         const PlayoutOptions& options, Rng& rng, PlayoutSums& out) const;

  std::shared_ptr<Vocabulary> vocabulary_;
  Program program_;
  std::shared_ptr<const Structure> structure_;  // null: early
  MovePlaces places_;
  std::vector<scalar::MoveIndex> move_index_;     // [place]
  std::optional<MachineNetwork> network_;         // never empty once it is made
  std::unique_ptr<const scalar::Engine> engine_;  // of single states
  std::optional<Batches> batches_;                // none: one state at a time
  std::vector<FluentId> kept_;                    // ascending
  HeldMemory held_;
};

Status NetworkMachine::play_one_by_one(Context& context, std::span<const StateView> starts,
                                       const PlayoutOptions& options, Rng& rng,
                                       PlayoutSums& out) const {
  const std::size_t roles = program_.roles();
  // A step takes at most about two nanoseconds per gate.
  const auto steps_between_polls = static_cast<std::uint32_t>(
      std::max<std::size_t>(1, 100'000 / (program_.two_input_gates + 50)));
  out.goals.assign(starts.size() * roles, 0);
  out.playouts.assign(starts.size(), 0);
  out.steps = out.cut = 0;
  out.moves.clear();
  std::vector<int> goal_values(roles);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    scalar::Position* const position = at(context, starts[i]);
    if (position == nullptr) return Status::OverBudget;
    scalar::Player player(*position, roles);
    for (std::uint32_t k = 0; k < options.per_start; ++k) {
      player.start(starts[i]);
      std::uint32_t left = options.step_cap;
      for (bool ended = false, moved = true; moved && !ended;) {
        const std::uint32_t most = std::min(left, steps_between_polls);
        const std::uint32_t made = player.play(most, rng, ended);
        out.steps += made;
        left -= made;
        moved = made == most && left != 0;
        if (left == 0 && !ended) ++out.cut;
        if (const Status s = status(context); s != Status::Ok) return s;
      }
      if (const Status s = goals(context, player.state(), goal_values); s != Status::Ok) return s;
      for (std::size_t r = 0; r < roles; ++r)
        out.goals[i * roles + r] += static_cast<std::uint64_t>(goal_values[r]);
      ++out.playouts[i];
    }
  }
  return Status::Ok;
}

}  // namespace

Result<std::shared_ptr<const Machine>, GroundingFailure> make_network_machine(
    std::shared_ptr<Vocabulary> vocabulary, const std::shared_ptr<const GameNetwork>& game,
    const NetworkMachineOptions& options) {
  using Kind = GroundingFailure::Kind;
  if (options.lanes > 1 && kernel::find(options.lanes) == nullptr) {
    return GroundingFailure{Kind::OverBudget, "this processor has no registers of that width"};
  }
  const StopSignal* stop = options.limits.stop;
  // Network and program, while the engines are made from them; then the machine counts itself.
  HeldMemory building;
  if (!building.reserve(2 * game->network.gates.bytes(), options.limits.memory)) {
    return GroundingFailure{Kind::OverBudget, "memory is used up"};
  }
  auto program = compile(game->network, 0, stop);
  if (stop != nullptr && stop->stop_requested()) return GroundingFailure{Kind::Stopped, "stopped"};
  if (!program) return GroundingFailure{Kind::UnsafeRule, program.error().text};
  const auto& first_move = program->first_move;
  for (std::size_t role = 0; role + 1 < first_move.size(); ++role) {
    if (first_move[role + 1] - first_move[role] > kernel::kMostMoves) {
      return GroundingFailure{Kind::OverBudget, "a role has too many moves to choose among"};
    }
  }
  // Ids may be such that moves need more memory than gates.
  const std::size_t places = MovePlaces(*program).count();
  if (!building.reserve(places * (sizeof(std::uint64_t) + sizeof(scalar::MoveIndex)),
                        options.limits.memory)) {
    return GroundingFailure{Kind::OverBudget, "memory is used up"};
  }
  auto machine =
      std::make_shared<NetworkMachine>(std::move(vocabulary), game, *std::move(program), options);
  building.release();
  if (!machine->hold(options.limits.memory)) {
    return GroundingFailure{Kind::OverBudget, "memory is used up"};
  }
  return machine;
}

}  // namespace ludens::gdl
