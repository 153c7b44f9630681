// SPDX-License-Identifier: MIT
#include "gdl/scalar/engines.h"

#include <chrono>
#include <utility>
#include <vector>

#include "gdl/scalar/playouts.h"

namespace ludens::gdl::scalar {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::milliseconds(1);  // for each engine
constexpr std::uint32_t kStepsAtOnce = 16;  // fewer where a step takes a fraction of a millisecond
/// A pass over more gates than this takes longer than propagating the changes of a move.
constexpr std::size_t kMostPassGates = 50'000;

/// Steps per second in random playouts from the initial state.
double speed_of(const Engine& engine, const Program& program, const Limits& limits) {
  std::vector<std::uint64_t> initial(program.state_words(), 0);
  for (std::size_t f = 0; f < program.initially.size(); ++f) {
    if (program.initially[f]) initial[f / 64] |= std::uint64_t{1} << (f % 64);
  }
  const auto position = engine.position();
  Player player(*position, program.roles());
  player.start(StateView(initial));
  Rng rng(1);
  const std::uint32_t at_once = program.two_input_gates > kMostPassGates ? 1 : kStepsAtOnce;
  double steps = 0;
  const auto begin = Clock::now();
  auto now = begin;
  for (; now - begin < kPatience; now = Clock::now()) {
    if (limits.stop != nullptr && limits.stop->stop_requested()) return 0;
    bool ended = false;
    const std::uint32_t made = player.play(at_once, rng, ended);
    steps += made;
    if (made < at_once) player.start(StateView(initial));
    if (made == 0) break;  // over before it begins
  }
  return steps / std::chrono::duration<double>(now - begin).count();
}

}  // namespace

std::unique_ptr<const Engine> first_engine(const Network& network, const Program& program,
                                           const Limits& limits) {
  auto engine = make_event_engine(network, program, limits.stop);
  return engine != nullptr ? std::move(engine)
                           : make_pass_engine(program, kernel::kLanes64, std::nullopt);
}

std::unique_ptr<const Engine> choose_engine(const Network& network, const Program& program,
                                            const Limits& limits) {
  std::unique_ptr<const Engine> best;
  double speed = -1;
  const auto try_out = [&](std::unique_ptr<const Engine> next) {
    if (next == nullptr) return;
    const double its_speed = speed_of(*next, program, limits);
    if (its_speed <= speed) return;
    speed = its_speed;
    best = std::move(next);
  };
  try_out(make_event_engine(network, program, limits.stop));
  if (best != nullptr && program.two_input_gates > kMostPassGates) return best;
  try_out(make_pass_engine(program, kernel::kLanes64, std::nullopt));
  for (const std::size_t lanes : {256, 512}) {
    const kernel::Kernel* kernel = kernel::find(lanes);
    if (kernel == nullptr) continue;
    if (auto code = native::generate(program, lanes, limits)) {
      try_out(make_pass_engine(program, *kernel, std::move(code)));
    }
  }
  return best;
}

}  // namespace ludens::gdl::scalar
