// SPDX-License-Identifier: MIT
#include "gdl/network/passes/passes.h"

#include <chrono>

#include "gdl/memory/held_memory.h"

namespace ludens::gdl {

namespace {

template <Network (*kRun)(const Network&, const PassBudget&)>
std::optional<Network> always(const Network& network, const PassBudget& budget) {
  return kRun(network, budget);
}

constexpr Pass kPasses[] = {
    {"dead-fluents", "fluents that legal moves, end and goals don't depend on", PassStage::First,
     always<remove_dead_fluents>},
    {"constants", "fluents that never change and moves that are never legal", PassStage::First,
     always<propagate_constants>},
    {"exclusion", "what follows from fluents that exclude each other", PassStage::Later,
     use_exclusions},
    {"one-hot", "what follows from a role making one move", PassStage::Later, use_one_hot_moves},
    {"control", "legal moves for the role in control, and its fluent", PassStage::Later,
     cofactor_legal},
    {"share", "common subsets of wide gates become gates", PassStage::Later,
     always<share_wide_gates>},
};

}  // namespace

std::span<const Pass> passes() {
  return kPasses;
}

Network optimise(Network network, PassStage stage, const PassOptions& options) {
  HeldMemory both;
  if (!both.reserve(2 * network.gates.bytes(), options.memory)) return network;
  NetworkSize size;
  if (options.report) size = measure(network);
  for (const Pass& pass : kPasses) {
    if (pass.stage != stage || options.skipped.contains(pass.name)) continue;
    const auto start = std::chrono::steady_clock::now();
    PassBudget budget;
    budget.stop = options.stop;
    if (options.exclusions) budget.exclusions = *options.exclusions;
    std::optional<Network> better = pass.run(network, budget);
    if (options.stop != nullptr && options.stop->stop_requested()) break;
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (options.inspect) options.inspect(pass.name, network, better ? *better : network);
    if (better) network = *std::move(better);
    if (options.report) {
      const NetworkSize after = measure(network);
      options.report(
          {pass.name, size, after, network.fluents.size(), network.moves.size(), took.count()});
      size = after;
    }
  }
  return network;
}

Network optimise(Network network, const PassOptions& options) {
  network = optimise(std::move(network), PassStage::First, options);
  return optimise(std::move(network), PassStage::Later, options);
}

}  // namespace ludens::gdl
