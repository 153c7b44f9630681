// SPDX-License-Identifier: MIT
// What the searches of the textbooks cost on regular trees, counted, against what the books state:
//
//     ludens_search_bench
//
// Prints tables: alpha-beta's leaves by the order of moves; minimax's leaves, seconds and moves
// held; twice the depth at equal leaves; expectiminimax with and without bounds on chance.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "gdl/rules/read.h"
#include "search/minimax/minimax.h"
#include "search/registry/registry.h"

namespace ludens::search {
namespace {

using gdl::Status;

enum class Order : std::uint8_t { Good, Random, Worst };

struct Shape {
  std::uint32_t moves, levels;  // of decisions, MAX first
  std::uint32_t outcomes = 0;   // of chance after each decision; 0: no chance
  Order order = Order::Random;
};

std::shared_ptr<gdl::Vocabulary> roles_of(const Shape& shape) {
  const std::string chance = shape.outcomes > 0 ? "(role random)" : "";
  const auto read = gdl::read_rules("(role max) (role min)" + chance + "(init s)");
  return std::make_shared<gdl::Vocabulary>(read.normalised.rules);
}

/// A uniform tree that is never written down. A state is its level and its number there; moves have
/// no names. Leaves are worth 0..100: in good order the first move is the best at every node, in
/// the worst order the last.
class RegularTree final : public gdl::Machine {
 public:
  explicit RegularTree(const Shape& shape) : shape_(shape), vocabulary_(roles_of(shape)) {}
  [[nodiscard]] std::uint64_t leaves() const { return leaves_; }

  [[nodiscard]] std::string_view name() const override { return "regular"; }
  [[nodiscard]] const std::shared_ptr<gdl::Vocabulary>& vocabulary() const override {
    return vocabulary_;
  }
  [[nodiscard]] std::unique_ptr<Context> make_context(const gdl::Limits& limits) const override {
    return std::make_unique<Context>(limits);
  }
  Status initial(Context&, gdl::State& out) const override {
    out.words() = {0, 0};
    return Status::Ok;
  }
  Status legal(Context&, gdl::StateView state, gdl::RoleIndex role,
               std::vector<gdl::MoveId>& out) const override {
    const std::uint64_t level = state.words()[0];
    out.clear();
    for (gdl::MoveId i = 0; i < (decider(level) == role ? width(level) : 1); ++i) out.push_back(i);
    return Status::Ok;
  }
  Status next(Context&, gdl::StateView state, gdl::JointMove move, gdl::State& out) const override {
    const std::uint64_t level = state.words()[0], number = state.words()[1];
    out.words() = {level + 1, number * width(level) + move[decider(level)]};
    return Status::Ok;
  }
  Status terminal(Context&, gdl::StateView state, bool& out) const override {
    out = state.words()[0] == levels();
    return Status::Ok;
  }
  Status goals(Context&, gdl::StateView state, std::span<int> out) const override {
    if (state.words()[0] == levels()) ++leaves_;
    std::ranges::fill(out, 0);
    out[0] = worth(state.words()[1]);
    out[1] = 100 - out[0];
    return Status::Ok;
  }
  Status fluents(Context&, gdl::StateView, std::vector<gdl::FluentId>& out) const override {
    out.clear();
    return Status::Ok;
  }

 private:
  [[nodiscard]] std::uint64_t levels() const {
    return shape_.levels * (shape_.outcomes > 0 ? 2 : 1);
  }
  [[nodiscard]] gdl::RoleIndex decider(std::uint64_t level) const {
    if (shape_.outcomes == 0) return level % 2;
    return level % 2 == 1 ? 2 : level / 2 % 2;
  }
  [[nodiscard]] std::uint32_t width(std::uint64_t level) const {
    return decider(level) == 2 ? shape_.outcomes : shape_.moves;
  }
  [[nodiscard]] int worth(std::uint64_t number) const {
    if (shape_.order == Order::Random) {
      const std::uint64_t word[] = {number};
      return static_cast<int>(gdl::hash(gdl::StateView(word)).low % 101);
    }
    std::uint64_t rank = 0, weight = 1;  // among all leaves; from the last move up
    for (std::uint64_t level = levels(); level-- > 0;) {
      const std::uint64_t move = number % width(level);
      number /= width(level);
      const bool falling = (decider(level) == 0) == (shape_.order == Order::Good);
      rank += weight * (falling ? width(level) - 1 - move : move);
      weight *= width(level);
    }
    return static_cast<int>(weight <= 101 ? rank : rank * 100 / (weight - 1));
  }

