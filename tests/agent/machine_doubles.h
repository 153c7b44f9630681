// The interpreter, with faults that a test can switch on.
#pragma once

#include <atomic>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gdl/interpreter/interpreter.h"
#include "tests/agent/strategy_doubles.h"

namespace ludens::agent {

/// Shared by a test and its machine.
struct Faults {
  enum class Kind { None, Hangs, OverBudget, Throws };
  std::atomic<Kind> legal{Kind::None}, next{Kind::None};
  std::atomic<bool> release{false};  // ends what hangs
};

class FaultyMachine final : public gdl::Machine {
 public:
  FaultyMachine(std::shared_ptr<const gdl::Machine> machine, std::shared_ptr<Faults> faults)
      : machine_(std::move(machine)), faults_(std::move(faults)) {}

  [[nodiscard]] std::string_view name() const override { return "faulty"; }
  [[nodiscard]] const std::shared_ptr<gdl::Vocabulary>& vocabulary() const override {
    return machine_->vocabulary();
  }
  [[nodiscard]] std::unique_ptr<Context> make_context(const gdl::Limits& limits) const override {
    return machine_->make_context(limits);
  }
  gdl::Status initial(Context& context, gdl::State& out) const override {
    return machine_->initial(context, out);
  }
  gdl::Status legal(Context& context, gdl::StateView state, gdl::RoleIndex role,
                    std::vector<gdl::MoveId>& out) const override {
    const gdl::Status status = fault(faults_->legal, context);
    return status == gdl::Status::Ok ? machine_->legal(context, state, role, out) : status;
  }
  gdl::Status next(Context& context, gdl::StateView state, gdl::JointMove move,
                   gdl::State& out) const override {
    const gdl::Status status = fault(faults_->next, context);
    return status == gdl::Status::Ok ? machine_->next(context, state, move, out) : status;
  }
  gdl::Status terminal(Context& context, gdl::StateView state, bool& out) const override {
    return machine_->terminal(context, state, out);
  }
  gdl::Status goals(Context& context, gdl::StateView state, std::span<int> out) const override {
    return machine_->goals(context, state, out);
  }
  gdl::Status fluents(Context& context, gdl::StateView state,
                      std::vector<gdl::FluentId>& out) const override {
    return machine_->fluents(context, state, out);
  }

 private:
  gdl::Status fault(const std::atomic<Faults::Kind>& kind, const Context& context) const {
    switch (kind.load()) {
      case Faults::Kind::None:
        return gdl::Status::Ok;
      case Faults::Kind::OverBudget:
        return gdl::Status::OverBudget;
      case Faults::Kind::Throws:
        throw std::logic_error("broken");
      case Faults::Kind::Hangs:
        break;
    }
    const gdl::StopSignal* stop = context.limits.stop;
    wait_for([&] { return faults_->release || (stop != nullptr && stop->stop_requested()); });
    return faults_->release ? gdl::Status::Ok : gdl::Status::Stopped;
  }

  std::shared_ptr<const gdl::Machine> machine_;
  std::shared_ptr<Faults> faults_;
};

inline std::shared_ptr<const gdl::Machine> make_faulty_machine(
    std::shared_ptr<gdl::Vocabulary> vocabulary, std::shared_ptr<Faults> faults) {
  return std::make_shared<FaultyMachine>(gdl::make_interpreter(std::move(vocabulary)),
                                         std::move(faults));
}

}  // namespace ludens::agent
