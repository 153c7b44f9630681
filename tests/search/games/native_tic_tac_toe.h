// SPDX-License-Identifier: MIT
// Tic-tac-toe as a machine of its own, fast enough to search the whole tree in a test.
#pragma once

#include <memory>

#include "gdl/machine/machine.h"

namespace ludens::search {

/// Roles x and o, moves `1` to `9` and `noop`; x begins.
class NativeTicTacToe final : public gdl::Machine {
 public:
  NativeTicTacToe();
  [[nodiscard]] std::string_view name() const override { return "tic-tac-toe"; }
  [[nodiscard]] const std::shared_ptr<gdl::Vocabulary>& vocabulary() const override {
    return vocabulary_;
  }
  [[nodiscard]] std::unique_ptr<Context> make_context(const gdl::Limits& limits) const override {
    return std::make_unique<Context>(limits);
  }
  gdl::Status initial(Context& context, gdl::State& out) const override;
  gdl::Status legal(Context& context, gdl::StateView state, gdl::RoleIndex role,
                    std::vector<gdl::MoveId>& out) const override;
  gdl::Status next(Context& context, gdl::StateView state, gdl::JointMove move,
                   gdl::State& out) const override;
  gdl::Status terminal(Context& context, gdl::StateView state, bool& out) const override;
  gdl::Status goals(Context& context, gdl::StateView state, std::span<int> out) const override;
  gdl::Status fluents(Context& context, gdl::StateView state,
                      std::vector<gdl::FluentId>& out) const override;

 private:
  std::shared_ptr<gdl::Vocabulary> vocabulary_;
};

}  // namespace ludens::search
