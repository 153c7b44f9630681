// SPDX-License-Identifier: MIT
#include "search/evaluation/evaluation.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ludens::search {

namespace {

using gdl::Status;

/// Nothing is known: the middle.
class None final : public Evaluation {
 public:
  Status evaluate(GameTree&, std::span<double> out) override {
    std::ranges::fill(out, 50.0);
    return Status::Ok;
  }
  Status evaluate(const gdl::Machine&, gdl::Machine::Context&, const gdl::Expansion&,
                  std::span<double> out) override {
    std::ranges::fill(out, 50.0);
    return Status::Ok;
  }
};

/// The goals that the rules give the state, as if it were the end.
class Goal final : public Evaluation {
 public:
  Status evaluate(GameTree& tree, std::span<double> out) override {
    goals_.resize(out.size());
    const Status status = tree.goals(goals_);
    std::ranges::copy(goals_, out.begin());
    return status;
  }
  Status evaluate(const gdl::Machine& machine, gdl::Machine::Context& context,
                  const gdl::Expansion& states, std::span<double> out) override {
    goals_.resize(machine.role_count());
    for (std::size_t i = 0; i < states.states.size(); ++i) {
      if (states.terminal[i] != 0) continue;
      const Status status = machine.goals(context, states.states[i], goals_);
      if (status != Status::Ok) return status;
      std::ranges::copy(goals_, out.subspan(i * goals_.size()).begin());
    }
    return Status::Ok;
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
    compare(out, [&](gdl::RoleIndex role) { return tree.moves_of(role).size(); });
    return Status::Ok;
  }
  Status evaluate(const gdl::Machine& machine, gdl::Machine::Context&, const gdl::Expansion& states,
                  std::span<double> out) override {
    const std::size_t roles = machine.role_count();
    for (std::size_t i = 0; i < states.states.size(); ++i) {
      if (states.terminal[i] != 0) continue;
      compare(out.subspan(i * roles, roles),
              [&](gdl::RoleIndex role) { return states.legal(i, role, roles).size(); });
    }
    return Status::Ok;
  }

 private:
  template <class Moves>
  void compare(std::span<double> out, const Moves& moves_of) {
    usual_.resize(out.size());
    for (gdl::RoleIndex role = 0; role < out.size(); ++role) {
      out[role] = advantage(role, static_cast<double>(moves_of(role)));
    }
    const double sum = std::accumulate(out.begin(), out.end(), 0.0);
    const double others = std::max<double>(1, static_cast<double>(out.size()) - 1);
    for (double& value : out) value = 50 + 25 * (value - (sum - value) / others);
  }

  /// -1..1, 0 for the usual number of moves.
  double advantage(gdl::RoleIndex role, double moves) {
    if (moves <= 1) return 0;
    if (usual_[role] == 0) usual_[role] = moves;
    return (moves - usual_[role]) / (moves + usual_[role]);
  }

  std::vector<double> usual_;  // [role]; 0: not seen yet
};

/// The mean of two others.
class Mixed final : public Evaluation {
 public:
  Status evaluate(GameTree& tree, std::span<double> out) override {
    return mean(out,
                [&](Evaluation& one, std::span<double> into) { return one.evaluate(tree, into); });
  }
  Status evaluate(const gdl::Machine& machine, gdl::Machine::Context& context,
                  const gdl::Expansion& states, std::span<double> out) override {
    return mean(out, [&](Evaluation& one, std::span<double> into) {
      return one.evaluate(machine, context, states, into);
    });
  }

 private:
  template <class Evaluate>
  Status mean(std::span<double> out, const Evaluate& evaluate) {
    second_.resize(out.size());
    Status status = evaluate(goal_, out);
    if (status != Status::Ok) return status;
    status = evaluate(mobility_, second_);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = (out[i] + second_[i]) / 2;
    return status;
  }

  Goal goal_;
  Mobility mobility_;
  std::vector<double> second_;
};

/// The mean goals of uniform playouts.
class Playouts final : public Evaluation {
 public:
  Playouts(std::uint32_t samples, std::uint64_t cap, gdl::Rng rng)
      : samples_(samples), left_(cap), rng_(rng) {}

  Status evaluate(GameTree& tree, std::span<double> out) override {
    starts_.assign(1, tree.state());
    const Status status = play(tree.machine(), tree.context());
    if (status == Status::Ok) mean(0, out);
    return status;
  }
  Status evaluate(const gdl::Machine& machine, gdl::Machine::Context& context,
                  const gdl::Expansion& states, std::span<double> out) override {
    starts_.clear();
    for (std::size_t i = 0; i < states.states.size(); ++i) {
      if (states.terminal[i] == 0) starts_.push_back(states.states[i]);
    }
    if (starts_.empty()) return Status::Ok;
    const Status status = play(machine, context);
    const std::size_t roles = machine.role_count();
    std::size_t start = 0;
    for (std::size_t i = 0; status == Status::Ok && i < states.states.size(); ++i) {
      if (states.terminal[i] == 0) mean(start++, out.subspan(i * roles, roles));
    }
    return status;
  }
  [[nodiscard]] bool is_cheap() const override { return false; }
  [[nodiscard]] bool exhausted() const override { return left_ == 0; }

 private:
  Status play(const gdl::Machine& machine, gdl::Machine::Context& context) {
    const Status status = machine.playouts(context, starts_, {.per_start = samples_}, rng_, sums_);
    if (status == Status::Ok) left_ -= std::min<std::uint64_t>(left_, samples_ * starts_.size());
    return status;
  }
  void mean(std::size_t start, std::span<double> out) const {
    const double made = std::max<std::uint32_t>(sums_.playouts[start], 1);
    for (std::size_t role = 0; role < out.size(); ++role) {
      out[role] = static_cast<double>(sums_.goals[start * out.size() + role]) / made;
    }
  }

  std::uint32_t samples_;
  std::uint64_t left_;
  gdl::Rng rng_;
  std::vector<gdl::StateView> starts_;
  gdl::PlayoutSums sums_;
};

}  // namespace

std::unique_ptr<Evaluation> make_no_evaluation() {
  return std::make_unique<None>();
}

std::unique_ptr<Evaluation> make_evaluation(const Options& options, gdl::Rng rng) {
  const std::string& kind = options.text("evaluation");
  if (kind == "goal") return std::make_unique<Goal>();
  if (kind == "mobility") return std::make_unique<Mobility>();
  if (kind == "mixed" || kind == "learned") return std::make_unique<Mixed>();
  if (kind == "none") return make_no_evaluation();
  const std::uint64_t cap = options.count("playouts");
  return std::make_unique<Playouts>(static_cast<std::uint32_t>(options.count("samples")),
                                    cap == 0 ? std::numeric_limits<std::uint64_t>::max() : cap,
                                    rng);
}

}  // namespace ludens::search
