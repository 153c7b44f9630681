#include "gdl/network/passes/passes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "gdl/network/build.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/gdl/network/simulate.h"

namespace ludens::gdl {
namespace {

Network network_of(std::string text) {
  auto grounded = testing::ground_text(std::move(text));
  const auto& program = std::get<GroundProgram>(grounded);
  Vocabulary vocabulary(program.flat.rules);
  return std::get<Network>(build_network(program, vocabulary, {}));
}

std::string bundled(const std::string& name) {
  std::ifstream file(std::filesystem::path(LUDENS_SOURCE_DIR) / "config" / "games" /
                     (name + ".kif"));
  return {std::istreambuf_iterator<char>(file), {}};
}

/// 64 random playouts in step on the network, with what it says of every state.
class Playouts {
 public:
  explicit Playouts(const Network& network) : network_(network) {
    for (const Network::Fluent& f : network.fluents) in.fluents[f.id] = f.initially ? ~0ULL : 0;
  }

  /// Chooses a legal move for each role and lane.
  void choose(Rng& rng) {
    for (const Network::Move& m : network_.moves) in.moves[{m.role, m.id}] = 0;
    const auto v = testing::simulate(network_, in);
    for (int lane = 0; lane < 64; ++lane) {
      for (RoleIndex r = 0; r < network_.roles(); ++r) {
        std::vector<MoveId> legal;
        for (const Network::Move& m : network_.moves) {
          if (m.role == r && (testing::value(v, m.legal) >> lane & 1) != 0) legal.push_back(m.id);
        }
        if (legal.empty()) continue;
        in.moves[{r, legal[rng.below(static_cast<std::uint32_t>(legal.size()))]}] |= 1ULL << lane;
      }
    }
  }

  void step() {
    const auto v = testing::simulate(network_, in);
    testing::Inputs after = in;
    for (const Network::Fluent& f : network_.fluents)
      after.fluents[f.id] = testing::value(v, f.next);
    in = std::move(after);
  }

  testing::Inputs in;

 private:
  const Network& network_;
};

/// `after` says the same as `before` in all states of random playouts. What it leaves out must be
/// dead, never legal, or never different.
void expect_equivalent(const Network& before, const Network& after, std::string_view pass) {
  Rng rng(5);
  Playouts play(before);
  for (int step = 0; step < 40; ++step) {
    play.choose(rng);
    const auto a = testing::simulate(before, play.in), b = testing::simulate(after, play.in);
    ASSERT_EQ(testing::value(a, before.terminal), testing::value(b, after.terminal)) << pass;
    std::map<std::pair<RoleIndex, MoveId>, std::uint64_t> legal;
    for (const Network::Move& m : after.moves) legal[{m.role, m.id}] = testing::value(b, m.legal);
    for (const Network::Move& m : before.moves) {
      ASSERT_EQ(testing::value(a, m.legal), (legal[{m.role, m.id}])) << pass;
    }
    std::map<FluentId, std::uint64_t> next;
    for (const Network::Fluent& f : before.fluents) next[f.id] = testing::value(a, f.next);
    for (const Network::Fluent& f : after.fluents) {
      ASSERT_EQ(testing::value(b, f.next), next[f.id]) << pass;
    }
    for (RoleIndex r = 0; r < before.roles(); ++r) {
      std::map<int, std::uint64_t> goals;
      for (const Network::Goal& g : before.goals[r]) goals[g.value] |= testing::value(a, g.edge);
      for (const Network::Goal& g : after.goals[r]) goals[g.value] ^= testing::value(b, g.edge);
      for (const auto& [value, difference] : goals)
        ASSERT_EQ(difference, 0u) << pass << " goal " << value;
    }
    play.step();
  }
}

class PassesOnBundledGames : public ::testing::TestWithParam<const char*> {};

TEST_P(PassesOnBundledGames, KeepWhatTheNetworkSays) {
  PassOptions options;
  options.inspect = [](std::string_view pass, const Network& before, const Network& after) {
    expect_equivalent(before, after, pass);
  };
  Network network = network_of(bundled(GetParam()));
  ASSERT_FALSE(network.moves.empty());
  optimise(std::move(network), options);
}

INSTANTIATE_TEST_SUITE_P(Games, PassesOnBundledGames,
                         ::testing::Values("tic_tac_toe", "connect_four_small", "nim", "tron",
                                           "pig", "eight_puzzle", "breakthrough_small",
                                           "bidding_tic_tac_toe"));

TEST(DeadFluents, AreRemoved) {
  const Network before = network_of(testing::kHeap);
  EXPECT_EQ(before.fluents.size(), 10u);
  EXPECT_EQ(remove_dead_fluents(before, {}).fluents.size(), 8u);  // without parity
}

TEST(Constants, MovesThatNeverBecomeLegalAreRemoved) {
  // The relaxed program can't see that on and off exclude each other.
  const Network before = network_of(R"((role a) (init on) (<= (next on) (true on)) (legal a go)
    (<= (next off) (does a go) (true on) (true off)) (<= (next off) (true off))
    (<= (legal a hide) (true on) (not (true on))) (<= terminal (not (true on))) (goal a 0))");
  const Network after = propagate_constants(before, {});
  EXPECT_LT(after.fluents.size(), 2u);
}

TEST(Sharing, CommonSubsetsBecomeGates) {
  Network n;
  n.goals.resize(1);
  std::vector<Edge> inputs;
  for (std::uint32_t f = 0; f < 12; ++f) {
    const Edge e = n.gates.add_input(Gates::Kind::Fluent, f);
    n.fluents.push_back({f, node_of(e), kFalse, false});
    inputs.push_back(e);
  }
  for (std::uint32_t k = 0; k < 4; ++k) {  // eight common inputs and one of its own
    std::vector<Edge> gate(inputs.begin(), inputs.begin() + 8);
    gate.push_back(inputs[8 + k]);
    n.fluents[k].next = n.gates.conjunction(gate);
  }
  const Network after = share_wide_gates(n, {});
  EXPECT_EQ(measure(n).two_input, 32u);
  EXPECT_EQ(measure(after).two_input, 7u + 4);
  expect_equivalent(n, after, "share");
}

TEST(Passes, CanBeSkippedByName) {
  std::vector<std::string> run;
  PassOptions options;
  options.skipped = {"share"};
  options.report = [&](const PassReport& r) { run.emplace_back(r.name); };
  optimise(network_of(testing::kHeap), options);
  EXPECT_EQ(run, (std::vector<std::string>{"dead-fluents", "constants"}));
}

}  // namespace
}  // namespace ludens::gdl
