// SPDX-License-Identifier: MIT
// Joint steps a second of environments:
//
//     ludens_environment_bench GAME.kif... [slots=8192] [threads=1] [seconds=1] [restart=next|once]
//
// Actions are random legal ones, drawn beforehand and given by the caller; a round of 64 steps is
// repeated from the start with the same seed. Columns: milliseconds from text to machine and from
// there to the first step; then M steps/s with states and masks as bits out, with states as bytes
// and masks as bits, and with random actions chosen inside.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/environment/vector_environment.h"
#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"

namespace {

using namespace ludens::gdl;
using Clock = std::chrono::steady_clock;

constexpr int kRound = 64;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Settings {
  unsigned slots = 8192, threads = 1, seconds = 1;
  Restart restart = Restart::NextStep;
};

struct Arrays {
  explicit Arrays(const VectorEnvironment& e)
      : game(*e.game()),
        states(e.slots() * game.state_plan().words()),
        masks(e.slots() * game.mask_plan().words()),
        bytes(e.slots() * game.state_plan().size()),
        rewards(e.slots() * game.player_count()),
        terminated(e.slots()),
        truncated(e.slots()) {}
  StepResults results() { return {rewards.data(), terminated.data(), truncated.data()}; }
  std::vector<View> bits() {
    return {{&game.state_plan(), RowForm::Bits, states.data()},
            {&game.mask_plan(), RowForm::Bits, masks.data()}};
  }
  std::vector<View> spread() {
    return {{&game.state_plan(), RowForm::Bytes, bytes.data()},
            {&game.mask_plan(), RowForm::Bits, masks.data()}};
  }

  const EnvironmentGame& game;
  std::vector<std::uint64_t> states, masks;
  std::vector<std::uint8_t> bytes;
  std::vector<float> rewards;
  std::vector<std::uint8_t> terminated, truncated;
};

/// The best round of as many as there is time for.
template <typename Round>
double rate(VectorEnvironment& environment, unsigned seconds, Round round) {
  double best = 0;
  const auto start = Clock::now();
  do {
    environment.reset(1);
    const std::uint64_t before = environment.steps();
    const auto begin = Clock::now();
    round();
    best = std::max(best, static_cast<double>(environment.steps() - before) / seconds_since(begin));
  } while (seconds_since(start) < seconds);
  return best / 1e6;
}

void measure(const char* file, const Settings& settings) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto start = Clock::now();
  const auto vocabulary =
      std::make_shared<Vocabulary>(read_rules(std::move(text)).normalised.rules);
  const auto machine = make_machine("auto", vocabulary);
  if (!machine) {
    std::printf("| %s | %s |\n", file, machine.error().text.c_str());
    return;
  }
  const double machine_ms = seconds_since(start) * 1e3;
  auto game = EnvironmentGame::make(*machine);
  if (!game) {
    std::printf("| %s | %s |\n", file, game.error().text.c_str());
    return;
  }
  VectorEnvironment environment(
      *game, {.slots = settings.slots, .threads = settings.threads, .restart = settings.restart});
  Arrays arrays(environment);
  std::vector<std::vector<std::int32_t>> actions(kRound);
  double first_ms = 0;
  environment.reset(1);
  for (auto& row : actions) {
    row.resize(settings.slots * (*game)->player_count());
    environment.draw(row.data());
    (void)environment.step(row.data(), arrays.results(), arrays.bits());
    if (first_ms == 0) first_ms = seconds_since(start) * 1e3;
  }
  const auto given = [&](const std::vector<View>& views) {
    return rate(environment, settings.seconds, [&] {
      for (const auto& row : actions) (void)environment.step(row.data(), arrays.results(), views);
    });
  };
  const double bits = given(arrays.bits()), bytes = given(arrays.spread());
  const double rolled =
      rate(environment, settings.seconds, [&] { environment.roll(kRound, arrays.results(), {}); });
  std::string_view name = file;
  name.remove_prefix(std::min(name.rfind('/') + 1, name.size()));
  name.remove_suffix(name.size() - std::min(name.rfind('.'), name.size()));
  std::printf("| %.*s | %.1f | %.1f | %zu | %zu | %.1f | %.1f | %.1f |\n",
              static_cast<int>(name.size()), name.data(), machine_ms, first_ms,
              (*game)->state_plan().size(), (*game)->mask_plan().size(), bits, bytes, rolled);
  std::fflush(stdout);
}

bool take(std::string_view argument, std::string_view name, unsigned& value) {
  if (!argument.starts_with(name)) return false;
  argument.remove_prefix(name.size());
  std::from_chars(argument.data(), argument.data() + argument.size(), value);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  std::vector<const char*> games;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "restart=once") {
      settings.restart = Restart::AtOnce;
    } else if (!take(argument, "slots=", settings.slots) &&
               !take(argument, "threads=", settings.threads) &&
               !take(argument, "seconds=", settings.seconds) && argument != "restart=next") {
      games.push_back(argv[i]);
    }
  }
  std::puts("| game | machine ms | first step ms | fluents | actions | bits | bytes | inside |");
  std::puts("|---|---|---|---|---|---|---|---|");
  for (const char* game : games) measure(game, settings);
}
