#include "gdl/interpreter/memo.h"

#include <algorithm>

namespace ludens::gdl::interpreter {

namespace {

/// Up to so many answers a new one is compared with each; beyond, they are hashed.
constexpr std::uint32_t kCompared = 6;

}  // namespace

Memo::Memo(std::uint32_t key_width, std::uint32_t width, Account* account)
    : key_width_(key_width),
      stride_(width + kHeader),
      keys_(Counted<std::uint32_t>(account)),
      calls_(Counted<Call>(account)),
      answers_(Counted<std::uint32_t>(account)),
      call_table_(account),
      answer_table_(account) {}

void Memo::require_indices(const std::vector<Columns>& indices) {
  for (std::size_t i = indices_.size(); i < indices.size(); ++i) {
    indices_.emplace_back(indices[i], keys_.get_allocator().account());
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
      h, fresh, [&](std::uint32_t i) { return std::equal(key, key + key_width_, this->key(i)); });
  if (found != kNone) return found;
  keys_.insert(keys_.end(), key, key + key_width_);
  calls_.emplace_back();
  return fresh;
}

std::uint64_t Memo::hash(std::uint32_t call, const std::uint32_t* columns) const {
  std::uint64_t h = mix(0, call);
  for (std::uint32_t i = 0; i < width(); ++i) h = mix(h, columns[i]);
  return h;
}

bool Memo::has_answer(std::uint32_t call, const std::uint32_t* columns) {
  const Call& c = calls_[call];
  if (c.count < kCompared) {
    for (std::uint32_t row = c.first; row != kNone; row = next_answer(row)) {
      if (same(row, columns)) return true;
    }
    return false;
  }
  const auto belongs = [&](std::uint32_t row) {
    return answers_[std::size_t{row} * stride_ + 1] == call && same(row, columns);
  };
  if (c.count == kCompared) {
    for (std::uint32_t row = c.first; row != kNone; row = next_answer(row)) {
      (void)answer_table_.find_or_add(hash(call, answer(row)), row,
                                      [](std::uint32_t) { return false; });
    }
  }
  return answer_table_.find_or_add(hash(call, columns), answer_count_, belongs) != kNone;
}

void Memo::copy_answers(std::uint32_t call, Rows& rows) const {
  for (std::uint32_t a = calls_[call].first; a != kNone; a = next_answer(a)) {
    std::copy_n(answer(a), width(), rows.add());
  }
}

bool Memo::add_answer(std::uint32_t call, const std::uint32_t* columns) {
  if (has_answer(call, columns)) return false;
  const std::uint32_t row = answer_count_++;
  answers_.push_back(kNone);
  answers_.push_back(call);
  answers_.insert(answers_.end(), columns, columns + width());
  Call& c = calls_[call];
  if (c.last == kNone) {
    c.first = row;
  } else {
    answers_[std::size_t{c.last} * stride_] = row;
  }
  c.last = row;
  ++c.count;
  return true;
}

}  // namespace ludens::gdl::interpreter
