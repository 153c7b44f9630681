// SPDX-License-Identifier: MIT
#include "search/minimax/evaluation.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "search/learning/mobility.h"

namespace ludens::search {

namespace {

using gdl::Status;

class None final : public Evaluation {
 public:
  Status evaluate(GameTree&, std::span<double> out) override {
    std::ranges::fill(out, 50.0);
    return Status::Ok;
  }
};

class Goal final : public Evaluation {
 public:
  Status evaluate(GameTree& tree, std::span<double> out) override {
    goals_.resize(out.size());
    const Status status = tree.goals(goals_);
    std::ranges::copy(goals_, out.begin());
    return status;
  }

 private:
  std::vector<int> goals_;
};

/// The number of a role's legal moves compared with the number when it was first seen to choose. A
/// waiting role is not evaluated, so that it does not matter whose turn it is.
class Mobility final : public Evaluation {
 public:
  Status evaluate(GameTree& tree, std::span<double> out) override {
    const Status status = tree.open();
    if (status != Status::Ok) return status;
    usual_.resize(out.size());
    for (gdl::RoleIndex role = 0; role < out.size(); ++role) {
      out[role] = advantage(role, static_cast<double>(tree.moves_of(role).size()));
    }
    const double sum = std::accumulate(out.begin(), out.end(), 0.0);
    const double others = std::max<double>(1, static_cast<double>(out.size()) - 1);
    for (double& value : out) value = 50 + 25 * (value - (sum - value) / others);
    return Status::Ok;
  }

 private:
  /// -1..1, 0 for the usual number of moves.
  double advantage(gdl::RoleIndex role, double moves) {
    if (moves <= 1) return 0;
    if (usual_[role] == 0) usual_[role] = moves;
    return (moves - usual_[role]) / (moves + usual_[role]);
  }

  std::vector<double> usual_;  // [role]; 0: not seen yet
};

class Mixed final : public Evaluation {
 public:
  Status evaluate(GameTree& tree, std::span<double> out) override {
    second_.resize(out.size());
    Status status = goal_.evaluate(tree, out);
    if (status != Status::Ok) return status;
    status = mobility_.evaluate(tree, second_);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = (out[i] + second_[i]) / 2;
    return status;
  }

 private:
  Goal goal_;
  Mobility mobility_;
  std::vector<double> second_;
};

class Playouts final : public Evaluation {
 public:
  Playouts(std::uint64_t cap, gdl::Rng rng)
      : left_(cap == 0 ? std::numeric_limits<std::uint64_t>::max() : cap), rng_(rng) {}

  Status evaluate(GameTree& tree, std::span<double> out) override {
    const gdl::StateView state = tree.state();
    const Status status =
        tree.machine().playouts(tree.context(), {&state, 1}, {.per_start = kEach}, rng_, sums_);
    if (status != Status::Ok) return status;
    left_ -= std::min<std::uint64_t>(left_, kEach);
    const double made = std::max<std::uint32_t>(sums_.playouts[0], 1);
    for (std::size_t role = 0; role < out.size(); ++role) {
      out[role] = static_cast<double>(sums_.goals[role]) / made;
    }
    return status;
  }
  [[nodiscard]] bool is_cheap() const override { return false; }
  [[nodiscard]] bool exhausted() const override { return left_ == 0; }

 private:
  static constexpr std::uint32_t kEach = 8;  // playouts of a state
  std::uint64_t left_;
  gdl::Rng rng_;
  gdl::PlayoutSums sums_;
};

class Learned final : public Evaluation {
 public:
  explicit Learned(std::shared_ptr<const ValueFunction> values) : values_(std::move(values)) {}

  Status evaluate(GameTree& tree, std::span<double> out) override {
    const Status status = tree.open();
    if (status != Status::Ok) return status;
    const auto legal = [&](gdl::RoleIndex role) { return tree.moves_of(role); };
    goals_.resize(out.size());
    values_->values(values_->movers().find(legal), tree.state(), mobility(out.size(), legal),
                    goals_);
    for (std::size_t role = 0; role < out.size(); ++role) out[role] = 100 * goals_[role];
    return Status::Ok;
  }

 private:
  std::shared_ptr<const ValueFunction> values_;
  std::vector<float> goals_;
};

}  // namespace

EvaluationKind evaluation_kind(std::string_view word) {
  std::size_t kind = 0;
  std::string_view left = kEvaluationKinds;
  for (; left.substr(0, left.find('|')) != word; ++kind) left.remove_prefix(left.find('|') + 1);
  return static_cast<EvaluationKind>(kind);
}

std::unique_ptr<Evaluation> make_evaluation(EvaluationKind kind, std::uint64_t playouts,
                                            gdl::Rng rng,
                                            std::shared_ptr<const ValueFunction> values) {
  switch (kind) {
    case EvaluationKind::None:
      return std::make_unique<None>();
    case EvaluationKind::Goal:
      return std::make_unique<Goal>();
    case EvaluationKind::Mobility:
      return std::make_unique<Mobility>();
    case EvaluationKind::Playouts:
      return std::make_unique<Playouts>(playouts, rng);
    case EvaluationKind::Learned:
      if (values != nullptr) return std::make_unique<Learned>(std::move(values));
      break;
    case EvaluationKind::Mixed:
      break;
  }
  return std::make_unique<Mixed>();
}

}  // namespace ludens::search
