#include "gdl/sliced/network_machine.h"

#include <algorithm>
#include <optional>

#include "gdl/network/build.h"
#include "gdl/sliced/batches.h"
#include "gdl/sliced/program.h"

namespace ludens::gdl {

namespace {

class NetworkContext final : public Machine::Context {
 public:
  using Context::Context;
  std::vector<std::uint64_t> one;  // slots of the single-state calls, in lane 0
  StateHash evaluated;             // the state whose Status they hold
  bool fresh = false;
  Batches::Scratch batch;
};

class NetworkMachine final : public Machine {
 public:
  NetworkMachine(std::shared_ptr<Vocabulary> vocabulary, const Network& network, Program program,
                 const NetworkMachineOptions& options)
      : vocabulary_(std::move(vocabulary)), program_(std::move(program)) {
    if (options.lanes != 1) {
      const auto& kernel = options.lanes == 0 ? kernel::widest() : *kernel::find(options.lanes);
      batches_.emplace(network, program_, kernel, options.form, options.grounding.limits);
    }
    move_slots_.resize(program_.roles());
    for (const Program::Move& m : program_.moves) {
      auto& slots = move_slots_[m.role];
      slots.resize(std::max<std::size_t>(slots.size(), m.id + 1), kNoSlot);
      slots[m.id] = m.slot;
    }
    kept_ = program_.fluents;
    std::ranges::sort(kept_);
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
  [[nodiscard]] std::unique_ptr<Context> make_context(const Limits& limits) const override {
    return std::make_unique<NetworkContext>(limits);
  }

  Status initial(Context&, State& out) const override {
    out.words().assign(program_.state_words(), 0);
    for (std::size_t f = 0; f < program_.initially.size(); ++f) {
      if (program_.initially[f]) out.words()[f / 64] |= std::uint64_t{1} << (f % 64);
    }
    return Status::Ok;
  }

  Status legal(Context& context, StateView state, RoleIndex role,
               std::vector<MoveId>& out) const override {
    NetworkContext& c = evaluate_status(context, state);
    out.clear();
    for (std::uint32_t m = program_.first_move[role]; m < program_.first_move[role + 1]; ++m) {
      if (holds(c, program_.moves[m].legal)) out.push_back(program_.moves[m].id);
    }
    if (out.empty() && !holds(c, program_.terminal)) {
      context.report(Flaw::Kind::NoLegalMove, role, print(context, state));
    }
    return status(context);
  }

  Status next(Context& context, StateView state, JointMove move, State& out) const override {
    NetworkContext& c = evaluate_status(context, state);
    for (RoleIndex r = 0; r < move.size(); ++r) {
      if (const auto slot = slot_of(r, move[r])) c.one[*slot] = ~std::uint64_t{0};
    }
    kernel::kLanes64.evaluate(program_.phase(Phase::Next), c.one.data());
    std::vector<std::uint64_t>& words = out.words();
    words.assign(program_.state_words(), 0);
    for (std::size_t f = 0; f < program_.next.size(); ++f) {
      if (holds(c, program_.next[f])) words[f / 64] |= std::uint64_t{1} << (f % 64);
    }
    for (RoleIndex r = 0; r < move.size(); ++r) {
      if (const auto slot = slot_of(r, move[r])) c.one[*slot] = 0;
    }
    return status(context);
  }

  Status terminal(Context& context, StateView state, bool& out) const override {
    out = holds(evaluate_status(context, state), program_.terminal);
    return status(context);
  }

  Status goals(Context& context, StateView state, std::span<int> out) const override {
    NetworkContext& c = evaluate_status(context, state);
    kernel::kLanes64.evaluate(program_.phase(Phase::Goals), c.one.data());
    std::ranges::fill(out, -1);
    const bool over = holds(c, program_.terminal);
    for (const Program::Goal& g : program_.goals) {
      if (!holds(c, g.edge)) continue;
      if (out[g.role] < 0) {
        out[g.role] = static_cast<int>(g.value);
      } else if (over) {
        context.report(Flaw::Kind::GoalDoubled, g.role, print(context, state));
      }
    }
    for (RoleIndex r = 0; r < out.size(); ++r) {
      if (out[r] >= 0) continue;
      out[r] = 0;
      if (over) context.report(Flaw::Kind::GoalMissing, r, print(context, state));
    }
    return status(context);
  }

  Status fluents(Context& context, StateView state, std::vector<FluentId>& out) const override {
    out.clear();
    for (std::size_t f = 0; f < program_.fluents.size(); ++f) {
      if (state.words()[f / 64] >> (f % 64) & 1) out.push_back(program_.fluents[f]);
    }
    std::ranges::sort(out);
    return status(context);
  }

  Status expand(Context& context, std::span<const StateMove> pairs, Expansion& out) const override {
    if (!batches_) return Machine::expand(context, pairs, out);
    return batches_->expand(context, static_cast<NetworkContext&>(context).batch, pairs, out);
  }

  Status playouts(Context& context, std::span<const StateView> starts,
                  const PlayoutOptions& options, Rng& rng, PlayoutSums& out) const override {
    if (!batches_) return Machine::playouts(context, starts, options, rng, out);
    return batches_->playouts(context, static_cast<NetworkContext&>(context).batch, starts, options,
                              rng, out);
  }

 private:
  static Status status(const Context& context) {
    return context.limits.stop != nullptr && context.limits.stop->stop_requested() ? Status::Stopped
                                                                                   : Status::Ok;
  }
  static bool holds(const NetworkContext& c, SlotEdge e) {
    return (c.one[e.slot] & 1) != e.inverted;
  }

  [[nodiscard]] std::optional<std::uint32_t> slot_of(RoleIndex role, MoveId move) const {
    const auto& slots = move_slots_[role];
    if (move >= slots.size() || slots[move] == kNoSlot) return std::nullopt;
    return slots[move];
  }

  // Single calls: lane 0 of 64-bit slots. Questions about one state follow each other, so the last
  // one's Status is kept.
  NetworkContext& evaluate_status(Context& context, StateView state) const {
    auto& c = static_cast<NetworkContext&>(context);
    const StateHash key = hash(state);
    if (c.fresh && c.evaluated == key) return c;
    c.one.resize(program_.slots, 0);
    for (std::size_t f = 0; f < program_.fluents.size(); ++f) {
      c.one[f] = std::uint64_t{0} - (state.words()[f / 64] >> (f % 64) & 1);
    }
    kernel::kLanes64.evaluate(program_.phase(Phase::Status), c.one.data());
    c.evaluated = key;
    c.fresh = true;
    return c;
  }

  static constexpr std::uint32_t kNoSlot = 0xffffffff;

  std::shared_ptr<Vocabulary> vocabulary_;
  Program program_;
  std::optional<Batches> batches_;                      // none: one state at a time
  std::vector<std::vector<std::uint32_t>> move_slots_;  // [role][move id]
  std::vector<FluentId> kept_;                          // ascending
};

}  // namespace

std::variant<std::shared_ptr<const Machine>, GroundingFailure> make_network_machine(
    std::shared_ptr<Vocabulary> vocabulary, const NetworkMachineOptions& options) {
  using Kind = GroundingFailure::Kind;
  if (options.lanes > 1 && kernel::find(options.lanes) == nullptr) {
    return GroundingFailure{Kind::OverBudget, "this processor has no registers of that width"};
  }
  std::shared_ptr<const Rules> rules(vocabulary, &vocabulary->rules());
  auto grounded = ground(std::move(rules), options.grounding);
  if (auto* failure = std::get_if<GroundingFailure>(&grounded)) return std::move(*failure);
  auto built =
      build_network(std::get<GroundProgram>(grounded), *vocabulary, options.grounding.limits);
  if (auto* failure = std::get_if<GroundingFailure>(&built)) return std::move(*failure);
  grounded = GroundingFailure{};  // its memory is needed no more
  const Network network = optimise(std::move(std::get<Network>(built)), options.passes);
  auto program = compile(network);
  if (auto* reason = std::get_if<std::string>(&program)) {
    return GroundingFailure{Kind::UnsafeRule, std::move(*reason)};
  }
  return std::make_shared<NetworkMachine>(std::move(vocabulary), network,
                                          std::get<Program>(std::move(program)), options);
}

}  // namespace ludens::gdl
