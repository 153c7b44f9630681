// SPDX-License-Identifier: MIT
// Searches: they run on a separate thread while the calling one waits for Ctrl-C.
#include <pybind11/stl.h>

#include <chrono>
#include <functional>
#include <future>
#include <thread>

#include "agent/knowledge/knowledge_files.h"
#include "bindings/python/knowledge_binding.h"
#include "bindings/python/state_binding.h"
#include "bindings/python/strategy_binding.h"
#include "search/hidden/known_position.h"
#include "search/registry/registry.h"
#include "search/solve/solve.h"
#include "search/strategy/stated_choice.h"

namespace ludens::bindings {

namespace py = pybind11;

namespace {

using Clock = std::chrono::steady_clock;

search::TimePoint end_after(double seconds) {
  if (!(seconds >= 0)) throw py::value_error("seconds must be a number from 0 on");
  return search::Deadline::in(seconds).at();
}

void expect_open(const PythonState& state) {
  if (state.terminal()) throw py::value_error("the game is over in this state");
}

py::list joint_names(PythonGame& game, const std::vector<gdl::MoveId>& moves) {
  const std::size_t roles = game.machine().role_count();
  py::list out;
  for (std::size_t i = 0; i + roles <= moves.size(); i += roles) {
    py::tuple joint(roles);
    for (std::size_t r = 0; r < roles; ++r) joint[r] = game.move_name(moves[i + r]);
    out.append(joint);
  }
  return out;
}

py::list root_of(PythonGame& game, const std::vector<search::RootMove>& root) {
  py::list out;
  for (const search::RootMove& m : root) {
    out.append(py::make_tuple(game.move_name(m.move), m.value, m.visits, m.low, m.high,
                              joint_names(game, m.variation)));
  }
  return out;
}

/// A strategy that keeps what it finds from move to move. One thread at a time may use it.
class PythonPlayer {
 public:
  /// `evaluate`: as PythonEvaluator takes it, or None.
  PythonPlayer(const std::string& strategy, unsigned threads, std::size_t memory_bytes,
               const py::object& evaluate)
      : memory_(std::make_unique<gdl::MemoryBudget>(memory_bytes)),
        spec_(strategy_of(strategy, !evaluate.is_none())) {
    if (!evaluate.is_none()) evaluator_ = std::make_shared<PythonEvaluator>(hold(evaluate));
    resources_.threads = threads;
    resources_.memory = memory_.get();
    resources_.knowledge = agent::knowledge_of(spec_);
    make();
  }

