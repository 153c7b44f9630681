// SPDX-License-Identifier: MIT
// `ludens_connect_four_positions COLUMNS COUNT [SEED]`: positions of connect four from random play
// with 8 to 24 stones, one a line: the columns that were played, then those that keep the value of
// the position, counted from 1. tests/bench/connect_four_8.txt is what it prints for 8 and 200.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "gdl/machine/rng.h"
#include "tests/bench/connect_four.h"

namespace ludens::bench {
namespace {

constexpr std::uint32_t kFewestStones = 8, kMostStones = 24;

/// A position after some random moves, and the columns; these are fewer than wanted if the game
/// ended.
std::pair<ConnectFour::Position, std::string> draw(const ConnectFour& game, gdl::Rng& rng) {
  ConnectFour::Position position;
  std::string played;
  const std::uint32_t stones = kFewestStones + rng.below(kMostStones - kFewestStones + 1);
  while (played.size() < stones) {
    const int column = static_cast<int>(rng.below(static_cast<std::uint32_t>(game.columns())));
    if (!game.is_open(position, column)) continue;
    if (game.wins_at_once(position, column)) return {position, ""};
    position = game.drop(position, column);
    played += static_cast<char>('1' + column);
  }
  return {position, played};
}

std::string right_columns(ConnectFour& game, const ConnectFour::Position& position) {
  const int value = game.value(position);
  std::string right;
  for (int column = 0; column < game.columns(); ++column) {
    if (!game.is_open(position, column)) continue;
    const bool wins = game.wins_at_once(position, column);
    const bool keeps = wins || value < 0 || game.is_at_most(game.drop(position, column), -value);
    if (keeps) right += static_cast<char>('1' + column);
  }
  return right;
}

void print(int columns, int count, std::uint64_t seed) {
  ConnectFour game(columns);
  gdl::Rng rng(seed);
  for (int printed = 0; printed < count;) {
    const auto [position, played] = draw(game, rng);
    if (played.empty()) continue;
    std::printf("%s %s\n", played.c_str(), right_columns(game, position).c_str());
    std::fflush(stdout);
    ++printed;
  }
}

}  // namespace
}  // namespace ludens::bench

int main(int count, char** arguments) {
  const int columns = count > 1 ? std::atoi(arguments[1]) : 0;
  if (count < 3 || columns < 4 || columns > ludens::bench::ConnectFour::kMostColumns) {
    std::fputs("usage: ludens_connect_four_positions COLUMNS COUNT [SEED]\n", stderr);
    return 2;
  }
  const std::uint64_t seed = count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1;
  ludens::bench::print(columns, std::atoi(arguments[2]), seed);
  return 0;
}
