// SPDX-License-Identifier: MIT
// What rules say of terms that are not roles, on every machine: nobody may do it, nobody gets it.
#include <gtest/gtest.h>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/agreement.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/machine/network_machines.h"

namespace ludens::gdl {
namespace {

class NotRoles : public testing::TestWithParam<const char*> {};

TEST_P(NotRoles, AreTheSameForEveryMachine) {
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(std::string(R"(
    (role white) (role black) (init (step 0))
    (legal white a) (legal white b) (legal black c)
    (<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))
    (<= terminal (true (step 2))) (goal white 50) (goal black 50))") + GetParam()));
  const tests::NetworkMachines machines = tests::network_machines(vocabulary);
  ASSERT_EQ(machines.refused, "");
  Rng rng(4);
  const Agreement result =
      compare_machines(*make_interpreter(vocabulary), machines.all, {.playouts = 3}, rng);
  EXPECT_EQ(result.differences, std::vector<std::string>{});
  EXPECT_EQ(result.playouts, 3U);
}

INSTANTIATE_TEST_SUITE_P(Rules, NotRoles,
                         testing::Values("(legal (f white) go)", "(legal (f white) a)",
                                         "(legal green go)", "(goal (f white) 90)",
                                         "(goal white (v 70))", "(goal green 90)",
                                         "(sees (f white) light)", "(sees green light)"));

}  // namespace
}  // namespace ludens::gdl
