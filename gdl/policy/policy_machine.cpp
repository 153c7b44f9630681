// SPDX-License-Identifier: MIT
#include "gdl/policy/policy_machine.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "gdl/memory/held_memory.h"
#include "gdl/pipeline/pipeline.h"
#include "gdl/policy/policy_network.h"
#include "gdl/program/footprint.h"
#include "gdl/program/program.h"
#include "gdl/sliced/machine_network.h"

namespace ludens::gdl {

namespace {

/// Gates made on the way to any policy: half a second.
constexpr std::size_t kMostRaw = 600'000;

/// How much larger than the game's a policy's network may be, and the gates made on the way.
/// Avoidance looks one move further and gains more from it.
struct Growth {
  double network;
  std::size_t raw, least_raw;
};

const Growth& growth(bool with_avoided) {
  static constexpr Growth kUsual{6, 60, 60'000}, kToAvoid{80, 200, 200'000};
  return with_avoided ? kToAvoid : kUsual;
}

class PolicyContext final : public Machine::Context {
 public:
  PolicyContext(const Limits& granted, std::unique_ptr<Context> rules)
      : Context(granted), rules_(std::move(rules)) {}

  Batches::Scratch batch;

  /// Calls f with the context of the game's own machine.
  template <typename F>
  Status ask(F f) {
    return Context::ask(*rules_, f);
  }

 private:
  std::unique_ptr<Context> rules_;
};

/// The game's own machine except for its playouts.
class PolicyPlayer final : public Machine {
 public:
  PolicyPlayer(std::shared_ptr<const Machine> rules, const PolicyNetwork& policy, Program program,
               const kernel::Kernel& kernel, EvaluationForm form, const Limits& limits)
      : rules_(std::move(rules)),
        program_(std::move(program)),
        batches_(policy.network, {}, program_, kernel, form, limits, {.coin = policy.coin}) {}

  /// Counts the memory that it holds in addition to the game's own machine, as long as it lives.
  /// False if that is too much.
  [[nodiscard]] bool hold(MemoryBudget* memory) {
    return held_.reserve(bytes_of(program_) + batches_.bytes(), memory);
  }

  [[nodiscard]] std::string_view name() const override { return rules_->name(); }
  [[nodiscard]] const std::shared_ptr<Vocabulary>& vocabulary() const override {
    return rules_->vocabulary();
  }
  [[nodiscard]] std::size_t preferred_batch() const override { return batches_.lanes(); }
  [[nodiscard]] bool keeps(FluentId fluent) const override { return rules_->keeps(fluent); }
  [[nodiscard]] std::size_t gates() const override { return program_.two_input_gates; }
  [[nodiscard]] std::unique_ptr<Context> make_context(const Limits& limits) const override {
    return std::make_unique<PolicyContext>(limits, rules_->make_context(limits));
  }

  Status initial(Context& context, State& out) const override {
    return of(context).ask([&](Context& c) { return rules_->initial(c, out); });
  }
  Status legal(Context& context, StateView state, RoleIndex role,
               std::vector<MoveId>& out) const override {
    return of(context).ask([&](Context& c) { return rules_->legal(c, state, role, out); });
  }
  Status next(Context& context, StateView state, JointMove move, State& out) const override {
    return of(context).ask([&](Context& c) { return rules_->next(c, state, move, out); });
  }
  Status percepts(Context& context, StateView state, JointMove move, RoleIndex role,
                  std::vector<PerceptId>& out) const override {
    return of(context).ask([&](Context& c) { return rules_->percepts(c, state, move, role, out); });
  }
  Status perceive(Context& context, std::span<const StateMove> pairs,
                  Percepts& out) const override {
    return of(context).ask([&](Context& c) { return rules_->perceive(c, pairs, out); });
  }
  Status terminal(Context& context, StateView state, bool& out) const override {
    return of(context).ask([&](Context& c) { return rules_->terminal(c, state, out); });
  }
  Status goals(Context& context, StateView state, std::span<int> out) const override {
    return of(context).ask([&](Context& c) { return rules_->goals(c, state, out); });
  }
  Status fluents(Context& context, StateView state, std::vector<FluentId>& out) const override {
    return of(context).ask([&](Context& c) { return rules_->fluents(c, state, out); });
  }
  Status expand(Context& context, std::span<const StateMove> pairs, Expansion& out) const override {
    return of(context).ask([&](Context& c) { return rules_->expand(c, pairs, out); });
  }
  Status playouts(Context& context, std::span<const StateView> starts,
                  const PlayoutOptions& options, Rng& rng, PlayoutSums& out) const override {
    return batches_.playouts(context, of(context).batch, starts, options, rng, out);
  }

