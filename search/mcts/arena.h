// The memory of the tree of `mcts`: blocks that are named by 32 bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

#include "gdl/machine/limits.h"

namespace ludens::search::mcts {

/// Number of a block: its distance from the beginning in units of 8 bytes.
using Ref = std::uint32_t;
inline constexpr Ref kNoRef = 0;

/// One range of addresses, of which more and more is used; freed blocks are used again for others
/// of their size. Half the size of pointers and none of an allocator's headers: selection goes
/// through memory as fast as memory comes, and the tree is as large as memory allows.
///
/// What is touched for the first time is reserved from the budget before, and given back by
/// `clear` alone. Not thread-safe.
class Arena {
 public:
  /// `memory` may be null. `limit_bytes` 0: as much as 32 bits can name.
  Arena(gdl::MemoryBudget* memory, std::size_t limit_bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] std::byte* operator[](Ref ref) const { return begin_ + std::size_t{ref} * kUnit; }
  /// kNoRef if there is no memory. The block begins at a multiple of 8; its bytes are anything.
  [[nodiscard]] Ref allocate(std::size_t bytes);
  /// `bytes` as they were allocated.
  void free(Ref ref, std::size_t bytes);
  /// Frees all blocks, and gives the memory back to the system and the budget.
  void clear();

  [[nodiscard]] std::size_t used() const { return used_; }  // in blocks
  [[nodiscard]] std::size_t limit() const { return limit_; }

 private:
  static constexpr std::size_t kUnit = 8;
  static constexpr std::size_t kSmall = 256;  // units; smaller blocks have lists of their own

  [[nodiscard]] static std::size_t units(std::size_t bytes);
  [[nodiscard]] Ref& free_list(std::size_t units);
  bool touch(std::size_t bytes);

  gdl::MemoryBudget* memory_;
  std::byte* begin_ = nullptr;
  std::size_t limit_ = 0;  // of the range
  // What changes stands apart from what other threads read all the time.
  alignas(64) std::size_t used_ = 0;
  std::size_t touched_ = kUnit, granted_ = 0;
  std::array<Ref, kSmall> small_{};  // [units]: free blocks, linked by their first bytes
  std::map<std::size_t, Ref> large_;
};

}  // namespace ludens::search::mcts
