#include "gdl/network/make_network.h"

#include "gdl/network/build.h"

namespace ludens::gdl {

std::variant<Network, GroundingFailure> make_network(const std::shared_ptr<Vocabulary>& vocabulary,
                                                     const GroundingLimits& limits,
                                                     const PassOptions& passes) {
  std::shared_ptr<const Rules> rules(vocabulary, &vocabulary->rules());
  auto grounded = ground(std::move(rules), limits);
  if (auto* failure = std::get_if<GroundingFailure>(&grounded)) return std::move(*failure);
  auto built =
      build_network(std::get<GroundProgram>(std::move(grounded)), *vocabulary, limits.limits);
  if (auto* failure = std::get_if<GroundingFailure>(&built)) return std::move(*failure);
  Network network = optimise(std::get<Network>(std::move(built)), passes);
  if (limits.limits.stop != nullptr && limits.limits.stop->stop_requested()) {
    return GroundingFailure{GroundingFailure::Kind::Stopped, "stopped"};
  }
  return network;
}

}  // namespace ludens::gdl
