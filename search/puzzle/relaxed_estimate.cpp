// SPDX-License-Identifier: MIT
#include "search/puzzle/relaxed_estimate.h"

#include <algorithm>
#include <utility>

#include "gdl/pipeline/pipeline.h"
#include "gdl/program/footprint.h"
#include "gdl/sliced/machine_network.h"

namespace ludens::search::puzzle {

namespace {

/// The most layers of a state; all longer plays have the same estimate.
constexpr std::uint32_t kMostSteps = 256;
/// The estimate of a state that does not lead to the goal; a lower goal may still be better than
/// the best known.
constexpr std::uint32_t kLast = 2 * kMostSteps;

}  // namespace

gdl::Status RelaxedEstimate::prepare() {
  auto found = gdl::network_of(problem_.machine(), problem_.context().limits);
  if (!found) {
    const bool stopped = found.error().kind == gdl::GroundingFailure::Kind::Stopped;
    return stopped ? gdl::Status::Stopped : gdl::Status::Ok;
  }
  relaxation_.emplace((*found)->network, 0, problem_.highest(), kMostSteps);
  keep(*std::move(found));
  return gdl::Status::Ok;
}

void RelaxedEstimate::keep(gdl::SharedNetwork::Pointer network) {
  const gdl::MachineNetwork* own = problem_.machine().network();
  if (own != nullptr && own->game() == network) return;
  if (held_.reserve(bytes_of(*network), problem_.memory())) network_ = std::move(network);
}

double RelaxedEstimate::moves(gdl::StateView state) {
  double out = 0;
  moves(std::span(&state, 1), std::span(&out, 1));
  return out;
}

void RelaxedEstimate::moves(std::span<const gdl::StateView> states, std::span<double> out) {
  std::ranges::fill(out, 0);
  if (!relaxation_) return;
  for (std::size_t begin = 0; begin < states.size(); begin += gdl::Relaxation::kLanes) {
    const auto some =
        states.subspan(begin).first(std::min(gdl::Relaxation::kLanes, states.size() - begin));
    fluents_.resize(some.size());
    bounds_.resize(some.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto status = problem_.machine().fluents(problem_.context(), some[i], fluents_[i]);
      if (status != gdl::Status::Ok) return;
    }
    if (!relaxation_->look(fluents_, bounds_, problem_.context().limits.stop)) return;
    for (std::size_t i = 0; i < some.size(); ++i) {
      const gdl::Relaxation::LowerBound& bound = bounds_[i];
      const bool never = bound.steps == gdl::Relaxation::kNever;
      const std::uint32_t steps = take_ == Take::Steps ? bound.steps : bound.added;
      out[begin + i] = never ? kLast : steps;
    }
  }
}

}  // namespace ludens::search::puzzle
