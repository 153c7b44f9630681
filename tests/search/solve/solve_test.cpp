// SPDX-License-Identifier: MIT
#include "search/solve/solve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "search/induction/backward.h"
#include "search/solve/proof_search.h"
#include "tests/sanitizers.h"
#include "tests/search/tree/drawn_game.h"
#include "tests/search/tree/random_trees.h"

namespace ludens::search {
namespace {

Position initial_position(const std::shared_ptr<const gdl::Machine>& machine,
                          gdl::RoleIndex role = 0) {
  Position position{machine, {}, role, {}};
  const auto context = machine->make_context();
  EXPECT_EQ(machine->initial(*context, position.state), gdl::Status::Ok);
  return position;
}

Solution solved(const std::shared_ptr<const gdl::Machine>& machine, SolveMethod method,
                gdl::RoleIndex role = 0, Policy* policy = nullptr) {
  // Without a budget each table has two gigabytes, which sanitizers take their time for.
  gdl::MemoryBudget memory(std::size_t{128} << 20);
  return solve(initial_position(machine, role), method, Deadline(), &memory, policy);
}

/// Four steps of 50, 200 or -20 points.
constexpr const char* kPoints = R"((role a) (init (points 0)) (init (turn 1)) (worth 50) (worth 200)
  (worth -20) (<= (legal a (take ?n)) (worth ?n))
  (<= (next (points ?s)) (does a (take ?n)) (true (points ?p)) (plus ?p ?n ?s))
  (<= (next (turn 2)) (true (turn 1))) (<= (next (turn 3)) (true (turn 2)))
  (<= terminal (true (turn 3))) (<= (goal a ?p) (true (points ?p)))
  (plus 0 50 50) (plus 0 200 200) (plus 0 -20 -20) (plus 50 50 100) (plus 50 200 250) (plus 50 -20 30)
  (plus 200 50 250) (plus 200 200 400) (plus 200 -20 180) (plus -20 50 30) (plus -20 200 180)
  (plus -20 -20 -40))";

TEST(Solve, GivesGoalsAsTheRulesStateThem) {
  const auto rules = gdl::read_rules(kPoints).normalised.rules;
  for (const char* name : {"interpreter", "sliced"}) {
    const auto machine = gdl::make_machine(name, std::make_shared<gdl::Vocabulary>(rules)).value();
    for (const SolveMethod method :
         {SolveMethod::Search, SolveMethod::Proof, SolveMethod::Backward}) {
      const Solution solution =
          solve(initial_position(machine), method, Deadline(), nullptr, nullptr, true);
      EXPECT_TRUE(solution.exact) << name;
      EXPECT_EQ(solution.value(), 400) << name;
      ASSERT_EQ(solution.root.size(), 3U);
      for (const RootMove& move : solution.root) {
        const std::string text = machine->vocabulary()->move_name(move.move);
        EXPECT_EQ(move.low, text == "( take 200 )"  ? 400
                            : text == "( take 50 )" ? 250
                                                    : 180)
            << name;
      }
    }
  }
}

constexpr SolveMethod kMethods[] = {SolveMethod::Search, SolveMethod::Proof, SolveMethod::Backward};

/// The least goal that a written policy gets against all answers; moves and states as text, as a
/// reader of the file sees them. Fails where the policy has no move or goes in circles.
class PolicyCheck {
 public:
  PolicyCheck(const gdl::Machine& machine, gdl::RoleIndex role, const Solution& solution,
              const Policy& policy)
      : machine_(machine), role_(role), context_(machine.make_context()) {
    bool head = true;
    write_policy(machine, role, solution, policy, [&](std::string_view line) {
      if (!head) add(std::string(line));
      head = false;
    });
  }

  int least() {
    gdl::State state;
    EXPECT_EQ(machine_.initial(*context_, state), gdl::Status::Ok);
    return least_from(state);
  }

 private:
  void add(const std::string& line) {
    const std::size_t cut = line.rfind(" ) ");  // end of the state
    const std::string state = line.substr(2, cut);
    EXPECT_TRUE(moves_.emplace(state, line.substr(cut + 3, line.size() - cut - 5)).second) << line;
  }

