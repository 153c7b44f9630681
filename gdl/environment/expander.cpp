// SPDX-License-Identifier: MIT
#include "gdl/environment/expander.h"

#include <algorithm>
#include <numeric>

namespace ludens::gdl {

Expander::Expander(std::shared_ptr<const EnvironmentGame> game, float least_reward,
                   float greatest_reward, std::uint64_t seed, MemoryBudget* memory)
    : game_(std::move(game)),
      environment_(game_,
                   {.slots = static_cast<std::uint32_t>(game_->lanes()),
                    .seed = seed,
                    .restart = Restart::Never,
                    .least_reward = least_reward,
                    .greatest_reward = greatest_reward},
                   memory),
      memory_(memory),
      slots_(game_->lanes()),
      rows_(game_->lanes() * game_->state_plan().words()),
      masks_(game_->lanes() * game_->mask_plan().words()),
      actions_(game_->lanes() * game_->player_count()),
      legal_(game_->player_count()),
      rewards_(game_->lanes() * game_->player_count()),
      terminated_(game_->lanes()) {
  std::iota(slots_.begin(), slots_.end(), 0U);
}

void Expander::expand(std::size_t count, std::span<const std::uint64_t> states, Successors& out) {
  out.parent.clear();
  out.actions.clear();
  list_actions(count, states, out);
  const std::size_t successors = out.parent.size();
  out.states.resize(successors * game_->state_plan().words());
  out.masks.resize(successors * game_->mask_plan().words());
  out.terminal.resize(successors);
  out.rewards.resize(successors * game_->player_count());
  for (std::size_t first = 0; first < successors; first += slots_.size()) make(states, first, out);
}

void Expander::list_actions(std::size_t count, std::span<const std::uint64_t> states,
                            Successors& out) {
  const std::size_t words = game_->state_plan().words();
  const std::size_t mask_words = game_->mask_plan().words();
  const View view{&game_->mask_plan(), RowForm::Bits, masks_.data()};
  for (std::size_t first = 0; first < count; first += slots_.size()) {
    const std::size_t n = std::min(slots_.size(), count - first);
    environment_.set_states(std::span(slots_).first(n), states.data() + first * words);
    environment_.look({&view, 1});
    for (std::size_t i = 0; i < n; ++i) {
      list_joint(static_cast<std::uint32_t>(first + i), &masks_[i * mask_words], out);
    }
  }
}

/// All joint actions of a state: a counter with a digit for each player.
void Expander::list_joint(std::uint32_t parent, const std::uint64_t* mask, Successors& out) {
  const std::size_t players = game_->player_count();
  std::size_t joint = 1;
  for (std::size_t p = 0; p < players; ++p) {
    legal_[p].clear();
    for (std::size_t a = 0; a < game_->action_count(p); ++a) {
      const std::size_t bit = game_->mask_begin(p) + a;
      if ((mask[bit / 64] >> (bit % 64) & 1) != 0) {
        legal_[p].push_back(static_cast<std::int32_t>(a));
      }
    }
    if (legal_[p].empty()) return;
    if (__builtin_mul_overflow(joint, legal_[p].size(), &joint)) throw BudgetExhausted();
  }
  make_room(out.parent.size(), joint);
  std::vector<std::size_t> digits(players, 0);
  for (std::size_t p = players; p != 0;) {
    out.parent.push_back(parent);
    for (std::size_t q = 0; q < players; ++q) out.actions.push_back(legal_[q][digits[q]]);
    for (p = players; p > 0 && ++digits[p - 1] == legal_[p - 1].size(); --p) digits[p - 1] = 0;
  }
}

/// Reserves memory before there are more successors: many players have more joint actions than any
/// memory holds.
void Expander::make_room(std::size_t present, std::size_t more) {
  const std::size_t players = game_->player_count();
  // Vectors that grow have room for up to twice as many.
  const std::size_t listed = 2 * (sizeof(std::uint32_t) + players * sizeof(std::int32_t));
  const std::size_t words = game_->state_plan().words() + game_->mask_plan().words();
  const std::size_t made =
      words * sizeof(std::uint64_t) + sizeof(std::uint8_t) + players * sizeof(float);
  std::size_t successors = 0, bytes = 0;
  if (__builtin_add_overflow(present, more, &successors) ||
      __builtin_mul_overflow(successors, listed + made, &bytes) || !held_.hold(bytes, memory_)) {
    throw BudgetExhausted();
  }
}

/// Writes as many successors as there are slots, from the first on.
void Expander::make(std::span<const std::uint64_t> states, std::size_t first, Successors& out) {
  const std::size_t words = game_->state_plan().words(), players = game_->player_count();
  const std::size_t mask_words = game_->mask_plan().words();
  const std::size_t n = std::min(slots_.size(), out.parent.size() - first);
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(states.data() + out.parent[first + i] * words, words, rows_.data() + i * words);
  }
  environment_.set_states(std::span(slots_).first(n), rows_.data());
  std::ranges::fill(actions_, kAnyAction);  // of slots after the last
  std::copy_n(&out.actions[first * players], n * players, actions_.begin());
  const View views[] = {{&game_->state_plan(), RowForm::Bits, rows_.data()},
                        {&game_->mask_plan(), RowForm::Bits, masks_.data()}};
  environment_.step(actions_.data(), {rewards_.data(), terminated_.data(), nullptr}, views);
  std::copy_n(rows_.begin(), n * words, out.states.data() + first * words);
  std::copy_n(masks_.begin(), n * mask_words, out.masks.data() + first * mask_words);
  std::copy_n(terminated_.begin(), n, &out.terminal[first]);
  std::copy_n(rewards_.begin(), n * players, &out.rewards[first * players]);
}

}  // namespace ludens::gdl