  /// `stopped()` says whether a stop was asked for before this call; None: it was not.
  py::dict choose(const PythonState& state, gdl::RoleIndex role, double seconds,
                  const py::object& stopped) {
    expect_open(state);
    const std::vector<gdl::MoveId> legal = state.legal(role);
    if (legal.empty()) throw py::value_error("the role has no legal move in this state");
    if (thinking_) throw std::runtime_error("this player is thinking already");
    const auto start = Clock::now();
    search::TimePoint end = end_after(seconds);
    if (const auto cap = search::thinking_cap(spec_)) end = std::min(end, start + *cap);
    search::Position position = known_position(state, role);
    search::Choice first;
    first.move = legal.front();
    search::Incumbent incumbent;
    incumbent.publish(first);
    begin_at(state);
    if (evaluator_ != nullptr) evaluator_->use(state.game());
    gdl::MemoryBudget* const memory = state.game()->loaded()->memory();
    bool believes = false;  // if not, the first move is returned: it is only known to be legal
    thinking_ = true;
    stop_ = std::stop_source();
    try {
      // Asked here, because a stop that was requested before `stop_` was made had no effect on it.
      if (!stopped.is_none() && stopped().cast<bool>()) stop();
      run_interruptibly(
          [&](const std::stop_token& stop) {
            const search::Deadline deadline(end, stop);
            believes = believe(position, search::hidden::MatchPhase::GoesOn, deadline, memory);
            if (believes) strategy_->think(position, deadline, incumbent);
          },
          stop_);
    } catch (const EvaluatorLeft&) {
      thinking_ = false;
      make();
      if (!stop_.stop_requested()) throw;
    } catch (...) {
      thinking_ = false;
      make();  // a strategy that has thrown is not used again
      throw;
    }
    thinking_ = false;
    search::Choice choice = *incumbent.get();
    search::hidden::forget_proofs(position, choice);
    search::hidden::make_legal(choice, legal);
    choice = search::stated(std::move(choice), position.machine->vocabulary()->rules().goals);
    PythonGame& game = *state.game();
    py::dict out;
    out["move"] = game.move_name(choice.move);
    out["value"] = choice.value;
    out["exact"] = choice.exact;
    out["depth"] = choice.depth;
    out["iterations"] = choice.iterations;
    out["nodes"] = choice.nodes;
    out["seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
    out["root"] = root_of(game, choice.root);
    out["line"] = joint_names(game, choice.variation);
    out["explanation"] = believes ? strategy_->explanation() : std::string();
    return out;
  }

  /// Ends the search that is running on another thread, if there is one.
  void stop() { stop_.request_stop(); }
  [[nodiscard]] bool thinking() const { return thinking_; }

 private:
  void make() {
    strategy_.reset();
    strategy_ = make_player_strategy(spec_, resources_, evaluator_);
  }

  /// Strategies identify positions by the moves that led there, which is wrong if these began
  /// elsewhere: then what was found before is useless.
  void begin_at(const PythonState& state) {
    const bool same =
        state.origin() == origin_ || (state.origin() != nullptr && origin_ != nullptr &&
                                      gdl::StateView(*state.origin()) == gdl::StateView(*origin_));
    if (!same || game_ != state.game()) make();
    origin_ = state.origin();
    game_ = state.game();
  }

  std::unique_ptr<gdl::MemoryBudget> memory_;  // outlives the strategy
  search::StrategySpec spec_;
  std::shared_ptr<PythonEvaluator> evaluator_;  // null: the engine evaluates
  search::Resources resources_;
  std::shared_ptr<PythonGame> game_;          // of the last search
  std::shared_ptr<const gdl::State> origin_;  // of the last search
  std::unique_ptr<search::Strategy> strategy_;
  // With the GIL:
  bool thinking_ = false;
  std::stop_source stop_;
};

search::SolveMethod method_of(const std::string& name) {
  if (name == "search") return search::SolveMethod::Search;
  if (name == "proof") return search::SolveMethod::Proof;
  if (name == "backward") return search::SolveMethod::Backward;
  throw py::value_error("method is 'search', 'proof' or 'backward', not '" + name + "'");
}

py::dict solve(const PythonState& state, gdl::RoleIndex role, const std::string& method,
               double seconds, bool all_moves, std::size_t memory_bytes) {
  expect_open(state);
  if (state.game()->machine().vocabulary()->rules().has_rule(gdl::kSees)) {
    throw py::value_error(
        "the rules hide something, so that a state has no exact value for a role: search with the "
        "strategy 'cfr', which looks for an equilibrium");
  }
  const search::Position position{state.game()->loaded()->machine(), state.state(), role,
                                  state.history()};
  const search::SolveMethod how = method_of(method);
  const search::TimePoint end = end_after(seconds);
  gdl::MemoryBudget memory(memory_bytes);
  search::Solution solution;
  run_interruptibly([&](const std::stop_token& stop) {
    solution =
        search::solve(position, how, search::Deadline(end, stop), &memory, nullptr, all_moves);
  });
  PythonGame& game = *state.game();
  py::dict out;
  out["value"] = solution.value();
  out["low"] = solution.low;
  out["high"] = solution.high;
  out["exact"] = solution.exact;
  out["move"] =
      solution.move == gdl::kNoMove ? py::object(py::none()) : game.move_name(solution.move);
  out["nodes"] = solution.nodes;
  out["root"] = root_of(game, solution.root);
  return out;
}

}  // namespace

void run_interruptibly(const std::function<void(std::stop_token)>& work, std::stop_source stop,
                       const py::object& stopped) {
  // If no thread can be started, this one does the work.
  std::future<void> done =
      std::async(std::launch::async | std::launch::deferred, [&] { work(stop.get_token()); });
  for (;;) {
    {
      const Unlocked unlocked;
      const auto status = done.wait_for(std::chrono::milliseconds(20));
      if (status == std::future_status::deferred) done.wait();
      if (status != std::future_status::timeout) break;
    }
    if (PyErr_CheckSignals() == 0) {
      if (!stopped.is_none() && stopped().cast<bool>()) stop.request_stop();
      continue;
    }
    const py::error_already_set interrupted;
    stop.request_stop();
    {
      const Unlocked unlocked;
      done.wait();
    }
    throw interrupted;
  }
  done.get();
}

void bind_searches(py::module_& module) {
  py::class_<PythonPlayer>(module, "PlayerCore")
      .def(py::init<const std::string&, unsigned, std::size_t, const py::object&>())
      .def("choose", &PythonPlayer::choose)
      .def("stop", &PythonPlayer::stop)
      .def_property_readonly("thinking", &PythonPlayer::thinking);
  module.def("solve", &solve);
  module.def("strategies", [] {
    py::dict out;
    for (const search::StrategyInfo& s : search::strategies()) {
      out[py::str(std::string(s.name))] = std::string(s.summary);
    }
    return out;
  });
}

}  // namespace ludens::bindings
