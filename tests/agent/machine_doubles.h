// SPDX-License-Identifier: MIT
// The interpreter, with faults that a test can switch on.
#pragma once

#include <atomic>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gdl/interpreter/interpreter.h"
#include "tests/agent/strategy_doubles.h"
#include "tests/gdl/machine/wrapped_machine.h"

namespace ludens::agent {

/// Shared by a test and its machine.
struct Faults {
  /// Deaf: hangs despite a stop. HangsOnce: only until the first stop.
  enum class Kind { None, Hangs, HangsOnce, Deaf, OverBudget, Throws };
  std::atomic<Kind> legal{Kind::None}, next{Kind::None};
  std::atomic<bool> release{false};  // ends what hangs
  std::atomic<int> stuck{0};         // calls that are, or were, deaf
};

class FaultyMachine final : public gdl::WrappedMachine {
 public:
  FaultyMachine(std::shared_ptr<const gdl::Machine> machine, std::shared_ptr<Faults> faults)
      : WrappedMachine(std::move(machine)), faults_(std::move(faults)) {}

 private:
  gdl::Status before(Question question, Context& context) const override {
    if (question == Question::Legal) return fault(faults_->legal, context);
    if (question == Question::Next) return fault(faults_->next, context);
    return gdl::Status::Ok;
  }
  gdl::Status fault(std::atomic<Faults::Kind>& kind, const Context& context) const {
    switch (kind.load()) {
      case Faults::Kind::None:
        return gdl::Status::Ok;
      case Faults::Kind::OverBudget:
        return gdl::Status::OverBudget;
      case Faults::Kind::Throws:
        throw std::logic_error("broken");
      case Faults::Kind::Deaf:
        ++faults_->stuck;
        wait_for([&] { return faults_->release.load(); });
        return gdl::Status::Ok;
      case Faults::Kind::Hangs:
      case Faults::Kind::HangsOnce:
        break;
    }
    const gdl::StopSignal* stop = context.limits.stop;
    wait_for([&] { return faults_->release || (stop != nullptr && stop->stop_requested()); });
    auto once = Faults::Kind::HangsOnce;
    kind.compare_exchange_strong(once, Faults::Kind::None);
    return faults_->release ? gdl::Status::Ok : gdl::Status::Stopped;
  }

  std::shared_ptr<Faults> faults_;
};

inline std::shared_ptr<const gdl::Machine> make_faulty_machine(
    std::shared_ptr<gdl::Vocabulary> vocabulary, std::shared_ptr<Faults> faults) {
  return std::make_shared<FaultyMachine>(gdl::make_interpreter(std::move(vocabulary)),
                                         std::move(faults));
}

}  // namespace ludens::agent
