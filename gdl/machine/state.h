// SPDX-License-Identifier: MIT
// A state of a game as a row of words, whose meaning only its machine knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ludens::gdl {

/// A view of a state that another object owns. Cheap to copy; valid until its owner changes it.
class StateView {
 public:
  StateView() = default;
  explicit StateView(std::span<const std::uint64_t> words) : words_(words) {}
  [[nodiscard]] std::span<const std::uint64_t> words() const { return words_; }

  /// Whole states, word by word. Two states of one machine are the same position exactly when this
  /// holds; states of different machines are never compared.
  friend bool operator==(StateView a, StateView b);

 private:
  std::span<const std::uint64_t> words_;
};

/// 128 bits; where a value is claimed to be exact, tables compare this or the whole state.
struct StateHash {
  std::uint64_t low = 0, high = 0;
  friend bool operator==(const StateHash&, const StateHash&) = default;
};

StateHash hash(StateView state);

/// A state that owns its words.
class State {
 public:
  State() = default;
  explicit State(StateView view) { assign(view); }
  void assign(StateView view) { words_.assign(view.words().begin(), view.words().end()); }
  /// For machines, to write the words of a state.
  [[nodiscard]] std::vector<std::uint64_t>& words() { return words_; }
  operator StateView() const { return StateView(words_); }  // NOLINT: a State is a StateView

 private:
  std::vector<std::uint64_t> words_;
};

/// Many states, stored contiguously in one block of memory; its owner reuses it from batch to
/// batch.
class StateBatch {
 public:
  void clear() {
    words_.clear();
    begin_.assign(1, 0);
  }
  void push_back(StateView state) {
    words_.insert(words_.end(), state.words().begin(), state.words().end());
    begin_.push_back(words_.size());
  }
  /// Adds space for `count` states of equal size at the end, for machines to write them.
  std::span<std::uint64_t> append(std::size_t count, std::size_t words_each) {
    const std::size_t first = words_.size();
    words_.resize(first + count * words_each);
    for (std::size_t i = 1; i <= count; ++i) begin_.push_back(first + i * words_each);
    return std::span(words_).subspan(first);
  }
  [[nodiscard]] std::size_t size() const { return begin_.size() - 1; }
  /// For machines, to write the words of a state.
  [[nodiscard]] std::span<std::uint64_t> words(std::size_t i) {
    return std::span(words_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }
  StateView operator[](std::size_t i) const {
    return StateView(std::span(words_).subspan(begin_[i], begin_[i + 1] - begin_[i]));
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::size_t> begin_{0};
};

}  // namespace ludens::gdl
