// SPDX-License-Identifier: MIT
// The engine that recomputes only what a move changes.
#include "gdl/scalar/engines.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "gdl/memory/held_memory.h"
#include "gdl/scalar/event_network.h"
#include "gdl/scalar/move_sets.h"

namespace ludens::gdl::scalar {

namespace {

/// The gates to visit, lowest first: one bit each, and one bit for every 64 of these.
class Agenda {
 public:
  explicit Agenda(std::uint32_t gates) : gates_(gates / 64 + 1), words_(gates / 4096 + 1) {}
  static std::size_t words(std::uint32_t gates) {
    return std::size_t{gates} / 64 + gates / 4096 + 2;
  }

  void add(std::uint32_t gate) {
    gates_[gate / 64] |= std::uint64_t{1} << (gate % 64);
    words_[gate / 4096] |= std::uint64_t{1} << (gate / 64 % 64);
  }
  /// Takes all gates below `end` in ascending order; `look` may add gates above the one it is
  /// given.
  template <typename Look>
  void run(std::uint32_t end, Look look) {
    for (std::size_t s = 0; s < words_.size() && s * 4096 < end; ++s) {
      while (words_[s] != 0) {
        const std::size_t w = s * 64 + static_cast<std::size_t>(std::countr_zero(words_[s]));
        const std::uint64_t mask = below(end, w);
        while ((gates_[w] & mask) != 0) {
          const int bit = std::countr_zero(gates_[w] & mask);
          gates_[w] &= ~(std::uint64_t{1} << bit);
          look(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(bit));
        }
        if (mask != ~std::uint64_t{0}) return;  // the rest is above the end
        words_[s] &= words_[s] - 1;
      }
    }
  }

 private:
  // The bits of word w for gates below `end`.
  static std::uint64_t below(std::uint32_t end, std::size_t w) {
    if (end >= w * 64 + 64) return ~std::uint64_t{0};
    if (end <= w * 64) return 0;
    return (std::uint64_t{1} << (end % 64)) - 1;
  }
  std::vector<std::uint64_t> gates_, words_;
};

class EventPosition final : public Position {
 public:
  explicit EventPosition(const EventNetwork& network)
      : n_(network),
        unsatisfied_(n_.unsatisfied),
        on_(n_.nodes(), 0),
        agenda_(n_.gates),
        state_((n_.fluents + 63) / 64, 0),
        next_(state_.size(), 0),
        legal_(n_.first_move),
        made_(n_.roles.size(), kNoMove) {
    for (std::uint32_t g = 0; g < n_.gates; ++g) on_[n_.first_gate() + g] = unsatisfied_[g] == 0;
    for (std::uint32_t f = 0; f < n_.fluents; ++f) {
      if (holds(n_.next[f])) next_[f / 64] |= std::uint64_t{1} << (f % 64);
    }
    for (RoleIndex r = 0; r < n_.roles.size(); ++r) {
      for (std::uint32_t m = n_.first_move[r]; m < n_.first_move[r + 1]; ++m) {
        if (holds(n_.legal[m])) legal_.flip(r, m);
      }
    }
  }

