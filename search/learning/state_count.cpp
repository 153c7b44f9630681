// SPDX-License-Identifier: MIT
#include "search/learning/state_count.h"

#include <limits>
#include <set>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/learning/observations.h"
#include "search/learning/variables.h"

namespace ludens::search {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// In how many ways these fluents held.
std::size_t count_combinations(const Observations& seen, const std::vector<bool>& wanted,
                               gdl::Rng& rng) {
  std::vector<std::uint64_t> keys(seen.size(), 0);
  for (std::size_t bit = 0; bit < wanted.size(); ++bit) {
    if (!wanted[bit]) continue;
    const std::uint64_t key = rng();
    const auto row = seen.row(bit);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if ((row[i / 64] >> i % 64 & 1) != 0) keys[i] ^= key;
    }
  }
  return std::set(keys.begin(), keys.end()).size();
}

}  // namespace

double most_states(const gdl::Machine& machine, const Deadline& deadline, gdl::MemoryBudget* memory,
                   std::uint64_t seed) {
  const auto bits = StateBits::of(machine);
  if (!bits) return kUnknown;
  const Observations::Settings settings;
  gdl::HeldMemory held;
  if (!held.reserve(settings.most_bytes, memory)) return kUnknown;
  gdl::Rng rng(seed);
  const auto context = machine.make_context({&deadline, memory});
  const auto seen = Observations::make(machine, *context, bits->size(), settings, rng);
  if (!seen) return kUnknown;
  const auto variables = find_variables(machine, *bits, *seen);
  if (variables.size() == kMostVariables) return kUnknown;
  double states = 1;
  std::set<gdl::FluentId> varied;
  for (const Variable& variable : variables) {
    states *= static_cast<double>(variable.values());
    varied.insert(variable.fluents.begin(), variable.fluents.end());
  }
  std::vector<bool> others(bits->size());
  for (std::size_t bit = 0; bit < others.size(); ++bit) {
    others[bit] = !varied.contains(bits->fluents()[bit]);
  }
  return states * static_cast<double>(count_combinations(*seen, others, rng));
}

}  // namespace ludens::search
