// SPDX-License-Identifier: MIT
// Every machine on every bundled game, compared with the interpreter: random playouts step by step,
// numbers of paths, mean goals. All public games: `ludens agree ../shared/games/*.kif`.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/agreement.h"
#include "gdl/text/file.h"
#include "server/game/bundled_games.h"
#include "server/game/rulesheet.h"
#include "tests/gdl/machine/network_machines.h"
#include "tests/project_folder.h"

namespace ludens::server {
namespace {

using gdl::Machine;
using gdl::Status;

std::vector<std::string> names_of_games() {
  std::vector<std::string> names;
  for (const auto& file : bundled_games()) names.push_back(file.stem());
  return names;
}

/// The interpreter, and the network machines that this processor can run.
struct Machines {
  explicit Machines(const std::string& game) {
    const auto text = gdl::read_file(bundled_game(game).value());
    const Rulesheet sheet = read_rulesheet(game, *text);
    const auto vocabulary = std::make_shared<gdl::Vocabulary>(sheet.rules);
    interpreter = gdl::make_interpreter(vocabulary);
    made = gdl::tests::network_machines(vocabulary);
    EXPECT_EQ(made.refused, "") << game;
  }
  std::shared_ptr<const Machine> interpreter;
  gdl::tests::NetworkMachines made;
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

INSTANTIATE_TEST_SUITE_P(Machines, BundledGames, testing::ValuesIn(names_of_games()),
                         [](const auto& game) { return game.param; });

/// How much is played to compare mean goals. LUDENS_FULL_SIZE=60 in the environment asks for all
/// bundled games, a million playouts of the sliced machines, a tenth of it of the scalar one, and
/// as many as the interpreter plays in 60 seconds.
struct Sample {
  std::uint32_t sliced = 4000, scalar = 400, interpreter = 400;
  double seconds = 1e9;
};

const char* full_size() {
  return std::getenv("LUDENS_FULL_SIZE");
}

Sample sample_size() {
  if (full_size() == nullptr) return {};
  return {1'000'000, 100'000, 1'000'000, std::strtod(full_size(), nullptr)};
}

struct Means {
  std::vector<double> mean, error;  // [role]: of the goal, and its standard error
  std::uint32_t playouts = 0;
};

/// The means of whole calls, until this many playouts were made or the time is over; at least a
/// hundred.
Means mean_goals(const Machine& machine, std::uint32_t playouts, double seconds) {
  constexpr std::uint32_t kAtLeast = 100, kAtOnce = 4000;
  const auto start = std::chrono::steady_clock::now();
  const auto context = machine.make_context();
  gdl::State initial;
  EXPECT_EQ(machine.initial(*context, initial), Status::Ok);
  const std::size_t roles = machine.role_count();
  std::vector<double> sum(roles, 0), squares(roles, 0);
  gdl::PlayoutSums sums;
  gdl::Rng rng(5);
  Means out;
  const auto time_left = [&] {
    return std::chrono::steady_clock::now() - start < std::chrono::duration<double>(seconds);
  };
  while (out.playouts < playouts && (out.playouts < kAtLeast || time_left())) {
    const std::uint32_t now = machine.preferred_batch() > 1 ? kAtOnce : kAtLeast;
    const std::vector<gdl::StateView> starts(std::min(now, playouts - out.playouts), initial);
    EXPECT_EQ(machine.playouts(*context, starts, {}, rng, sums), Status::Ok);
    out.playouts += static_cast<std::uint32_t>(starts.size());
    for (std::size_t i = 0; i < sums.goals.size(); ++i) {
      const auto goal = static_cast<double>(sums.goals[i]);
      sum[i % roles] += goal;
      squares[i % roles] += goal * goal;
    }
  }
  for (std::size_t r = 0; r < roles; ++r) {
    const double mean = sum[r] / out.playouts;
    out.mean.push_back(mean);
    out.error.push_back(
        std::sqrt(std::max(0.0, squares[r] / out.playouts - mean * mean) / out.playouts));
  }
  return out;
}

class MeanGoals : public testing::TestWithParam<std::string> {};

TEST_P(MeanGoals, AreTheSameOnAllMachines) {
  const Machines machines(GetParam());
  const Sample size = sample_size();
  const Means expected = mean_goals(*machines.interpreter, size.interpreter, size.seconds);
  for (const Machine* machine : machines.made.all) {
    const bool batches = machine->preferred_batch() > 1;
    const Means got = mean_goals(*machine, batches ? size.sliced : size.scalar, 1e9);
    for (std::size_t r = 0; r < got.mean.size(); ++r) {
      // A role that always had the same goal has no error, but may have another one once.
      const double rare = 100.0 * 4 / expected.playouts;
      const double most = 4 * std::hypot(expected.error[r], got.error[r]);
      EXPECT_LE(std::abs(got.mean[r] - expected.mean[r]), std::max(most, rare))
          << name(*machine) << ", role " << r << ", " << expected.playouts << " and "
          << got.playouts << " playouts";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, MeanGoals,
    testing::ValuesIn(full_size() != nullptr
                          ? names_of_games()
                          : std::vector<std::string>{"tic_tac_toe", "connect_four_small",
                                                     "breakthrough_small", "pig", "goofspiel"}),
    [](const auto& game) { return std::string(game.param); });

}  // namespace
}  // namespace ludens::server
