// SPDX-License-Identifier: MIT
// Goals beyond 0 to 100, as the rules state them and as searches see them.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "gdl/interpreter/interpreter.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/machine/network_machines.h"

namespace ludens::gdl {
namespace {

TEST(StatedGoals, AreThoseOfTheRulesOnEveryMachine) {
  const auto vocabulary = std::make_shared<Vocabulary>(
      tests::rules_of("(role a) (role b) (role c) (init p) (legal ?r m) (<= terminal (true p))"
                      "(goal a 400) (goal b -40) (next p)"));
  const auto interpreter = make_interpreter(vocabulary);
  tests::NetworkMachines machines = tests::network_machines(vocabulary);
  ASSERT_EQ(machines.refused, "");
  machines.all.push_back(interpreter.get());
  for (const Machine* machine : machines.all) {
    const auto context = machine->make_context();
    State state;
    ASSERT_EQ(machine->initial(*context, state), Status::Ok);
    std::vector<int> goals(3);
    ASSERT_EQ(machine->goals(*context, state, goals), Status::Ok);
    EXPECT_EQ(goals, (std::vector{100, 0, 0})) << machine->name();
    ASSERT_EQ(machine->stated_goals(*context, state, goals), Status::Ok);
    EXPECT_EQ(goals, (std::vector{400, -40, 0})) << machine->name();
  }
}

}  // namespace
}  // namespace ludens::gdl
