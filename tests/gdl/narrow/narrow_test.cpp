// SPDX-License-Identifier: MIT
#include "gdl/narrow/narrow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gdl/ground/instances.h"
#include "gdl/interpreter/interpreter.h"
#include "gdl/pipeline/pipeline.h"
#include "gdl/registry/machines.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/machine/network_machines.h"
#include "tests/gdl/narrow/queens.h"
#include "tests/gdl/text/stop_signals.h"
#include "tests/sanitizers.h"

namespace ludens::gdl {
namespace {

using tests::hrf_queens;
using tests::prefix_queens;
using tests::QueensSheet;

std::shared_ptr<Vocabulary> names_of(const std::string& text) {
  return std::make_shared<Vocabulary>(tests::rules_of(text));
}

/// Small boards are wide, too.
GroundingLimits narrow_limits() {
  GroundingLimits limits;
  limits.max_wide_rows = 200;
  return limits;
}

/// What both machines say of one state.
class StatePair {
 public:
  StatePair(const Machine& reference, const Machine& other)
      : machines_{&reference, &other},
        contexts_{reference.make_context(), other.make_context()},
        roles_(reference.role_count()) {}

  using States = std::pair<State, State>;

  States initial() {
    States out;
    EXPECT_EQ(machines_[0]->initial(*contexts_[0], out.first), Status::Ok);
    EXPECT_EQ(machines_[1]->initial(*contexts_[1], out.second), Status::Ok);
    return out;
  }

  /// Compares all that can be asked; the states that follow, for a single role.
  std::vector<States> compare(const States& states) {
    const auto told = answers(0, states.first);
    EXPECT_EQ(told, answers(1, states.second))
        << machines_[1]->name() << " in " << machines_[0]->print(*contexts_[0], states.first);
    std::vector<States> after;
    if (told.terminal) return after;
    for (const MoveId move : told.legal[0]) {
      const MoveId joint[] = {move};
      States next;
      EXPECT_EQ(machines_[0]->next(*contexts_[0], states.first, joint, next.first), Status::Ok);
      EXPECT_EQ(machines_[1]->next(*contexts_[1], states.second, joint, next.second), Status::Ok);
      after.push_back(std::move(next));
    }
    return after;
  }

 private:
  struct Answers {
    std::vector<std::vector<MoveId>> legal;
    std::vector<int> goals;
    bool terminal = false;
    friend bool operator==(const Answers&, const Answers&) = default;
  };

  Answers answers(std::size_t machine, StateView state) {
    Answers out{std::vector<std::vector<MoveId>>(roles_), std::vector<int>(roles_), false};
    const Machine& m = *machines_[machine];
    Machine::Context& context = *contexts_[machine];
    EXPECT_EQ(m.terminal(context, state, out.terminal), Status::Ok);
    EXPECT_EQ(m.goals(context, state, out.goals), Status::Ok);
    for (RoleIndex r = 0; r < roles_ && !out.terminal; ++r) {
      EXPECT_EQ(m.legal(context, state, r, out.legal[r]), Status::Ok);
    }
    return out;
  }

