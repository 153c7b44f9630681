// SPDX-License-Identifier: MIT
// What random games show about a game before anything is learned.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/learning/movers.h"

namespace ludens::search {

/// States of random games, as a row of bits for each fluent, sorted by ply and mover, and
/// observations about moves and ends.
class Observations {
 public:
  struct Settings {
    std::size_t games_at_once = 128;
    std::size_t most_states = 16'384;
    std::size_t most_bytes = std::size_t{24} << 20;  // of states and rows together
    std::uint32_t most_plies = 400;                  // a longer game is truncated
  };

  /// Plays until there are enough states. nullopt if the machine was stopped or out of memory, or
  /// if there is no state to play from.
  static std::optional<Observations> make(const gdl::Machine& machine,
                                          gdl::Machine::Context& context, std::size_t bits,
                                          const Settings& settings, gdl::Rng& rng);

  [[nodiscard]] std::size_t size() const { return keys_.size(); }  // states
  /// Bit i: whether the fluent held in state i.
  [[nodiscard]] std::span<const std::uint64_t> row(std::size_t bit) const {
    return std::span(rows_).subspan(bit * row_words_, row_words_);
  }
  [[nodiscard]] std::size_t holds(std::size_t bit) const;  // number of states
  /// Which role chose in state i; the number of roles for several or none.
  [[nodiscard]] std::size_t mover(std::size_t i) const { return keys_[i].mover; }
  /// The words of state i.
  [[nodiscard]] std::vector<std::uint64_t> state(std::size_t i) const;
  /// Some states from which the next random move ended a game.
  [[nodiscard]] const std::vector<std::vector<std::uint64_t>>& last_states() const {
    return last_states_;
  }
  /// Whether ply and mover alone determine these fluents in all states seen. Enough of these states
  /// must share ply and mover with another state, because a single observation proves nothing.
  [[nodiscard]] bool are_clock(std::span<const std::uint32_t> bits) const;

  [[nodiscard]] const Movers& movers() const { return movers_; }
  /// [role], and one more for several or none: whether it was seen to choose.
  [[nodiscard]] const std::vector<bool>& chose() const { return chose_; }
  /// Goals of ends, one per role.
  [[nodiscard]] const std::vector<std::uint8_t>& goals() const { return goals_; }
  [[nodiscard]] std::uint64_t cut() const { return cut_; }

 private:
  friend class RandomGames;
  struct Key {
    std::uint32_t ply;
    std::uint32_t mover;
    // NOLINTNEXTLINE(modernize-use-nullptr)
    friend std::strong_ordering operator<=>(const Key&, const Key&) = default;
  };
  /// The number of states in which the fluent held and that share ply and mover with another;
  /// nullopt if two such states differ in it.
  [[nodiscard]] std::optional<std::size_t> as_of_a_clock(std::size_t bit) const;

  explicit Observations(Movers movers) : movers_(std::move(movers)) {}

  Movers movers_;
  std::vector<Key> keys_;  // [state], ascending
  std::size_t row_words_ = 0;
  std::vector<std::uint64_t> rows_;
  std::vector<std::vector<std::uint64_t>> last_states_;
  std::vector<bool> chose_;
  std::vector<std::uint8_t> goals_;
  std::uint64_t cut_ = 0;
};

}  // namespace ludens::search
