#include "gdl/pipeline/make_network.h"

#include "gdl/network/build.h"
#include "gdl/network/exclusion.h"

namespace ludens::gdl {

namespace {

bool stopped(const StopSignal* signal) {
  return signal != nullptr && signal->stop_requested();
}

}  // namespace

std::variant<Network, GroundingFailure> make_first_network(
    const std::shared_ptr<Vocabulary>& vocabulary, const GroundingLimits& limits,
    const PassOptions& passes) {
  std::shared_ptr<const Rules> rules(vocabulary, &vocabulary->rules());
  auto grounded = ground(std::move(rules), limits);
  if (auto* failure = std::get_if<GroundingFailure>(&grounded)) return std::move(*failure);
  auto built = build_network(std::get<GroundProgram>(grounded), *vocabulary, limits);
  // Relation by relation: to give back hundreds of megabytes at once takes a while, too.
  auto& tuples = std::get<GroundProgram>(grounded).tuples;
  while (!tuples.empty() && !stopped(limits.limits.stop)) tuples.pop_back();
  if (auto* failure = std::get_if<GroundingFailure>(&built)) return std::move(*failure);
  Network network = optimise(std::get<Network>(std::move(built)), PassStage::First, passes);
  if (stopped(limits.limits.stop)) {
    return GroundingFailure{GroundingFailure::Kind::Stopped, "stopped"};
  }
  return network;
}

Network improve_network(Network first, const Vocabulary& vocabulary, PassOptions& passes) {
  if (!passes.exclusions) passes.exclusions = find_exclusions(first, vocabulary, passes.stop);
  return optimise(std::move(first), PassStage::Later, passes);
}

std::variant<Network, GroundingFailure> make_network(const std::shared_ptr<Vocabulary>& vocabulary,
                                                     const GroundingLimits& limits,
                                                     PassOptions passes) {
  auto first = make_first_network(vocabulary, limits, passes);
  if (auto* failure = std::get_if<GroundingFailure>(&first)) return std::move(*failure);
  Network network = improve_network(std::get<Network>(std::move(first)), *vocabulary, passes);
  if (stopped(limits.limits.stop)) {
    return GroundingFailure{GroundingFailure::Kind::Stopped, "stopped"};
  }
  return network;
}

}  // namespace ludens::gdl
