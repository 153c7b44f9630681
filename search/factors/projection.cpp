// SPDX-License-Identifier: MIT
#include "search/factors/projection.h"

#include <algorithm>

namespace ludens::search::factors {

Projection::Projection(const gdl::Machine& machine)
    : machine_(machine), keys_(machine.structure().factors.size()) {
  const auto& factors = machine.structure().factors;
  gdl::Rng rng(0x6c7564656e73);
  for (std::uint32_t factor = 0; factor < factors.size(); ++factor) {
    for (const gdl::FluentId fluent : factors[factor].fluents) {
      if (fluent >= factor_of_.size()) {
        factor_of_.resize(fluent + 1, kNoFactor);
        names_.resize(fluent + 1);
      }
      factor_of_[fluent] = factor;
      names_[fluent] = {rng(), rng()};
    }
  }
}

gdl::Status Projection::read(gdl::Machine::Context& context, gdl::StateView state) {
  const auto status = machine_.fluents(context, state, fluents_);
  if (status != gdl::Status::Ok) return status;
  std::ranges::fill(keys_, gdl::StateHash{});
  for (const gdl::FluentId fluent : fluents_) {
    const std::uint32_t factor = factor_of(fluent);
    if (factor == kNoFactor) continue;
    keys_[factor].low ^= names_[fluent].low;
    keys_[factor].high ^= names_[fluent].high;
  }
  return gdl::Status::Ok;
}

void Projection::append_fluents(std::uint32_t factor, std::vector<gdl::FluentId>& out) const {
  for (const gdl::FluentId fluent : fluents_) {
    if (factor_of(fluent) == factor) out.push_back(fluent);
  }
}

std::uint32_t Projection::factor_of_all(std::span<const gdl::FluentId> fluents) const {
  std::uint32_t all = kNoFactor;
  for (const gdl::FluentId fluent : fluents) {
    const std::uint32_t factor = factor_of(fluent);
    if (factor == kNoFactor || (all != kNoFactor && factor != all)) return kNoFactor;
    all = factor;
  }
  return all;
}

}  // namespace ludens::search::factors
