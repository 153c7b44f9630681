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

 private:
  std::vector<int> goals_;
};

/// How many moves a role has to choose from, against how many it had when it was first seen to
/// choose; a role that waits is not judged, so that it does not matter whose turn it is.
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

/// The mean of two others.
class Mixed final : public Evaluation {
 public:
  Status evaluate(GameTree& tree, std::span<double> out) override {
    second_.resize(out.size());
    Status status = goal_.evaluate(tree, out);
    if (status != Status::Ok) return status;
    status = mobility_.evaluate(tree, second_);
    for (std::size_t role = 0; role < out.size(); ++role) {
      out[role] = (out[role] + second_[role]) / 2;
    }
    return status;
  }

 private:
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
    const gdl::StateView start = tree.state();
    const Status status =
        tree.machine().playouts(tree.context(), {&start, 1}, {.per_start = samples_}, rng_, sums_);
    if (status != Status::Ok) return status;
    left_ -= std::min<std::uint64_t>(left_, samples_);
    const double made = std::max<std::uint32_t>(sums_.playouts[0], 1);
    for (std::size_t role = 0; role < out.size(); ++role) {
      out[role] = static_cast<double>(sums_.goals[role]) / made;
    }
    return Status::Ok;
  }
  [[nodiscard]] bool is_cheap() const override { return false; }
  [[nodiscard]] bool exhausted() const override { return left_ == 0; }

 private:
  std::uint32_t samples_;
  std::uint64_t left_;
  gdl::Rng rng_;
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
  if (kind == "mixed") return std::make_unique<Mixed>();
  if (kind == "none") return make_no_evaluation();
  const std::uint64_t cap = options.count("playouts");
  return std::make_unique<Playouts>(static_cast<std::uint32_t>(options.count("samples")),
                                    cap == 0 ? std::numeric_limits<std::uint64_t>::max() : cap,
                                    rng);
}

}  // namespace ludens::search
