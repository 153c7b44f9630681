// SPDX-License-Identifier: MIT
#include "gdl/pipeline/pipeline.h"

#include <chrono>
#include <utility>
#include <vector>

#include "gdl/network/build.h"
#include "gdl/network/exclusion.h"
#include "gdl/network/passes/passes.h"
#include "gdl/network/structure.h"
#include "gdl/sliced/machine_network.h"

namespace ludens::gdl {

namespace {

using Clock = std::chrono::steady_clock;
using Kind = GroundingFailure::Kind;

/// Ground rules of more bytes are not kept; the network takes about as much memory.
constexpr std::size_t kMostGroundBytes = std::size_t{16} << 20;
/// No early machine is made from a smaller network, because the rest then takes a few milliseconds.
constexpr std::size_t kWorthAnEarlyMachine = 1'000;  // nodes

bool stopped(const StopSignal* signal) {
  return signal != nullptr && signal->stop_requested();
}

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Relation by relation: to give back hundreds of megabytes at once takes a while, too.
void drop_rows(GroundProgram& program, const StopSignal* stop) {
  while (!program.tuples.empty() && !stopped(stop)) program.tuples.pop_back();
}

/// What was ground, and the network of it.
struct GroundNetwork {
  GroundProgram program;
  Network network;
  double ground_ms;
};

Result<GroundNetwork, GroundingFailure> ground_and_build(
    const std::shared_ptr<Vocabulary>& vocabulary, const GroundingLimits& limits, BuildForm form) {
  const auto begin = Clock::now();
  vocabulary->network().count_grounding();
  auto program = ground(std::shared_ptr<const Rules>(vocabulary, &vocabulary->rules()), limits);
  if (!program) return program.error();
  const double ground_ms = milliseconds_since(begin);
  auto network = build_network(*program, *vocabulary, limits, form);
  if (!network) return network.error();
  return GroundNetwork{*std::move(program), *std::move(network), ground_ms};
}

/// One run through the stages.
class Run {
 public:
  Run(const std::shared_ptr<Vocabulary>& vocabulary, const PipelineOptions& options)
      : vocabulary_(vocabulary), options_(options), stop_(options.grounding.limits.stop) {
    passes_.stop = stop_;
    passes_.memory = options.grounding.limits.memory;
    passes_.skipped = options.skipped_passes;
    passes_.inspect = options.inspect;
    if (options.report) {
      passes_.report = [this](const PassReport& r) {
        options_.report({r.name, r.after, r.fluents, r.moves, r.milliseconds});
      };
    }
  }

  NetworkOrFailure run() {
    auto built = build();
    if (!built) return built.error();
    return improve(*std::move(built));
  }

  /// All stages after the network is built.
  NetworkOrFailure improve(Network network) {
    auto game = std::make_shared<GameNetwork>();
    game->network = optimise(std::move(network), PassStage::First, passes_);
    if (given_up()) return GroundingFailure{Kind::Stopped, "stopped"};
    if (options_.early) options_.early(game);
    finish(*game);
    if (given_up()) return GroundingFailure{Kind::Stopped, "stopped"};
    return game;
  }

 private:
  [[nodiscard]] bool given_up() const { return stopped(stop_) && !options_.unfinished; }

  Result<Network, GroundingFailure> build() {
    const auto begin = Clock::now();
    auto made = ground_and_build(vocabulary_, options_.grounding, BuildForm::Factored);
    if (!made) return made.error();
    GroundProgram& program = made->program;
    if (options_.report) {
      const double ground_ms = made->ground_ms;
      options_.report({"ground", {}, 0, 0, ground_ms, program.ground_rules});
      report("build", made->network, milliseconds_since(begin) - ground_ms);
    }
    if (bytes_of(program) <= kMostGroundBytes) {
      ground_rules_ = std::make_shared<KeptGroundRules>(std::move(program));
    } else {
      drop_rows(program, stop_);
    }
    return std::move(made->network);
  }

