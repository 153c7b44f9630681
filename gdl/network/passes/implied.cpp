// SPDX-License-Identifier: MIT
#include "gdl/network/passes/implied.h"

#include <algorithm>
#include <bit>

namespace ludens::gdl {

namespace {

/// What is known about up to 64 variables, one bit each.
struct Facts {
  std::uint64_t yes = 0, no = 0;

  [[nodiscard]] bool contradict(const Facts& other) const {
    return ((yes & other.no) | (no & other.yes)) != 0;
  }
  Facts& operator|=(const Facts& other) {
    yes |= other.yes;
    no |= other.no;
    return *this;
  }
  Facts& operator&=(const Facts& other) {
    yes &= other.yes;
    no &= other.no;
    return *this;
  }
};
/// The facts of an edge that never holds: anything follows.
constexpr Facts kNever{~std::uint64_t{0}, ~std::uint64_t{0}};

/// Larger groups are left out: moves of a role on a large board, each known by a gate or two.
constexpr std::size_t kLargestGroup = 1024;
/// Enough for most games; some 20 ms.
constexpr std::uint64_t kMostWork = 10'000'000;
/// Variables that are handled together.
constexpr std::size_t kBlock = 64;
constexpr std::uint8_t kNoBit = 255;

/// The part of a group that is in a block.
struct Part {
  const OneOf* group;
  std::uint64_t mask;
  [[nodiscard]] bool complete() const {
    return static_cast<std::size_t>(std::popcount(mask)) == group->nodes.size();
  }
};

/// All variables of the groups in blocks; a group that fits is completely in one of them.
std::vector<std::vector<NodeId>> blocks_of(std::span<const OneOf> groups, std::size_t nodes) {
  std::vector<std::vector<NodeId>> blocks(1);
  std::vector<std::size_t> block_of(nodes, 0);  // plus one: the last block it was put into
  const auto add = [&](NodeId n) {
    if (block_of[n] == blocks.size()) return;
    if (blocks.back().size() == kBlock) blocks.emplace_back();
    block_of[n] = blocks.size();
    blocks.back().push_back(n);
  };
  for (const OneOf& group : groups) {
    const auto there = static_cast<std::size_t>(
        std::ranges::count(group.nodes, blocks.size(), [&](NodeId n) { return block_of[n]; }));
    const std::size_t missing = group.nodes.size() - there;
    if (missing <= kBlock && blocks.back().size() + missing > kBlock) blocks.emplace_back();
    for (const NodeId n : group.nodes) add(n);
  }
  return blocks;
}

class Dropping {
 public:
  Dropping(const Network& network, std::span<const OneOf> groups, const PassBudget& budget)
      : network_(network),
        poll_(budget.stop),
        work_(static_cast<std::int64_t>(std::min(budget.work, kMostWork))),
        changed_(network.gates.size(), false) {
    for (const OneOf& group : groups) {
      if (group.nodes.size() > kLargestGroup) continue;
      groups_.push_back(group);
      for (const NodeId n : group.nodes) variables_ = std::max<std::size_t>(variables_, n + 1);
    }
    bit_.assign(variables_, kNoBit);
    facts_.assign_zero(network.gates.size() * 2);
    find_gates();
  }

  ReplacedGates run() {
    if (groups_.empty()) return {};
    for (const std::vector<NodeId>& block : blocks_of(groups_, variables_)) {
      if (spend(block.size())) break;
      look_at(block);
    }
    complement();
    return std::move(replaced_);
  }

 private:
  // Gates that an output depends on, and that depend on a variable.
  void find_gates() {
    std::vector<bool> depends(network_.gates.size(), false);
    for (const OneOf& group : groups_) {
      for (const NodeId n : group.nodes) depends[n] = true;
    }
    const std::vector<bool> used = network_.cone(network_.outputs(), &poll_);
    for (NodeId n = 0; n < used.size() && !spend(1); ++n) {
      if (!used[n] || network_.gates.kind(n) != Gates::Kind::And) continue;
      depends[n] = std::ranges::any_of(network_.gates.inputs(n),
                                       [&](Edge e) { return depends[node_of(e)]; });
      if (depends[n]) gates_.push_back(n);
    }
  }

  bool spend(std::size_t work) {
    work_ -= static_cast<std::int64_t>(work);
    return poll_(work) || work_ < 0;
  }

  void look_at(const std::vector<NodeId>& block) {
    find_parts(block);
    set_variables(block);
    for (const NodeId n : gates_) {
      if (spend(network_.gates.inputs(n).size() * 2)) break;
      find_facts(n);
      if (facts_[n * 2].contradict(facts_[n * 2])) {
        replace(n, {kFalse});
      } else {
        drop_inputs(n);
      }
    }
    for (const Part& part : parts_) {
      for (const NodeId n : part.group->nodes) facts_[n * 2] = facts_[n * 2 + 1] = {};
    }
  }

  void find_parts(const std::vector<NodeId>& block) {
    parts_.clear();
    for (std::size_t i = 0; i < block.size(); ++i) bit_[block[i]] = static_cast<std::uint8_t>(i);
    for (const OneOf& group : groups_) {
      spend(group.nodes.size());
      std::uint64_t mask = 0;
      for (const NodeId n : group.nodes) {
        if (bit_[n] != kNoBit) mask |= std::uint64_t{1} << bit_[n];
      }
      if (mask != 0) parts_.push_back({&group, mask});
    }
    for (const NodeId n : block) bit_[n] = kNoBit;
  }

  void set_variables(const std::vector<NodeId>& block) {
    facts_[kFalse] = kNever;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      facts_[block[i] * 2].yes = bit;
      facts_[block[i] * 2 + 1].no = bit;
    }
    for (const Part& part : parts_) {
      for (const NodeId n : part.group->nodes) facts_[n * 2].no |= part.mask & ~facts_[n * 2].yes;
    }
    for (const NodeId n : block) close(facts_[n * 2 + 1]);
  }