  int least_from(const gdl::State& state) {
    bool terminal = false;
    EXPECT_EQ(machine_.terminal(*context_, state, terminal), gdl::Status::Ok);
    std::vector<int> goals(machine_.role_count());
    EXPECT_EQ(machine_.goals(*context_, state, goals), gdl::Status::Ok);
    if (terminal) return goals[role_];
    const std::string text = machine_.print(*context_, state);
    const auto known = least_.find(text);
    if (known != least_.end()) return known->second;
    if (!path_.insert(text).second) {
      ADD_FAILURE() << "a circle at " << text;
      return 0;
    }
    const auto move = moves_.find(text);
    if (move == moves_.end()) ADD_FAILURE() << "no move in " << text;
    const int least = move == moves_.end() ? 0 : least_after(state, move->second);
    path_.erase(text);
    return least_[text] = least;
  }

  int least_after(const gdl::State& state, const std::string& move) {
    std::vector<std::vector<gdl::MoveId>> legal(machine_.role_count());
    std::size_t count = 1;
    for (gdl::RoleIndex role = 0; role < legal.size(); ++role) {
      EXPECT_EQ(machine_.legal(*context_, state, role, legal[role]), gdl::Status::Ok);
      if (role == role_) {
        const gdl::MoveId mine = machine_.vocabulary()->find_move(move).value();
        EXPECT_NE(std::ranges::find(legal[role], mine), legal[role].end()) << move;
        legal[role] = {mine};
      }
      count *= legal[role].size();
    }
    int least = 100;
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<gdl::MoveId> joint;
      std::size_t rest = i;
      for (const auto& moves : legal) {
        joint.push_back(moves[rest % moves.size()]);
        rest /= moves.size();
      }
      gdl::State next;
      EXPECT_EQ(machine_.next(*context_, state, joint, next), gdl::Status::Ok);
      least = std::min(least, least_from(next));
    }
    return least;
  }

  const gdl::Machine& machine_;
  gdl::RoleIndex role_;
  std::unique_ptr<gdl::Machine::Context> context_;
  std::map<std::string, std::string> moves_;
  std::map<std::string, int> least_;
  std::set<std::string> path_;
};

TEST(Solve, BothMethodsAgreeOnRandomTreesAndTheirPoliciesHold) {
  gdl::Rng rng(21);
  for (int i = 0; i < trials(300); ++i) {
    RandomTreeShape shape;
    shape.roles =
        i % 3 == 0 ? std::vector<std::string>{"a", "b", "c"} : std::vector<std::string>{"a", "b"};
    shape.fixed_sum = i % 3 != 0;
    shape.goals = i % 2 == 0 ? 101 : 3;
    shape.simultaneous = 25;
    const DrawnGame game(random_tree(shape, rng));
    const gdl::RoleIndex role = i % 2;
    double value = -1;
    for (const SolveMethod method : kMethods) {
      Policy policy;
      const Solution solution = solved(game.machine, method, role, &policy);
      ASSERT_TRUE(solution.exact) << "tree " << i;
      if (value < 0) value = solution.low;
      ASSERT_EQ(solution.low, value) << "tree " << i;
      ASSERT_EQ(solution.high, value) << "tree " << i;
      ASSERT_TRUE(policy.complete);
      ASSERT_EQ(PolicyCheck(*game.machine, role, solution, policy).least(), value) << "tree " << i;
    }
  }
}

/// A graph by chance: any node may lead to any other, so that states recur.
std::string random_graph(gdl::Rng& rng, std::uint32_t branches) {
  std::string text = "(roles a b) ";
  // A chain of branches holds all nodes; further moves go to ends or back to any of them.
  for (std::uint32_t i = 0; i < branches; ++i) {
    text += "(" + std::string(rng.below(2) == 0 ? "a" : "b") + ":s" + std::to_string(i) + " ";
  }
  for (std::uint32_t i = branches; i-- > 0;) {
    for (std::uint32_t k = rng.below(3) + 1; k > 0; --k) {
      if (rng.below(3) == 0) {
        text += std::to_string(25 * rng.below(5)) + " ";
      } else {
        text += "@s" + std::to_string(rng.below(branches)) + " ";
      }
    }
    text += ") ";
  }
  return text;
}