  // The exclusion proof, the later passes, and the structure.
  void finish(GameNetwork& game) {
    const auto begin = Clock::now();
    auto apart = find_groups_apart(game.network, *vocabulary_, stop_);
    for (const auto& group : apart) {
      std::vector<FluentId>& ids = game.observed_exclusions.emplace_back();
      for (const std::uint32_t f : group) ids.push_back(game.network.fluents[f].id);
    }
    passes_.exclusions = find_exclusions(game.network, std::move(apart), stop_);
    report("(exclusion proof)", game.network, milliseconds_since(begin));
    game.network = optimise(std::move(game.network), PassStage::Later, passes_);
    if (given_up()) return;
    game.structure = std::make_shared<const Structure>(
        find_structure(game.network, *vocabulary_, stop_, passes_.exclusions));
    game.ground_rules = std::move(ground_rules_);
  }

  void report(std::string_view stage, const Network& network, double took) {
    if (!options_.report) return;
    options_.report({stage, measure(network), network.fluents.size(), network.moves.size(), took});
  }

  const std::shared_ptr<Vocabulary>& vocabulary_;
  const PipelineOptions& options_;
  const StopSignal* const stop_;
  PassOptions passes_;
  std::shared_ptr<KeptGroundRules> ground_rules_;
};

/// Like `make_network`, for all machines of the vocabulary.
NetworkOrFailure share_network(const std::shared_ptr<Vocabulary>& vocabulary,
                               const PipelineOptions& options) {
  NetworkOrFailure result = GroundingFailure{Kind::Stopped, "stopped"};
  const auto make = [&]() -> std::shared_ptr<const GameNetwork> {
    result = make_network(vocabulary, options);
    return result ? *result : nullptr;
  };
  const StopSignal* stop = options.grounding.limits.stop;
  if (auto game = vocabulary->network().get(stop, make)) return game;
  return result;
}

}  // namespace

NetworkOrFailure make_network(const std::shared_ptr<Vocabulary>& vocabulary,
                              const PipelineOptions& options) {
  return Run(vocabulary, options).run();
}

NetworkOrFailure improve_network(Network network, const std::shared_ptr<Vocabulary>& vocabulary,
                                 const Limits& limits) {
  PipelineOptions options;
  options.grounding.limits = limits;
  return Run(vocabulary, options).improve(std::move(network));
}

NetworkOrFailure network_of(const Machine& machine, const Limits& limits) {
  const MachineNetwork* own = machine.network();
  if (own != nullptr && own->game() != nullptr) return own->game();
  PipelineOptions options;
  options.grounding.limits = limits;
  return share_network(machine.vocabulary(), options);
}

Result<Network, GroundingFailure> plain_network(const Machine& machine, const Limits& limits) {
  GroundingLimits grounding;
  grounding.limits = limits;
  const auto& vocabulary = machine.vocabulary();
  const MachineNetwork* own = machine.network();
  if (own != nullptr && own->game() != nullptr && own->game()->ground_rules != nullptr) {
    auto built = own->game()->ground_rules->build(*vocabulary, grounding, BuildForm::Plain);
    if (built) return *std::move(built);
  }
  auto made = ground_and_build(vocabulary, grounding, BuildForm::Plain);
  if (!made) return made.error();
  return std::move(made->network);
}

Result<std::shared_ptr<const Machine>, GroundingFailure> make_network_machine(
    const std::shared_ptr<Vocabulary>& vocabulary, const NetworkMachineOptions& options,
    const EarlyMachine& early) {
  PipelineOptions stages;
  stages.grounding.limits = options.limits;
  if (early) {
    stages.early = [&](const std::shared_ptr<const GameNetwork>& first) {
      if (first->network.gates.size() < kWorthAnEarlyMachine) return;
      NetworkMachineOptions quick = options;
      quick.form = EvaluationForm::Early;
      auto made = make_network_machine(vocabulary, first, quick);
      if (!made) return;
      early(*std::move(made));
    };
  }
  auto game = share_network(vocabulary, stages);
  if (!game) return game.error();
  return make_network_machine(vocabulary, *std::move(game), options);
}

}  // namespace ludens::gdl
