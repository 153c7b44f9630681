// SPDX-License-Identifier: MIT
#include "gdl/network/network.h"

#include <algorithm>
#include <bit>

#include "gdl/memory/hash.h"

namespace ludens::gdl {

Gates::Gates() {
  nodes_.push_back({Kind::Constant, 0, 0});
}

Edge Gates::add_input(Kind kind, std::uint32_t index) {
  nodes_.push_back({kind, index, 0});
  return static_cast<Edge>(nodes_.size() - 1) * 2;
}

Edge Gates::conjunction(std::vector<Edge>& in) {
  if (!std::ranges::is_sorted(in)) std::ranges::sort(in);
  in.erase(std::unique(in.begin(), in.end()), in.end());
  if (!in.empty() && in.front() == kFalse) return kFalse;
  if (!in.empty() && in.front() == kTrueEdge) in.erase(in.begin());
  for (std::size_t i = 1; i < in.size(); ++i) {
    if (in[i] == invert(in[i - 1])) return kFalse;
  }
  if (in.empty()) return kTrueEdge;
  if (in.size() == 1) return in.front();
  std::uint64_t long_hash = in.size();
  for (const Edge e : in) long_hash = mix(long_hash, e);
  const auto hash = static_cast<std::uint32_t>(long_hash);
  const auto id = static_cast<NodeId>(nodes_.size());
  const NodeId found = index_.find_or_insert(
      hash, id, [&](NodeId gate) { return std::ranges::equal(inputs(gate), in); });
  if (found != id) return found * 2;
  nodes_.push_back(
      {Kind::And, static_cast<std::uint32_t>(pool_.size()), static_cast<std::uint32_t>(in.size())});
  pool_.append(in.data(), in.size());
  return id * 2;
}

Edge Gates::conjunction(Edge a, Edge b) {
  std::vector<Edge> both{a, b};
  return conjunction(both);
}

Edge Gates::disjunction(std::vector<Edge>& in) {
  for (Edge& e : in) e = invert(e);
  return invert(conjunction(in));
}

Edge Network::add_fluent(FluentId id, bool initially) {
  const Edge e = gates.add_input(Gates::Kind::Fluent, static_cast<std::uint32_t>(fluents.size()));
  fluents.push_back({id, node_of(e), kFalse, initially});
  return e;
}

Edge Network::add_move(MoveId id, RoleIndex role) {
  const Edge e = gates.add_input(Gates::Kind::Move, static_cast<std::uint32_t>(moves.size()));
  moves.push_back({id, role, node_of(e), kFalse});
  return e;
}

Edge Network::add_feedback() {
  const Edge e =
      gates.add_input(Gates::Kind::Feedback, static_cast<std::uint32_t>(feedbacks.size()));
  feedbacks.push_back({node_of(e), kFalse});
  return e;
}

std::vector<Edge> Network::outputs() const {
  std::vector<Edge> out;
  for (const Fluent& f : fluents) out.push_back(f.next);
  for (const Move& m : moves) out.push_back(m.legal);
  out.push_back(terminal);
  for (const auto& role : goals) {
    for (const Goal& g : role) out.push_back(g.edge);
  }
  for (const Percept& p : percepts) out.push_back(p.edge);
  for (const Feedback& f : feedbacks) out.push_back(f.update);
  return out;
}

std::vector<bool> Network::cone(std::span<const Edge> roots, StopPoll* poll) const {
  std::vector<bool> in(gates.size(), false);
  for (const Edge e : roots) in[node_of(e)] = true;
  // Inputs are older than their gates; only what feeds back can be newer.
  for (auto end = static_cast<NodeId>(in.size()); end > 0;) {
    for (NodeId n = end; n-- > 0;) {
      if (!in[n] || gates.kind(n) != Gates::Kind::And) continue;
      if (poll != nullptr && (*poll)(gates.inputs(n).size())) return in;
      for (const Edge e : gates.inputs(n)) in[node_of(e)] = true;
    }
    end = 0;
    for (const Feedback& f : feedbacks) {
      if (!in[f.node] || in[node_of(f.update)]) continue;
      in[node_of(f.update)] = true;
      end = std::max(end, node_of(f.update) + 1);
    }
  }
  return in;
}

NetworkSize measure(const Network& network) {
  NetworkSize size;
  const std::vector<bool> used = network.cone(network.outputs());
  std::vector<std::size_t> depth(network.gates.size(), 0);
  for (NodeId n = 0; n < network.gates.size(); ++n) {
    if (!used[n] || network.gates.kind(n) != Gates::Kind::And) continue;
    const auto inputs = network.gates.inputs(n);
    for (const Edge e : inputs) depth[n] = std::max(depth[n], depth[node_of(e)]);
    depth[n] += std::bit_width(inputs.size() - 1);
    ++size.gates;
    size.two_input += inputs.size() - 1;
    size.depth = std::max(size.depth, depth[n]);
  }
  return size;
}

}  // namespace ludens::gdl
