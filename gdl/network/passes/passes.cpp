#include "gdl/network/passes/passes.h"

#include <chrono>

namespace ludens::gdl {

namespace {

constexpr Pass kPasses[] = {
    {"dead-fluents", "fluents that legal moves, end and goals don't depend on", PassStage::First,
     remove_dead_fluents},
    {"constants", "fluents that never change and moves that are never legal", PassStage::First,
     propagate_constants},
    {"share", "common subsets of wide gates become gates", PassStage::Later, share_wide_gates},
};

}  // namespace

std::span<const Pass> passes() {
  return kPasses;
}

Network optimise(Network network, PassStage stage, const PassOptions& options) {
  NetworkSize size;
  if (options.report) size = measure(network);
  for (const Pass& pass : kPasses) {
    if (pass.stage != stage || options.skipped.contains(pass.name)) continue;
    const auto start = std::chrono::steady_clock::now();
    PassBudget budget;
    budget.stop = options.stop;
    Network better = pass.run(network, budget);
    if (options.stop != nullptr && options.stop->stop_requested()) break;
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (options.inspect) options.inspect(pass.name, network, better);
    if (options.report) {
      const NetworkSize after = measure(better);
      options.report(
          {pass.name, size, after, better.fluents.size(), better.moves.size(), took.count()});
      size = after;
    }
    network = std::move(better);
  }
  return network;
}

Network optimise(Network network, const PassOptions& options) {
  network = optimise(std::move(network), PassStage::First, options);
  return optimise(std::move(network), PassStage::Later, options);
}

}  // namespace ludens::gdl
