// SPDX-License-Identifier: MIT
#include "search/learning/reach.h"

#include <new>
#include <utility>
#include <vector>

#include "search/learning/observations.h"
#include "search/learning/state_bits.h"
#include "search/learning/variables.h"

namespace ludens::search {

namespace {

/// Fewer states than for learning are enough for groups of fluents.
constexpr std::size_t kStatesForGroups = 4'096;

}  // namespace

gdl::Result<std::shared_ptr<const gdl::ReachMachine>> with_reach(
    const std::shared_ptr<const gdl::Machine>& machine, std::uint32_t most_moves,
    gdl::MemoryBudget* memory, const Deadline& deadline) {
  const auto bits = StateBits::of(*machine);
  if (!bits) return gdl::Error{"the machine has no network to build on"};
  const gdl::Limits limits{&deadline, memory};
  const auto context = machine->make_context(limits);
  gdl::Rng rng(1);
  const auto seen =
      Observations::make(*machine, *context, bits->size(), {.most_states = kStatesForGroups}, rng);
  if (!seen) return gdl::Error{"no time to look at random games"};
  std::vector<std::vector<gdl::FluentId>> groups;
  for (Variable& variable : find_variables(*machine, *bits, *seen)) {
    groups.push_back(std::move(variable.fluents));
  }
  try {
    return gdl::make_reach_machine(machine, groups, most_moves, limits);
  } catch (const std::bad_alloc&) {
    return gdl::Error{"memory is used up"};
  }
}

std::optional<Position> position_on(const std::shared_ptr<const gdl::ReachMachine>& machine,
                                    const Position& position, const gdl::Limits& limits) {
  Position wide = position;
  wide.machine = machine;
  const auto context = machine->make_context(limits);
  if (machine->widen(*context, position.state, wide.state) != gdl::Status::Ok) return std::nullopt;
  return wide;
}

}  // namespace ludens::search
