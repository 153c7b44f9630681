// SPDX-License-Identifier: MIT
// Playouts, expansion, steps one by one and hashes of states, of any games on any machines:
//
//     ludens_bench [--benchmark_...] [MACHINE...] GAME...
//
// MACHINE is a name from `ludens --help` (default: sliced), GAME a rulesheet or a bundled game.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "gdl/registry/machines.h"
#include "server/game/bundled_games.h"

namespace ludens {
namespace {

using gdl::Machine;
using gdl::Status;

void play_out(benchmark::State& timer, const Machine& machine, std::uint32_t starts) {
  const auto context = machine.make_context();
  gdl::State initial;
  (void)machine.initial(*context, initial);
  const std::vector<gdl::StateView> from(starts, initial);
  const auto batch = static_cast<std::uint32_t>(machine.preferred_batch());
  gdl::PlayoutOptions options;
  // Long enough for the idle lanes at the end of a call not to count.
  options.per_start = std::max(1U, (machine.gates() > 100'000 ? 4 : 64) * batch / starts);
  gdl::Rng rng(1);
  gdl::PlayoutSums sums;
  std::uint64_t steps = 0;
  for (auto _ : timer) {
    if (machine.playouts(*context, from, options, rng, sums) != Status::Ok) {
      return timer.SkipWithError("over budget");
    }
    steps += sums.steps;
  }
  timer.counters["steps"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

/// States and joint moves of random playouts, contiguous in memory.
class Pairs {
 public:
  Pairs(const Machine& machine, Machine::Context& context, std::size_t count) {
    const std::size_t roles = machine.role_count();
    gdl::Rng rng(2);
    gdl::State now, after;
    std::vector<gdl::MoveId> legal, joint(roles);
    states_.clear();
    bool over = true;
    while (states_.size() < count) {
      if (over) (void)machine.initial(context, now);
      (void)machine.terminal(context, now, over);
      for (gdl::RoleIndex r = 0; r < roles && !over; ++r) {
        (void)machine.legal(context, now, r, legal);
        over = legal.empty();
        if (!over) joint[r] = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
      }
      if (over) continue;
      states_.push_back(now);
      moves_.insert(moves_.end(), joint.begin(), joint.end());
      (void)machine.next(context, now, joint, after);
      std::swap(now, after);
    }
    for (std::size_t i = 0; i < count; ++i) {
      pairs.push_back({states_[i], std::span(moves_).subspan(i * roles, roles)});
    }
  }

  std::vector<gdl::StateMove> pairs;

 private:
  gdl::StateBatch states_;
  std::vector<gdl::MoveId> moves_;
};

void expand(benchmark::State& timer, const Machine& machine) {
  const auto context = machine.make_context();
  const Pairs questions(machine, *context, machine.preferred_batch());
  gdl::Expansion out;
  std::uint64_t states = 0;
  std::chrono::duration<double> shortest{1e9};
  for (auto _ : timer) {
    const auto start = std::chrono::steady_clock::now();
    if (machine.expand(*context, questions.pairs, out) != Status::Ok) {
      return timer.SkipWithError("over budget");
    }
    shortest =
        std::min<std::chrono::duration<double>>(shortest, std::chrono::steady_clock::now() - start);
    states += questions.pairs.size();
  }
  // An undisturbed batch, for machines that are never quiet.
  timer.counters["best"] = static_cast<double>(questions.pairs.size()) / shortest.count();
  timer.counters["states"] =
      benchmark::Counter(static_cast<double>(states), benchmark::Counter::kIsRate);
}

/// One random step after the other, as a depth-first search makes them, and all of them back.
void walk(benchmark::State& timer, const Machine& machine) {
  const auto context = machine.make_context();
  const auto walker = machine.walker(*context);
  gdl::State initial;
  (void)machine.initial(*context, initial);
  (void)walker->reset(initial);
  std::vector<gdl::MoveId> legal, joint(machine.role_count());
  gdl::Rng rng(3);
  std::uint64_t steps = 0, depth = 0;
  for (auto _ : timer) {
    bool over = false;
    (void)walker->terminal(over);
    for (gdl::RoleIndex r = 0; r < joint.size() && !over; ++r) {
      (void)walker->legal(r, legal);
      over = legal.empty();
      if (!over) joint[r] = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
    }
    if (over) {
      while (depth > 0) walker->undo(), --depth;
    } else if (walker->step(joint) == Status::Ok) {
      ++depth;
      ++steps;
    }
  }
  timer.counters["steps"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

void hash_states(benchmark::State& timer, const Machine& machine) {
  const auto context = machine.make_context();
  const Pairs visited(machine, *context, 512);
  std::size_t i = 0;
  for (auto _ : timer) {
    benchmark::DoNotOptimize(gdl::hash(visited.pairs[i].state));
    i = (i + 1) % visited.pairs.size();
  }
  timer.counters["words"] = static_cast<double>(visited.pairs.front().state.words().size());
}

/// A sentence if the game can't be had.
std::string add_benchmarks(const std::string& game, const std::string& machine_name) {
  const auto loaded = server::load_game(game);
  if (!loaded) return loaded.error().text;
  const auto& sheet = *loaded;
  const auto made = gdl::make_machine(machine_name, std::make_shared<gdl::Vocabulary>(sheet.rules));
  if (!made) return game + ": " + made.error().text;
  const auto machine = *made;
  const std::string name = sheet.name + "/" + machine_name;
  for (const std::uint32_t starts : {1U, 16U}) {
    const std::string suffix = "/playouts/" + std::to_string(starts);
    benchmark::RegisterBenchmark((name + suffix).c_str(), [machine, starts](benchmark::State& t) {
      play_out(t, *machine, starts);
    });
  }
  // Names itself /threads:2; rates are those of one thread, by its processor time.
  benchmark::RegisterBenchmark((name + "/playouts").c_str(), [machine](benchmark::State& t) {
    play_out(t, *machine, 1);
  })->Threads(2);
  benchmark::RegisterBenchmark((name + "/expand").c_str(),
                               [machine](benchmark::State& t) { expand(t, *machine); });
  benchmark::RegisterBenchmark((name + "/walk").c_str(),
                               [machine](benchmark::State& t) { walk(t, *machine); });
  benchmark::RegisterBenchmark((name + "/hash").c_str(),
                               [machine](benchmark::State& t) { hash_states(t, *machine); });
  return "";
}

}  // namespace
}  // namespace ludens

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::vector<std::string> machines, games;
  for (int i = 1; i < argc; ++i) {
    const bool is_machine = ludens::gdl::find_machine_kind(argv[i]).has_value();
    (is_machine ? machines : games).emplace_back(argv[i]);
  }
  if (machines.empty()) machines.emplace_back("sliced");
  for (const std::string& game : games) {
    for (const std::string& machine : machines) {
      const std::string failure = ludens::add_benchmarks(game, machine);
      if (!failure.empty()) std::cerr << "ludens_bench: " << failure << '\n';
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
