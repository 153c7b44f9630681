// SPDX-License-Identifier: MIT
#include "search/learning/state_bits.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "gdl/sliced/machine_network.h"

namespace ludens::search {

namespace {

using gdl::Gates;
using Set = std::vector<std::uint32_t>;

/// The union of the inputs' sets; nullopt if it has more than `most`, or one of them had.
std::optional<Set> united(std::span<const gdl::Edge> inputs,
                          const std::vector<std::optional<Set>>& sets, std::size_t most) {
  Set all;
  for (const gdl::Edge input : inputs) {
    const auto& set = sets[gdl::node_of(input)];
    if (!set) return std::nullopt;
    Set both;
    std::ranges::set_union(all, *set, std::back_inserter(both));
    if (both.size() > most) return std::nullopt;
    all = std::move(both);
  }
  return all;
}

}  // namespace

StateBits::StateBits(std::shared_ptr<const gdl::GameNetwork> game) : game_(std::move(game)) {
  for (const auto& fluent : game_->network.fluents) fluents_.push_back(fluent.id);
}

std::optional<StateBits> StateBits::of(const gdl::Machine& machine) {
  const gdl::MachineNetwork* own = machine.network();
  if (own == nullptr || own->game() == nullptr) return std::nullopt;
  return StateBits(own->game());
}

std::map<gdl::FluentId, std::uint32_t> StateBits::bit_of() const {
  std::map<gdl::FluentId, std::uint32_t> bit_of;
  for (std::uint32_t bit = 0; bit < size(); ++bit) bit_of[fluents_[bit]] = bit;
  return bit_of;
}

std::uint32_t StateBits::most_reach() const {
  std::uint32_t most = 0;
  for (const gdl::ReachBit& bit : reach()) most = std::max(most, bit.moves);
  return most;
}

std::vector<bool> StateBits::are_reach() const {
  std::vector<bool> are(size(), false);
  for (const gdl::ReachBit& bit : reach()) are[bit.fluent] = true;
  return are;
}

bool StateBits::roles_reach_differently() const {
  const gdl::Network& network = game_->network;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<gdl::Edge>> of_place;
  std::size_t move = network.moves.size() - reach().size();  // those of the bits are the last
  for (const gdl::ReachBit& bit : reach()) {
    of_place[{bit.group, bit.moves}].push_back(network.moves[move++].legal);
  }
  return std::ranges::any_of(of_place, [&](const auto& place) {
    const std::vector<gdl::Edge>& legal = place.second;
    return legal.size() < network.roles() ||
           std::ranges::adjacent_find(legal, std::not_equal_to{}) != legal.end();
  });
}

std::vector<bool> StateBits::decide_moves() const {
  std::vector<gdl::Edge> legal;
  for (const gdl::Network::Move& move : game_->network.moves) legal.push_back(move.legal);
  const std::vector<bool> cone = game_->network.cone(legal);
  std::vector<bool> decide;
  for (const gdl::Network::Fluent& fluent : game_->network.fluents)
    decide.push_back(cone[fluent.node]);
  return decide;
}

std::vector<std::vector<std::uint32_t>> StateBits::looked_at_together(
    std::span<const std::uint32_t> variable_of, std::size_t most) const {
  const Gates& gates = game_->network.gates;
  std::vector<std::optional<Set>> sets(gates.size(), Set{});
  std::set<Set> found;
  for (gdl::NodeId n = 0; n < gates.size(); ++n) {
    switch (gates.kind(n)) {
      case Gates::Kind::Fluent:
        if (variable_of[gates.index(n)] != kNoVariable) sets[n] = Set{variable_of[gates.index(n)]};
        break;
      case Gates::Kind::Feedback:
        sets[n] = std::nullopt;
        break;
      case Gates::Kind::And:
        sets[n] = united(gates.inputs(n), sets, most);
        if (sets[n] && sets[n]->size() > 1) found.insert(*sets[n]);
        break;
      default:
        break;
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace ludens::search