  void go_to(StateView state) override {
    const auto words = state.words();
    bool changed = false;
    for (std::size_t w = 0; w < state_.size(); ++w) {
      const std::uint64_t difference = state_[w] ^ words[w];
      if (difference == 0) continue;
      changed = true;
      state_[w] = words[w];
      for (std::uint64_t bits = difference; bits != 0; bits &= bits - 1) {
        flip(static_cast<std::uint32_t>(w * 64) +
             static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
    }
    // Gates that only the next state needs can wait until moves are made.
    if (changed) settle(n_.status_gates);
  }

  bool terminal() override { return holds(n_.terminal); }

  std::uint32_t legal_count(RoleIndex role) override {
    const EventNetwork::Role& r = n_.roles[role];
    if (on_guard(r)) return legal_.count(role);
    return static_cast<std::uint32_t>(
        std::ranges::count_if(r.unguarded, [&](MoveIndex m) { return legal_.contains(role, m); }));
  }
  MoveIndex legal_at(RoleIndex role, std::uint32_t k) override {
    const EventNetwork::Role& r = n_.roles[role];
    if (on_guard(r)) return legal_.at(role, k);
    for (const MoveIndex m : r.unguarded) {
      if (legal_.contains(role, m) && k-- == 0) return m;
    }
    return kNoMove;
  }
  void legal(RoleIndex role, std::vector<MoveIndex>& out) override {
    const EventNetwork::Role& r = n_.roles[role];
    if (on_guard(r)) return legal_.list(role, out);
    out.clear();
    std::ranges::copy_if(r.unguarded, std::back_inserter(out),
                         [&](MoveIndex m) { return legal_.contains(role, m); });
  }

  // Moves stay made until others replace them: only then are their changes undone.
  void next(std::span<const MoveIndex> moves, std::vector<std::uint64_t>& out) override {
    for (std::size_t r = 0; r < moves.size(); ++r) {
      if (made_[r] == moves[r]) continue;
      if (made_[r] != kNoMove) flip(n_.fluents + made_[r]);
      if (moves[r] != kNoMove) flip(n_.fluents + moves[r]);
      made_[r] = moves[r];
    }
    settle(n_.gates);
    out = next_;
  }

 private:
  [[nodiscard]] bool holds(EventNetwork::Output o) const {
    return (on_[o.node] != 0) != o.inverted;
  }
  [[nodiscard]] bool on_guard(const EventNetwork::Role& r) const {
    return !r.guarded || (on_[r.guard] != 0) != r.guard_inverted;
  }

  void settle(std::uint32_t end) {
    agenda_.run(end, [this](std::uint32_t gate) {
      const std::uint32_t node = n_.first_gate() + gate;
      if ((unsatisfied_[gate] == 0) != (on_[node] != 0)) flip(node);
    });
  }

  void flip(std::uint32_t node) {
    on_[node] ^= 1;
    for (std::uint32_t h = n_.hook_begin[node]; h < n_.hook_begin[node + 1]; ++h) tell(n_.hooks[h]);
    const std::uint32_t* reader = n_.readers.data() + n_.begin[node];
    const std::uint32_t* middle = n_.readers.data() + n_.middle[node];
    const std::uint32_t* end = n_.readers.data() + n_.begin[node + 1];
    if (on_[node] != 0) {
      for (; reader != middle; ++reader) satisfy(*reader);
      for (; reader != end; ++reader) unsatisfy(*reader);
    } else {
      for (; reader != middle; ++reader) unsatisfy(*reader);
      for (; reader != end; ++reader) satisfy(*reader);
    }
  }
  void satisfy(std::uint32_t gate) {
    if (--unsatisfied_[gate] == 0) agenda_.add(gate);
  }
  void unsatisfy(std::uint32_t gate) {
    if (unsatisfied_[gate]++ == 0) agenda_.add(gate);
  }
  void tell(const EventNetwork::Hook& hook) {
    if (hook.kind == EventNetwork::Hook::Kind::Legal) {
      legal_.flip(hook.role, hook.index);
    } else {
      next_[hook.index / 64] ^= std::uint64_t{1} << (hook.index % 64);
    }
  }

  const EventNetwork& n_;
  std::vector<std::uint16_t> unsatisfied_;  // [gate]
  std::vector<std::uint8_t> on_;            // [node]
  Agenda agenda_;
  std::vector<std::uint64_t> state_, next_;
  MoveSets legal_;  // for guarded roles: legal if the guard holds
  std::vector<MoveIndex> made_;
};

class EventEngine final : public Engine {
 public:
  explicit EventEngine(EventNetwork network) : network_(std::move(network)) {}
  [[nodiscard]] std::string_view name() const override { return "events"; }
  [[nodiscard]] std::unique_ptr<Position> position() const override {
    return std::make_unique<EventPosition>(network_);
  }
  [[nodiscard]] std::size_t position_bytes() const override {
    const EventNetwork& n = network_;
    const std::size_t words = Agenda::words(n.gates) + 2 * ((n.fluents + 63) / 64);
    return sizeof(EventPosition) + bytes_of(n.unsatisfied) + n.nodes() +
           words * sizeof(std::uint64_t) + MoveSets::bytes(n.first_move) +
           n.roles.size() * sizeof(MoveIndex);
  }
  [[nodiscard]] std::size_t bytes() const override {
    const EventNetwork& n = network_;
    std::size_t bytes = sizeof(*this) + bytes_of(n.begin, n.middle, n.readers, n.unsatisfied) +
                        bytes_of(n.hook_begin, n.hooks, n.next, n.legal, n.roles, n.first_move);
    for (const EventNetwork::Role& r : n.roles) bytes += bytes_of(r.unguarded);
    return bytes;
  }

 private:
  EventNetwork network_;
};

}  // namespace

std::unique_ptr<Engine> make_event_engine(const Network& network, const Program& program,
                                          const StopSignal* stop) {
  auto laid_out = make_event_network(network, program, stop);
  if (!laid_out) return nullptr;
  return std::make_unique<EventEngine>(*std::move(laid_out));
}

}  // namespace ludens::gdl::scalar
