// SPDX-License-Identifier: MIT
#include "search/solve/solve.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "search/induction/backward.h"
#include "search/solve/proof_search.h"
#include "search/strategy/stated_choice.h"
#include "search/tree/state_map.h"

namespace ludens::search {

namespace {

/// Reads the steps from the root, following the best moves and all answers to them.
void read_policy(const BackwardInduction& induction, Policy& policy) {
  std::vector<bool> seen(induction.size(), false);
  std::vector<BackwardInduction::Index> queue{0}, successors;
  seen[0] = true;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const auto i = queue[at];
    if (induction.is_end(i)) continue;
    policy.steps.push_back({gdl::State(induction.state(i)), induction.best_move(i)});
    induction.successors(i, successors);
    for (const auto next : successors) {
      if (!seen[next]) queue.push_back(next);
      seen[next] = true;
    }
  }
  policy.complete = true;
}

Solution solve_backward(const Position& position, const Deadline& deadline,
                        gdl::MemoryBudget* memory, Policy* policy, bool all_moves) {
  BackwardInduction induction(position.machine, position.role, deadline, memory);
  const auto outcome = induction.solve(position.state);
  Solution solution;
  solution.nodes = induction.size();
  if (induction.size() == 0) return solution;
  solution.low = induction.value(0);
  solution.exact = induction.is_exact();
  if (solution.exact) solution.high = solution.low;
  solution.move = induction.best_move(0);
  const bool all = outcome == BackwardInduction::Outcome::Complete;
  if (all_moves && all) solution.root = induction.values_of_moves(0);
  if (policy != nullptr && all) read_policy(induction, *policy);
  return solution;
}

/// Remembers the move that the prover finds in each state.
class ProvedMoves {
 public:
  ProvedMoves(const Position& root, Prover& prover, gdl::MemoryBudget* memory)
      : position_(root), prover_(prover), known_(memory) {}

  gdl::MoveId move(gdl::StateView state) {
    const gdl::StateHash key = gdl::hash(state);
    if (const std::uint32_t* known = known_.find(key)) return *known;
    position_.state.assign(state);
    const Solution solution = prover_.solve(position_);
    proved_ = proved_ && solution.exact && known_.insert(key, solution.move);
    return solution.move;
  }
  [[nodiscard]] bool all_proved() const { return proved_; }

 private:
  Position position_;
  Prover& prover_;
  StateMap known_;
  bool proved_ = true;
};

/// Asks the prover for a move in every position that its own moves lead to.
void prove_policy(const Position& position, Prover& prover, const Solution& solution,
                  const Deadline& deadline, gdl::MemoryBudget* memory, Policy& policy) {
  ProvedMoves moves(position, prover, memory);
  BackwardInduction played(position.machine, position.role, deadline, memory);
  const auto outcome =
      played.solve(position.state, [&](gdl::StateView state) { return moves.move(state); });
  if (outcome != BackwardInduction::Outcome::Complete || !moves.all_proved()) return;
  if (played.value(0) >= solution.low - 1e-9) return read_policy(played, policy);
  // Each move is as good as any, but together they may go in cycles; backward induction avoids
  // that.
  solve_backward(position, deadline, memory, &policy, false);
}

Solution solve_as_searched(const Position& position, SolveMethod method, const Deadline& deadline,
                           gdl::MemoryBudget* memory, Policy* policy, bool all_moves) {
  if (method == SolveMethod::Backward) {
    return solve_backward(position, deadline, memory, policy, all_moves);
  }
  const auto prover = method == SolveMethod::Proof
                          ? make_proof_prover(position.machine, position.role, deadline, memory)
                          : make_search_prover(*position.machine, deadline, memory);
  Solution solution = prover->solve(position);
  if (all_moves) solution.root = value_moves(position, *prover, deadline, solution.nodes);
  if (policy != nullptr && solution.exact) {
    prove_policy(position, *prover, solution, deadline, memory, *policy);
  }
  return solution;
}

}  // namespace

Solution solve(const Position& position, SolveMethod method, const Deadline& deadline,
               gdl::MemoryBudget* memory, Policy* policy, bool all_moves) {
  Solution solution = solve_as_searched(position, method, deadline, memory, policy, all_moves);
  const gdl::GoalScale& goals = position.machine->vocabulary()->rules().goals;
  solution.low = goals.shown(solution.low);
  solution.high = goals.shown(solution.high);
  for (RootMove& move : solution.root) move = stated(std::move(move), goals);
  return solution;
}

void write_policy(const gdl::Machine& machine, gdl::RoleIndex role, const Solution& solution,
                  const Policy& policy, const std::function<void(std::string_view)>& line) {
  std::string value = std::to_string(solution.low);
  value.erase(value.find_last_not_of('0') + 1);
  if (value.back() == '.') value.pop_back();
  line("( policy " + machine.role_name(role) + " " + value + " )");
  const auto context = machine.make_context();
  for (const Policy::Step& step : policy.steps) {
    line("( " + machine.print(*context, step.state) + " " +
         machine.vocabulary()->move_name(step.move) + " )");
  }
}

}  // namespace ludens::search
