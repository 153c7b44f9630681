// SPDX-License-Identifier: MIT
// Fluents of which at most one holds.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/machine/structure.h"
#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Groups of fluents that differ only in chosen arguments, `(cell 1 1 ?)` or `(at ? ?)`, and of
/// which random games never showed two at once. Nothing is proved. In indices of the network,
/// ascending; empty if stopped, and for a network with feedbacks or more than 100,000 gates.
std::vector<std::vector<std::uint32_t>> find_groups_apart(const Network& network,
                                                          const Vocabulary& vocabulary,
                                                          const StopSignal* stop = nullptr);

/// Drops groups of which longer random games show two fluents at once. Takes up to some 50 ms.
void drop_groups_seen_together(const Network& network,
                               std::vector<std::vector<std::uint32_t>>& groups,
                               const StopSignal* stop = nullptr);

/// Candidates are such groups. What is left of them is proved by induction over all groups
/// together: if at most one of each group holds in a state, and each role makes one legal move, no
/// two of a group are next. The assumption that two of them are next is refuted by propagation and
/// a few case distinctions (like the invariants of planning in Rintanen, "An iterative algorithm
/// for synthesizing invariants", 2000). The result is in ids, the largest group first, no group
/// inside another; empty if stopped, or where `work` (elementary steps) is spent before the proof
/// is found.
std::vector<Structure::Exclusion> find_exclusions(
    const Network& network, std::vector<std::vector<std::uint32_t>> candidates,
    const StopSignal* stop = nullptr, std::uint64_t work = 20'000'000);
/// The same, where the candidates are not known yet.
std::vector<Structure::Exclusion> find_exclusions(const Network& network,
                                                  const Vocabulary& vocabulary,
                                                  const StopSignal* stop = nullptr,
                                                  std::uint64_t work = 20'000'000);

}  // namespace ludens::gdl
