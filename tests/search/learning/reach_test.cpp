// SPDX-License-Identifier: MIT
#include "search/learning/reach.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "search/learning/learner.h"
#include "search/learning/state_bits.h"
#include "tests/search/games/bundled.h"
#include "tests/search/learning/found_form.h"

namespace ludens::search::test {
namespace {

using Wide = std::shared_ptr<const gdl::ReachMachine>;

Wide wide(const std::string& game, std::uint32_t moves) {
  return with_reach(bundled(game, "sliced"), moves, nullptr, Deadline()).value();
}

std::set<std::string> names(const gdl::Machine& machine, gdl::Machine::Context& context,
                            gdl::StateView state) {
  std::vector<gdl::FluentId> fluents;
  EXPECT_EQ(machine.fluents(context, state, fluents), gdl::Status::Ok);
  std::set<std::string> names;
  for (const gdl::FluentId f : fluents) names.insert(machine.vocabulary()->fluent_name(f));
  return names;
}

/// The bits of one move that hold, by role and name of the fluent that stands for the place.
std::set<std::string> reached(const gdl::Machine& machine, gdl::StateView state,
                              std::uint32_t moves, gdl::RoleIndex role) {
  const auto bits = StateBits::of(machine);
  std::set<std::string> names;
  for (const gdl::ReachBit& bit : bits->reach()) {
    if (bit.role != role || bit.moves != moves) continue;
    if ((state.words()[bit.fluent / 64] >> bit.fluent % 64 & 1) == 0) continue;
    names.insert(machine.vocabulary()->fluent_name(bits->fluents()[bit.group]));
  }
  return names;
}

std::vector<gdl::MoveId> first_moves(const gdl::Machine& machine, gdl::Machine::Context& context,
                                     gdl::StateView state) {
  std::vector<gdl::MoveId> joint, moves;
  for (gdl::RoleIndex r = 0; r < machine.role_count(); ++r) {
    EXPECT_EQ(machine.legal(context, state, r, moves), gdl::Status::Ok);
    joint.push_back(moves.at(moves.size() / 2));
  }
  return joint;
}

class Reach : public testing::TestWithParam<std::string> {};

/// Both ways to make a state give the same bits, and the game goes on as on its own machine.
TEST_P(Reach, IsTheSameInAllCallsAndChangesNoGame) {
  const auto plain = bundled(GetParam(), "sliced");
  const auto made = with_reach(plain, 2, nullptr, Deadline());
  ASSERT_TRUE(made) << made.error().text;
  const gdl::Machine& machine = **made;
  const auto context = machine.make_context(), own = plain->make_context();
  gdl::State state, plain_state, wide_state;
  ASSERT_EQ(machine.initial(*context, state), gdl::Status::Ok);
  ASSERT_EQ(plain->initial(*own, plain_state), gdl::Status::Ok);
  for (int ply = 0; ply < 12; ++ply) {
    bool end = false;
    ASSERT_EQ(machine.terminal(*context, state, end), gdl::Status::Ok);
    if (end) break;
    const auto joint = first_moves(machine, *context, state);
    ASSERT_EQ(first_moves(*plain, *own, plain_state), joint);
    const gdl::StateMove pair{state, joint};
    gdl::Expansion next, plain_next;
    ASSERT_EQ(machine.expand(*context, std::span(&pair, 1), next), gdl::Status::Ok);
    const gdl::StateMove plain_pair{plain_state, joint};
    ASSERT_EQ(plain->expand(*own, std::span(&plain_pair, 1), plain_next), gdl::Status::Ok);
    EXPECT_EQ(next.terminal, plain_next.terminal);
    EXPECT_EQ(next.begin, plain_next.begin);
    for (gdl::RoleIndex r = 0; r < machine.role_count(); ++r) {
      EXPECT_TRUE(std::ranges::equal(next.legal(0, r, machine.role_count()),
                                     plain_next.legal(0, r, machine.role_count())));
    }
    plain_state.assign(plain_next.states[0]);
    EXPECT_EQ(names(machine, *context, next.states[0]), names(*plain, *own, plain_state));
    gdl::State after;
    ASSERT_EQ(machine.next(*context, state, joint, after), gdl::Status::Ok);
    if (next.terminal[0] == 0) {
      ASSERT_EQ((*made)->widen(*context, plain_state, wide_state), gdl::Status::Ok);
      EXPECT_TRUE(gdl::StateView(after) == next.states[0]);
      EXPECT_TRUE(gdl::StateView(wide_state) == next.states[0]);
    }
    state = after;
  }
}

INSTANTIATE_TEST_SUITE_P(Games, Reach,
                         testing::Values("tic_tac_toe", "breakthrough_small", "amazons_small",
                                         "checkers"),
                         [](const auto& game) { return game.param; });

/// Where the legal moves `( move X1 Y1 X2 Y2 )` of a role lead to, and where they begin. An arrow
/// `( shoot X Y )` leads to a cell, too.
struct Ends {
  std::set<std::string> to, from;
};

Ends ends_of_moves(const gdl::Machine& machine, gdl::Machine::Context& context,
                   gdl::StateView state, gdl::RoleIndex role) {
  std::vector<gdl::MoveId> moves;
  EXPECT_EQ(machine.legal(context, state, role, moves), gdl::Status::Ok);
  Ends ends;
  for (const gdl::MoveId move : moves) {
    std::istringstream words(machine.vocabulary()->move_name(move));
    std::string open, name, x1, y1, x2, y2;
    words >> open >> name >> x1 >> y1 >> x2 >> y2;
    if (name == "shoot") ends.to.insert(x1 + " " + y1);
    if (name != "move") continue;
    ends.from.insert(x1 + " " + y1);
    ends.to.insert(x2 + " " + y2);
  }
  return ends;
}

/// `X Y` of each `( cell X Y CONTENT )`.
std::set<std::string> cells(const std::set<std::string>& fluents) {
  std::set<std::string> out;
  for (const std::string& fluent : fluents) {
    std::istringstream words(fluent);
    std::string open, name, x, y;
    words >> open >> name >> x >> y;
    if (name == "cell") out.insert(x + " " + y);
  }
  return out;
}

class CellsReached : public testing::TestWithParam<std::string> {
 protected:
  void set(gdl::State& state, const std::string& fluent, bool holds) const {
    const auto bit_of = StateBits::of(*machine_)->bit_of();
    const auto bit = bit_of.at(machine_->vocabulary()->find_fluent(fluent).value());
    const std::uint64_t mask = std::uint64_t{1} << bit % 64;
    auto& word = state.words()[bit / 64];
    word = holds ? word | mask : word & ~mask;
  }
  /// The state as if it were the role's turn.
  [[nodiscard]] gdl::State in_turn(gdl::StateView state, gdl::RoleIndex role) const {
    gdl::State turned(state);
    for (gdl::RoleIndex r = 0; r < machine_->role_count(); ++r) {
      set(turned, "( control " + machine_->role_name(r) + " )", r == role);
    }
    return turned;
  }
  void compare(gdl::StateView state, gdl::RoleIndex role) {
    gdl::State turned = in_turn(state, role);
    const Ends moves = ends_of_moves(*machine_, *context_, turned, role);
    const auto once = cells(reached(*machine_, state, 1, role));
    const auto twice = cells(reached(*machine_, state, 2, role));
    EXPECT_THAT(once, testing::IsSupersetOf(moves.to));
    for (const std::string& cell : once) {
      EXPECT_TRUE(moves.to.contains(cell) || moves.from.contains(cell)) << cell;
      EXPECT_FALSE(twice.contains(cell)) << cell;
    }
    for (const std::string& cell : moves.to) {
      set(turned, "( cell " + cell + " " + machine_->role_name(role) + " )", true);
    }
    auto either = once;
    either.insert(twice.begin(), twice.end());
    EXPECT_THAT(either,
                testing::IsSupersetOf(ends_of_moves(*machine_, *context_, turned, role).to));
  }

