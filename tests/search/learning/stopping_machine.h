// SPDX-License-Identifier: MIT
// A machine that ends the time itself, so that tests need no clock.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <utility>

#include "tests/gdl/machine/wrapped_machine.h"

namespace ludens::search::test {

/// Does what another machine does, and requests a stop at its n-th question; 0: never.
class StoppingMachine final : public gdl::WrappedMachine {
 public:
  StoppingMachine(std::shared_ptr<const gdl::Machine> inner, std::uint64_t at)
      : WrappedMachine(inner), inner_(std::move(inner)), at_(at) {}

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  [[nodiscard]] std::uint64_t questions() const { return questions_; }
  [[nodiscard]] const gdl::Structure& structure() const override { return inner_->structure(); }
  [[nodiscard]] const gdl::MachineNetwork* network() const override { return inner_->network(); }

 private:
  gdl::Status before(Question, Context&) const override {
    if (++questions_ == at_) stop_.request_stop();
    return gdl::Status::Ok;
  }

  std::shared_ptr<const gdl::Machine> inner_;
  std::uint64_t at_;
  mutable std::stop_source stop_;
  mutable std::uint64_t questions_ = 0;
};

}  // namespace ludens::search::test