  // In a group of which one always holds, the last one left must hold.
  void close(Facts& facts) const {
    if (facts.no == 0) return;
    for (const Part& part : parts_) {
      const std::uint64_t left = part.mask & ~facts.no;
      if (!part.group->always || !part.complete() || (left & (left - 1)) != 0) continue;
      if (left == 0) facts = kNever;
      facts.yes |= left;
    }
  }

  void find_facts(NodeId n) {
    Facts all, any = kNever;
    for (const Edge e : network_.gates.inputs(n)) {
      all |= facts_[e];
      any &= facts_[invert(e)];
    }
    close(all);
    facts_[n * 2] = all.contradict(all) ? kNever : all;
    facts_[n * 2 + 1] = any;
  }

  [[nodiscard]] std::span<const Edge> inputs(NodeId n) const {
    return changed_[n] ? std::span<const Edge>(replaced_.at(n)) : network_.gates.inputs(n);
  }

  /// What at least one input implies, and what at least two inputs imply.
  struct Said {
    Facts once, twice;
  };
  [[nodiscard]] Said said_by(std::span<const Edge> inputs) const {
    Said said;
    for (const Edge e : inputs) {
      said.twice |= {said.once.yes & facts_[e].yes, said.once.no & facts_[e].no};
      said.once |= facts_[e];
    }
    return said;
  }

  // An input goes if its complement contradicts the others. One goes at a time, so that what it
  // followed from stays, or follows from what stays.
  void drop_inputs(NodeId n) {
    const auto before = inputs(n);
    const Said said = said_by(before);
    if (std::ranges::none_of(before, [&](Edge e) { return implied(e, said); })) return;
    std::vector<Edge> left(before.begin(), before.end());
    for (std::size_t i = 0; i < left.size() && !spend(left.size());) {
      const Said now = said_by(left);
      while (i < left.size() && !implied(left[i], now)) ++i;
      if (i < left.size()) left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    }
    replace(n, std::move(left));
  }

  void replace(NodeId n, std::vector<Edge> inputs) {
    if (n < changed_.size()) changed_[n] = true;
    replaced_[n] = std::move(inputs);
  }

  [[nodiscard]] bool implied(Edge e, const Said& said) const {
    const Facts& own = facts_[e];
    const Facts others{said.twice.yes | (said.once.yes & ~own.yes),
                       said.twice.no | (said.once.no & ~own.no)};
    return others.contradict(facts_[invert(e)]);
  }

  // NORs over most of a group of which one always holds.
  void complement() {
    groups_of_.resize(variables_);
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      if (!groups_[g].always || groups_[g].nodes.size() < 3) continue;
      for (const NodeId n : groups_[g].nodes) groups_of_[n].push_back(g);
    }
    denied_.assign(groups_.size(), 0);
    for (const NodeId n : gates_) {
      if (spend(inputs(n).size())) return;
      while (const OneOf* group = mostly_denied(n)) take_others(n, *group);
    }
  }

  [[nodiscard]] const OneOf* mostly_denied(NodeId gate) {
    const OneOf* found = nullptr;
    for_denied(gate, [&](std::uint32_t g) {
      ++denied_[g];
      if (denied_[g] > 1 && denied_[g] * 2 > groups_[g].nodes.size()) found = &groups_[g];
    });
    for_denied(gate, [&](std::uint32_t g) { denied_[g] = 0; });
    return found;
  }
  template <typename F>
  void for_denied(NodeId gate, F f) {
    for (const Edge e : inputs(gate)) {
      if (!is_inverted(e) || node_of(e) >= groups_of_.size()) continue;
      for (const std::uint32_t g : groups_of_[node_of(e)]) f(g);
    }
  }

  void take_others(NodeId gate, const OneOf& group) {
    const auto before = inputs(gate);
    std::vector<Edge> left, others, denied;
    for (const NodeId n : group.nodes) denied.push_back(n * 2 + 1);
    std::ranges::sort(denied);
    for (const Edge e : before) {
      if (!std::ranges::binary_search(denied, e)) left.push_back(e);
    }
    for (const Edge e : denied) {
      if (std::ranges::find(before, e) == before.end()) others.push_back(e);
    }
    if (others.size() < 2) {
      left.push_back(others.empty() ? kFalse : invert(others.front()));
    } else {
      const auto made = static_cast<NodeId>(network_.gates.size() + made_++);
      left.push_back(made * 2 + 1);
      replace(made, std::move(others));
    }
    replace(gate, std::move(left));
  }

  const Network& network_;
  std::vector<OneOf> groups_;
  std::size_t variables_ = 0;  // nodes up to the last of them
  StopPoll poll_;
  std::int64_t work_;
  std::size_t made_ = 0;
  std::vector<std::uint8_t> bit_;  // [variable]: within the block, while its parts are found
  std::vector<Part> parts_;        // of groups in the block
  std::vector<NodeId> gates_;      // ascending
  LargeArray<Facts> facts_;        // [edge]: what follows from it
  ReplacedGates replaced_;
  std::vector<bool> changed_;                          // [node]: is in replaced_
  std::vector<std::vector<std::uint32_t>> groups_of_;  // [node]: of which one always holds
  std::vector<std::uint32_t> denied_;                  // [group], scratch: 0 between calls
};

}  // namespace

ReplacedGates drop_implied_inputs(const Network& network, std::span<const OneOf> groups,
                                  const PassBudget& budget) {
  return Dropping(network, groups, budget).run();
}

}  // namespace ludens::gdl