  Shape shape_;
  std::shared_ptr<gdl::Vocabulary> vocabulary_;
  mutable std::atomic<std::uint64_t> leaves_{0};
};

struct Cost {
  std::uint64_t leaves;
  double seconds;
};

/// What a strategy needs for a regular tree.
Cost cost_of(const Shape& shape, Strategy& strategy) {
  const auto machine = std::make_shared<const RegularTree>(shape);
  Position position{machine, {}, 0, {}};
  (void)machine->initial(*machine->make_context({}), position.state);
  Incumbent incumbent;
  const auto start = std::chrono::steady_clock::now();
  strategy.think(position, Deadline(), incumbent);
  const auto end = std::chrono::steady_clock::now();
  return {machine->leaves(), std::chrono::duration<double>(end - start).count()};
}

Cost cost_of(const Shape& shape, const std::string& text) {
  const auto spec = parse_strategy(text);
  if (!spec) throw std::runtime_error(spec.error().text);
  return cost_of(shape, **make_strategy(*spec, {}));
}

const std::string kMinimax = "minimax:iterative=off,ties=first";
const std::string kAlphaBeta =
    "alphabeta:iterative=off,table=off,order=off,bounds=off,quiescence=off,ties=first";

double power(std::uint32_t base, std::uint32_t exponent) {
  return std::pow(base, exponent);
}

double fewest(std::uint32_t moves, std::uint32_t levels) {
  return power(moves, (levels + 1) / 2) + power(moves, levels / 2) - 1;
}

void print_orders() {
  std::printf(
      "| b | m | good order | random | worst | b^ceil(m/2) + b^floor(m/2) - 1 | b^m |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const auto& [b, m] :
       {std::pair{2U, 6U}, {3U, 4U}, {10U, 2U}, {3U, 8U}, {5U, 6U}, {8U, 5U}, {30U, 3U}}) {
    std::uint64_t leaves[3];
    for (const Order order : {Order::Good, Order::Random, Order::Worst}) {
      leaves[static_cast<int>(order)] = cost_of({b, m, 0, order}, kAlphaBeta).leaves;
    }
    std::printf("| %u | %u | %llu | %llu | %llu | %.0f | %.0f |\n", b, m,
                static_cast<unsigned long long>(leaves[0]),
                static_cast<unsigned long long>(leaves[1]),
                static_cast<unsigned long long>(leaves[2]), fewest(b, m), power(b, m));
  }
}

void print_minimax() {
  std::printf(
      "\n| b | m | leaves of minimax | b^m | ns a leaf | alpha-beta, good order, 2m |\n"
      "|---|---|---|---|---|---|\n");
  for (const auto& [b, m] : {std::pair{4U, 4U}, {4U, 6U}, {4U, 8U}, {16U, 4U}, {64U, 3U}}) {
    const Cost all = cost_of({b, m}, kMinimax);
    const Cost deep = cost_of({b, 2 * m, 0, Order::Good}, kAlphaBeta);
    std::printf("| %u | %u | %llu | %.0f | %.0f | %llu |\n", b, m,
                static_cast<unsigned long long>(all.leaves), power(b, m),
                1e9 * all.seconds / static_cast<double>(all.leaves),
                static_cast<unsigned long long>(deep.leaves));
  }
}

void print_chance() {
  std::printf(
      "\n| b | n | m | expectiminimax | b^m n^m | Star1 |\n"
      "|---|---|---|---|---|---|\n");
  for (const auto& [b, n, m] : {std::tuple{2U, 2U, 4U}, {3U, 2U, 4U}, {3U, 6U, 3U}, {5U, 6U, 3U}}) {
    TreeSettings settings;
    settings.iterative = false;
    settings.ties = Ties::First;
    const auto plain = make_two_sided("expectimax", {.mean = true}, false, settings, {});
    std::printf("| %u | %u | %u | %llu | %.0f | %llu |\n", b, n, m,
                static_cast<unsigned long long>(cost_of({b, m, n}, *plain).leaves),
                power(b, m) * power(n, m),
                static_cast<unsigned long long>(
                    cost_of({b, m, n}, "expectimax:iterative=off,ties=first").leaves));
  }
}

}  // namespace
}  // namespace ludens::search

int main() {
  ludens::search::print_orders();
  ludens::search::print_minimax();
  ludens::search::print_chance();
}
