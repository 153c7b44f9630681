// SPDX-License-Identifier: MIT
// The answer tables of one procedure: what was asked, and what has been derived for it.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/interpreter/tuples.h"

namespace ludens::gdl::interpreter {

enum class CallState : std::uint8_t {
  New,         // not evaluated yet
  Evaluating,  // on the stack, or waiting for the leader of its recursion
  Complete,    // all answers are there
};

/// One question: the bound arguments are in the memo's keys, the answers chained through its rows.
struct Call {
  std::uint32_t first = kNone, last = kNone;  // answers
  std::uint32_t count = 0;
  CallState state = CallState::New;
  std::uint32_t pending = 0;        // while evaluating: place on the completion stack
  std::uint32_t consumers = kNone;  // while evaluating: those that wait for further answers
};

/// All calls of one procedure in one state (or in all states, if static). An answer row is a link
/// to the next answer of its call, the call, then the columns that the question left open.
class Memo {
 public:
  Memo(std::uint32_t key_width, std::uint32_t width, Account* account);

  void clear();
  /// Adds indices over the answers of a procedure without key. Existing ones stay, in their order.
  void require_indices(const std::vector<Columns>& indices);
  /// Clears the tables unless they belong to this epoch already.
  void enter(std::uint64_t epoch) {
    if (epoch_ != epoch) {
      clear();
      epoch_ = epoch;
    }
  }
  /// The call with this key, which is added if there is none.
  std::uint32_t find_or_add(const std::uint32_t* key);
  [[nodiscard]] Call& call(std::uint32_t i) { return calls_[i]; }
  [[nodiscard]] const std::uint32_t* key(std::uint32_t call) const {
    return keys_.data() + std::size_t{call} * key_width_;
  }
  /// False if the call has this answer already.
  bool add_answer(std::uint32_t call, const std::uint32_t* columns);
  /// The columns of an answer.
  [[nodiscard]] const std::uint32_t* answer(std::uint32_t row) const {
    return answers_.data() + std::size_t{row} * stride_ + kHeader;
  }
  [[nodiscard]] std::uint32_t next_answer(std::uint32_t row) const {
    return answers_.data()[std::size_t{row} * stride_];
  }
  /// Appends the answers of a call to rows, which may have one column more than the answers.
  void copy_answers(std::uint32_t call, Rows& rows) const;
  /// Calls made in an epoch.
  [[nodiscard]] std::size_t call_count(std::uint64_t epoch) const {
    return epoch_ == epoch ? calls_.size() : 0;
  }
  [[nodiscard]] std::uint32_t width() const { return stride_ - kHeader; }
  /// Indices over the answers of the only call of a procedure without key; built when first needed.
  [[nodiscard]] bool index_built(std::uint32_t i) const { return indices_[i].built(); }
  const Index& index(std::uint32_t i) {
    if (!indices_[i].built()) indices_[i].build(answers_.data() + kHeader, stride_, answer_count_);
    return indices_[i];
  }

 private:
  static constexpr std::uint32_t kHeader = 2;

  /// Whether there is only one call and its answers are single terms.
  [[nodiscard]] bool marks_terms() const { return key_width_ == 0 && width() == 1; }
  [[nodiscard]] bool has_seen(std::uint32_t term);
  [[nodiscard]] bool has_answer(std::uint32_t call, const std::uint32_t* columns);
  void hash_answers(std::uint32_t call);
  [[nodiscard]] std::uint64_t hash(std::uint32_t call, const std::uint32_t* columns) const;
  [[nodiscard]] bool same(std::uint32_t row, const std::uint32_t* columns) const {
    return equal_words(columns, answer(row), width());
  }

  std::uint32_t key_width_, stride_;
  std::uint64_t epoch_ = 0;
  std::uint32_t answer_count_ = 0;
  Account* account_;
  WordStack keys_;
  CountedVector<Call> calls_;
  WordStack answers_;
  HashTable call_table_, answer_table_;
  /// If terms are marked: the last epoch in which each was an answer.
  CountedVector<std::uint32_t> seen_;
  std::uint32_t seen_epoch_ = 1;
  std::vector<Index> indices_;
};

}  // namespace ludens::gdl::interpreter
