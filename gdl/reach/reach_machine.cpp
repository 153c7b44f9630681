// SPDX-License-Identifier: MIT
#include "gdl/reach/reach_machine.h"

#include <algorithm>
#include <map>
#include <utility>

#include "gdl/reach/reach_network.h"
#include "gdl/sliced/machine_network.h"
#include "gdl/sliced/network_machine.h"

namespace ludens::gdl {

namespace {

class ReachContext final : public Machine::Context {
 public:
  ReachContext(const Limits& granted, std::unique_ptr<Context> rules, std::unique_ptr<Context> bits)
      : Context(granted), rules_(std::move(rules)), bits_(std::move(bits)) {}

  std::vector<MoveId> moves;
  std::vector<std::vector<std::uint64_t>> narrow;  // states of the game's own machine
  std::vector<StateView> views;

  /// Calls f with the context of one of the two machines.
  template <typename F>
  Status ask_rules(F f) {
    return ask(*rules_, f);
  }
  template <typename F>
  Status ask_bits(F f) {
    return ask(*bits_, f);
  }

 private:
  std::unique_ptr<Context> rules_, bits_;
};

/// Expands with the larger network, which writes the bits into the states that it makes, and lists
/// those of a single state among the legal moves of the last role; the game's own machine answers
/// everything else.
class ReachPlayer final : public ReachMachine {
 public:
  ReachPlayer(std::shared_ptr<const Machine> rules, std::shared_ptr<const Machine> bits,
              const ReachNetwork& reach)
      : rules_(std::move(rules)),
        bits_(std::move(bits)),
        first_move_(reach.first_move),
        first_bit_(reach.game->reach.front().fluent),
        words_((reach.game->network.fluents.size() + 63) / 64),
        last_role_(static_cast<RoleIndex>(rules_->role_count() - 1)) {}

  [[nodiscard]] std::string_view name() const override { return rules_->name(); }
  [[nodiscard]] const std::shared_ptr<Vocabulary>& vocabulary() const override {
    return rules_->vocabulary();
  }
  [[nodiscard]] std::size_t preferred_batch() const override { return rules_->preferred_batch(); }
  [[nodiscard]] bool keeps(FluentId fluent) const override { return rules_->keeps(fluent); }
  [[nodiscard]] std::size_t gates() const override { return bits_->gates(); }
  [[nodiscard]] const Structure& structure() const override { return rules_->structure(); }
  [[nodiscard]] const MachineNetwork* network() const override { return bits_->network(); }
  [[nodiscard]] std::unique_ptr<Context> make_context(const Limits& limits) const override {
    return std::make_unique<ReachContext>(limits, rules_->make_context(limits),
                                          bits_->make_context(limits));
  }

