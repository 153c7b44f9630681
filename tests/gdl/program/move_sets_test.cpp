// SPDX-License-Identifier: MIT
#include "gdl/program/move_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
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
    const auto sets_of = [&](std::size_t move) {
      const std::uint32_t* first = &choice.first_set[move];
      return std::vector(choice.sets.begin() + first[0], choice.sets.begin() + first[1]);
    };
    for (std::size_t l = 0; l < choice.leaves.size(); ++l) {
      const kernel::LegalLeaf& leaf = choice.leaves[l];
      const std::uint32_t* c = choice.code.data() + leaf.code;
      for (std::uint32_t m = 0; m < leaf.moves; ++m) {
        std::uint64_t legal = ~std::uint64_t{0};
        for (std::uint32_t k = 0; k < leaf.plain; ++k) legal &= slots[*c++];
        for (std::uint32_t k = 0; k < leaf.complemented; ++k) legal &= ~slots[*c++];
        moves.push_back({legal, sets_of(l * kernel::LegalLeaf::kMoves + m)});
      }
    }
    for (const kernel::FamilyLeaf& leaf : choice.families) {
      for (const auto& family : leaf.families) {
        std::vector<std::uint32_t> own(&choice.own[leaf.shared],
                                       &choice.own[leaf.shared] + 8 * leaf.shared_blocks);
        own.insert(own.end(), &choice.own[family.own], &choice.own[family.own] + 8 * family.blocks);
        for (std::size_t m = 0; m < own.size(); ++m) {
          if (own[m] == program.false_slot || family.common == program.false_slot) continue;
          moves.push_back({slots[family.common] & slots[own[m]], sets_of(family.first_move + m)});
        }
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

  /// The choice of the first role that is described by sets.
  [[nodiscard]] const LegalLeaves& choice() const { return sparse_.choices.at(0); }

  void run(Rng& rng) {
    for (std::size_t f = 0; f < dense_.fluents.size(); ++f) slots_[f] = rng();
    for (std::size_t s = sparse_.first_slot; s < sparse_.slots; ++s) slots_[s] = rng();
    slots_[dense_.false_slot] = slots_[sparse_.false_slot] = 0;
    slots_[sparse_.true_slot] = ~std::uint64_t{0};
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

Network network_of_rules(const std::string& rules, const PassOptions& options = {}) {
  auto grounded = tests::ground_text(rules);
  Vocabulary vocabulary(grounded->flat.rules);
  return optimise(build_network(*grounded, vocabulary, {}).value(), options);
}

/// A role goes along a way and takes one of nine things that lie at its end: 729 moves, of which
/// nine have the way in common. `with_others`: and 81 moves back, which are legal where there is no
/// way, and belong to no family.
Network ways_and_things(bool with_others) {
  std::string rules = R"(
    (role r)
    (<= (init (at ?a)) (index ?a))
    (<= (init (way ?a ?b)) (index ?a) (index ?b))
    (<= (init (lies ?a ?b)) (index ?a) (index ?b))
    (<= (legal r (go ?a ?b ?c)) (true (at ?a)) (true (way ?a ?b)) (true (lies ?b ?c)))
    (<= (next (at ?b)) (does r (go ?a ?b ?c)))
    (<= (next (way ?b ?a)) (does r (go ?a ?b ?c)))
    (<= (next (lies ?a ?c)) (does r (go ?a ?b ?c)))
    (<= (next (lies ?a ?c)) (true (lies ?a ?c)) (true (way ?a ?c)))
    (<= terminal (not (true (at 1))))
    (goal r 50))";
  if (with_others) {
    rules += "(<= (legal r (back ?a ?b)) (true (at ?a)) (not (true (way ?a ?b))) (index ?b))";
  }
  for (int i = 1; i <= 9; ++i) rules += "(index " + std::to_string(i) + ")";
  return network_of_rules(rules);
}

TEST(MoveFamilies, AreMovesWithConditionsInCommon) {
  Comparison comparison(ways_and_things(false), {true});
  const LegalLeaves& choice = comparison.choice();
  EXPECT_EQ(choice.leaves.size(), 0U);
  // To each place lead nine ways, of which eight fill a leaf. Eight of the others are a leaf that
  // shares nothing.
  ASSERT_EQ(choice.families.size(), 11U);
  for (std::size_t i = 0; i < 11; ++i) {
    const kernel::FamilyLeaf& leaf = choice.families[i];
    EXPECT_EQ(leaf.shared_blocks, i == 9 ? 0U : 2U) << i;
    EXPECT_EQ(leaf.families[0].blocks, i == 9 ? 2U : 0U) << i;
  }
  Rng rng(9);
  for (int round = 0; round < 5 && !HasFailure(); ++round) comparison.run(rng);
}

TEST(MoveFamilies, LeaveOthersAsTheyAre) {
  Comparison comparison(ways_and_things(true), {true});
  EXPECT_EQ(comparison.choice().leaves.size(), 2U);
  EXPECT_EQ(comparison.choice().families.size(), 11U);
  Rng rng(10);
  for (int round = 0; round < 5 && !HasFailure(); ++round) comparison.run(rng);
}

TEST(MoveFamilies, AreNotMadeOfFewMoves) {
  for (const char* game : {"connect_four", "breakthrough", "othello"}) {
    const Network network = tests::network_of_bundled_game(game);
    const auto told = tell_by_sets(network, std::vector<bool>(network.roles(), true));
    for (const auto& parts : told->parts) EXPECT_EQ(parts[0], kFalse) << game;
  }
}

/// A queen goes along a line of twelve squares and shoots from there: along the line, also at the
/// square that it left and beyond, or at one of 30 targets. 5,412 moves.
Network queen_on_a_line() {
  std::string rules = R"(
    (role r)
    (init (at 1 queen))
    (init (at 12 queen))
    (<= (legal r (play ?o ?t ?s)) (true (at ?o queen)) (way ?o ?t) (empty ?t)
        (way_but ?o ?t ?s) (empty ?s))
    (<= (legal r (play ?o ?t ?o)) (true (at ?o queen)) (way ?o ?t) (empty ?t))
    (<= (legal r (play ?o ?t (aim ?t ?k))) (true (at ?o queen)) (way ?o ?t) (empty ?t)
        (true (open ?t ?k)))
    (<= (init (open ?t ?k)) (square ?t) (target ?k))
    (<= (next (open ?a ?k)) (true (open ?a ?k)) (not (does_aim ?a ?k)))
    (<= (does_aim ?t ?k) (does r (play ?o ?t (aim ?t ?k))))
    (<= (way ?a ?b) (up ?a ?b))
    (<= (way ?a ?b) (up ?b ?a))
    (<= (up ?a ?b) (succ ?a ?b))
    (<= (up ?a ?c) (succ ?a ?b) (empty ?b) (up ?b ?c))
    (<= (way_but ?o ?a ?b) (up_but ?o ?a ?b))
    (<= (way_but ?o ?a ?b) (up_but ?o ?b ?a))
    (<= (up_but ?o ?a ?b) (succ ?a ?b) (square ?o))
    (<= (up_but ?o ?a ?c) (succ ?a ?b) (empty ?b) (up_but ?o ?b ?c))
    (<= (up_but ?b ?a ?c) (succ ?a ?b) (up_but ?b ?b ?c))
    (<= (empty ?a) (square ?a) (not (occupied ?a)))
    (<= (occupied ?a) (true (at ?a ?what)))
    (<= (next (at ?t queen)) (does r (play ?o ?t ?s)))
    (<= (next (at ?s arrow)) (does r (play ?o ?t ?s)) (square ?s))
    (<= (next (at ?a ?what)) (true (at ?a ?what)) (does r (play ?o ?t ?s)) (distinct ?a ?o))
    (<= can_move (true (at ?o queen)) (way ?o ?t) (empty ?t))
    (<= terminal (not can_move))
    (goal r 50))";
  for (int i = 1; i <= 12; ++i) rules += "(square " + std::to_string(i) + ")";
  for (int i = 1; i <= 30; ++i) rules += "(target " + std::to_string(i) + ")";
  for (int i = 1; i < 12; ++i) {
    rules += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
  }
  PassOptions options;
  options.skipped = {"share"};  // large games have no time for it
  return network_of_rules(rules, options);
}

TEST(MoveFamilies, NeedOnlyWhatTheirCommonConditionsLeaveOpen) {
  const Network network = queen_on_a_line();
  const auto told = tell_by_sets(network, {true});
  std::set<Edge> common, own;
  for (const MoveParts& parts : told->parts) {
    common.insert(parts[0]);
    own.insert(parts[1]);
  }
  // Nothing is open about squares between the queen's two squares. From those, an arrow needs the
  // way from one of 12 squares to another one of them.
  EXPECT_EQ(told->parts.size(), 5412U);
  EXPECT_EQ(common.size(), 132U);
  EXPECT_FALSE(common.contains(kFalse)) << "each move has a family";
  EXPECT_TRUE(own.contains(kTrueEdge));
  EXPECT_LE(own.size(), 12 * 11 + 12 * 30 + 1U);
  Comparison comparison(network, {true});
  Rng rng(11);
  for (int round = 0; round < 5 && !HasFailure(); ++round) comparison.run(rng);
}

}  // namespace
}  // namespace ludens::gdl
