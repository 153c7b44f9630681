// SPDX-License-Identifier: MIT
// The public rulesheets of games with hidden information against recorded playouts: states, moves,
// goals and what each role perceives. The same by hand: `ludens conform RULES TRACES --machine M`.
#include <gtest/gtest.h>

#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "tests/conformance/recorded_games.h"
#include "tests/project_folder.h"

namespace ludens::server {
namespace {

void expect_percepts(const std::string& machine) {
  const auto make = [&](const std::string& text) {
    const auto rules = gdl::read_rules(text).normalised.rules;
    return gdl::make_machine(machine, std::make_shared<gdl::Vocabulary>(rules)).value();
  };
  expect_agreement(project_folder() + "/../shared/gdl2", ".kif", make, true);
}

TEST(PerceptTraces, OfTheInterpreter) {
  expect_percepts("interpreter");
}
TEST(PerceptTraces, OfOneStateAtATime) {
  expect_percepts("scalar");
}
TEST(PerceptTraces, OfManyStatesAtOnce) {
  expect_percepts("sliced");
}

}  // namespace
}  // namespace ludens::server