TEST(Solve, BothMethodsAgreeWhereStatesRecur) {
  gdl::Rng rng(22);
  for (int i = 0; i < trials(300); ++i) {
    const std::string text = random_graph(rng, 2 + rng.below(6));
    const DrawnGame game(text);
    for (gdl::RoleIndex role = 0; role < 2; ++role) {
      Policy by_search, by_induction;
      const Solution search = solved(game.machine, SolveMethod::Search, role, &by_search);
      const Solution backward = solved(game.machine, SolveMethod::Backward, role, &by_induction);
      ASSERT_TRUE(search.exact && backward.exact) << text << " " << search.low << " " << search.high
                                                  << " nodes " << search.nodes << " role " << role;
      ASSERT_EQ(search.low, backward.low) << "graph " << i << " role " << role;
      const Solution proof = solved(game.machine, SolveMethod::Proof, role);
      ASSERT_TRUE(proof.exact) << text;
      ASSERT_EQ(proof.low, backward.low) << text << " role " << role;
      if (search.low == 0) continue;  // nothing is promised
      ASSERT_EQ(PolicyCheck(*game.machine, role, search, by_search).least(), search.low) << i;
      ASSERT_EQ(PolicyCheck(*game.machine, role, backward, by_induction).least(), search.low) << i;
    }
  }
}

TEST(Solve, EveryMoveHasItsValueWhereAskedFor) {
  gdl::Rng rng(25);
  for (int i = 0; i < trials(200); ++i) {
    RandomTreeShape shape;
    shape.roles = i % 2 == 0 ? std::vector<std::string>{"max", "min"}
                             : std::vector<std::string>{"max", "min", "random"};
    shape.simultaneous = i % 2 == 0 ? 25 : 0;
    DrawnGame game(random_tree(shape, rng));
    const auto all_outcomes =
        make_two_sided("expectimax", {.mean = true}, false, plain_settings(), {});
    const Choice plain = think(game, *all_outcomes);
    for (const SolveMethod method : kMethods) {
      const Solution solution = solve(initial_position(game.machine), method, Deadline(), nullptr,
                                      nullptr, /*all_moves=*/true);
      ASSERT_EQ(solution.root.size(), plain.root.size()) << "tree " << i;
      for (std::size_t k = 0; k < plain.root.size(); ++k) {
        ASSERT_EQ(solution.root[k].move, plain.root[k].move) << "tree " << i;
        ASSERT_NEAR(solution.root[k].low, plain.root[k].value, 1e-9) << "tree " << i;
        ASSERT_NEAR(solution.root[k].high, plain.root[k].value, 1e-9) << "tree " << i;
      }
    }
  }
}

/// The position after the first role's n-th legal move.
Position after(Position position, std::size_t n) {
  const auto context = position.machine->make_context();
  std::vector<gdl::MoveId> joint, moves;
  for (gdl::RoleIndex role = 0; role < position.machine->role_count(); ++role) {
    EXPECT_EQ(position.machine->legal(*context, position.state, role, moves), gdl::Status::Ok);
    joint.push_back(moves.at(role == 0 ? n : 0));
  }
  const gdl::State before = position.state;
  EXPECT_EQ(position.machine->next(*context, before, joint, position.state), gdl::Status::Ok);
  return position;
}

