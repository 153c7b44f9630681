// A program's moves as the kernels list them.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/sliced/kernel.h"
#include "gdl/sliced/program.h"

namespace ludens::gdl {

/// Built once for a program, shared by all threads.
class ExpansionTables {
 public:
  explicit ExpansionTables(const Program& program);
  ExpansionTables(const ExpansionTables&) = delete;
  ExpansionTables& operator=(const ExpansionTables&) = delete;

  [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(blocks_.size()); }
  /// Fills in what a kernel's Expansion needs of it.
  void describe(kernel::Expansion& job) const {
    job.blocks = blocks_.data();
    job.block_count = blocks();
    job.below = below_.data();
    job.first_block = first_block_.data();
    job.move_count = move_count_;
  }

 private:
  void divide(const Program& program, bool shared);
  void add_block(MoveId base);
  bool add_to_last(MoveId id);

  std::uint32_t move_count_;
  std::vector<kernel::Edge> legal_;  // [move]
  std::vector<std::uint8_t> past_;   // [block * 64 + move]
  std::vector<kernel::MoveBlock> blocks_;
  std::vector<std::uint64_t> below_;        // [role]
  std::vector<std::uint32_t> first_block_;  // [role], one more at the end
};

}  // namespace ludens::gdl
