// SPDX-License-Identifier: MIT
// How joint moves are written for kernels: which form is chosen, and what each says.
#include "gdl/sliced/joint_moves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace ludens::gdl {
namespace {

using kernel::Expansion;
using kernel::JointForm;
using testing::ElementsAre;

constexpr std::uint32_t kFirstSlot = 100;
constexpr MoveId kUnknown = 1'000'000;

/// So many moves for each role. Their ids count through all roles, as their slots do.
Program program_with(const std::vector<std::uint32_t>& moves) {
  Program program;
  program.first_slot = kFirstSlot;
  program.first_move = {0};
  for (RoleIndex role = 0; role < moves.size(); ++role) {
    for (std::uint32_t i = 0; i < moves[role]; ++i) {
      const auto id = static_cast<MoveId>(program.moves.size());
      program.moves.push_back({id, role, kFirstSlot + id, {}});
    }
    program.first_move.push_back(static_cast<std::uint32_t>(program.moves.size()));
  }
  return program;
}

/// What is written for joint moves, one after the other.
struct Written {
  Written(const Program& program, std::size_t lanes, const std::vector<MoveId>& moves) {
    const JointMoves joint_moves(program, lanes);
    const std::size_t roles = program.roles(), pairs = moves.size() / roles;
    const std::uint64_t word = 0;
    const StateView state({&word, 1});
    std::vector<StateMove> asked;
    for (std::size_t i = 0; i < pairs; ++i) {
      asked.push_back({state, std::span(moves).subspan(i * roles, roles)});
    }
    states.resize(pairs);
    words.assign(pairs, 0);
    slots.assign(moves.size(), 0);
    joint_moves.take(asked, states.data(), words.data(), slots.data());
    for (const std::uint64_t* of_state : states) EXPECT_EQ(of_state, state.words().data());
    Expansion job{};
    joint_moves.describe(job);
    form = job.form;
    if (form == JointForm::Numbers) numbers.assign(job.numbers, job.numbers + roles);
  }

  JointForm form;
  std::vector<kernel::MoveNumber> numbers;
  std::vector<const std::uint64_t*> states;
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> slots;
};

TEST(JointMoves, AreBitsWhereAWordHasOneForEachMove) {
  const Written written(program_with({3, 2}), 512, {2, 3, 0, 4});
  EXPECT_EQ(written.form, JointForm::Bits);
  EXPECT_THAT(written.words, ElementsAre(0b01100, 0b10001));
  EXPECT_EQ(Written(program_with({32, 32}), 1, {31, 63}).form, JointForm::Bits);
  EXPECT_EQ(Written(program_with({32, 33}), 512, {31, 63}).form, JointForm::Numbers);
}

TEST(JointMoves, HaveNoBitForWhatIsNoMoveOfTheRole) {
  const Written written(program_with({3, 2}), 512, {kUnknown, 3, 4, 4, 1, 1});
  EXPECT_THAT(written.words, ElementsAre(0b01000, 0b10000, 0b00010));
}

TEST(JointMoves, AreNumbersFromOneWhereTheBitsAreTooMany) {
  const Written written(program_with({40, 50}), 512, {0, 40, 39, 89, kUnknown, 41, 5, 5});
  ASSERT_EQ(written.form, JointForm::Numbers);
  EXPECT_THAT(written.words, ElementsAre(1 | 1 << 6, 40 | 50 << 6, 2 << 6, 6));
  ASSERT_EQ(written.numbers.size(), 2U);
  EXPECT_EQ(written.numbers[0].first_bit, 0U);
  EXPECT_EQ(written.numbers[0].bits, 6U);
  EXPECT_EQ(written.numbers[0].slot, kFirstSlot);
  EXPECT_EQ(written.numbers[0].moves, 40U);
  EXPECT_EQ(written.numbers[1].first_bit, 6U);
  EXPECT_EQ(written.numbers[1].slot, kFirstSlot + 40);
  EXPECT_EQ(written.numbers[1].moves, 50U);
}

TEST(JointMoves, SayTheSameForAnyNumberOfRoles) {
  const Written three(program_with({30, 30, 30}), 512, {29, 59, 89});
  ASSERT_EQ(three.form, JointForm::Numbers);
  EXPECT_THAT(three.words, ElementsAre(30 | 30 << 5 | 30 << 10));
  EXPECT_THAT(Written(program_with({4}), 512, {3}).words, ElementsAre(0b1000));
}

TEST(JointMoves, AreSlotsWhereABatchHasFewerLanesThanTheGameMoves) {
  const Written written(program_with({40, 50}), 64, {7, 47, kUnknown, 7});
  ASSERT_EQ(written.form, JointForm::Slots);
  EXPECT_THAT(written.slots,
              ElementsAre(kFirstSlot + 7, kFirstSlot + 47, Expansion::kNoMove, Expansion::kNoMove));
}

TEST(JointMoves, AreSlotsWhereNumbersFindNoRoom) {
  const auto form = [](const std::vector<std::uint32_t>& moves) {
    const std::vector<MoveId> joint(moves.size(), kUnknown);
    const std::size_t all = std::accumulate(moves.begin(), moves.end(), std::size_t{0});
    return Written(program_with(moves), all, joint).form;
  };
  EXPECT_EQ(form({4095}), JointForm::Numbers);
  EXPECT_EQ(form({4096}), JointForm::Slots) << "a number has at most twelve bits";
  EXPECT_EQ(form(std::vector<std::uint32_t>(16, 15)), JointForm::Numbers);
  EXPECT_EQ(form(std::vector<std::uint32_t>(17, 15)), JointForm::Slots) << "68 bits";
}

TEST(JointMoves, TakeMemoryInProportionToTheMoves) {
  const Program program = program_with(std::vector<std::uint32_t>(100, 100));
  EXPECT_LT(JointMoves(program, 512).bytes(), program.moves.size() * 20);
}

}  // namespace
}  // namespace ludens::gdl
