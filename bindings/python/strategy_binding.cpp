// SPDX-License-Identifier: MIT
#include "bindings/python/strategy_binding.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "search/strategy/first_choice.h"

namespace ludens::bindings {

namespace py = pybind11;

namespace {

constexpr double kBetweenLooks = 0.01;  // seconds between two looks at the deadline

std::shared_ptr<const Step> steps_of(const search::Position& position) {
  const std::size_t roles = position.machine->role_count();
  std::shared_ptr<const Step> last;
  for (auto at = position.history.begin(); at != position.history.end();) {
    const auto end = at + static_cast<std::ptrdiff_t>(roles);
    last = std::make_shared<Step>(Step{std::move(last), {at, end}});
    at = end;
  }
  return last;
}

/// The seconds of `time.monotonic()` at a point in time.
double seconds_of(search::TimePoint at) {
  return std::chrono::duration<double>(at.time_since_epoch()).count();
}

/// What a call brings; None where the deadline came first.
py::object wait_for(const py::object& call, const search::Deadline& deadline) {
  const py::object wait = call.attr("wait");
  while (!deadline.stop_requested()) {
    const py::object answer = wait(kBetweenLooks);
    if (!answer.is_none()) return answer.cast<py::tuple>()[0];
  }
  return py::none();
}

/// An array that the evaluator gave back, which the wrapper in Python has checked.
const float* floats_of(const py::handle& object, const std::vector<py::ssize_t>& shape) {
  const auto array = py::array_t<float, py::array::c_style>::ensure(object);
  if (!array || std::vector<py::ssize_t>(array.shape(), array.shape() + array.ndim()) != shape ||
      array.ptr() != object.ptr()) {
    throw py::value_error("an evaluator gives float32 arrays in C order");
  }
  return array.data();
}

}  // namespace

HeldObject hold(py::object object) {
  return {new py::object(std::move(object)), [](const py::object* held) {
            const py::gil_scoped_acquire lock;
            delete held;
          }};
}

// --- games of machines

void MachineGame::use(const std::shared_ptr<PythonGame>& game) {
  held_ = hold(py::cast(game));
}

std::shared_ptr<PythonGame> MachineGame::of(const std::shared_ptr<const gdl::Machine>& machine) {
  if (held_ != nullptr) {
    auto game = held_->cast<std::shared_ptr<PythonGame>>();
    if (game->loaded()->machine() == machine) return game;
  }
  std::shared_ptr<LoadedGame> loaded;
  {
    const py::gil_scoped_release release;
    loaded = LoadedGame::of(machine);
  }
  auto game = std::make_shared<PythonGame>(std::move(loaded));
  use(game);
  return game;
}

// --- evaluators

void PythonEvaluator::begin(const search::Position& position) {
  std::shared_ptr<LoadedGame> loaded;
  {
    const py::gil_scoped_acquire lock;
    loaded = games_.of(position.machine)->loaded();
  }
  environment_ = loaded->environment();
  const gdl::Spaces& spaces = environment_->spaces();
  columns_.assign(spaces.players.size(), {});
  for (std::size_t player = 0; player < columns_.size(); ++player) {
    auto column = static_cast<std::uint32_t>(environment_->mask_begin(player));
    for (const gdl::MoveId move : spaces.actions[player]) {
      auto& columns = columns_[player];
      if (move >= columns.size()) columns.resize(move + 1);
      columns[move] = column++;
    }
  }
}

void PythonEvaluator::evaluate(const gdl::Expansion& batch, std::span<float> values,
                               std::span<float> weights) {
  const gdl::EnvironmentGame& game = *environment_;
  const gdl::Spaces& spaces = game.spaces();
  const std::size_t count = batch.states.size(), players = spaces.players.size();
  const std::size_t roles = game.machine()->role_count();
  const auto rows = static_cast<py::ssize_t>(count);
  const auto actions = static_cast<py::ssize_t>(game.mask_plan().size());
  const auto words = static_cast<py::ssize_t>(game.state_plan().words());
  /// Calls with each legal move of a player: its place in `weights` and in a row of the mask.
  const auto each_move = [&](const auto& visit) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t player = 0; player < players; ++player) {
        const std::size_t at = i * roles + spaces.players[player];
        for (std::size_t m = batch.begin[at]; m < batch.begin[at + 1]; ++m) {
          visit(m, i * static_cast<std::size_t>(actions) + columns_[player][batch.moves[m]]);
        }
      }
    }
  };

  const py::gil_scoped_acquire lock;
  py::array_t<std::uint64_t> states({rows, words});
  py::array_t<bool> masks({rows, actions});
  for (std::size_t i = 0; i < count; ++i) {
    game.from_machine(batch.states[i], {states.mutable_data(static_cast<py::ssize_t>(i), 0),
                                        static_cast<std::size_t>(words)});
  }
  bool* mask = masks.mutable_data();
  std::fill_n(mask, masks.size(), false);
  each_move([mask](std::size_t, std::size_t column) { mask[column] = true; });
  const py::tuple found = (*evaluate_)(games_.object(), states, masks);
  const py::object given_values = found[0], given_priors = found[1];
  const float* value = floats_of(given_values, {rows, static_cast<py::ssize_t>(players)});
  const float* prior = floats_of(given_priors, {rows, actions});
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t player = 0; player < players; ++player) {
      values[i * roles + spaces.players[player]] = *value++;
    }
  }
  each_move([&](std::size_t move, std::size_t column) { weights[move] = prior[column]; });
}

// --- players

void PythonStrategy::think(const search::Position& position, const search::Deadline& deadline,
                           search::Incumbent& incumbent) {
  const auto legal = search::publish_first(position, deadline, incumbent);
  if (legal.empty() || deadline.at() == search::TimePoint::max()) return;
  const py::gil_scoped_acquire lock;
  if (player_ == nullptr) {
    player_ = hold((*make_)());
    // The first call of a match is that of START.
    if (position.history.empty()) return start(position, deadline);
  }
  if (legal.size() == 1) return;
  const auto game = games_.of(position.machine);
  const PythonState state(game, position.state, steps_of(position));
  const py::object answer = wait_for(
      player_->attr("think")(py::cast(state), position.role, seconds_of(deadline.at())), deadline);
  if (answer.is_none()) return;
  search::Choice choice;
  choice.move = game->find_move(answer);
  if (!std::ranges::binary_search(legal, choice.move)) {
    throw std::runtime_error("it answered " + py::str(answer).cast<std::string>() +
                             ", which is not a legal move");
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
