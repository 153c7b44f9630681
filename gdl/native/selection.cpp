// SPDX-License-Identifier: MIT
#include "gdl/native/selection.h"

#include <algorithm>

namespace ludens::gdl::native {

namespace {

/// The number of operands after which a wide gate's partial result is set aside: the instructions
/// of a long chain would have to run one after the other.
constexpr unsigned kGroup = 9;

class Selector {
 public:
  Selector(std::size_t slots, unsigned most_inputs, const StopSignal* stop)
      : most_(most_inputs), poll_(stop), at_(slots, kNone) {}

  std::optional<Operations> run(const kernel::Phase& phase, std::span<const std::uint32_t> kept,
                                const Advance* advance) {
    read(phase);
    if (advance != nullptr) use_next(*advance);
    keep_.assign(gates_.size(), kNoSlot);
    done_.assign(gates_.size(), {});
    for (const std::uint32_t slot : kept) {
      if (is_gate_at(slot)) keep_[at_[slot]] = slot;
    }
    weigh();
    if (poll_.stopped()) return std::nullopt;
    for (const std::uint32_t slot : kept) {
      if (is_gate_at(slot) && !visit(at_[slot])) return std::nullopt;
    }
    if (advance != nullptr && !make_step(*advance)) return std::nullopt;
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  struct Gate {
    std::uint32_t first, count;  // its edges, `value * 2 + inverted`; none: an input
    std::uint32_t uses = 0;
    std::uint32_t weight = 0;  // gates that are computed for it alone
  };
  /// A gate in progress.
  struct Frame {
    Value gate;
    std::uint32_t next;       // edge
    Expression sum;           // AND of the operands since the last group
    unsigned folded;          // how many these are
    std::size_t first_group;  // in groups_
  };
  /// Partial result of a wide gate; groups of equal level are joined, as carries are.
  struct Group {
    Expression value;
    unsigned level;
  };

  Value add(std::uint32_t slot) {
    gates_.push_back({static_cast<std::uint32_t>(edges_.size()), 0});
    out_.slot.push_back(slot);
    return static_cast<Value>(gates_.size() - 1);
  }

  [[nodiscard]] bool is_gate_at(std::uint32_t slot) const {
    return at_[slot] != kNone && gates_[at_[slot]].count != 0;
  }

  void read(const kernel::Phase& phase) {
    const std::uint32_t* c = phase.code;
    for (std::size_t i = 0; i < phase.run_count; ++i) {
      const kernel::Run& run = phase.runs[i];
      const std::uint32_t width = run.plain + run.complemented;
      for (std::uint32_t g = 0; g < run.count; ++g, c += 1 + width) {
        for (std::uint32_t k = 0; k < width; ++k) {
          if (at_[c[1 + k]] == kNone) at_[c[1 + k]] = add(c[1 + k]);
        }
        if (poll_(width)) return;
        const Value gate = add(kNoSlot);
        gates_[gate].count = width;
        for (std::uint32_t k = 0; k < width; ++k) {
          const Value from = at_[c[1 + k]];
          ++gates_[from].uses;
          edges_.push_back(from * 2 + (k >= run.plain ? 1 : 0));
        }
        at_[c[0]] = gate;
      }
    }
  }

  [[nodiscard]] std::span<std::uint32_t> edges(const Gate& g) {
    return std::span(edges_).subspan(g.first, g.count);
  }

  // Sorts operands so that the heaviest is visited first: then the fewest values wait in registers
  // meanwhile.
  void weigh() {
    for (Gate& g : gates_) {
      if (g.count == 0) continue;
      if (poll_(g.count)) return;
      std::ranges::stable_sort(edges(g), std::greater{},
                               [&](std::uint32_t e) { return gates_[e / 2].weight; });
      g.weight = 1;
      for (const std::uint32_t e : edges(g)) {
        const Gate& from = gates_[e / 2];
        g.weight += from.uses == 1 ? from.weight : std::min(from.weight, 1U);
      }
    }
  }

  [[nodiscard]] bool merged(Value gate) const {
    return gates_[gate].uses == 1 && keep_[gate] == kNoSlot;
  }

  // Depth first with a stack of its own. False if stopped.
  bool visit(Value root) {
    if (done_[root]) return true;
    enter(root);
    while (!frames_.empty()) {
      Frame& f = frames_.back();
      const Gate& g = gates_[f.gate];
      if (f.next == g.count) {
        leave();
        continue;
      }
      const std::uint32_t edge = edges_[g.first + f.next];
      const Value from = edge / 2;
      if (gates_[from].count != 0 && !done_[from]) {
        if (poll_(gates_[from].count)) return false;
        enter(from);
        continue;
      }
      ++f.next;
      const Expression operand = gates_[from].count == 0 ? literal(from, false) : *done_[from];
      fold(f, edge % 2 != 0 ? complement(operand) : operand);
      if (++f.folded >= kGroup && g.count - f.next > 2) put_aside(f);
    }
    return true;
  }

  static bool stays(std::uint32_t fluent, const kernel::Edge& next) {
    return next.slot == fluent && next.inverted == 0;
  }

  void use_next(const Advance& advance) {
    const auto need = [this](std::uint32_t slot) {
      if (at_[slot] == kNone) at_[slot] = add(slot);
      ++gates_[at_[slot]].uses;
    };
    need(advance.moving);
    for (std::uint32_t f = 0; f < advance.next.size(); ++f) {
      if (stays(f, advance.next[f])) continue;
      need(f);
      need(advance.next[f].slot);
    }
  }

  // Each fluent as soon as its value is known, which is then still in a register. False if stopped.
  bool make_step(const Advance& advance) {
    for (std::uint32_t f = 0; f < advance.next.size(); ++f) {
      const kernel::Edge& e = advance.next[f];
      if (stays(f, e)) continue;
      if (is_gate_at(e.slot) && !visit(at_[e.slot])) return false;
      const Value from = at_[e.slot];
      const Expression next = gates_[from].count == 0 ? literal(from, false) : *done_[from];
      update(f, e.inverted != 0 ? complement(next) : next, at_[advance.moving]);
    }
    return true;
  }

  // fluent = moving ? next : fluent
  void update(std::uint32_t fluent, Expression next, Value moving) {
    if (next.inputs > 1) next = compute(next);
    const Expression old = literal(at_[fluent], false), moves = literal(moving, false);
    const bool small = next.inputs == 0 || next.in[0] == old.in[0];
    Expression value;
    if (most_ == 3 || small) {
      const auto taken = conjunction(moves, next, most_);
      const auto left = conjunction(complement(moves), old, most_);
      value = complement(*conjunction(complement(*taken), complement(*left), most_));
    } else {  // old ^ (moving & (old ^ next))
      Expression change = exclusive_or(old.in[0], next.in[0]);
      if (next.table != kProjection[0]) change = complement(change);
      const Expression taken = compute(*conjunction(compute(change), moves, most_));
      value = exclusive_or(old.in[0], taken.in[0]);
      if (taken.table != kProjection[0]) value = complement(value);
    }
    out_.slot.push_back(kNoSlot);
    emit(static_cast<Value>(out_.slot.size() - 1), value, fluent);
  }

  static Expression exclusive_or(Value a, Value b) { return {{a, b}, 2, kXor}; }

  void enter(Value gate) { frames_.push_back({gate, 0, Expression{}, 0, groups_.size()}); }

  void fold(Frame& f, Expression operand) {
    if (operand.inputs == 3) operand = compute(operand);
    auto joined = conjunction(f.sum, operand, most_);
    if (!joined && f.sum.inputs > 1) {
      f.sum = compute(f.sum);
      joined = conjunction(f.sum, operand, most_);
    }
    if (!joined) joined = conjunction(f.sum, compute(operand), most_);
    f.sum = *joined;
  }

  void put_aside(Frame& f) {
    groups_.push_back({compute(f.sum), 0});
    f.sum = Expression{};
    f.folded = 0;
    while (groups_.size() - f.first_group >= most_ &&
           groups_[groups_.size() - most_].level == groups_.back().level) {
      const unsigned level = groups_.back().level + 1;
      Expression sum;
      for (unsigned k = 0; k < most_; ++k) {
        sum = *conjunction(sum, groups_.back().value, most_);
        groups_.pop_back();
      }
      groups_.push_back({compute(sum), level});
    }
  }

  void leave() {
    Frame& f = frames_.back();
    while (groups_.size() > f.first_group) {
      fold(f, groups_.back().value);
      groups_.pop_back();
    }
    const Value gate = f.gate;
    done_[gate] = merged(gate) ? f.sum : compute(f.sum, gate);
    frames_.pop_back();
  }

  // Computes it as a value in a register: an expression of at most one operand.
  Expression compute(const Expression& e) {
    if (e.inputs <= 1) return e;
    const auto value = static_cast<Value>(out_.slot.size());
    out_.slot.push_back(kNoSlot);
    return emit(value, e, kNoSlot);
  }

  Expression compute(const Expression& e, Value gate) {
    if (keep_[gate] == kNoSlot && e.inputs <= 1) return e;
    return emit(gate, e, keep_[gate]);
  }

  Expression emit(Value value, Expression e, std::uint32_t keep) {
    bool inverted = false;
    if (e.inputs == 2 && (keep == kNoSlot || most_ == 2)) {
      inverted = make_short(e);
      if (inverted && keep != kNoSlot) {
        e = complement(compute(e));
        inverted = false;
      }
    }
    out_.list.push_back({value, e, keep});
    return literal(value, inverted);
  }

  // Turns a function of two inputs into one that has an instruction of its own; returns whether
  // that is its complement.
  static bool make_short(Expression& e) {
    constexpr std::uint8_t kFirstOnly = 0x30;  // a & ~b
    const bool turned = e.table != kAnd && e.table != kFirstOnly && e.table != kAndNot &&
                        e.table != kOr && e.table != kXor;
    if (turned) e = complement(e);
    if (e.table == kFirstOnly) {
      std::swap(e.in[0], e.in[1]);
      e.table = kAndNot;
    }
    return turned;
  }

  unsigned most_;
  StopPoll poll_;
  std::vector<Value> at_;  // [slot]: the value that is there
  std::vector<Gate> gates_;
  std::vector<std::uint32_t> edges_;
  std::vector<std::uint32_t> keep_;              // [gate]
  std::vector<std::optional<Expression>> done_;  // [gate]
  std::vector<Frame> frames_;
  std::vector<Group> groups_;
  Operations out_;
};

}  // namespace

std::optional<Operations> select(const kernel::Phase& phase, std::span<const std::uint32_t> kept,
                                 const Advance* advance, std::size_t slots, unsigned most_inputs,
                                 const StopSignal* stop) {
  return Selector(slots, most_inputs, stop).run(phase, kept, advance);
}

}  // namespace ludens::gdl::native
