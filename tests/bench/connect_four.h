// SPDX-License-Identifier: MIT
// Exact values of connect four on boards of six rows and up to nine columns: a yardstick for what
// players of that game know. Positions are bit sets with seven bits per column, the last of which
// is always empty, as in Tromp's programs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace ludens::bench {

class ConnectFour {
 public:
  static constexpr int kRows = 6;
  static constexpr int kMostColumns = 9;

  struct Position {
    std::uint64_t own = 0;  // the stones of the player to move
    std::uint64_t all = 0;
  };

  explicit ConnectFour(int columns) : columns_(columns), known_(std::size_t{1} << kTableBits) {
    for (int c = 0; c < columns; ++c) bottom_ |= std::uint64_t{1} << (c * kStep);
    board_ = bottom_ * ((std::uint64_t{1} << kRows) - 1);
    for (int i = 0; i < columns; ++i) {  // from the middle to the sides
      order_[static_cast<std::size_t>(i)] = (columns - 1) / 2 + (i % 2 == 1 ? (i + 1) / 2 : -i / 2);
    }
  }

  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] bool is_open(const Position& p, int column) const {
    return (next_cells(p) & cells(column)) != 0;
  }
  [[nodiscard]] Position drop(const Position& p, int column) const {
    return {p.own ^ p.all, p.all | (next_cells(p) & cells(column))};
  }
  /// Whether the player who is to move wins at once in this column.
  [[nodiscard]] bool wins_at_once(const Position& p, int column) const {
    return (winning_cells(p.own, p.all) & next_cells(p) & cells(column)) != 0;
  }
  /// 1 if the player who is to move wins, 0 for a draw, -1 if that player loses. Neither may have
  /// four in a row yet.
  int value(const Position& p) { return is_at_most(p, 0) ? (is_at_most(p, -1) ? -1 : 0) : 1; }
  /// Whether that value is at most this one, -1 to 1.
  bool is_at_most(const Position& p, int value) {
    return value == 1 || solve(p, value, value + 1) <= value;
  }

 private:
  static constexpr int kStep = kRows + 1;
  static constexpr int kTableBits = 24;

  struct Known {
    std::uint64_t key = 0;
    std::int8_t low = -1, high = 1;
    std::uint8_t stones = 0xFF;
  };

  [[nodiscard]] std::uint64_t cells(int column) const {
    return ((std::uint64_t{1} << kRows) - 1) << (column * kStep);
  }
  [[nodiscard]] std::uint64_t next_cells(const Position& p) const {
    return (p.all + bottom_) & board_;
  }

  /// The empty cells that complete four in a row of `stones`.
  [[nodiscard]] std::uint64_t winning_cells(std::uint64_t stones, std::uint64_t all) const {
    std::uint64_t wins = (stones << 1) & (stones << 2) & (stones << 3);
    for (const int step : {kStep - 1, kStep, kStep + 1}) {
      const std::uint64_t below = (stones << step) & (stones << 2 * step);
      const std::uint64_t above = (stones >> step) & (stones >> 2 * step);
      wins |= below & ((stones << 3 * step) | (stones >> step));
      wins |= above & ((stones >> 3 * step) | (stones << step));
    }
    return wins & board_ & ~all;
  }

  /// The same for a position and its mirror image.
  [[nodiscard]] std::uint64_t key_of(const Position& p) const {
    const std::uint64_t key = p.own + p.all + bottom_;
    std::uint64_t mirrored = 0;
    constexpr std::uint64_t column = (std::uint64_t{1} << kStep) - 1;
    for (int c = 0; c < columns_; ++c) {
      mirrored |= (key >> (c * kStep) & column) << ((columns_ - 1 - c) * kStep);
    }
    return std::min(key, mirrored);
  }

  /// Of two places for each key, the first belongs to the position with fewer stones, whose search
  /// is larger.
  [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
    return (key * 0x9E3779B97F4A7C15U) >> (64 - kTableBits) & ~std::size_t{1};
  }
  [[nodiscard]] Known look_up(std::uint64_t key) const {
    const std::size_t place = place_of(key);
    for (const std::size_t at : {place, place + 1}) {
      if (known_[at].key == key) return known_[at];
    }
    return {.key = key};
  }
  void note(const Known& known) {
    const std::size_t place = place_of(known.key);
    Known& large = known_[place];
    const bool first = large.key == known.key || known.stones <= large.stones;
    if (first && large.key != known.key) known_[place + 1] = large;
    known_[first ? place : place + 1] = known;
  }

  /// Alpha-beta with a table. Moves that lose at once are left out, those that make most threats
  /// come first.
  int solve(const Position& p, int low, int high) {
    std::uint64_t moves = next_cells(p);
    if (moves == 0) return 0;
    if ((winning_cells(p.own, p.all) & moves) != 0) return 1;
    const std::uint64_t threats = winning_cells(p.own ^ p.all, p.all);
    if (const std::uint64_t forced = moves & threats; forced != 0) {
      if (!std::has_single_bit(forced)) return -1;
      moves = forced;
    }
    moves &= ~(threats >> 1);  // the other player would win above
    if (moves == 0) return -1;

    const std::uint64_t key = key_of(p);
    Known known = look_up(key);
    low = std::max<int>(low, known.low);
    high = std::min<int>(high, known.high);
    if (low >= high) return known.low >= high ? known.low : known.high;
    const int best = best_of(p, moves, low, high);
    if (best > low) known.low = static_cast<std::int8_t>(best);
    if (best < high) known.high = static_cast<std::int8_t>(best);
    known.stones = static_cast<std::uint8_t>(std::popcount(p.all));
    note(known);
    return best;
  }

  int best_of(const Position& p, std::uint64_t moves, int low, int high) {
    struct Move {
      std::uint64_t cell;
      int threats;
    };
    std::array<Move, kMostColumns> sorted{};
    std::size_t count = 0;
    for (int i = 0; i < columns_; ++i) {
      const std::uint64_t cell = moves & cells(order_[static_cast<std::size_t>(i)]);
      if (cell == 0) continue;
      const int threats = std::popcount(winning_cells(p.own | cell, p.all | cell));
      std::size_t at = count++;
      for (; at > 0 && sorted[at - 1].threats < threats; --at) sorted[at] = sorted[at - 1];
      sorted[at] = {cell, threats};
    }
    int best = -1;
    for (std::size_t i = 0; i < count; ++i) {
      const int value = -solve({p.own ^ p.all, p.all | sorted[i].cell}, -high, -low);
      best = std::max(best, value);
      low = std::max(low, value);
      if (low >= high) break;
    }
    return best;
  }

  int columns_;
  std::uint64_t bottom_ = 0, board_ = 0;
  std::array<int, kMostColumns> order_{};
  std::vector<Known> known_;
};

}  // namespace ludens::bench
