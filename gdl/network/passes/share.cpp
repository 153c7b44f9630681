// SPDX-License-Identifier: MIT
// A pass: common inputs of wide gates become gates of their own.
#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "gdl/network/passes/passes.h"
#include "gdl/network/passes/rewrite.h"

namespace ludens::gdl {

namespace {

// Gates as sets of edges. The two with the largest intersection give it to a gate of their own,
// again and again, for intersections of at least a threshold that falls from round to round.
class Sharing {
 public:
  Sharing(const Network& network, const PassBudget& budget)
      : network_(network), poll_(budget.stop), work_(static_cast<std::int64_t>(budget.work)) {
    const std::vector<bool> used = network.cone(network.outputs(), &poll_);
    std::vector<NodeId> wide;
    LargeArray<std::uint32_t> uses;
    uses.assign_zero(network.gates.size() * 2);
    for (NodeId n = 0; n < network.gates.size(); ++n) {
      if (!used[n] || network.gates.kind(n) != Gates::Kind::And) continue;
      const auto inputs = network.gates.inputs(n);
      if (inputs.size() < kNarrowest) continue;
      if (poll_(inputs.size())) return;
      wide.push_back(n);
      for (const Edge e : inputs) ++uses[e];
    }
    list_of_.assign_zero(uses.size());
    for (Edge e = 0; e < uses.size(); ++e) {
      if (poll_()) return;
      if (uses[e] != 0) users(e).reserve(uses[e]);
    }
    for (const NodeId n : wide) {
      const auto inputs = network.gates.inputs(n);
      if (poll_(inputs.size())) return;
      add(inputs, n * 2);
    }
    first_made_ = sets_.size();
    changed_.assign(sets_.size(), false);
  }

  void run() {
    for (const std::size_t least : {256, 128, 64, 32, 16, 8, 5, 4, 3}) {
      for (std::uint32_t set = 0; set < sets_.size(); ++set) {
        if (work_ < 0 || poll_()) return;
        while (sets_[set].size() >= least && share(set, least)) {
          if (work_ < 0 || poll_.stopped()) return;
        }
      }
    }
  }

  [[nodiscard]] ReplacedGates result() const {
    ReplacedGates gates;
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      if (s < first_made_ && !changed_[s]) continue;
      gates[node_of(edges_[s])] = {sets_[s].begin(), sets_[s].end()};
    }
    return gates;
  }

 private:
  static constexpr std::size_t kNarrowest = 4;

  // Freed all at once: there may be millions.
  using Edges = std::pmr::vector<Edge>;
  using Users = std::pmr::vector<std::uint32_t>;

  std::uint32_t add(std::span<const Edge> inputs, Edge edge) {
    const auto set = static_cast<std::uint32_t>(sets_.size());
    for (const Edge e : inputs) users(e).push_back(set);
    sets_.emplace_back(&memory_).assign(inputs.begin(), inputs.end());
    edges_.push_back(edge);
    overlap_.push_back(0);
    return set;
  }

  Users& users(Edge e) {
    while (e >= list_of_.size()) list_of_.push_back(0);
    if (list_of_[e] == 0) {
      users_.emplace_back(&memory_);
      list_of_[e] = static_cast<std::uint32_t>(users_.size());
    }
    return users_[list_of_[e] - 1];
  }
  void spend(std::size_t work) {
    work_ -= static_cast<std::int64_t>(work);
    poll_(work);
  }

  // The set with the largest intersection of at least `least`; sets_.size() if there is none.
  std::uint32_t best_partner(std::uint32_t set, std::size_t least) {
    std::vector<std::uint32_t> touched;
    for (const Edge e : sets_[set]) {
      spend(users(e).size());
      for (const std::uint32_t other : users(e)) {
        if (other != set && overlap_[other]++ == 0) touched.push_back(other);
      }
    }
    auto best = static_cast<std::uint32_t>(sets_.size());
    std::size_t most = least - 1;
    for (const std::uint32_t other : touched) {
      if (overlap_[other] > most || (overlap_[other] == most && other < best && most >= least)) {
        most = overlap_[other];
        best = other;
      }
    }
    for (const std::uint32_t other : touched) overlap_[other] = 0;
    return best;
  }

  bool share(std::uint32_t a, std::size_t least) {
    const std::uint32_t b = best_partner(a, least);
    if (b == sets_.size()) return false;
    std::vector<Edge> left(sets_[a].begin(), sets_[a].end());
    std::vector<Edge> right(sets_[b].begin(), sets_[b].end()), both;
    spend((left.size() + right.size()) * 4);
    std::ranges::sort(left);
    std::ranges::sort(right);
    std::ranges::set_intersection(left, right, std::back_inserter(both));
    if (both.size() == left.size() && both.size() == right.size()) return false;
    std::uint32_t shared = both.size() == left.size() ? a : b;
    if (both.size() < left.size() && both.size() < right.size()) {
      shared = add(both, static_cast<Edge>((network_.gates.size() + made_++) * 2));
    }
    for (const std::uint32_t user : {a, b}) {
      if (user != shared) replace(user, both, edges_[shared]);
    }
    return shared != a;
  }

  void replace(std::uint32_t set, const std::vector<Edge>& part, Edge by) {
    std::erase_if(sets_[set], [&](Edge e) { return std::ranges::binary_search(part, e); });
    for (const Edge e : part) {
      spend(users(e).size());
      std::erase(users(e), set);
    }
    sets_[set].push_back(by);
    users(by).push_back(set);
    if (set < first_made_) changed_[set] = true;
  }

  const Network& network_;
  StopPoll poll_;
  std::int64_t work_;
  std::size_t made_ = 0, first_made_ = 0;
  std::pmr::monotonic_buffer_resource memory_;
  std::vector<Edges> sets_;
  std::vector<bool> changed_;           // [set], up to first_made_
  std::vector<Edge> edges_;             // [set]
  std::vector<std::uint32_t> overlap_;  // [set], scratch: all 0 between calls
  LargeArray<std::uint32_t> list_of_;   // [edge]: index into users_, plus one
  std::vector<Users> users_;
};

}  // namespace

Network share_wide_gates(const Network& network, const PassBudget& budget) {
  Sharing sharing(network, budget);
  sharing.run();
  return rewrite(network, budget.stop, sharing.result());
}

}  // namespace ludens::gdl
