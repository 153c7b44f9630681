// SPDX-License-Identifier: MIT
#include "gdl/sliced/joint_moves.h"

#include <bit>

namespace ludens::gdl {

using kernel::JointForm;

JointMoves::JointMoves(const Program& program, std::size_t lanes)
    : roles_(program.roles()), places_(program) {
  const auto first = static_cast<std::uint32_t>(program.first_slot);
  if (program.moves.size() <= kernel::Expansion::kWord) {
    form_ = JointForm::Bits;
    words_.assign(places_.count(), 0);
    for (const Program::Move& m : program.moves) {
      words_[places_.of(m.role, m.id)] = std::uint64_t{1} << (m.slot - first);
    }
  } else if (program.moves.size() <= lanes && number(program)) {
    form_ = JointForm::Numbers;
    words_.assign(places_.count(), 0);
    for (const Program::Move& m : program.moves) {
      const kernel::MoveNumber& n = numbers_[m.role];
      words_[places_.of(m.role, m.id)] = std::uint64_t{m.slot - n.slot + 1} << n.first_bit;
    }
  } else {
    form_ = JointForm::Slots;
    slots_.assign(places_.count(), kernel::Expansion::kNoMove);
    for (const Program::Move& m : program.moves) slots_[places_.of(m.role, m.id)] = m.slot;
  }
}

/// False if there is no room for the numbers of all roles.
bool JointMoves::number(const Program& program) {
  std::uint32_t bit = 0;
  for (std::size_t r = 0; r < roles_; ++r) {
    const std::uint32_t first = program.first_move[r], moves = program.first_move[r + 1] - first;
    const auto bits = static_cast<std::uint32_t>(std::bit_width(moves));
    const auto slot = static_cast<std::uint32_t>(program.first_slot + first);
    numbers_.push_back({bit, bits, slot, moves});
    bit += bits;
    if (bits > kernel::MoveNumber::kMostBits || bit > kernel::Expansion::kWord) return false;
  }
  return true;
}

void JointMoves::take(std::span<const StateMove> pairs, const std::uint64_t** states,
                      std::uint64_t* words, std::uint32_t* slots) const {
  if (form_ != JointForm::Slots) {
    return roles_ == 2 ? take_words<2>(pairs, states, words) : take_words<0>(pairs, states, words);
  }
  for (const StateMove& pair : pairs) {
    *states++ = pair.state.words().data();
    const MoveId* const moves = pair.move.data();
    for (std::size_t r = 0; r < roles_; ++r) *slots++ = slots_[places_.of(r, moves[r])];
  }
}

/// For a number of roles known beforehand, or 0 for any.
template <std::size_t kRoles>
void JointMoves::take_words(std::span<const StateMove> pairs, const std::uint64_t** states,
                            std::uint64_t* words) const {
  const std::size_t roles = kRoles != 0 ? kRoles : roles_;
  const std::uint64_t* const parts = words_.data();
  for (const StateMove& pair : pairs) {
    *states++ = pair.state.words().data();
    const MoveId* const moves = pair.move.data();
    std::uint64_t joint = 0;
    for (std::size_t r = 0; r < roles; ++r) joint |= parts[places_.of(r, moves[r])];
    *words++ = joint;
  }
}

}  // namespace ludens::gdl
