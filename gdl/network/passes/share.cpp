#include <algorithm>
#include <unordered_map>

#include "gdl/network/passes/passes.h"
#include "gdl/network/passes/rewrite.h"

namespace ludens::gdl {

namespace {

// Gates as sets of edges. The two with the largest intersection give it to a gate of their own,
// again and again, for intersections of at least a threshold that falls from round to round.
class Sharing {
 public:
  Sharing(const Network& network, const PassBudget& budget)
      : network_(network), budget_(budget), work_(static_cast<std::int64_t>(budget.work)) {
    const std::vector<bool> used = network.cone(network.outputs());
    for (NodeId n = 0; n < network.gates.size(); ++n) {
      if (!used[n] || network.gates.kind(n) != Gates::Kind::And) continue;
      const auto inputs = network.gates.inputs(n);
      if (inputs.size() >= kNarrowest) add({inputs.begin(), inputs.end()}, n * 2);
    }
  }

  void run() {
    for (const std::size_t least : {256, 128, 64, 32, 16, 8, 5, 4, 3}) {
      for (std::uint32_t set = 0; set < sets_.size(); ++set) {
        if (work_ < 0 || ((set & 0x3f) == 0 && stopped())) return;
        while (sets_[set].size() >= least && share(set, least)) {
          if (work_ < 0 || stopped()) return;
        }
      }
    }
  }

  [[nodiscard]] ReplacedGates result() const {
    ReplacedGates gates;
    for (std::size_t s = 0; s < sets_.size(); ++s) gates[node_of(edges_[s])] = sets_[s];
    return gates;
  }

 private:
  static constexpr std::size_t kNarrowest = 4;

  [[nodiscard]] bool stopped() const {
    return budget_.stop != nullptr && budget_.stop->stop_requested();
  }

  std::uint32_t add(std::vector<Edge> inputs, Edge edge) {
    const auto set = static_cast<std::uint32_t>(sets_.size());
    for (const Edge e : inputs) users_[e].push_back(set);
    sets_.push_back(std::move(inputs));
    edges_.push_back(edge);
    overlap_.push_back(0);
    return set;
  }

  // The set with the largest intersection of at least `least`; sets_.size() if there is none.
  std::uint32_t best_partner(std::uint32_t set, std::size_t least) {
    std::vector<std::uint32_t> touched;
    for (const Edge e : sets_[set]) {
      const auto& users = users_[e];
      work_ -= static_cast<std::int64_t>(users.size());
      for (const std::uint32_t other : users) {
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
    std::vector<Edge> left = sets_[a], right = sets_[b], both;
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
      work_ -= static_cast<std::int64_t>(users_[e].size());
      std::erase(users_[e], set);
    }
    sets_[set].push_back(by);
    users_[by].push_back(set);
  }

  const Network& network_;
  const PassBudget& budget_;
  std::int64_t work_;
  std::size_t made_ = 0;
  std::vector<std::vector<Edge>> sets_;
  std::vector<Edge> edges_;           // [set]
  std::vector<std::size_t> overlap_;  // [set], scratch: all 0 between calls
  std::unordered_map<Edge, std::vector<std::uint32_t>> users_;
};

}  // namespace

Network share_wide_gates(const Network& network, const PassBudget& budget) {
  Sharing sharing(network, budget);
  sharing.run();
  return rewrite(network, budget.stop, sharing.result());
}

}  // namespace ludens::gdl
