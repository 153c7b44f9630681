// SPDX-License-Identifier: MIT
// Weights of the moves chosen in playouts, and counts of those made.
#include <algorithm>
#include <bit>
#include <cstring>

#include "gdl/sliced/batches.h"

namespace ludens::gdl {

namespace {

constexpr std::uint32_t kMostWeightBits = 8;

}  // namespace

bool Batches::weigh(const MoveWeights& weights, MemoryBudget* memory, Scratch& s) const {
  const std::vector<kernel::Chooser>& choosers = s.choosers.front().choosers();
  if (s.weight_sums.empty()) s.weight_sums = std::vector<Registers>(choosers.size());
  s.weights.clear();
  for (const Program::Move& m : program_.moves) {
    s.weights.push_back(static_cast<std::uint8_t>(weights.of(m.role, m.id)));
  }
  s.weightings.clear();
  for (std::size_t c = 0; c < choosers.size(); ++c) {
    const std::uint32_t moves = choosers[c].tree.moves;
    Registers& sums = s.weight_sums[c];
    if (!sums &&
        !sums.allocate(kernel_.weighting_scratch(kernel::weight_tree(moves, kMostWeightBits)),
                       memory)) {
      return false;
    }
    const std::uint8_t* const own =
        s.weights.data() + (choosers[c].first_move - program_.first_slot);
    const auto bits =
        static_cast<std::uint32_t>(std::bit_width(*std::max_element(own, own + moves)));
    s.weightings.push_back(
        {kernel::weight_tree(moves, std::max(bits, kernel::CountTree::kLeafBits)), own,
         sums.data()});
  }
  return true;
}

bool Batches::prepare_counting(const MoveCounting& counting, std::size_t starts,
                               MemoryBudget* memory, Scratch& s, kernel::Counting& out) const {
  const std::size_t bytes = (program_.moves.size() + 2 * program_.roles()) * kernel_.lanes / 8;
  if (!s.made && !s.made.allocate(bytes, memory)) return false;
  std::memset(s.made.data(), 0, bytes);
  const std::size_t groups = counting.per_start ? starts : 1, moves = program_.moves.size();
  // The caller's rows, which reach to the highest id, take about as much.
  std::size_t ids = 0;
  for (std::size_t r = 0; r < program_.roles(); ++r) {
    if (program_.first_move[r] == program_.first_move[r + 1]) continue;
    ids += std::size_t{program_.moves[program_.first_move[r + 1] - 1].id} + 1;
  }
  const std::size_t of_group = moves * sizeof(kernel::MoveTally) + ids * sizeof(MoveCount);
  if (!s.held_counts.hold(groups * of_group, memory)) return false;
  s.tallies.assign(groups * moves, {});
  out.first_move = static_cast<std::uint32_t>(program_.first_slot);
  out.move_count = static_cast<std::uint32_t>(program_.moves.size());
  out.first_of_role = program_.first_move.data();
  out.won_from = static_cast<std::uint32_t>(counting.won_from);
  out.lost_to = static_cast<std::uint32_t>(counting.lost_to);
  out.per_start = counting.per_start;
  out.scratch = s.made.data();
  out.tallies = s.tallies.data();
  return true;
}

void Batches::take_counts(const Scratch& s, PlayoutSums& out) const {
  const std::size_t moves = program_.moves.size(), groups = out.moves.size() / program_.roles();
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t m = 0; m < moves; ++m) {
      const kernel::MoveTally& tally = s.tallies[g * moves + m];
      if (tally.made == 0) continue;
      const Program::Move& move = program_.moves[m];
      auto& row = out.moves[g * program_.roles() + move.role];
      if (row.size() <= move.id) row.resize(move.id + 1);
      row[move.id] = {tally.made, tally.won, tally.lost};
    }
  }
}

}  // namespace ludens::gdl
