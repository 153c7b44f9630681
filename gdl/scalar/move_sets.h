// SPDX-License-Identifier: MIT
// The legal moves of every role as bits.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "gdl/scalar/position.h"

namespace ludens::gdl::scalar {

/// Each role's moves are in words of their own.
class MoveSets {
 public:
  /// `first_move`: [role], one more at the end.
  explicit MoveSets(std::span<const std::uint32_t> first_move) {
    std::uint32_t words = 0;
    for (std::size_t r = 0; r + 1 < first_move.size(); ++r) {
      const std::uint32_t moves = first_move[r + 1] - first_move[r];
      roles_.push_back({first_move[r], words, (moves + 63) / 64, 0});
      words += roles_.back().words;
    }
    bits_.assign(words, 0);
  }

  /// The memory that a set for these moves takes.
  static std::size_t bytes(std::span<const std::uint32_t> first_move) {
    std::size_t words = 0;
    for (std::size_t r = 0; r + 1 < first_move.size(); ++r) {
      words += (first_move[r + 1] - first_move[r] + 63) / 64;
    }
    return first_move.size() * sizeof(Role) + words * sizeof(std::uint64_t);
  }

  void flip(RoleIndex role, MoveIndex move) {
    Role& r = roles_[role];
    const std::uint32_t bit = move - r.first;
    std::uint64_t& word = bits_[r.begin + bit / 64];
    word ^= std::uint64_t{1} << (bit % 64);
    r.count += (word >> (bit % 64) & 1) != 0 ? 1U : ~0U;
  }
  [[nodiscard]] bool contains(RoleIndex role, MoveIndex move) const {
    const std::uint32_t bit = move - roles_[role].first;
    return (bits_[roles_[role].begin + bit / 64] >> (bit % 64) & 1) != 0;
  }
  /// Sets all of a role's moves: `value(move)` for each.
  template <typename Value>
  void assign(RoleIndex role, std::uint32_t moves, Value value) {
    Role& r = roles_[role];
    r.count = 0;
    for (std::uint32_t w = 0; w < r.words; ++w) {
      const std::uint32_t first = w * 64, end = moves - first < 64 ? moves - first : 64;
      std::uint64_t word = 0;
      for (std::uint32_t b = 0; b < end; ++b) word |= value(r.first + first + b) << b;
      bits_[r.begin + w] = word;
      r.count += static_cast<std::uint32_t>(std::popcount(word));
    }
  }

  [[nodiscard]] std::uint32_t count(RoleIndex role) const { return roles_[role].count; }
  [[nodiscard]] MoveIndex at(RoleIndex role, std::uint32_t k) const {
    const Role& r = roles_[role];
    const std::uint64_t* word = bits_.data() + r.begin;
    for (std::uint32_t n; k >= (n = static_cast<std::uint32_t>(std::popcount(*word))); ++word)
      k -= n;
    std::uint64_t bits = *word;
    for (; k != 0; --k) bits &= bits - 1;
    return r.first + static_cast<std::uint32_t>(word - bits_.data() - r.begin) * 64 +
           static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  void list(RoleIndex role, std::vector<MoveIndex>& out) const {
    const Role& r = roles_[role];
    out.clear();
    for (std::uint32_t w = 0; w < r.words; ++w) {
      for (std::uint64_t bits = bits_[r.begin + w]; bits != 0; bits &= bits - 1) {
        out.push_back(r.first + w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
    }
  }

 private:
  struct Role {
    MoveIndex first;
    std::uint32_t begin, words, count;
  };
  std::vector<Role> roles_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace ludens::gdl::scalar
