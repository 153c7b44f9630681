// SPDX-License-Identifier: MIT
#include "bindings/python/strategy_binding.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "agent/knowledge/knowledge_files.h"
#include "search/strategy/first_choice.h"
#include "search/value/value.h"

namespace ludens::bindings {

namespace py = pybind11;

namespace {

constexpr double kBetweenLooks = 0.01;  // seconds between two checks of the deadline

/// The seconds of `time.monotonic()` at a point in time.
double seconds_of(search::TimePoint at) {
  return std::chrono::duration<double>(at.time_since_epoch()).count();
}

/// The result of a call; None if the deadline came first.
py::object wait_for(const py::object& call, const search::Deadline& deadline) {
  const py::object wait = call.attr("wait");
  while (!deadline.stop_requested()) {
    const py::object answer = wait(kBetweenLooks);
    if (!answer.is_none()) return answer.cast<py::tuple>()[0];
  }
  return py::none();
}

}  // namespace

// --- players

void PythonStrategy::think(const search::Position& position, const search::Deadline& deadline,
                           search::Incumbent& incumbent) {
  const auto legal = search::publish_first(position, deadline, incumbent);
  if (legal.empty() || deadline.at() == search::TimePoint::max()) return;
  const py::gil_scoped_acquire lock;
  if (player_ == nullptr) player_ = hold((*make_)());
  if (position.at_start) return start(position, deadline);
  if (legal.size() == 1) return;
  const auto game = games_.of(position.machine);
  NewState state{
      {game, position.state, steps_of(position.history, position.machine->role_count())}};
  const py::object answer = wait_for(
      player_->attr("think")(py::cast(std::move(state)), position.role, seconds_of(deadline.at())),
      deadline);
  if (answer.is_none()) return;
  search::Choice choice;
  choice.move = game->find_move(answer);
  if (!std::ranges::binary_search(legal, choice.move)) {
    throw std::runtime_error("it answered " + shown(answer) + ", which is not a legal move");
  }
  incumbent.publish(std::move(choice));
}

void PythonStrategy::start(const search::Position& position, const search::Deadline& deadline) {
  games_.of(position.machine);
  wait_for(player_->attr("start")(games_.object(), position.role, seconds_of(deadline.at())),
           deadline);
}

// --- strategies by name

search::StrategySpec strategy_of(const std::string& text, bool evaluated) {
  auto spec = search::parse_strategy(text);
  if (!spec) throw py::value_error(spec.error().text);
  if (evaluated && spec->name != "value") {
    throw py::value_error("an evaluator is asked by the strategy 'value', not by '" + spec->name +
                          "': write 'value', with options as in 'value:nodes=800,leaves=64'");
  }
  if (const auto problem = agent::problem_with_knowledge(*spec, nullptr)) {
    throw py::value_error(*problem);
  }
  return *std::move(spec);
}

std::unique_ptr<search::Strategy> make_player_strategy(
    const search::StrategySpec& spec, const search::Resources& resources,
    const std::shared_ptr<PythonEvaluator>& evaluator) {
  if (evaluator != nullptr) {
    const auto options =
        search::Options::read(spec.name, search::kValueOptions, spec.options).value();
    return search::make_evaluated_value(options, resources, evaluator);
  }
  auto made = search::make_strategy(spec, resources);
  if (!made) throw py::value_error(made.error().text);
  return *std::move(made);
}

}  // namespace ludens::bindings
