#include "gdl/sliced/expansion_tables.h"

#include <algorithm>
#include <limits>

namespace ludens::gdl {

namespace {

constexpr std::uint32_t kWord = 64;

}  // namespace

ExpansionTables::ExpansionTables(const Program& program)
    : move_count_(static_cast<std::uint32_t>(program.moves.size())) {
  divide(program, true);
  if (blocks_.size() > kernel::Expansion::kFewBlocks) divide(program, false);
  for (const Program::Move& m : program.moves) legal_.push_back(m.legal);
  const kernel::Edge* legal = legal_.data();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    kernel::MoveBlock& block = blocks_[b];
    block.legal = legal;
    legal += block.moves;
    block.mixed = std::any_of(block.legal, legal, [](kernel::Edge e) { return e.inverted != 0; });
    block.past = past_.data() + b * kWord;
  }
}

/// Fewer blocks if roles share them.
void ExpansionTables::divide(const Program& program, bool shared) {
  blocks_.clear();
  first_block_.assign(1, 0);
  below_.clear();
  past_.clear();
  for (std::size_t r = 0; r < program.roles(); ++r) {
    if (!shared || r == 0) add_block(0);
    for (std::uint32_t m = program.first_move[r]; m < program.first_move[r + 1]; ++m) {
      const MoveId id = program.moves[m].id;
      if (!add_to_last(id)) {
        add_block(id);
        add_to_last(id);
      }
    }
    kernel::MoveBlock& last = blocks_.back();
    ++last.ends;
    below_.push_back(last.moves == 0 ? 0 : ~std::uint64_t{0} >> (kWord - last.moves));
    first_block_.push_back(static_cast<std::uint32_t>(blocks_.size()));
  }
}

void ExpansionTables::add_block(MoveId base) {
  blocks_.emplace_back().base = base;
  past_.resize(blocks_.size() * kWord);
}

/// False if there is no room, or ids are too far from each other.
bool ExpansionTables::add_to_last(MoveId id) {
  kernel::MoveBlock& block = blocks_.back();
  if (block.moves == kWord) return false;
  if (block.moves == 0) block.base = id;
  std::uint8_t* const past = past_.data() + (blocks_.size() - 1) * kWord;
  const std::uint32_t base = std::min(block.base, id);
  const std::uint32_t farthest = block.moves == 0 ? 0 : *std::max_element(past, past + block.moves);
  const std::uint32_t top = std::max(block.base + farthest, id);
  if (top - base > std::numeric_limits<std::uint8_t>::max()) return false;
  for (std::uint32_t k = 0; k < block.moves; ++k) {
    past[k] = static_cast<std::uint8_t>(past[k] + (block.base - base));
  }
  past[block.moves++] = static_cast<std::uint8_t>(id - base);
  block.base = base;
  return true;
}

}  // namespace ludens::gdl
