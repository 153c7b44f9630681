// SPDX-License-Identifier: MIT
// Tuples of ground terms, and hash chains over some of their columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gdl/interpreter/account.h"
#include "gdl/interpreter/term_store.h"

namespace ludens::gdl::interpreter {

using Columns = std::vector<std::uint32_t>;

// Tuples are short: an inline loop is faster than a call of the library.
inline bool equal_words(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}
inline void copy_words(const std::uint32_t* from, std::uint32_t n, std::uint32_t* to) {
  for (std::uint32_t i = 0; i < n; ++i) to[i] = from[i];
}

/// A stack of words. Memory once allocated is kept, and is not cleared.
class WordStack {
 public:
  explicit WordStack(Account* account) : words_(Counted<std::uint32_t>(account)) {}

  void clear() { size_ = 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// New words at the end are uninitialised.
  void resize(std::size_t size) {
    if (size > words_.size()) words_.resize(std::max(size, words_.size() * 2 + 64));
    size_ = size;
  }
  /// Adds space at the end for the caller to fill.
  std::uint32_t* extend(std::size_t count) {
    resize(size_ + count);
    return words_.data() + size_ - count;
  }
  [[nodiscard]] std::uint32_t* data() { return words_.data(); }
  [[nodiscard]] const std::uint32_t* data() const { return words_.data(); }

 private:
  CountedVector<std::uint32_t> words_;
  std::size_t size_ = 0;
};

/// Chains of the rows whose key columns hash alike. A chain may hold rows with other keys, so the
/// caller must compare the columns. Rows may have any layout: `stride` words each.
class Index {
 public:
  Index(Columns columns, Account* account)
      : columns_(std::move(columns)),
        heads_(Counted<std::uint64_t>(account)),
        next_(Counted<std::uint32_t>(account)) {}

  [[nodiscard]] const Columns& columns() const { return columns_; }
  [[nodiscard]] bool built() const { return built_; }
  void forget() { built_ = false; }
  /// `rows` points at the first column of the first row.
  void build(const std::uint32_t* rows, std::uint32_t stride, std::uint32_t count);
  /// First row that may have the key, or kNone; then `next` of it, and so on.
  [[nodiscard]] std::uint32_t first(std::uint64_t hash) const {
    const std::uint64_t head = heads_[hash >> shift_];
    return (head >> 32) == generation_ ? static_cast<std::uint32_t>(head) : kNone;
  }
  [[nodiscard]] std::uint32_t next(std::uint32_t row) const { return next_[row]; }

 private:
  Columns columns_;
  bool built_ = false;
  std::uint32_t generation_ = 0;  // of the heads that are valid; avoids clearing them
  unsigned shift_ = 63;
  CountedVector<std::uint64_t> heads_;  // generation, row
  CountedVector<std::uint32_t> next_;
};

/// The tuples of a stored relation: facts, or what is true in a state.
class Rows {
 public:
  Rows(std::uint32_t width, Account* account) : width_(width), account_(account), cells_(account) {}

  void clear() {
    cells_.clear();
    count_ = 0;
    for (Index& index : indices_) index.forget();
  }
  /// Adds space for one more row for the caller to fill.
  std::uint32_t* add() {
    ++count_;
    return cells_.extend(width_);
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t width() const { return width_; }
  [[nodiscard]] const std::uint32_t* row(std::uint32_t i) const {
    return cells_.data() + std::size_t{i} * width_;
  }
  /// The index over these columns, added if there is none yet.
  std::uint32_t require_index(const Columns& columns);
  [[nodiscard]] const Index& index(std::uint32_t i) const { return indices_[i]; }
  void ensure(std::uint32_t i) {
    if (!indices_[i].built()) indices_[i].build(cells_.data(), width_, count_);
  }
  /// Builds all indices: afterwards reading changes nothing, and threads may share the rows.
  void ensure_all() {
    for (std::uint32_t i = 0; i < indices_.size(); ++i) ensure(i);
  }

 private:
  std::uint32_t width_, count_ = 0;
  Account* account_;
  WordStack cells_;
  std::vector<Index> indices_;
};

/// Open addressing from hashes to small integers, emptied at no cost.
class HashTable {
 public:
  explicit HashTable(Account* account) : slots_(Counted<Slot>(account)) {}

  void clear() {
    count_ = 0;
    if (++generation_ == 0) {
      std::ranges::fill(slots_, Slot{});
      generation_ = 1;
    }
  }
  /// Returns the value for which `same(value)` holds among those with this hash. If there is none,
  /// inserts `fresh` and returns kNone.
  template <class Same>
  std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t fresh, const Same& same) {
    if (slots_.size() <= count_ * 2) grow();
    const std::size_t mask = slots_.size() - 1;
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    std::size_t i = tag & mask;
    for (; slots_[i].generation == generation_; i = (i + 1) & mask) {
      if (slots_[i].tag == tag && same(slots_[i].value)) return slots_[i].value;
    }
    slots_[i] = {generation_, tag, fresh};
    ++count_;
    return kNone;
  }

 private:
  struct Slot {
    std::uint32_t generation = 0, tag = 0, value = 0;
  };
  void grow();

  CountedVector<Slot> slots_;
  std::size_t count_ = 0;
  std::uint32_t generation_ = 1;
};

}  // namespace ludens::gdl::interpreter
