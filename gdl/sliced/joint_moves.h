// SPDX-License-Identifier: MIT
// How joint moves are passed to kernels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/kernel/kernel.h"
#include "gdl/machine/machine.h"
#include "gdl/memory/held_memory.h"
#include "gdl/program/move_places.h"
#include "gdl/program/program.h"

namespace ludens::gdl {

/// Joint moves of a program in the form that is cheapest for a kernel. Built once, shared by all
/// threads.
class JointMoves {
 public:
  /// For batches of this many lanes.
  JointMoves(const Program& program, std::size_t lanes);
  JointMoves(const JointMoves&) = delete;
  JointMoves& operator=(const JointMoves&) = delete;

  /// Fills in the fields of a kernel's Expansion that it provides.
  void describe(kernel::Expansion& job) const {
    job.form = form_;
    job.numbers = numbers_.data();
  }
  /// Writes where the states are and the moves in the chosen form: one word per pair, or one slot
  /// per pair and role.
  void take(std::span<const StateMove> pairs, const std::uint64_t** states, std::uint64_t* words,
            std::uint32_t* slots) const;
  [[nodiscard]] std::size_t bytes() const {
    return places_.bytes() + bytes_of(numbers_, words_, slots_);
  }

 private:
  bool number(const Program& program);
  template <std::size_t kRoles>
  void take_words(std::span<const StateMove> pairs, const std::uint64_t** states,
                  std::uint64_t* words) const;

  std::size_t roles_;
  MovePlaces places_;
  kernel::JointForm form_;
  std::vector<kernel::MoveNumber> numbers_;  // [role]
  std::vector<std::uint64_t> words_;         // [place]: the move's part of the word
  std::vector<std::uint32_t> slots_;         // [place]: the move's slot, or kNoMove
};

}  // namespace ludens::gdl
