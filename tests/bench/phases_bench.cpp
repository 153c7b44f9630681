// SPDX-License-Identifier: MIT
// What one evaluation of a game's network costs, interpreted and as generated code, in cycles of
// the time stamp counter for each gate of two inputs, and what one state at a time plays:
//
//     ludens_phases_bench GAME...
//
// GAME is a rulesheet or a bundled game. The least of many evaluations counts, and processor time
// for the playouts, so that a loaded machine does little harm.
#include <time.h>
#include <x86intrin.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "gdl/machine/rng.h"
#include "gdl/native/generate.h"
#include "gdl/pipeline/pipeline.h"
#include "gdl/program/registers.h"
#include "gdl/scalar/engines.h"
#include "gdl/scalar/playouts.h"
#include "server/game/bundled_games.h"

namespace ludens {
namespace {

using gdl::Network;
using gdl::Phase;
using gdl::Program;

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

std::size_t two_input_gates(const gdl::kernel::Phase& phase) {
  std::size_t gates = 0;
  for (std::size_t i = 0; i < phase.run_count; ++i) {
    const gdl::kernel::Run& run = phase.runs[i];
    gates += std::size_t{run.plain + run.complemented - 1} * run.count;
  }
  return gates;
}

/// Cycles of a Status and a Next.
std::uint64_t cycles(const gdl::kernel::Kernel& kernel, const gdl::kernel::Phase& status,
                     const gdl::kernel::Phase& next, void* slots) {
  std::uint64_t least = ~std::uint64_t{0};
  const double end = processor_seconds() + 0.1;
  for (int round = 0; round < 5 || processor_seconds() < end; ++round) {
    const std::uint64_t start = __rdtsc();
    kernel.evaluate(status, slots);
    kernel.evaluate(next, slots);
    least = std::min<std::uint64_t>(least, __rdtsc() - start);
  }
  return least;
}

void measure_lanes(const Program& program, std::size_t lanes) {
  const gdl::kernel::Kernel* kernel = gdl::kernel::find(lanes);
  if (kernel == nullptr) return;
  const auto code = gdl::native::generate(program, lanes, {});
  gdl::Registers slots;
  slots.allocate(std::max(program.slots, code ? code->slots() : 0) * lanes / 8, nullptr);
  gdl::Rng rng(1);
  auto* words = static_cast<std::uint64_t*>(slots.data());
  for (std::size_t w = 0; w < program.fluents.size() * lanes / 64; ++w) words[w] = rng();
  auto status = program.phase(Phase::Status), next = program.phase(Phase::Next);
  const auto gates = static_cast<double>(two_input_gates(status) + two_input_gates(next));
  const auto interpreted = static_cast<double>(cycles(*kernel, status, next, slots.data()));
  std::printf(" | %zu: %.2f", lanes, interpreted / gates);
  if (!code) return;
  status.native = code->phase(Phase::Status);
  next.native = code->phase(Phase::Next);
  const auto generated = static_cast<double>(cycles(*kernel, status, next, slots.data()));
  std::printf(" %.2f", generated / gates);
}

void measure_engine(const Program& program, std::unique_ptr<gdl::scalar::Engine> engine) {
  if (engine == nullptr) return;
  std::vector<std::uint64_t> initial(program.state_words(), 0);
  for (std::size_t f = 0; f < program.initially.size(); ++f) {
    if (program.initially[f]) initial[f / 64] |= std::uint64_t{1} << (f % 64);
  }
  const auto position = engine->position();
  gdl::scalar::Player player(*position, program.roles());
  gdl::Rng rng(1);
  double steps = 0;
  const double start = processor_seconds();
  double now = start;
  for (; now - start < 0.2; now = processor_seconds()) {
    bool ended = false;
    player.start(gdl::StateView(initial));
    steps += player.play(1000, rng, ended);
  }
  std::printf(" | %s %.3f", std::string(engine->name()).c_str(), steps / (now - start) / 1e6);
}

bool measure(const std::string& game) {
  const auto loaded = server::load_game(game);
  if (!loaded) return false;
  const auto vocabulary = std::make_shared<gdl::Vocabulary>(loaded->rules);
  const auto made = gdl::make_network(vocabulary);
  if (!made) return false;
  const Network& network = (*made)->network;
  const auto compiled = gdl::compile(network);
  if (!compiled) return false;
  std::printf("%-24s %7zu gates", loaded->name.c_str(), compiled->two_input_gates);
  for (const std::size_t lanes : {512, 256}) measure_lanes(*compiled, lanes);
  std::printf(" cycles | M steps/s");
  if (const auto* kernel = gdl::kernel::find(256)) {
    if (auto code = gdl::native::generate(*compiled, 256, {}))
      measure_engine(*compiled, gdl::scalar::make_pass_engine(*compiled, *kernel, std::move(code)));
  }
  measure_engine(*compiled, gdl::scalar::make_event_engine(network, *compiled));
  std::printf("\n");
  std::fflush(stdout);
  return true;
}

}  // namespace
}  // namespace ludens

int main(int argc, char** argv) {
  bool all = argc > 1;
  for (int i = 1; i < argc; ++i) {
    if (ludens::measure(argv[i])) continue;
    std::fprintf(stderr, "%s: no network\n", argv[i]);
    all = false;
  }
  return all ? 0 : 1;
}
