// SPDX-License-Identifier: MIT
// A machine around another one, for tests that want to meddle with its answers.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::gdl {

/// Does what another machine does. Its questions pass through `before`, which may do something
/// else.
class WrappedMachine : public Machine {
 public:
  explicit WrappedMachine(std::shared_ptr<const Machine> inner) : inner_(std::move(inner)) {}
  [[nodiscard]] std::string_view name() const override { return "wrapped"; }
  [[nodiscard]] const std::shared_ptr<Vocabulary>& vocabulary() const override {
    return inner_->vocabulary();
  }
  [[nodiscard]] std::unique_ptr<Context> make_context(const Limits& limits) const override {
    return inner_->make_context(limits);
  }
  Status initial(Context& context, State& out) const override {
    return inner_->initial(context, out);
  }
  Status legal(Context& context, StateView state, RoleIndex role,
               std::vector<MoveId>& out) const override {
    const Status status = before(Question::Legal, context);
    return status == Status::Ok ? inner_->legal(context, state, role, out) : status;
  }
  Status next(Context& context, StateView state, JointMove move, State& out) const override {
    const Status status = before(Question::Next, context);
    return status == Status::Ok ? inner_->next(context, state, move, out) : status;
  }
  Status percepts(Context& context, StateView state, JointMove move, RoleIndex role,
                  std::vector<PerceptId>& out) const override {
    return inner_->percepts(context, state, move, role, out);
  }
  Status terminal(Context& context, StateView state, bool& out) const override {
    const Status status = before(Question::Terminal, context);
    return status == Status::Ok ? inner_->terminal(context, state, out) : status;
  }
  Status goals(Context& context, StateView state, std::span<int> out) const override {
    const Status status = before(Question::Goals, context);
    return status == Status::Ok ? inner_->goals(context, state, out) : status;
  }
  Status fluents(Context& context, StateView state, std::vector<FluentId>& out) const override {
    return inner_->fluents(context, state, out);
  }

 protected:
  enum class Question { Legal, Next, Terminal, Goals };
  /// Ok: the question is passed on.
  virtual Status before(Question question, Context& context) const = 0;

 private:
  std::shared_ptr<const Machine> inner_;
};

}  // namespace ludens::gdl
