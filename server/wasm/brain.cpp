// SPDX-License-Identifier: MIT
#include "server/wasm/brain.h"

#include <chrono>
#include <exception>
#include <utility>

#include "agent/reasoner/acceleration.h"
#include "search/registry/registry.h"

namespace ludens::server::wasm {
namespace {

constexpr std::chrono::milliseconds kBetweenTellings{100};

}  // namespace

Brain::Brain(std::size_t memory_bytes, Told told, search::StrategySpec spec)
    : told_(std::move(told)), spec_(std::move(spec)), memory_(memory_bytes) {}

std::unique_ptr<search::Strategy> Brain::make() {
  search::Resources resources;
  resources.memory = &memory_;
  return agent::accelerate(search::make_known_strategy(spec_.name, spec_.options, resources), spec_,
                           &memory_);
}

std::optional<search::Choice> Brain::think(const search::Position& position,
                                           const search::Deadline& until) {
  if (history_ != position.history) known_.reset();
  history_ = position.history;
  auto next_telling = search::TimePoint::min();
  search::Incumbent incumbent([&](bool /*last*/) {
    const auto now = std::chrono::steady_clock::now();
    if (!told_ || now < next_telling) return;
    next_telling = now + kBetweenTellings;
    told_(*incumbent.get());
  });
  try {
    if (strategy_ == nullptr) strategy_ = make();
    strategy_->think(position, until, incumbent);
  } catch (const std::exception&) {  // no memory: what it published remains
    strategy_.reset();
  }
  if (auto found = incumbent.get()) known_ = std::move(found);
  return known_;
}

std::string Brain::explanation() const {
  return strategy_ == nullptr ? std::string() : strategy_->explanation();
}

}  // namespace ludens::server::wasm