 private:
  static PolicyContext& of(Context& context) { return static_cast<PolicyContext&>(context); }

  std::shared_ptr<const Machine> rules_;
  Program program_;
  Batches batches_;
  HeldMemory held_;
};

}  // namespace

struct PolicyWorkshop::Parts {
  TacticsBudget budget;
  std::optional<Network> plain;
  std::optional<Tactics> tactics;
};

PolicyWorkshop::PolicyWorkshop(std::shared_ptr<const Machine> machine)
    : machine_(std::move(machine)), parts_(std::make_unique<Parts>()) {}

PolicyWorkshop::~PolicyWorkshop() = default;

std::string PolicyWorkshop::refusal() const {
  const MachineNetwork* network = machine_->network();
  if (network == nullptr) return "the machine has no network to build on";
  if (network->form() == EvaluationForm::Early) return "the machine is only for the start";
  if (network->game() == nullptr) return "the machine has no network to build on";
  if (network->lanes() < 64) return "the machine plays one state at a time";
  if (!network->game()->reach.empty()) return "the machine's network is not the game's own";
  return {};
}

PolicyMachine PolicyWorkshop::make(PlayoutPolicy policy, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  PolicyMachine result;
  if (policy == PlayoutPolicy::Uniform) {
    result.machine = machine_;
    result.gates = machine_->gates();
    return result;
  }
  result.reason = prepare(policy == PlayoutPolicy::Avoid, limits);
  if (!result.reason.empty()) return result;
  const MachineNetwork& game = *machine_->network();
  parts_->budget.stop = limits.stop;
  auto built = build_policy_network(game.game()->network, *parts_->tactics, policy, parts_->budget,
                                    growth(policy == PlayoutPolicy::Avoid).network);
  if (!built) {
    result.reason = built.error().text;
    return result;
  }
  auto& network = *built;
  result.raw_gates = network.raw_gates;
  result.gates = network.gates;
  auto program = compile(network.network, 0, limits.stop);
  if (limits.stop != nullptr && limits.stop->stop_requested()) {
    result.reason = "stopped";
    return result;
  }
  if (!program) {
    result.reason = program.error().text;
    return result;
  }
  auto player = std::make_shared<PolicyPlayer>(machine_, network, *std::move(program),
                                               *kernel::find(game.lanes()), game.form(), limits);
  if (!player->hold(limits.memory)) {
    result.reason = "memory is used up";
    return result;
  }
  result.machine = std::move(player);
  result.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

/// Finds the tactics, unless that is already done. Returns a sentence if that fails.
std::string PolicyWorkshop::prepare(bool with_avoided, const Limits& limits) {
  if (std::string reason = refusal(); !reason.empty()) return reason;
  if (parts_->tactics && (!with_avoided || !parts_->tactics->avoided.empty())) return {};
  if (!parts_->plain) {
    auto plain = plain_network(*machine_, limits);
    if (!plain) return plain.error().text;
    parts_->plain = *std::move(plain);
  }
  return find(with_avoided, limits);
}

std::string PolicyWorkshop::find(bool with_avoided, const Limits& limits) {
  TacticsBudget& budget = parts_->budget;
  budget.stop = limits.stop;
  const Growth& most = growth(with_avoided);
  budget.gates = std::min(kMostRaw, std::max(most.least_raw, most.raw * machine_->gates()));
  auto found = find_tactics(machine_->network()->game()->network, *parts_->plain,
                            machine_->random_role(), with_avoided, budget);
  if (!found) return found.error().text;
  parts_->tactics = *std::move(found);
  return {};
}

}  // namespace ludens::gdl
