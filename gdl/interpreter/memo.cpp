// SPDX-License-Identifier: MIT
#include "gdl/interpreter/memo.h"

#include <algorithm>

#include "gdl/memory/hash.h"

namespace ludens::gdl::interpreter {

namespace {

/// Up to this many answers, a new one is compared with each; beyond that, they are hashed.
constexpr std::uint32_t kCompared = 6;

}  // namespace

Memo::Memo(std::uint32_t key_width, std::uint32_t width, Account* account)
    : key_width_(key_width),
      stride_(width + kHeader),
      account_(account),
      keys_(account),
      calls_(Counted<Call>(account)),
      answers_(account),
      call_table_(account),
      answer_table_(account),
      seen_(Counted<std::uint32_t>(account)) {}

void Memo::require_indices(const std::vector<Columns>& indices) {
  for (std::size_t i = indices_.size(); i < indices.size(); ++i) {
    indices_.emplace_back(indices[i], account_);
  }
}

void Memo::clear() {
  if (calls_.empty()) return;
  keys_.clear();
  calls_.clear();
  answers_.clear();
  answer_count_ = 0;
  call_table_.clear();
  answer_table_.clear();
  if (++seen_epoch_ == 0) {
    std::ranges::fill(seen_, 0);
    seen_epoch_ = 1;
  }
  for (Index& index : indices_) index.forget();
}

std::uint32_t Memo::find_or_add(const std::uint32_t* key) {
  const auto fresh = static_cast<std::uint32_t>(calls_.size());
  if (key_width_ == 0) {
    if (fresh == 0) calls_.emplace_back();
    return 0;
  }
  std::uint64_t h = 0;
  for (std::uint32_t i = 0; i < key_width_; ++i) h = mix(h, key[i]);
  const std::uint32_t found = call_table_.find_or_add(
      h, fresh, [&](std::uint32_t i) { return equal_words(key, this->key(i), key_width_); });
  if (found != kNone) return found;
  copy_words(key, key_width_, keys_.extend(key_width_));
  calls_.emplace_back();
  return fresh;
}

std::uint64_t Memo::hash(std::uint32_t call, const std::uint32_t* columns) const {
  std::uint64_t h = mix(0, call);
  for (std::uint32_t i = 0; i < width(); ++i) h = mix(h, columns[i]);
  return h;
}

bool Memo::has_seen(std::uint32_t term) {
  if (term >= seen_.size()) seen_.resize(std::max<std::size_t>(term + 1, seen_.size() * 2), 0);
  const bool seen = seen_[term] == seen_epoch_;
  seen_[term] = seen_epoch_;
  return seen;
}

bool Memo::has_answer(std::uint32_t call, const std::uint32_t* columns) {
  if (marks_terms()) return has_seen(*columns);
  const Call& c = calls_[call];
  if (c.count < kCompared) {
    for (std::uint32_t row = c.first; row != kNone; row = next_answer(row)) {
      if (same(row, columns)) return true;
    }
    return false;
  }
  const auto belongs = [&](std::uint32_t row) {
    return answers_.data()[std::size_t{row} * stride_ + 1] == call && same(row, columns);
  };
  return answer_table_.find_or_add(hash(call, columns), answer_count_, belongs) != kNone;
}

void Memo::hash_answers(std::uint32_t call) {
  for (std::uint32_t row = calls_[call].first; row != kNone; row = next_answer(row)) {
    (void)answer_table_.find_or_add(hash(call, answer(row)), row,
                                    [](std::uint32_t) { return false; });
  }
}

void Memo::copy_answers(std::uint32_t call, Rows& rows) const {
  for (std::uint32_t a = calls_[call].first; a != kNone; a = next_answer(a)) {
    copy_words(answer(a), width(), rows.add());
  }
}

bool Memo::add_answer(std::uint32_t call, const std::uint32_t* columns) {
  if (has_answer(call, columns)) return false;
  const std::uint32_t row = answer_count_++;
  std::uint32_t* cells = answers_.extend(stride_);
  cells[0] = kNone;
  cells[1] = call;
  copy_words(columns, width(), cells + kHeader);
  Call& c = calls_[call];
  if (c.last == kNone) {
    c.first = row;
  } else {
    answers_.data()[std::size_t{c.last} * stride_] = row;
  }
  c.last = row;
  if (++c.count == kCompared && !marks_terms()) hash_answers(call);
  return true;
}

}  // namespace ludens::gdl::interpreter
