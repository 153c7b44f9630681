// SPDX-License-Identifier: MIT
#include "gdl/scalar/event_network.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "gdl/scalar/guards.h"

namespace ludens::gdl::scalar {

namespace {

class Layout {
 public:
  Layout(const GuardedNetwork& guarded, const Program& program, StopPoll& poll)
      : network_(guarded.network), poll_(poll), number_(network_.gates.size(), kNone) {
    out_.fluents = static_cast<std::uint32_t>(network_.fluents.size());
    out_.moves = static_cast<std::uint32_t>(network_.moves.size());
    out_.first_move = program.first_move;
    for (std::uint32_t m = 0; m < out_.moves; ++m) move_of_.push_back(m);
    std::ranges::sort(move_of_, {}, [&](std::uint32_t m) {  // as the program does
      return std::pair(network_.moves[m].role, network_.moves[m].id);
    });
    for (std::uint32_t f = 0; f < out_.fluents; ++f) number_[network_.fluents[f].node] = f;
    for (std::uint32_t m = 0; m < out_.moves; ++m)
      number_[network_.moves[move_of_[m]].node] = out_.fluents + m;
    lay_out_roles(guarded);
  }

  std::optional<EventNetwork> run() {
    std::vector<Edge> status{network_.terminal}, next;
    for (const Network::Move& m : network_.moves) status.push_back(m.legal);
    for (const Network::Fluent& f : network_.fluents) next.push_back(f.next);
    number_gates(status);
    out_.status_gates = out_.gates;
    number_gates(next);
    number_[0] = out_.constant();
    if (!connect_gates()) return std::nullopt;
    connect_outputs();
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  void lay_out_roles(const GuardedNetwork& guarded) {
    for (RoleIndex r = 0; r + 1 < out_.first_move.size(); ++r) {
      EventNetwork::Role role;
      role.first_move = out_.first_move[r];
      role.moves = out_.first_move[r + 1] - role.first_move;
      if (const auto& guard = guarded.guards[r]) {
        role.guarded = true;
        role.guard = guard->fluent;
        role.guard_inverted = guard->inverted;
        for (MoveIndex m = role.first_move; m < out_.first_move[r + 1]; ++m) {
          if (guard->unguarded[move_of_[m]]) role.unguarded.push_back(m);
        }
      }
      out_.roles.push_back(std::move(role));
    }
  }

  void number_gates(const std::vector<Edge>& roots) {
    const std::vector<bool> used = network_.cone(roots, &poll_);
    for (NodeId n = 0; n < used.size(); ++n) {
      if (!used[n] || network_.gates.kind(n) != Gates::Kind::And || number_[n] != kNone) continue;
      number_[n] = out_.first_gate() + out_.gates++;
      order_.push_back(n);
    }
  }

  [[nodiscard]] EventNetwork::Output output(Edge e) const {
    return {number_[node_of(e)], is_inverted(e)};
  }

  // False if a gate has too many inputs, or if stopped.
  bool connect_gates() {
    std::vector<std::uint32_t> plain(out_.nodes(), 0), inverted(out_.nodes(), 0);
    for (const NodeId n : order_) {
      if (poll_(network_.gates.inputs(n).size())) return false;
      std::size_t unsatisfied = 0;
      for (const Edge e : network_.gates.inputs(n)) {
        ++(is_inverted(e) ? inverted : plain)[number_[node_of(e)]];
        unsatisfied += holds(e) ? 0 : 1;
      }
      if (unsatisfied > std::numeric_limits<std::uint16_t>::max() / 2) return false;
      if (network_.gates.inputs(n).size() > std::numeric_limits<std::uint16_t>::max()) return false;
      out_.unsatisfied.push_back(static_cast<std::uint16_t>(unsatisfied));
    }
    std::uint32_t at = 0;
    for (std::uint32_t n = 0; n < out_.nodes(); ++n) {
      if (poll_()) return false;
      out_.begin.push_back(at);
      out_.middle.push_back(at + plain[n]);
      at += plain[n] + inverted[n];
    }
    out_.begin.push_back(at);
    out_.readers.resize(at);
    std::vector<std::uint32_t> next_plain = out_.begin, next_inverted = out_.middle;
    for (std::uint32_t g = 0; g < order_.size(); ++g) {
      if (poll_(network_.gates.inputs(order_[g]).size())) return false;
      for (const Edge e : network_.gates.inputs(order_[g])) {
        auto& place = is_inverted(e) ? next_inverted : next_plain;
        out_.readers[place[number_[node_of(e)]]++] = g;
      }
    }
    return true;
  }

  // With all inputs of the game false.
  [[nodiscard]] bool holds(Edge e) const {
    const std::uint32_t n = number_[node_of(e)];
    const bool on = n >= out_.first_gate() && n != out_.constant() &&
                    out_.unsatisfied[n - out_.first_gate()] == 0;
    return on != is_inverted(e);
  }

  void connect_outputs() {
    std::vector<std::pair<std::uint32_t, EventNetwork::Hook>> hooks;  // by node
    for (std::uint32_t f = 0; f < out_.fluents; ++f) {
      out_.next.push_back(output(network_.fluents[f].next));
      hooks.push_back({out_.next.back().node, {EventNetwork::Hook::Kind::Next, 0, f}});
    }
    for (std::uint32_t m = 0; m < out_.moves; ++m) {
      const Network::Move& move = network_.moves[move_of_[m]];
      out_.legal.push_back(output(move.legal));
      hooks.push_back({out_.legal.back().node, {EventNetwork::Hook::Kind::Legal, move.role, m}});
    }
    out_.terminal = output(network_.terminal);
    out_.hook_begin.assign(out_.nodes() + 1, 0);
    for (const auto& [node, hook] : hooks) ++out_.hook_begin[node + 1];
    for (std::uint32_t n = 0; n < out_.nodes(); ++n) out_.hook_begin[n + 1] += out_.hook_begin[n];
    out_.hooks.resize(hooks.size());
    std::vector<std::uint32_t> at(out_.hook_begin.begin(), out_.hook_begin.end() - 1);
    for (const auto& [node, hook] : hooks) out_.hooks[at[node]++] = hook;
  }

  const Network& network_;
  StopPoll& poll_;
  std::vector<std::uint32_t> number_;   // [node of the network]: node here
  std::vector<std::uint32_t> move_of_;  // [move here]: move of the network
  std::vector<NodeId> order_;           // [gate here]
  EventNetwork out_;
};

}  // namespace

std::optional<EventNetwork> make_event_network(const Network& network, const Program& program,
                                               const StopSignal* stop) {
  if (!network.feedbacks.empty()) return std::nullopt;
  StopPoll poll(stop);
  const GuardedNetwork guarded = take_out_guards(network, poll);
  if (poll.stopped()) return std::nullopt;
  return Layout(guarded, program, poll).run();
}

}  // namespace ludens::gdl::scalar