/// Questions have numbers of 16 bits.
TEST(Solve, AProverOfVeryManyPositionsDoesNotMixUpItsQuestions) {
  const auto machine = *TreeMachine::parse(
      "(roles max min) (max (max 100) (max (min (max 50 0) (max:drawn 50 0))) (max @drawn))");
  const Position root = initial_position(machine);
  const Position won = after(root, 0), drawn = after(root, 1), drawn_at_once = after(root, 2);
  const Deadline never;
  gdl::MemoryBudget memory(std::size_t{1} << 20);
  ProofSearch search(machine, 0, never, &memory);
  std::uint32_t asked = 0;
  const auto value_of_won = [&] {
    ++asked;  // for 100 at once
    return search.solve(won).value();
  };
  ASSERT_EQ(value_of_won(), 100);
  ASSERT_EQ(search.solve(drawn).value(), 50);  // for 100, and then for 50
  for (asked = 0; asked < 65'535;) ASSERT_EQ(value_of_won(), 100);
  EXPECT_EQ(search.solve(drawn_at_once).value(), 50);
}

TEST(Solve, APlayThatNeverEndsIsWorthNothing) {
  const DrawnGame forever("(roles a b) (a:r wait (b:s wait @r))");
  const DrawnGame alone("(roles a) (a:r wait @r)");
  const DrawnGame escape("(roles a b) (a:r wait (b:s wait @r) leave 40)");
  const DrawnGame trapped("(roles a b) (a:r wait (b:s back @r on 90))");
  for (const SolveMethod method : kMethods) {
    EXPECT_EQ(solved(forever.machine, method).low, 0);
    EXPECT_TRUE(solved(forever.machine, method).exact);
    EXPECT_EQ(solved(alone.machine, method).low, 0);
    EXPECT_TRUE(solved(alone.machine, method).exact);
    EXPECT_EQ(solved(escape.machine, method).low, 40);
    EXPECT_EQ(solved(trapped.machine, method).low, 0);
    EXPECT_EQ(solved(trapped.machine, method, 1).low, 10);
  }
}

TEST(Solve, ValuesBelowARecurrenceAreNotKeptAsBounds) {
  // Below l the state s recurs through t, where it is worth nothing to a; reached by r, t leads to
  // s and through it to 100.
  const DrawnGame game("(roles a b) (a:root l (a:s (a:t @s 10) (b 100 20)) r (b @t 60))");
  for (const SolveMethod method : kMethods) {
    EXPECT_EQ(solved(game.machine, method).low, 20);
    EXPECT_TRUE(solved(game.machine, method).exact);
  }
}

TEST(Solve, ChanceCountsWithItsMean) {
  const DrawnGame game("(roles a random b) (a l (random 0 50 100) r (random (b 20 80) 30))");
  for (const SolveMethod method : kMethods) {
    const Solution solution = solved(game.machine, method);
    EXPECT_DOUBLE_EQ(solution.low, 50);
    EXPECT_TRUE(solution.exact);
    EXPECT_EQ(game.move_name(solution.move), "l");
  }
}

TEST(Solve, ChanceInACircleHasALimitThatIsNotCalledExact) {
  const DrawnGame game("(roles a random) (random:r again @r (100))");
  const Solution solution = solved(game.machine, SolveMethod::Backward);
  EXPECT_NEAR(solution.low, 100, 1e-6);
  EXPECT_FALSE(solution.exact);
  for (const SolveMethod method : {SolveMethod::Search, SolveMethod::Proof}) {
    const Solution searched = solved(game.machine, method);
    EXPECT_FALSE(searched.exact);
    EXPECT_EQ(searched.low, 50);
    EXPECT_EQ(searched.high, 100);
  }
}

TEST(Solve, ChanceBesideACircleLeavesItExact) {
  const DrawnGame game("(roles a random) (a:r (a:s back @r stay @s on 40) try (random 0 90))");
  for (const SolveMethod method : {SolveMethod::Search, SolveMethod::Proof}) {
    const Solution solution = solved(game.machine, method);
    EXPECT_TRUE(solution.exact);
    EXPECT_EQ(solution.low, 45);
  }
}

TEST(Solve, WhatIsKnownWhenStoppedIsTrue) {
  gdl::Rng rng(23);
  RandomTreeShape shape;
  shape.depth = 6;
  const DrawnGame game(random_tree(shape, rng));
  const Deadline past(std::chrono::steady_clock::now());
  for (const SolveMethod method : kMethods) {
    const Solution solution = solve(initial_position(game.machine), method, past, nullptr, nullptr);
    EXPECT_FALSE(solution.exact);
    EXPECT_EQ(solution.low, 0);
    EXPECT_EQ(solution.high, 100);
  }
}

TEST(Solve, MemoryThatRunsOutCostsExactnessOnly) {
  gdl::Rng rng(24);
  std::string deep = "(roles a b) ";
  for (int i = 0; i < 400; ++i) deep += i % 2 == 0 ? "(a 10 " : "(b 90 ";
  deep += "50" + std::string(400, ')');
  const DrawnGame game(deep);
  gdl::MemoryBudget little(4096);
  const Solution solution =
      solve(initial_position(game.machine), SolveMethod::Backward, Deadline(), &little, nullptr);
  EXPECT_FALSE(solution.exact);
  EXPECT_LE(solution.low, 50);
  EXPECT_EQ(little.used(), 0U);
  gdl::MemoryBudget enough(std::size_t{64} << 20);
  EXPECT_EQ(
      solve(initial_position(game.machine), SolveMethod::Backward, Deadline(), &enough, nullptr)
          .low,
      50);
  EXPECT_EQ(enough.used(), 0U);
}

}  // namespace
}  // namespace ludens::search
