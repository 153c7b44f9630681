// SPDX-License-Identifier: MIT
// What a search has found out about each information set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "gdl/machine/vocabulary.h"
#include "gdl/memory/hash.h"
#include "gdl/memory/held_memory.h"
#include "gdl/rules/rules.h"

namespace ludens::search::hidden {

/// The memory for the information sets of one search, from an option in MiB (0: half of what there
/// is).
inline std::size_t bytes_for_sets(std::uint64_t mib, const gdl::MemoryBudget* memory) {
  if (mib != 0) return static_cast<std::size_t>(mib) << 20;
  return memory == nullptr ? gdl::kUnbudgetedBytes : memory->limit() / 2;
}

/// The data of a role in an information set, by the role and a hash of what its observer knows
/// (known_hash.h). Pointers stay valid until `clear`. `Set::reserve(n)` makes room for n moves of
/// `Set::kBytesOfMove` each.
template <class Set>
class InformationSets {
 public:
  /// `memory` may be null; it must outlive this.
  InformationSets(gdl::MemoryBudget* memory, std::size_t most_bytes)
      : memory_(memory), most_bytes_(most_bytes) {}

  /// Null if there is none.
  [[nodiscard]] Set* find(gdl::RoleIndex role, std::uint64_t known) {
    const auto found = sets_.find(key(role, known));
    return found == sets_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const Set* find(gdl::RoleIndex role, std::uint64_t known) const {
    const auto found = sets_.find(key(role, known));
    return found == sets_.end() ? nullptr : &found->second;
  }
  /// Adds a new one; null if there is not enough memory for one with this many moves.
  [[nodiscard]] Set* make(gdl::RoleIndex role, std::uint64_t known, std::size_t moves) {
    if (!hold(kBytesOfNode + sizeof(Set) + moves * Set::kBytesOfMove)) {
      full_ = true;
      return nullptr;
    }
    Set& set = sets_[key(role, known)];
    set.reserve(moves);
    return &set;
  }
  void clear() {
    sets_.clear();
    held_.release();
    used_ = 0;
    full_ = false;
  }
  /// Whether there is no memory for what a role knows now: then everything stored is useless.
  [[nodiscard]] bool lacks_room_for(gdl::RoleIndex role, std::uint64_t known) const {
    return full_ && find(role, known) == nullptr;
  }
  [[nodiscard]] std::size_t size() const { return sets_.size(); }

 private:
  /// Memory is reserved from the budget in pieces of this size.
  static constexpr std::size_t kPiece = std::size_t{1} << 18;
  /// A node of the hash table, with its share of the table and what an allocation costs.
  static constexpr std::size_t kBytesOfNode = 80;

  static std::uint64_t key(gdl::RoleIndex role, std::uint64_t known) {
    return gdl::mix(known, role + std::uint64_t{1});
  }
  bool hold(std::size_t bytes) {
    if (used_ + bytes > most_bytes_) return false;
    if (!held_.hold(used_ + bytes, memory_, kPiece)) return false;
    used_ += bytes;
    return true;
  }

  gdl::MemoryBudget* memory_;
  std::size_t most_bytes_, used_ = 0;
  std::unordered_map<std::uint64_t, Set> sets_;
  gdl::HeldMemory held_;
  bool full_ = false;  // there was no memory for a set since `clear`
};

}  // namespace ludens::search::hidden
