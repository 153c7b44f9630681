// SPDX-License-Identifier: MIT
#include "server/wasm/measure.h"

#include <memory>
#include <vector>

#include "gdl/registry/machines.h"
#include "gdl/sliced/machine_network.h"
#include "search/registry/registry.h"
#include "server/game/rulesheet.h"

namespace ludens::server::wasm {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::minutes kLongest{2};  // limit of a search

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Plays random games from the initial state.
void measure_playouts(const gdl::Machine& machine, const gdl::Limits& limits,
                      const gdl::State& first, std::chrono::milliseconds time, json::object& out) {
  const auto context = machine.make_context(limits);
  const std::vector<gdl::StateView> starts{first};
  gdl::PlayoutOptions options;
  options.per_start = static_cast<std::uint32_t>(machine.preferred_batch());
  gdl::PlayoutSums sums;
  gdl::Rng rng(1);
  double steps = 0, playouts = 0;
  const auto begin = Clock::now();
  do {
    const auto before = Clock::now();
    if (machine.playouts(*context, starts, options, rng, sums) != gdl::Status::Ok) break;
    steps += static_cast<double>(sums.steps);
    playouts += sums.playouts.front();
    // The lanes run empty at the end of a call, so calls must be long enough for that not to
    // matter.
    if (Clock::now() - before < time / 50 && options.per_start < 1U << 24) options.per_start *= 2;
  } while (Clock::now() - begin < time);
  const double seconds = seconds_since(begin);
  out["playouts_per_s"] = playouts / seconds;
  out["steps_per_s"] = steps / seconds;
}

/// Searches the initial state, longer if no iteration ends in that time.
void measure_search(const search::Position& position, gdl::MemoryBudget& memory,
                    std::chrono::milliseconds time, json::object& out) {
  search::Resources resources;
  resources.memory = &memory;
  for (;; time += time + std::chrono::milliseconds(1)) {
    search::Incumbent incumbent;
    const auto strategy = search::make_known_strategy("mcts", {}, resources);
    const auto begin = Clock::now();
    strategy->think(position, search::Deadline(begin + time), incumbent);
    const auto choice = incumbent.get();
    const std::uint64_t iterations = choice ? choice->iterations : 0;
    out["iterations_per_s"] = static_cast<double>(iterations) / seconds_since(begin);
    out["explanation"] = strategy->explanation();
    if (iterations > 0 || time >= kLongest) return;
  }
}

}  // namespace

json::object measure(const std::string& rules, const std::string& name,
                     std::chrono::milliseconds time, std::size_t memory_bytes) {
  gdl::MemoryBudget memory(memory_bytes);
  const auto begin = Clock::now();
  const Rulesheet sheet = read_rulesheet("game", rules);
  if (gdl::has_error(sheet.diagnostics)) return {{"problem", "the rules have errors"}};
  const auto made =
      gdl::make_machine(name, std::make_shared<gdl::Vocabulary>(sheet.rules), {nullptr, &memory});
  if (!made) return {{"problem", made.error().text}};
  const std::shared_ptr<const gdl::Machine>& machine = *made;
  json::object out{{"ready_ms", 1000 * seconds_since(begin)},
                   {"machine", machine->name()},
                   {"gates", machine->gates()},
                   {"lanes", machine->preferred_batch()},
                   {"generated", machine->network() != nullptr && machine->network()->generated()}};
  search::Position position{machine, {}, 0, {}};
  const auto context = machine->make_context({nullptr, &memory});
  if (machine->initial(*context, position.state) != gdl::Status::Ok) {
    return {{"problem", "the initial state can't be derived"}};
  }
  measure_playouts(*machine, {nullptr, &memory}, position.state, time, out);
  measure_search(position, memory, time, out);
  return out;
}

}  // namespace ludens::server::wasm