  const Machine* machines_[2];
  std::unique_ptr<Machine::Context> contexts_[2];
  const std::size_t roles_;
};

/// Compares a machine with the interpreter in every state that can be reached; how many there are.
std::size_t compare_everywhere(const Machine& reference, const Machine& other) {
  StatePair pair(reference, other);
  std::vector<StatePair::States> open;
  std::set<std::vector<std::uint64_t>> seen;
  const auto meet = [&](StatePair::States states) {
    const auto words = StateView(states.first).words();
    if (seen.emplace(words.begin(), words.end()).second) open.push_back(std::move(states));
  };
  meet(pair.initial());
  while (!open.empty() && !testing::Test::HasFailure()) {
    const StatePair::States states = std::move(open.back());
    open.pop_back();
    for (StatePair::States& after : pair.compare(states)) meet(std::move(after));
  }
  return seen.size();
}

/// All network machines of the rules, ground narrowly; the number of states.
std::size_t compare_narrow_machines(const std::string& text) {
  const auto names = names_of(text);
  const auto reference = make_interpreter(names);
  PipelineOptions options;
  options.grounding = narrow_limits();
  std::size_t states = 0;
  const auto made = make_network(names, options);
  EXPECT_TRUE(made.has_value());
  for (const std::size_t lanes : {1, 64}) {
    const auto machine =
        make_network_machine(names, *made, {{}, lanes, EvaluationForm::Interpreted});
    states = compare_everywhere(*reference, **machine);
  }
  return states;
}

/// The ground rules by which white is rewarded with so many points; each literal is counted in
/// `negative` if it is one.
std::size_t rows_of_reward(const GroundProgram& made, const std::string& points,
                           std::size_t* negative = nullptr) {
  GroundProgram program = made;
  Instances instances(program, {});
  Bodies bodies;
  std::size_t rows = 0;
  for (std::uint32_t r = 0; r < program.flat.relations.size(); ++r) {
    if (program.flat.name(r) != "reward/2") continue;
    for (RowId row = 0; row < program.tuples[r].size(); ++row) {
      const std::uint32_t* columns = program.tuples[r].row(row);
      if (program.flat.rules->symbols.spelling(columns[1]) != points) continue;
      EXPECT_TRUE(instances.of(*program.find(r, columns), bodies));
      rows += bodies.size();
      for (std::size_t i = 0; negative != nullptr && i < bodies.size(); ++i) {
        *negative += std::ranges::count_if(bodies[i], [](AtomLiteral l) { return (l & 1) != 0; });
      }
    }
  }
  return rows;
}

std::uint64_t ground_rules_made(const std::string& text, const GroundingLimits& limits) {
  PipelineOptions options;
  options.grounding = limits;
  std::uint64_t made = 0;
  options.report = [&](const StageReport& stage) { made += stage.ground_rules; };
  EXPECT_TRUE(make_network(names_of(text), options).has_value());
  return made;
}

TEST(Narrow, GoalsAskOnlyForWhatCanBeCompleted) {
  for (const bool ranks_first : {false, true}) {
    const auto names = names_of(hrf_queens({5, ranks_first, false}));
    const auto program = ground_narrowly(names, narrow_limits());
    ASSERT_TRUE(program.has_value()) << program.error().text;
    std::size_t negative = 0;
    EXPECT_EQ(rows_of_reward(*program, "50", &negative), 10U) << "solutions of five queens";
    EXPECT_EQ(rows_of_reward(*program, "10", &negative), 5U) << "any first queen will do";
    EXPECT_EQ(negative, 0U) << "that no queen attacks another one is decided";
  }
}

TEST(Narrow, MachinesAgreeWithTheInterpreterInEveryState) {
  EXPECT_EQ(compare_narrow_machines(hrf_queens({5, false, false})), 1U + 5 + 25 + 125 + 625 + 3125);
  EXPECT_EQ(compare_narrow_machines(hrf_queens({4, true, false})), 1U + 4 + 16 + 64 + 256);
  EXPECT_EQ(compare_narrow_machines(prefix_queens(4)), 1U + 4 + 16 + 64 + 256);
}

TEST(Narrow, ThePipelineTakesItWhereRowsOfGoalsAreTooMany) {
  const std::string text = hrf_queens({5, true, false});
  GroundingLimits wide;
  EXPECT_GT(ground_rules_made(text, wide), 3125U) << "a row for each way to place five queens";
  EXPECT_LT(ground_rules_made(text, narrow_limits()), 2000U);
}

TEST(Narrow, ThePipelineTakesItWhereGroundRulesOfAGoalAreTooMany) {
  const std::string text = prefix_queens(6);
  GroundingLimits few = narrow_limits();
  EXPECT_GT(ground_rules_made(text, few), 46'656U) << "no relation is wide";
  few.max_instances = 20'000;
  EXPECT_LT(ground_rules_made(text, few), 5000U);
}

TEST(Narrow, RowsStayWhereQueensMayShareAFile) {
  const QueensSheet shared{4, false, true};
  const auto program = ground_narrowly(names_of(hrf_queens(shared)), narrow_limits());
  ASSERT_TRUE(program.has_value()) << program.error().text;
  EXPECT_GT(rows_of_reward(*program, "40"), 2U) << "solutions where one queen hides another one";
  // Placings of at most four queens on sixteen squares, with the step.
  EXPECT_GT(compare_narrow_machines(hrf_queens(shared)), 1800U);
}

TEST(Narrow, AnswersForThePlainNetworkToo) {
  const auto names = names_of(hrf_queens({5, false, false}));
  auto program = ground_narrowly(names, narrow_limits());
  ASSERT_TRUE(program.has_value());
  const auto plain = build_network(*program, *names, {}, BuildForm::Plain);
  ASSERT_TRUE(plain.has_value());
  GroundProgram all = *ground(tests::rules_of(hrf_queens({5, false, false})), {});
  EXPECT_LT(plain->gates.size(),
            build_network(all, *names, {}, BuildForm::Plain)->gates.size() / 2);
}

// ---- what is refused ----

TEST(Narrow, RefusesWhatHasNoWideRules) {
  const auto refused = ground_narrowly(names_of(tests::kHeap), {});
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().kind, GroundingFailure::Kind::Wide);
}

TEST(Narrow, WhatIsStillTooLargeIsRefusedAsBefore) {
  // The moves could be too many, too: nothing that is set aside helps.
  const std::string text = hrf_queens({5, false, false}) +
                           "\nlegal(place(a,Y1)) :- solution(Y1,Y2,Y3,Y4,Y5) & step(9)\n";
  GroundingLimits few = narrow_limits();
  few.max_rows = 2000;
  const auto as_before = ground(tests::rules_of(text), few);
  ASSERT_TRUE(as_before.has_error());
  PipelineOptions options;
  options.grounding = few;
  const auto refused = make_network(names_of(text), options);
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().kind, GroundingFailure::Kind::OverBudget);
  EXPECT_EQ(refused.error().kind, as_before.error().kind);
  EXPECT_EQ(refused.error().text, as_before.error().text);
}

TEST(Narrow, ARefusalKeepsToTheMemoryItIsGiven) {
  const std::string text = hrf_queens({6, false, true});
  for (const std::size_t kilobytes : {1, 30, 300, 1000, 3000}) {
    MemoryBudget memory(kilobytes << 10);
    PipelineOptions options;
    options.grounding = narrow_limits();
    options.grounding.limits.memory = &memory;
    const auto made = make_network(names_of(text), options);
    if (!made) {
      EXPECT_EQ(made.error().kind, GroundingFailure::Kind::OverBudget) << kilobytes;
    }
    EXPECT_EQ(memory.used(), 0U) << "who keeps the network has to count it";
  }
}

TEST(Narrow, AStopEndsItWhereverItIs) {
  const std::string text = hrf_queens({6, true, false});
  GroundingLimits limits = narrow_limits();
  tests::StopAfter counter(1 << 30);
  limits.limits.stop = &counter;
  ASSERT_TRUE(ground_narrowly(names_of(text), limits).has_value());
  ASSERT_GT(counter.asked(), 10);
  for (int patience = 0; patience < counter.asked(); patience += kSanitized ? 5 : 1) {
    tests::StopAfter stop(patience);
    PipelineOptions options;
    options.grounding = narrow_limits();
    options.grounding.limits.stop = &stop;
    const auto stopped = make_network(names_of(text), options);
    if (stopped) continue;
    EXPECT_EQ(stopped.error().kind, GroundingFailure::Kind::Stopped) << patience;
    EXPECT_LT(stop.asked(), patience + 20) << "soon";
  }
}

}  // namespace
}  // namespace ludens::gdl
