// SPDX-License-Identifier: MIT
#include "gdl/program/expansion_tables.h"

#include <algorithm>
#include <limits>

namespace ludens::gdl {

namespace {

constexpr std::uint32_t kWord = kernel::Expansion::kWord;
constexpr std::uint32_t kFarthest = std::numeric_limits<std::uint8_t>::max();

/// The only move of a role that is legal exactly when a fluent holds, or when it doesn't: this is
/// how roles wait. Null if there is none, or several.
const Program::Move* waiting_move(const Program& program, std::span<const Program::Move> moves) {
  const Program::Move* found = nullptr;
  for (const Program::Move& move : moves) {
    if (move.legal.slot >= program.fluents.size()) continue;
    if (found != nullptr) return nullptr;
    found = &move;
  }
  return found;
}

}  // namespace

void MoveBlocks::begin() {
  blocks_.emplace_back();
  past_.resize(blocks_.size() * kWord);
}

bool MoveBlocks::fits(MoveId id) const {
  const kernel::MoveBlock& block = blocks_.back();
  if (block.moves == 0) return true;
  return block.moves < kWord && std::max(top_, id) - std::min(block.base, id) <= kFarthest;
}

void MoveBlocks::add(MoveId id, kernel::Edge legal) {
  kernel::MoveBlock& block = blocks_.back();
  if (block.moves == 0) block.base = top_ = id;
  std::uint8_t* const past = past_.data() + (blocks_.size() - 1) * kWord;
  if (id < block.base) {
    for (std::uint32_t k = 0; k < block.moves; ++k) {
      past[k] = static_cast<std::uint8_t>(past[k] + (block.base - id));
    }
    block.base = id;
  }
  past[block.moves++] = static_cast<std::uint8_t>(id - block.base);
  top_ = std::max(top_, id);
  block.mixed |= legal.inverted;
  legal_.push_back(legal);
}

void MoveBlocks::finish() {
  const kernel::Edge* legal = legal_.data();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b].legal = legal;
    blocks_[b].past = past_.data() + b * kWord;
    legal += blocks_[b].moves;
  }
}

ExpansionTables::ExpansionTables(const Program& program, std::size_t reach)
    : move_count_(static_cast<std::uint32_t>(program.moves.size())),
      first_told_(static_cast<std::uint32_t>(program.fluents.size() - reach)) {
  for (const Program::Move& move : std::span(program.moves).last(reach)) {
    told_.push_back(move.legal);
  }
  divide(program, true);
  if (blocks() > kernel::Expansion::kFewBlocks) divide(program, false);
  all_.finish();
  if (program.roles() == 2) divide_by_turns(program);
}

/// The moves of a role, without those that stand for fluents.
std::span<const Program::Move> ExpansionTables::listed(const Program& program,
                                                       std::size_t role) const {
  const std::size_t first = program.first_move[role], end = program.first_move[role + 1];
  const std::size_t last = role + 1 == program.roles() ? told_.size() : 0;
  return std::span(program.moves).subspan(first, end - first - last);
}

/// Fewer blocks if roles share them.
void ExpansionTables::divide(const Program& program, bool shared) {
  all_ = {};
  first_block_.assign(1, 0);
  below_.clear();
  for (std::size_t r = 0; r < program.roles(); ++r) {
    if (!shared || r == 0) all_.begin();
    for (const Program::Move& move : listed(program, r)) {
      if (!all_.fits(move.id)) all_.begin();
      all_.add(move.id, move.legal);
    }
    all_.end_role();
    const std::uint32_t last = all_.blocks().back().moves;
    below_.push_back(last == 0 ? 0 : ~std::uint64_t{0} >> (kWord - last));
    first_block_.push_back(blocks());
  }
}

/// Two roles side by side, if that makes fewer blocks.
void ExpansionTables::divide_by_turns(const Program& program) {
  std::vector<const Program::Move*> moves[2];
  for (std::size_t r = 0; r < 2; ++r) {
    const Program::Move* const waiting = waiting_move(program, listed(program, r));
    if (waiting == nullptr) return;
    for (const Program::Move& move : listed(program, r)) {
      if (&move != waiting) moves[r].push_back(&move);
    }
    turns_.waits[r] = waiting->legal;
    turns_.waiting[r] = waiting->id;
    in_turn_[r].begin();
  }
  for (std::size_t k = 0; k < std::max(moves[0].size(), moves[1].size()); ++k) {
    bool fit = true;
    for (std::size_t r = 0; r < 2; ++r) {
      fit = fit && in_turn_[r].blocks().back().moves < kWord &&
            (k >= moves[r].size() || in_turn_[r].fits(moves[r][k]->id));
    }
    for (std::size_t r = 0; r < 2; ++r) {
      if (!fit) in_turn_[r].begin();
      if (k < moves[r].size()) {
        in_turn_[r].add(moves[r][k]->id, moves[r][k]->legal);
      } else {
        in_turn_[r].add_gap({program.false_slot, 0});
      }
    }
  }
  const auto count = static_cast<std::uint32_t>(in_turn_[0].blocks().size());
  for (std::size_t r = 0; r < 2; ++r) {
    in_turn_[r].finish();
    turns_.of[r] = in_turn_[r].blocks().data();
  }
  if (count < blocks()) turns_.block_count = count;
}

}  // namespace ludens::gdl