  Wide machine_ = wide(GetParam(), 2);
  std::unique_ptr<gdl::Machine::Context> context_ = machine_->make_context();
};

/// Pieces are put on all cells that one move reaches, and moved once more from there.
TEST_P(CellsReached, AreThoseOfLegalMovesIfItWereTheRolesTurn) {
  gdl::State state;
  ASSERT_EQ(machine_->initial(*context_, state), gdl::Status::Ok);
  for (int ply = 0; ply < 20; ++ply) {
    bool end = false;
    ASSERT_EQ(machine_->terminal(*context_, state, end), gdl::Status::Ok);
    if (end) break;
    for (gdl::RoleIndex role = 0; role < 2; ++role) compare(state, role);
    gdl::State after;
    ASSERT_EQ(machine_->next(*context_, state, first_moves(*machine_, *context_, state), after),
              gdl::Status::Ok);
    state = after;
  }
}

INSTANTIATE_TEST_SUITE_P(Games, CellsReached,
                         testing::Values("amazons_small", "breakthrough_small"),
                         [](const auto& game) { return game.param; });

TEST(ReachBits, TellRolesApartWhereNotAllReachTheSame) {
  for (const char* game : {"breakthrough_small", "amazons_small", "checkers", "othello"}) {
    EXPECT_TRUE(StateBits::of(*wide(game, 2))->roles_reach_differently()) << game;
  }
  EXPECT_FALSE(StateBits::of(*wide("tic_tac_toe", 2))->roles_reach_differently());
  EXPECT_FALSE(StateBits::of(*bundled("checkers", "sliced"))->roles_reach_differently());
}

TEST(ReachValues, HaveSymmetriesAndOneTableForBothRoles) {
  for (const char* game : {"breakthrough_small", "amazons_small"}) {
    SCOPED_TRACE(game);
    const Found plain(bundled(game, "sliced"), true);
    const Found found(wide(game, 2), true);
    EXPECT_FALSE(plain.form.symmetries.empty());
    EXPECT_EQ(found.form.symmetries.size(), plain.form.symmetries.size());
    EXPECT_EQ(found.form.exchange.empty(), plain.form.exchange.empty());
    EXPECT_GT(found.form.variables.size(), plain.form.variables.size());
    EXPECT_GT(found.form.counts.size(), plain.form.counts.size());
  }
}

TEST(ReachValues, AreOnlyContinuedOnAMachineThatReachesAsFar) {
  const Wide machine = wide("breakthrough_small", 2);
  auto learner = Learner::make(machine, {}, nullptr, Deadline()).value();
  ASSERT_EQ(learner->learn(Deadline(), {.games = 200}), gdl::Status::Ok);
  const auto names = *gdl::canonical_names(machine->vocabulary()->rules());
  const std::string bytes = write_knowledge(learner->knowledge(), *machine->vocabulary(), names);
  const auto read = read_knowledge(bytes, *machine->vocabulary(), names);
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(read->reach, 2U);
  EXPECT_TRUE(Learner::resume(machine, *read, {}, nullptr));
  EXPECT_FALSE(Learner::resume(wide("breakthrough_small", 1), *read, {}, nullptr));
  EXPECT_FALSE(Learner::resume(bundled("breakthrough_small", "sliced"), *read, {}, nullptr));
}

/// The lists of a rulesheet in reverse, except the roles.
std::string in_reverse(const std::string& game) {
  std::ifstream file(project_folder() + "/config/games/" + game + ".kif");
  std::string roles, others, list;
  int depth = 0;
  for (std::string line; std::getline(file, line);) {
    for (const char c : line.substr(0, line.find(';')) + '\n') {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      list += c;
      if (depth > 0 || c != ')') continue;
      if (list.find("(role ") != std::string::npos && list.find("<=") == std::string::npos) {
        roles += list;
      } else {
        others = list + others;
      }
      list.clear();
    }
  }
  return roles + others;
}

/// The names that a file has for the bits.
std::set<std::vector<std::uint32_t>> names_in_files(const gdl::Machine& machine) {
  const gdl::Vocabulary& vocabulary = *machine.vocabulary();
  const auto names = *gdl::canonical_names(vocabulary.rules());
  const auto bits = StateBits::of(machine);
  std::set<std::vector<std::uint32_t>> out;
  for (const gdl::ReachBit& bit : bits->reach()) {
    out.insert(names.renumber(vocabulary.fluent_term(bits->fluents()[bit.fluent])));
  }
  return out;
}

TEST(ReachBits, HaveTheSameNamesInAnyOrderOfTheRules) {
  for (const char* game : {"breakthrough_small", "checkers"}) {
    SCOPED_TRACE(game);
    const auto other = machine_of(in_reverse(game), "sliced");
    const auto names = names_in_files(*wide(game, 1));
    EXPECT_GT(names.size(), 10U);
    EXPECT_EQ(names_in_files(*with_reach(other, 1, nullptr, Deadline()).value()), names);
  }
}

TEST(WithReach, RefusesWithASentence) {
  const Deadline over(std::chrono::steady_clock::now() - std::chrono::seconds(1));
  const auto stopped = with_reach(bundled("amazons_small", "sliced"), 2, nullptr, over);
  ASSERT_FALSE(stopped);
  EXPECT_FALSE(stopped.error().text.empty());
  EXPECT_FALSE(with_reach(bundled("tic_tac_toe", "interpreter"), 2, nullptr, Deadline()));
  // Which cell a disc falls to depends on the state.
  EXPECT_FALSE(with_reach(bundled("connect_four", "sliced"), 2, nullptr, Deadline()));
  const auto far = with_reach(bundled("tic_tac_toe", "sliced"), 4, nullptr, Deadline());
  ASSERT_FALSE(far);
  EXPECT_THAT(far.error().text, testing::HasSubstr("too many moves ahead"));
}

}  // namespace
}  // namespace ludens::search::test
