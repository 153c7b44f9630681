// SPDX-License-Identifier: MIT
// A program's moves in the form in which the kernels list them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/kernel/kernel.h"
#include "gdl/memory/held_memory.h"
#include "gdl/program/program.h"

namespace ludens::gdl {

/// Moves in blocks of up to 64 whose ids are not too far from each other.
class MoveBlocks {
 public:
  /// Begins a block without moves.
  void begin();
  /// Whether the last block has room for a move.
  [[nodiscard]] bool fits(MoveId id) const;
  void add(MoveId id, kernel::Edge legal);
  /// Adds a column without a move.
  void add_gap(kernel::Edge never) { add(blocks_.back().base, never); }
  /// The last move of a role has been added, or it has none.
  void end_role() { ++blocks_.back().ends; }
  /// To be called when all have been added. The object must not be moved afterwards.
  void finish();

  [[nodiscard]] const std::vector<kernel::MoveBlock>& blocks() const { return blocks_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_of(blocks_, past_, legal_); }

 private:
  std::vector<kernel::MoveBlock> blocks_;
  std::vector<std::uint8_t> past_;   // [block * 64 + move]
  std::vector<kernel::Edge> legal_;  // [move]
  MoveId top_ = 0;                   // the highest of the last block
};

/// Built once for a program, shared by all threads.
class ExpansionTables {
 public:
  /// `reach`: the size of `GameNetwork::reach`. That many moves at the end, all of the last role,
  /// are not listed; each says whether one of as many fluents at the end holds.
  ExpansionTables(const Program& program, std::size_t reach);
  ExpansionTables(const ExpansionTables&) = delete;
  ExpansionTables& operator=(const ExpansionTables&) = delete;

  [[nodiscard]] std::uint32_t blocks() const {
    return static_cast<std::uint32_t>(all_.blocks().size());
  }
  /// Fills in the fields of a kernel's Expansion that it provides.
  void describe(kernel::Expansion& job) const {
    job.blocks = all_.blocks().data();
    job.block_count = blocks();
    job.below = below_.data();
    job.first_block = first_block_.data();
    job.move_count = move_count_;
    job.turns = turns_;
    job.told = told_.data();
    job.first_told = first_told_;
    job.told_count = static_cast<std::uint32_t>(told_.size());
  }
  [[nodiscard]] std::size_t bytes() const {
    return all_.bytes() + in_turn_[0].bytes() + in_turn_[1].bytes() +
           bytes_of(below_, first_block_, told_);
  }

 private:
  void divide(const Program& program, bool shared);
  void divide_by_turns(const Program& program);
  [[nodiscard]] std::span<const Program::Move> listed(const Program& program,
                                                      std::size_t role) const;

  std::uint32_t move_count_, first_told_;
  std::vector<kernel::Edge> told_;
  MoveBlocks all_;
  std::vector<std::uint64_t> below_;        // [role]
  std::vector<std::uint32_t> first_block_;  // [role], one more at the end
  MoveBlocks in_turn_[2];                   // [role]
  kernel::TurnBlocks turns_{};
};

}  // namespace ludens::gdl
