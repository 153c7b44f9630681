// SPDX-License-Identifier: MIT
#include "gdl/program/move_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "gdl/program/program.h"
#include "tests/gdl/network/networks.h"

namespace ludens::gdl {
namespace {

using Slots = std::vector<std::uint64_t>;  // 64 lanes

std::uint64_t value(SlotEdge e, const Slots& slots) {
  return slots[e.slot] ^ (std::uint64_t{0} - e.inverted);
}

/// A move as both programs know it: the lanes in which it is legal, and the sets that it is in.
using Known = std::pair<std::uint64_t, std::vector<std::uint32_t>>;

std::vector<Known> known_to_choices(const Program& program, const Slots& slots) {
  std::vector<Known> moves;
  for (const LegalLeaves& choice : program.choices) {
    for (std::size_t l = 0; l < choice.leaves.size(); ++l) {
      const kernel::LegalLeaf& leaf = choice.leaves[l];
      const std::uint32_t* c = choice.code.data() + leaf.code;
      for (std::uint32_t m = 0; m < leaf.moves; ++m) {
        std::uint64_t legal = ~std::uint64_t{0};
        for (std::uint32_t k = 0; k < leaf.plain; ++k) legal &= slots[*c++];
        for (std::uint32_t k = 0; k < leaf.complemented; ++k) legal &= ~slots[*c++];
        const auto sets = choice.sets.begin();
        const std::uint32_t* first = &choice.first_set[l * kernel::LegalLeaf::kMoves + m];
        moves.push_back({legal, {sets + first[0], sets + first[1]}});
      }
    }
  }
  std::ranges::sort(moves);
  return moves;
}

/// Random states and moves in the slots of both programs, and what they make of them.
class Comparison {
 public:
  Comparison(const Network& network, const std::vector<bool>& by_sets)
      : by_sets_(by_sets),
        told_(*tell_by_sets(network, by_sets)),
        dense_(compile(network).value()),
        sparse_(compile(told_, dense_.slots).value()),
        slots_(sparse_.slots) {}

  void run(Rng& rng) {
    for (std::size_t f = 0; f < dense_.fluents.size(); ++f) slots_[f] = rng();
    for (std::size_t s = sparse_.first_slot; s < sparse_.slots; ++s) slots_[s] = rng();
    slots_[dense_.false_slot] = slots_[sparse_.false_slot] = 0;
    for (const Program* p : {&dense_, &sparse_}) evaluate(*p, Phase::Status);
    EXPECT_EQ(value(sparse_.terminal, slots_), value(dense_.terminal, slots_));
    compare_legal();
    make_moves(rng);
    for (const Program* p : {&dense_, &sparse_}) evaluate(*p, Phase::Next);
    for (std::size_t f = 0; f < dense_.fluents.size(); ++f) {
      EXPECT_EQ(value(sparse_.next[f], slots_), value(dense_.next[f], slots_)) << "fluent " << f;
    }
  }

 private:
  void evaluate(const Program& program, Phase phase) {
    kernel::kLanes64.evaluate(program.phase(phase), slots_.data());
  }

  /// Of moves of one program by number, those of the same role and id among others.
  template <typename Move>
  static std::size_t index_of(const Program::Move& move, const std::vector<Move>& moves) {
    const auto same = [&](const Move& m) { return m.role == move.role && m.id == move.id; };
    return static_cast<std::size_t>(std::ranges::find_if(moves, same) - moves.begin());
  }
  [[nodiscard]] const Program::Move& same(const Program::Move& move) const {
    return dense_.moves[index_of(move, dense_.moves)];
  }

  [[nodiscard]] std::vector<std::uint32_t> sets_of(const Program::Move& move) const {
    std::vector<std::uint32_t> slots;
    const std::size_t m = index_of(move, told_.network.moves);
    for (std::uint32_t i = told_.first_member[m]; i < told_.first_member[m + 1]; ++i) {
      slots.push_back(sparse_.first_set + told_.member_of[i]);
    }
    return slots;
  }

  void compare_legal() const {
    std::vector<Known> expected;
    for (const Program::Move& m : dense_.moves) {
      if (by_sets_[m.role]) expected.push_back({value(m.legal, slots_), sets_of(m)});
    }
    std::ranges::sort(expected);
    EXPECT_EQ(known_to_choices(sparse_, slots_), expected);
    for (const Program::Move& m : sparse_.moves) {
      EXPECT_FALSE(by_sets_[m.role]);
      EXPECT_EQ(value(m.legal, slots_), value(same(m).legal, slots_));
    }
  }

  // One of each role in each lane.
  void make_moves(Rng& rng) {
    for (const Program::Move& m : dense_.moves) slots_[m.slot] = 0;
    std::fill_n(slots_.begin() + sparse_.first_set, sparse_.sets, 0);
    for (RoleIndex r = 0; r < dense_.roles(); ++r) {
      for (int lane = 0; lane < 64; ++lane) {
        const std::uint32_t first = dense_.first_move[r];
        const std::size_t made = first + rng.below(dense_.first_move[r + 1] - first);
        const std::uint64_t bit = std::uint64_t{1} << lane;
        slots_[dense_.moves[made].slot] |= bit;
        if (by_sets_[r]) {
          for (const std::uint32_t slot : sets_of(dense_.moves[made])) slots_[slot] |= bit;
        }
      }
    }
    for (const Program::Move& m : sparse_.moves) {
      slots_[m.slot] = slots_[same(m).slot];
    }
  }

  std::vector<bool> by_sets_;
  SetNetwork told_;
  Program dense_, sparse_;
  Slots slots_;
};

TEST(MoveSets, SayWhatMovesSayInRandomNetworks) {
  Rng rng(7);
  for (int i = 0; i < 40 && !HasFailure(); ++i) {
    const Network network = tests::random_network(rng, 300, 12);
    for (const auto& by_sets : {std::vector<bool>{true, true}, {true, false}, {false, true}}) {
      Comparison comparison(network, by_sets);
      for (int round = 0; round < 3; ++round) comparison.run(rng);
    }
  }
}

TEST(MoveSets, SayWhatMovesSayInGames) {
  for (const char* game : {"breakthrough", "checkers", "goofspiel", "amazons_small"}) {
    SCOPED_TRACE(game);
    const Network network = tests::network_of_bundled_game(game);
    Rng rng(8);
    Comparison comparison(network, std::vector<bool>(network.roles(), true));
    for (int round = 0; round < 5 && !HasFailure(); ++round) comparison.run(rng);
  }
}

}  // namespace
}  // namespace ludens::gdl
