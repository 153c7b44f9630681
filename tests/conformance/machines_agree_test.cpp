// Every machine on every bundled game, compared with the interpreter: random playouts step by step,
// numbers of paths, mean goals. All public games: `ludens agree ../shared/games/*.kif`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/agreement.h"
#include "server/game/rulesheet.h"
#include "tests/gdl/machine/network_machines.h"

namespace ludens::server {
namespace {

using gdl::Machine;
using gdl::Status;

std::vector<std::string> bundled_games() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(LUDENS_SOURCE_DIR "/config/games")) {
    if (entry.path().extension() == ".kif") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

/// The interpreter, and the network machines that this processor can run.
struct Machines {
  explicit Machines(const std::string& game) {
    const auto text = read_file(LUDENS_SOURCE_DIR "/config/games/" + game + ".kif");
    const Rulesheet sheet = read_rulesheet(game, std::get<std::string>(text));
    const auto vocabulary = std::make_shared<gdl::Vocabulary>(sheet.rules);
    interpreter = gdl::make_interpreter(vocabulary);
    made = gdl::testing::network_machines(vocabulary);
    EXPECT_EQ(made.refused, "") << game;
  }
  std::shared_ptr<const Machine> interpreter;
  gdl::testing::NetworkMachines made;
};

std::string name(const Machine& machine) {
  return std::string(machine.name()) + " " + std::to_string(machine.preferred_batch());
}

/// Paths of joint moves of this length from the walker's state.
std::uint64_t paths(gdl::Walker& walker, std::size_t roles, unsigned depth) {
  bool ended = false;
  EXPECT_EQ(walker.terminal(ended), Status::Ok);
  if (depth == 0 || ended) return depth == 0 ? 1 : 0;
  std::vector<std::vector<gdl::MoveId>> legal(roles);
  std::uint64_t joint_moves = 1;
  for (gdl::RoleIndex r = 0; r < roles; ++r) {
    EXPECT_EQ(walker.legal(r, legal[r]), Status::Ok);
    joint_moves *= legal[r].size();
  }
  std::uint64_t sum = 0;
  std::vector<gdl::MoveId> move(roles);
  for (std::uint64_t j = 0; j < joint_moves; ++j) {
    std::uint64_t rest = j;
    for (gdl::RoleIndex r = 0; r < roles; ++r) {
      move[r] = legal[r][rest % legal[r].size()];
      rest /= legal[r].size();
    }
    EXPECT_EQ(walker.step(move), Status::Ok);
    sum += paths(walker, roles, depth - 1);
    walker.undo();
  }
  return sum;
}

std::uint64_t perft(const Machine& machine, unsigned depth) {
  const auto context = machine.make_context();
  const auto walker = machine.walker(*context);
  gdl::State initial;
  EXPECT_EQ(machine.initial(*context, initial), Status::Ok);
  EXPECT_EQ(walker->reset(initial), Status::Ok);
  return paths(*walker, machine.role_count(), depth);
}

class BundledGames : public testing::TestWithParam<std::string> {};

TEST_P(BundledGames, AllMachinesAgreeAtEachStepAndCountTheSamePaths) {
  const Machines machines(GetParam());
  gdl::Rng rng(3);
  gdl::AgreementOptions options;
  options.playouts = 2;
  options.step_cap = 30;
  const auto result = compare_machines(*machines.interpreter, machines.made.all, options, rng);
  EXPECT_EQ(result.differences, std::vector<std::string>{});
  EXPECT_EQ(result.playouts, options.playouts);
  // As deep as a few hundred paths go.
  unsigned depth = 1;
  std::uint64_t expected = perft(*machines.interpreter, depth);
  for (; depth < 4 && expected < 100; ++depth) expected = perft(*machines.interpreter, depth + 1);
  for (const Machine* machine : machines.made.all) {
    EXPECT_EQ(perft(*machine, depth), expected) << name(*machine) << ", depth " << depth;
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, BundledGames, testing::ValuesIn(bundled_games()),
                         [](const auto& game) { return game.param; });

/// Mean of the first role's goal, and the standard error of that.
std::pair<double, double> mean_goal(const Machine& machine, std::uint32_t playouts) {
  const auto context = machine.make_context();
  gdl::State initial;
  EXPECT_EQ(machine.initial(*context, initial), Status::Ok);
  const std::vector<gdl::StateView> starts(playouts, initial);
  gdl::PlayoutSums sums;
  gdl::Rng rng(5);
  EXPECT_EQ(machine.playouts(*context, starts, {}, rng, sums), Status::Ok);
  double sum = 0, squares = 0;
  for (std::uint32_t p = 0; p < playouts; ++p) {
    const auto goal = static_cast<double>(sums.goals[p * machine.role_count()]);
    sum += goal;
    squares += goal * goal;
  }
  const double mean = sum / playouts;
  return {mean, std::sqrt((squares / playouts - mean * mean) / playouts)};
}

class MeanGoals : public testing::TestWithParam<const char*> {};

TEST_P(MeanGoals, AreTheSameOnAllMachines) {
  const Machines machines(GetParam());
  const auto [expected, error] = mean_goal(*machines.interpreter, 400);
  for (const Machine* machine : machines.made.all) {
    const auto [mean, own_error] = mean_goal(*machine, machine->preferred_batch() > 1 ? 4000 : 400);
    EXPECT_LE(std::abs(mean - expected), 4 * std::hypot(error, own_error)) << name(*machine);
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, MeanGoals,
                         testing::Values("tic_tac_toe", "connect_four_small", "breakthrough_small",
                                         "pig", "goofspiel"),
                         [](const auto& game) { return std::string(game.param); });

}  // namespace
}  // namespace ludens::server
