// SPDX-License-Identifier: MIT
// States with their legal moves and a note each, in blocks that never move.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/machine/state.h"
#include "gdl/machine/vocabulary.h"
#include "gdl/memory/held_memory.h"

namespace ludens::search::puzzle {

/// Grows one block at a time, so that no addition takes long and elements never move. One thread.
template <typename Note>
class StateList {
 public:
  /// Memory is reserved from `memory`, which must outlive the list; null: no limit.
  explicit StateList(gdl::MemoryBudget* memory) : memory_(memory) {}
  StateList(StateList&& other) noexcept : memory_(other.memory_) { swap(other); }
  StateList& operator=(StateList&& other) noexcept {
    swap(other);
    return *this;
  }

  /// Returns false, and adds nothing, when memory is used up.
  bool add(gdl::StateView state, std::span<const gdl::MoveId> moves, const Note& note) {
    if (size_ % kBlock == 0 && !add_block()) return false;
    Block& block = *blocks_.back();
    block.states.push_back(state);
    block.moves.insert(block.moves.end(), moves.begin(), moves.end());
    block.begin.push_back(static_cast<std::uint32_t>(block.moves.size()));
    block.notes.push_back(note);
    ++size_;
    return true;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] gdl::StateView state(std::size_t i) const {
    return blocks_[i / kBlock]->states[i % kBlock];
  }
  [[nodiscard]] std::span<const gdl::MoveId> moves(std::size_t i) const {
    const Block& block = *blocks_[i / kBlock];
    const std::uint32_t begin = block.begin[i % kBlock];
    return std::span(block.moves).subspan(begin, block.begin[i % kBlock + 1] - begin);
  }
  [[nodiscard]] const Note& note(std::size_t i) const {
    return blocks_[i / kBlock]->notes[i % kBlock];
  }

  void clear() {
    blocks_.clear();
    size_ = 0;
  }
  void swap(StateList& other) noexcept {
    std::swap(memory_, other.memory_);
    blocks_.swap(other.blocks_);
    std::swap(size_, other.size_);
  }

 private:
  static constexpr std::size_t kBlock = 4096;
  struct Block {
    gdl::StateBatch states;
    std::vector<gdl::MoveId> moves;
    std::vector<std::uint32_t> begin{0};
    std::vector<Note> notes;
    gdl::HeldMemory held;
  };

  /// A full block is counted at its actual size; the last one may remain smaller.
  bool add_block() {
    if (!blocks_.empty()) {
      Block& full = *blocks_.back();
      const std::size_t words = full.states[0].words().size();
      const std::size_t bytes = kBlock * (words * sizeof(std::uint64_t) + sizeof(std::size_t) +
                                          sizeof(std::uint32_t) + sizeof(Note)) +
                                full.moves.size() * sizeof(gdl::MoveId);
      if (!full.held.hold(bytes, memory_)) return false;
    }
    blocks_.push_back(std::make_unique<Block>());
    return true;
  }

  gdl::MemoryBudget* memory_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t size_ = 0;
};

}  // namespace ludens::search::puzzle
