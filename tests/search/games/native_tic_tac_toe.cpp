// SPDX-License-Identifier: MIT
#include "tests/search/games/native_tic_tac_toe.h"

#include <bit>

#include "gdl/rules/read.h"

namespace ludens::search {

namespace {

using gdl::Status;

// A state is two words: the cells of x and those of o. Moves 0..8 are cells, 9 is noop.
constexpr gdl::MoveId kNoop = 9;
constexpr std::uint64_t kLines[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

bool has_line(std::uint64_t cells) {
  for (const std::uint64_t line : kLines) {
    if ((cells & line) == line) return true;
  }
  return false;
}

std::size_t turn(gdl::StateView state) {
  return (std::popcount(state.words()[0]) + std::popcount(state.words()[1])) % 2;
}

}  // namespace

NativeTicTacToe::NativeTicTacToe() {
  const auto rules = gdl::read_rules(
                         "(role x) (role o) (input x 1) (input x 2) (input x 3) "
                         "(input x 4) (input x 5) (input x 6) (input x 7) (input x 8) "
                         "(input x 9) (input x noop)")
                         .normalised.rules;
  vocabulary_ = std::make_shared<gdl::Vocabulary>(rules);
  for (const char* name : {"1", "2", "3", "4", "5", "6", "7", "8", "9", "noop"}) {
    const std::uint32_t cell = *rules->symbols.find(name) * 2;
    vocabulary_->move({&cell, 1});
  }
}

Status NativeTicTacToe::initial(Context&, gdl::State& out) const {
  out.words().assign(2, 0);
  return Status::Ok;
}

Status NativeTicTacToe::legal(Context&, gdl::StateView state, gdl::RoleIndex role,
                              std::vector<gdl::MoveId>& out) const {
  out.clear();
  if (role != turn(state)) {
    out.push_back(kNoop);
    return Status::Ok;
  }
  for (gdl::MoveId cell = 0; cell < 9; ++cell) {
    if (((state.words()[0] | state.words()[1]) >> cell & 1) == 0) out.push_back(cell);
  }
  return Status::Ok;
}

Status NativeTicTacToe::next(Context&, gdl::StateView state, gdl::JointMove move,
                             gdl::State& out) const {
  out.assign(state);
  const std::size_t role = turn(state);
  if (move[role] < 9) out.words()[role] |= std::uint64_t{1} << move[role];
  return Status::Ok;
}

Status NativeTicTacToe::terminal(Context&, gdl::StateView state, bool& out) const {
  const auto words = state.words();
  out = has_line(words[0]) || has_line(words[1]) || (words[0] | words[1]) == 0777;
  return Status::Ok;
}

Status NativeTicTacToe::goals(Context&, gdl::StateView state, std::span<int> out) const {
  const bool x = has_line(state.words()[0]), o = has_line(state.words()[1]);
  out[0] = x ? 100 : o ? 0 : 50;
  out[1] = 100 - out[0];
  return Status::Ok;
}

Status NativeTicTacToe::fluents(Context&, gdl::StateView, std::vector<gdl::FluentId>& out) const {
  out.clear();
  return Status::Ok;
}

}  // namespace ludens::search