  Status widen(Context& context, StateView state, State& out) const override {
    ReachContext& c = of(context);
    State wide(state);
    wide.words().resize(words_, 0);
    const Status status =
        c.ask_bits([&](Context& own) { return bits_->legal(own, wide, last_role_, c.moves); });
    for (const MoveId move : c.moves) {
      if (move < first_move_) continue;
      const std::size_t bit = first_bit_ + (move - first_move_);
      wide.words()[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
    out = std::move(wide);
    return status;
  }

  [[nodiscard]] std::shared_ptr<const Machine> played_by(
      std::shared_ptr<const Machine> rules) const override {
    auto other = std::make_shared<ReachPlayer>(*this);
    other->rules_ = std::move(rules);
    return other;
  }

  Status initial(Context& context, State& out) const override {
    State state;
    const Status status =
        of(context).ask_rules([&](Context& c) { return rules_->initial(c, state); });
    return status == Status::Ok ? widen(context, state, out) : status;
  }
  Status legal(Context& context, StateView state, RoleIndex role,
               std::vector<MoveId>& out) const override {
    return with_rules(context, state,
                      [&](Context& c, StateView own) { return rules_->legal(c, own, role, out); });
  }
  Status next(Context& context, StateView state, JointMove move, State& out) const override {
    State after;
    const Status status = with_rules(context, state, [&](Context& c, StateView own) {
      return rules_->next(c, own, move, after);
    });
    return status == Status::Ok ? widen(context, after, out) : status;
  }
  Status percepts(Context& context, StateView state, JointMove move, RoleIndex role,
                  std::vector<PerceptId>& out) const override {
    return with_rules(context, state, [&](Context& c, StateView own) {
      return rules_->percepts(c, own, move, role, out);
    });
  }
  Status terminal(Context& context, StateView state, bool& out) const override {
    return with_rules(context, state,
                      [&](Context& c, StateView own) { return rules_->terminal(c, own, out); });
  }
  Status goals(Context& context, StateView state, std::span<int> out) const override {
    return with_rules(context, state,
                      [&](Context& c, StateView own) { return rules_->goals(c, own, out); });
  }
  Status fluents(Context& context, StateView state, std::vector<FluentId>& out) const override {
    return with_rules(context, state,
                      [&](Context& c, StateView own) { return rules_->fluents(c, own, out); });
  }
  Status expand(Context& context, std::span<const StateMove> pairs, Expansion& out) const override {
    return of(context).ask_bits([&](Context& c) { return bits_->expand(c, pairs, out); });
  }
  Status playouts(Context& context, std::span<const StateView> starts,
                  const PlayoutOptions& options, Rng& rng, PlayoutSums& out) const override {
    ReachContext& c = of(context);
    c.narrow.resize(starts.size());
    c.views.clear();
    for (std::size_t i = 0; i < starts.size(); ++i) {
      c.views.push_back(narrowed(starts[i], c.narrow[i]));
    }
    return c.ask_rules(
        [&](Context& own) { return rules_->playouts(own, c.views, options, rng, out); });
  }

 private:
  static ReachContext& of(Context& context) { return static_cast<ReachContext&>(context); }

  /// Calls f with a context of the game's own machine and its state.
  template <typename F>
  Status with_rules(Context& context, StateView state, F f) const {
    ReachContext& c = of(context);
    c.narrow.resize(std::max<std::size_t>(c.narrow.size(), 1));
    const StateView own = narrowed(state, c.narrow[0]);
    return c.ask_rules([&](Context& rules) { return f(rules, own); });
  }

  StateView narrowed(StateView state, std::vector<std::uint64_t>& words) const {
    const auto own = state.words().first((first_bit_ + 63) / 64);
    words.assign(own.begin(), own.end());
    if (first_bit_ % 64 != 0) words.back() &= (std::uint64_t{1} << first_bit_ % 64) - 1;
    return StateView(words);
  }

  std::shared_ptr<const Machine> rules_, bits_;
  MoveId first_move_;
  std::size_t first_bit_, words_;
  RoleIndex last_role_;
};

/// Groups by the indices of their fluents in the network.
std::vector<std::vector<std::uint32_t>> indices_of(
    const Network& network, const std::vector<std::vector<FluentId>>& groups) {
  std::map<FluentId, std::uint32_t> index;
  for (std::uint32_t f = 0; f < network.fluents.size(); ++f) index[network.fluents[f].id] = f;
  std::vector<std::vector<std::uint32_t>> out;
  for (const auto& group : groups) {
    auto& indices = out.emplace_back();
    for (const FluentId fluent : group) indices.push_back(index.at(fluent));
  }
  return out;
}

}  // namespace

Result<std::shared_ptr<const ReachMachine>> make_reach_machine(
    const std::shared_ptr<const Machine>& machine, const std::vector<std::vector<FluentId>>& groups,
    std::uint32_t most_moves, const Limits& limits) {
  const MachineNetwork* own = machine->network();
  if (own == nullptr || own->game() == nullptr) {
    return Error{"the machine has no network to build on"};
  }
  if (own->lanes() < 64) return Error{"the machine plays one state at a time"};
  const auto& vocabulary = machine->vocabulary();
  auto reach = build_reach_network(
      *own->game(), *vocabulary, indices_of(own->game()->network, groups), most_moves, limits.stop);
  if (!reach) return reach.error();
  auto bits = make_network_machine(vocabulary, reach->game,
                                   {.limits = limits, .lanes = own->lanes(), .form = own->form()});
  if (!bits) return Error{bits.error().text};
  if ((*bits)->network()->game() == nullptr) return Error{"its network is too large"};
  return std::make_shared<const ReachPlayer>(machine, *std::move(bits), *reach);
}

}  // namespace ludens::gdl
