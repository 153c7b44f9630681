#include "gdl/sliced/expansion_tables.h"

#include <limits>

namespace ludens::gdl {

ExpansionTables::ExpansionTables(const Program& program) : first_block_{0} {
  constexpr std::uint32_t kWord = 64;
  std::vector<std::uint32_t> first_move;  // [block]
  for (std::size_t r = 0; r < program.roles(); ++r) {
    for (std::uint32_t m = program.first_move[r]; m < program.first_move[r + 1]; ++m) {
      const MoveId id = program.moves[m].id;
      const bool fits = first_move.size() > first_block_.back() && m - first_move.back() < kWord &&
                        id - blocks_.back().first_id <= std::numeric_limits<std::uint8_t>::max();
      if (!fits) {
        first_move.push_back(m);
        blocks_.push_back({nullptr, nullptr, id, 0});
        past_.resize(blocks_.size() * kWord);
      }
      kernel::MoveBlock& block = blocks_.back();
      past_[(blocks_.size() - 1) * kWord + block.moves++] =
          static_cast<std::uint8_t>(id - block.first_id);
      legal_.push_back(program.moves[m].legal);
    }
    first_block_.push_back(static_cast<std::uint32_t>(blocks_.size()));
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b].legal = legal_.data() + first_move[b];
    blocks_[b].past = past_.data() + b * kWord;
  }
}

}  // namespace ludens::gdl
