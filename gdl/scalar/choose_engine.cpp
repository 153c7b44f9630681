// SPDX-License-Identifier: MIT
// The trial that decides which engine plays a game.
#include "gdl/scalar/engines.h"

#include <utility>
#include <vector>

#include "gdl/scalar/playouts.h"

namespace ludens::gdl::scalar {

namespace {

constexpr auto kPatience = std::chrono::milliseconds(1);  // for each engine
constexpr std::uint32_t kStepsAtOnce = 16;  // fewer where a step takes a fraction of a millisecond
/// A pass over more gates than this takes longer than propagating the changes of a move.
constexpr std::size_t kMostPassGates = 50'000;

}  // namespace

double steps_per_second(const Engine& engine, const Program& program, const StopSignal* stop,
                        const std::function<Clock::time_point()>& now) {
  const std::vector<std::uint64_t> initial = program.initial_words();
  const auto position = engine.position();
  Player player(*position, program.roles());
  player.start(StateView(initial));
  Rng rng(1);
  const std::uint32_t at_once = program.two_input_gates > kMostPassGates ? 1 : kStepsAtOnce;
  const auto play = [&] {
    bool ended = false;
    const std::uint32_t made = player.play(at_once, rng, ended);
    if (made < at_once) player.start(StateView(initial));
    return made;
  };
  play();
  double steps = 0;
  const auto begin = now();
  auto end = begin;
  for (; end - begin < kPatience; end = now()) {
    if (stop != nullptr && stop->stop_requested()) return 0;
    const std::uint32_t made = play();
    steps += made;
    if (made == 0) break;  // over before it begins
  }
  return steps > 0 ? steps / std::chrono::duration<double>(end - begin).count() : 0;
}

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
    const double its_speed = steps_per_second(*next, program, limits.stop);
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
