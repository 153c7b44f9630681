// SPDX-License-Identifier: MIT
#include "search/hidden/fitting_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gdl/memory/hash.h"

namespace ludens::search::hidden {

namespace {

/// Joint moves tried at a time: enough for the lanes of a machine, and few enough that the search
/// reaches long histories soon.
constexpr std::size_t kBatch = 512;
/// The number of states that are remembered. Later ones are followed again when they recur.
constexpr std::size_t kMostSeen = std::size_t{1} << 20;
/// If there are more joint moves than this after one history, only this many are numbered.
constexpr double kMostNumbered = 0x1p62;

}  // namespace

FittingSearch::Outcome FittingSearch::run(Histories beginning, const Limits& limits) {
  push(std::move(beginning));
  std::vector<std::size_t> kept;
  std::size_t batches = 0;
  while (!blocks_.empty()) {
    if (outcome_.found.size() >= limits.most) break;
    if (outcome_.found.size() > 0 && ++batches > limits.batches) break;
    Block& block = blocks_.back();
    propose(block);
    if (proposals_.size() == 0) {
      blocks_.pop_back();
      continue;
    }
    const std::size_t turn = block.histories.turns;
    const bool last = turn + 1 == turns_.size();
    Histories found{.roles = block.histories.roles, .turns = turn + 1};
    outcome_.status = filter_.run(block.histories, proposals_, turns_[turn],
                                  last ? match_ : MatchPhase::GoesOn, found, kept);
    if (outcome_.status != gdl::Status::Ok) break;
    keep_new_states(found);
    if (!last) {
      push(std::move(found));
      continue;
    }
    if (outcome_.found.size() == 0) outcome_.found = Histories{found.roles, found.turns};
    for (std::size_t i = 0; i < found.size(); ++i) outcome_.found.append(found, i);
  }
  outcome_.exhausted = outcome_.status == gdl::Status::Ok && blocks_.empty();
  Histories& found = outcome_.found;
  const auto likeliest = std::ranges::max_element(found.chances);
  for (std::size_t i = 0; i < found.size(); ++i) {
    found.weights[i] = std::exp(found.chances[i] - *likeliest);
  }
  return std::move(outcome_);
}

/// Opens those histories after which the role can make its next move.
void FittingSearch::push(Histories histories) {
  Block block;
  const gdl::MoveId own = turns_[histories.turns].own;
  for (std::size_t i = 0; i < histories.size(); ++i) {
    if (!std::ranges::binary_search(histories.legal(i, role_), own)) continue;
    const double choices = histories.choices_of_others(i, role_);
    const auto count = static_cast<std::uint64_t>(std::min(choices, kMostNumbered));
    if (count == 0) continue;
    std::uint64_t stride = 1 + rng_() % count;
    while (std::gcd(stride, count) != 1) ++stride;
    block.open.push_back({i, count, rng_() % count, stride});
  }
  if (block.open.empty()) return;
  for (std::size_t i = block.open.size(); i > 1; --i) {
    std::swap(block.open[i - 1], block.open[rng_.below(static_cast<std::uint32_t>(i))]);
  }
  block.histories = std::move(histories);
  blocks_.push_back(std::move(block));
}

/// Proposes one joint move per history, in turn, until the batch is full; none if all were tried.
void FittingSearch::propose(Block& block) {
  proposals_.clear();
  const Histories& histories = block.histories;
  const gdl::MoveId own = turns_[histories.turns].own;
  while (!block.open.empty() && proposals_.size() < kBatch) {
    for (std::size_t n = 0; n < block.open.size() && proposals_.size() < kBatch; ++n) {
      Block::Order& order = block.open[n];
      __extension__ using Wide = unsigned __int128;
      auto number = static_cast<std::uint64_t>(
          (order.first + static_cast<Wide>(order.tried++) * order.stride) % order.count);
      proposals_.from.push_back(order.history);
      proposals_.weights.push_back(1);
      for (gdl::RoleIndex r = 0; r < histories.roles; ++r) {
        const auto moves = histories.legal(order.history, r);
        proposals_.joints.push_back(r == role_ ? own : moves[number % moves.size()]);
        if (r != role_) number /= moves.size();
      }
    }
    std::erase_if(block.open, [](const Block::Order& order) { return order.tried == order.count; });
  }
}

void FittingSearch::keep_new_states(Histories& found) {
  Histories fresh{.roles = found.roles, .turns = found.turns};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const gdl::StateHash hash = gdl::hash(found.states[i]);
    const std::uint64_t key = gdl::mix(gdl::mix(hash.low, hash.high), found.turns);
    const bool is_new = seen_.size() < kMostSeen ? seen_.insert(key).second : !seen_.contains(key);
    if (is_new) fresh.append(found, i);
  }
  outcome_.merged = outcome_.merged || fresh.size() < found.size();
  found = std::move(fresh);
}

}  // namespace ludens::search::hidden
