// SPDX-License-Identifier: MIT
// The engine that recomputes everything at each step.
#include "gdl/scalar/engines.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "gdl/memory/held_memory.h"
#include "gdl/program/registers.h"
#include "gdl/scalar/move_sets.h"

namespace ludens::gdl::scalar {

namespace {

/// Where an output's value is, in words from slot 0 on.
struct Bit {
  std::uint32_t word;
  std::uint32_t inverted;
};

struct Pass {
  const Program& program;
  const kernel::Kernel& kernel;
  kernel::Phase status, next;
  std::size_t slots;
  std::vector<Bit> legal, next_state;  // [move], [fluent]
  Bit terminal;
};

class PassPosition final : public Position {
 public:
  explicit PassPosition(const Pass& pass)
      : pass_(pass),
        words_(pass.kernel.lanes / 64),
        state_(pass.program.state_words(), 0),
        legal_(pass.program.first_move) {
    memory_.allocate(pass.slots * words_ * sizeof(std::uint64_t), nullptr);
    slots_ = static_cast<std::uint64_t*>(memory_.data());
  }

  void go_to(StateView state) override {
    const auto words = state.words();
    for (std::size_t w = 0; w < state_.size(); ++w) {
      const std::uint64_t difference = state_[w] ^ words[w];
      if (difference == 0) continue;
      evaluated_ = false;
      state_[w] = words[w];
      for (std::uint64_t bits = difference; bits != 0; bits &= bits - 1) {
        const int bit = std::countr_zero(bits);
        set(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(bit),
            (words[w] >> bit & 1) != 0);
      }
    }
  }

  bool terminal() override {
    evaluate();
    return value(pass_.terminal) != 0;
  }
  std::uint32_t legal_count(RoleIndex role) override {
    find_legal();
    return legal_.count(role);
  }
  MoveIndex legal_at(RoleIndex role, std::uint32_t k) override {
    find_legal();
    return legal_.at(role, k);
  }
  void legal(RoleIndex role, std::vector<MoveIndex>& out) override {
    find_legal();
    legal_.list(role, out);
  }

  void next(std::span<const MoveIndex> moves, std::vector<std::uint64_t>& out) override {
    evaluate();
    for (const MoveIndex m : moves) {
      if (m != kNoMove) set(pass_.program.moves[m].slot, true);
    }
    pass_.kernel.evaluate(pass_.next, slots_);
    out.resize(state_.size());
    const std::vector<Bit>& next = pass_.next_state;
    for (std::size_t first = 0; first < next.size(); first += 64) {
      const std::size_t count = std::min<std::size_t>(64, next.size() - first);
      std::uint64_t word = 0;
      for (std::size_t b = 0; b < count; ++b) word |= value(next[first + b]) << b;
      out[first / 64] = word;
    }
    for (const MoveIndex m : moves) {
      if (m != kNoMove) set(pass_.program.moves[m].slot, false);
    }
  }

 private:
  void set(std::uint32_t slot, bool on) {
    std::fill_n(slots_ + slot * words_, words_, on ? ~std::uint64_t{0} : 0);
  }
  [[nodiscard]] std::uint64_t value(Bit b) const { return (slots_[b.word] ^ b.inverted) & 1; }

  void evaluate() {
    if (evaluated_) return;
    pass_.kernel.evaluate(pass_.status, slots_);
    evaluated_ = true;
    legal_known_ = false;
  }

  void find_legal() {
    evaluate();
    if (legal_known_) return;
    legal_known_ = true;
    const Program& p = pass_.program;
    for (RoleIndex r = 0; r < p.roles(); ++r) {
      legal_.assign(r, p.first_move[r + 1] - p.first_move[r],
                    [&](MoveIndex m) { return value(pass_.legal[m]); });
    }
  }

  const Pass& pass_;
  std::size_t words_;  // of a register
  Registers memory_;
  std::uint64_t* slots_;
  std::vector<std::uint64_t> state_;
  MoveSets legal_;
  bool evaluated_ = false, legal_known_ = false;
};

class PassEngine final : public Engine {
 public:
  PassEngine(Pass pass, std::optional<native::GeneratedCode> code)
      : code_(std::move(code)), pass_(std::move(pass)) {}
  [[nodiscard]] std::string_view name() const override {
    return code_ ? "generated pass" : "interpreted pass";
  }
  [[nodiscard]] std::unique_ptr<Position> position() const override {
    return std::make_unique<PassPosition>(pass_);
  }
  [[nodiscard]] std::size_t position_bytes() const override {
    const Program& p = pass_.program;
    const std::size_t words = pass_.slots * pass_.kernel.lanes / 64 + p.state_words();
    return sizeof(PassPosition) + words * sizeof(std::uint64_t) + MoveSets::bytes(p.first_move);
  }
  [[nodiscard]] std::size_t bytes() const override {
    return sizeof(*this) + bytes_of(pass_.legal, pass_.next_state) + (code_ ? code_->bytes() : 0);
  }

 private:
  std::optional<native::GeneratedCode> code_;
  Pass pass_;
};

}  // namespace

std::unique_ptr<Engine> make_pass_engine(const Program& program, const kernel::Kernel& kernel,
                                         std::optional<native::GeneratedCode> code) {
  Pass pass{
      program, kernel, program.phase(Phase::Status), program.phase(Phase::Next), program.slots, {},
      {},      {}};
  const auto bit = [&](SlotEdge e) {
    return Bit{e.slot * static_cast<std::uint32_t>(kernel.lanes / 64), e.inverted};
  };
  for (const Program::Move& m : program.moves) pass.legal.push_back(bit(m.legal));
  for (const SlotEdge e : program.next) pass.next_state.push_back(bit(e));
  pass.terminal = bit(program.terminal);
  if (code) {
    pass.status.native = code->phase(Phase::Status);
    pass.next.native = code->phase(Phase::Next);
    pass.slots = std::max(pass.slots, code->slots());
  }
  return std::make_unique<PassEngine>(std::move(pass), std::move(code));
}

}  // namespace ludens::gdl::scalar
