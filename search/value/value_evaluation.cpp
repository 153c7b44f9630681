#include "search/value/value_evaluation.h"

#include <vector>

namespace ludens::search::value {

namespace {

class ValueEvaluation final : public Evaluation {
 public:
  explicit ValueEvaluation(std::shared_ptr<const ValueFunction> values)
      : values_(std::move(values)),
        indices_(values_->index().stride()),
        of_roles_(values_->role_count()) {}

  gdl::Status evaluate(GameTree& tree, std::span<double> out) override {
    const gdl::Status status = tree.open();
    if (status != gdl::Status::Ok) return status;
    judge(tree.state(),
          values_->movers().find([&](gdl::RoleIndex role) { return tree.moves_of(role); }), out);
    return status;
  }
  gdl::Status evaluate(const gdl::Machine& machine, gdl::Machine::Context&,
                       const gdl::Expansion& states, std::span<double> out) override {
    const std::size_t roles = machine.role_count();
    for (std::size_t i = 0; i < states.states.size(); ++i) {
      if (states.terminal[i] != 0) continue;
      judge(states.states[i], values_->movers().of(states, i), out.subspan(i * roles, roles));
    }
    return gdl::Status::Ok;
  }

 private:
  void judge(gdl::StateView state, std::size_t mover, std::span<double> out) {
    values_->index().index(state, indices_);
    values_->values(mover, indices_, of_roles_);
    for (std::size_t r = 0; r < out.size(); ++r) out[r] = 100 * of_roles_[r];
  }

  std::shared_ptr<const ValueFunction> values_;
  std::vector<std::uint16_t> indices_;
  std::vector<float> of_roles_;
};

}  // namespace

std::unique_ptr<Evaluation> make_value_evaluation(std::shared_ptr<const ValueFunction> values) {
  return std::make_unique<ValueEvaluation>(std::move(values));
}

}  // namespace ludens::search::value
