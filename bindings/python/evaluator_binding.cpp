// SPDX-License-Identifier: MIT
#include "bindings/python/evaluator_binding.h"

#include <pybind11/numpy.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ludens::bindings {

namespace py = pybind11;

namespace {

constexpr auto kBetweenGlances = std::chrono::milliseconds(10);  // at the deadline
constexpr auto kPatience = std::chrono::seconds(1);              // after it

/// The result of an evaluator, which the wrapper in Python has checked.
std::vector<float> floats_of(const py::object& object, const std::vector<py::ssize_t>& shape) {
  const auto array = py::array_t<float, py::array::c_style>::ensure(object);
  if (!array || std::vector<py::ssize_t>(array.shape(), array.shape() + array.ndim()) != shape) {
    PyErr_Clear();
    throw py::value_error("an evaluator gives float32 arrays in C order");
  }
  return {array.data(), array.data() + array.size()};
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
    const Unlocked unlocked;
    loaded = LoadedGame::of(machine);
  }
  auto game = std::make_shared<PythonGame>(std::move(loaded));
  use(game);
  return game;
}

// --- batches

EvaluatorLeft::EvaluatorLeft()
    : std::runtime_error(
          "the evaluator has not come back a second after the end of the search: it is left "
          "behind") {}

void Evaluation::finish(const py::object& values, const py::object& priors) {
  values_ = floats_of(values, {states_, players_});
  priors_ = floats_of(priors, {states_, actions_});
  end();
}

void Evaluation::fail(const py::object& error) {
  error_ = hold(error);
  end();
}

void Evaluation::end() {
  const std::lock_guard lock(mutex_);
  over_ = true;
  change_.notify_all();
}

void Evaluation::wait(const search::Deadline& deadline) {
  std::unique_lock lock(mutex_);
  const auto arrived = [this] { return over_; };
  while (!change_.wait_for(lock, kBetweenGlances, arrived)) {
    if (!deadline.stop_requested()) continue;
    if (!change_.wait_for(lock, kPatience, arrived)) throw EvaluatorLeft();
    break;
  }
  if (error_ == nullptr) return;
  const py::gil_scoped_acquire python;
  PyErr_SetObject(py::type::of(*error_).ptr(), error_->ptr());
  throw py::error_already_set();
}

// --- evaluators

PythonEvaluator::~PythonEvaluator() {
  if (batches_ == nullptr || process_ != getpid()) return;
  try {
    const py::gil_scoped_acquire lock;
    batches_->attr("put")(py::none());
  } catch (const std::exception&) {  // no memory: the thread that waits for batches keeps waiting
  }
}

void PythonEvaluator::begin(const search::Position& position, const search::Deadline& deadline) {
  deadline_ = deadline;
  std::shared_ptr<LoadedGame> loaded;
  {
    const py::gil_scoped_acquire lock;
    loaded = games_.of(position.machine)->loaded();
  }
  environment_ = loaded->environment(&deadline_);
  if (environment_ == nullptr) return;  // the time is over, and nothing will be evaluated
  const gdl::Spaces& spaces = environment_->spaces();
  columns_.assign(spaces.players.size(), {});
  for (std::size_t player = 0; player < columns_.size(); ++player) {
    auto column = static_cast<std::uint32_t>(environment_->mask_begin(player));
    for (const gdl::MoveId move : spaces.actions[player]) {
      auto& columns = columns_[player];
      if (move >= columns.size()) columns.resize(move + 1, gdl::EnvironmentGame::kNothing);
      columns[move] = column++;
    }
  }
}

/// Calls `visit` with each legal move of a player: its place in the batch, and in the rows of
/// masks. A state made of any row of bits may have moves without such a place.
template <typename Visit>
void PythonEvaluator::each_move(const gdl::Expansion& batch, const Visit& visit) const {
  const gdl::Spaces& spaces = environment_->spaces();
  const std::size_t roles = environment_->machine()->role_count();
  const std::size_t actions = environment_->mask_plan().size();
  for (std::size_t i = 0; i < batch.states.size(); ++i) {
    for (std::size_t player = 0; player < columns_.size(); ++player) {
      const std::size_t at = i * roles + spaces.players[player];
      const auto& columns = columns_[player];
      for (std::size_t m = batch.begin[at]; m < batch.begin[at + 1]; ++m) {
        const gdl::MoveId move = batch.moves[m];
        if (move >= columns.size() || columns[move] == gdl::EnvironmentGame::kNothing) continue;
        visit(m, i * actions + columns[move]);
      }
    }
  }
}

std::shared_ptr<Evaluation> PythonEvaluator::ask(const gdl::Expansion& batch) {
  const gdl::EnvironmentGame& game = *environment_;
  const auto rows = static_cast<py::ssize_t>(batch.states.size());
  const auto actions = static_cast<py::ssize_t>(game.mask_plan().size());
  const auto words = static_cast<py::ssize_t>(game.state_plan().words());
  auto evaluation =
      std::make_shared<Evaluation>(rows, static_cast<py::ssize_t>(game.player_count()), actions);
  const py::gil_scoped_acquire lock;
  py::array_t<std::uint64_t> states({rows, words});
  py::array_t<bool> masks({rows, actions});
  for (py::ssize_t i = 0; i < rows; ++i) {
    game.from_machine(batch.states[static_cast<std::size_t>(i)],
                      {states.mutable_data(i, 0), static_cast<std::size_t>(words)});
  }
  bool* mask = masks.mutable_data();
  std::fill_n(mask, masks.size(), false);
  each_move(batch, [mask](std::size_t, std::size_t column) { mask[column] = true; });
  if (batches_ == nullptr || process_ != getpid()) {
    batches_ = hold((*make_)());
    process_ = getpid();
  }
  batches_->attr("put")(py::make_tuple(games_.object(), states, masks, evaluation));
  return evaluation;
}

void PythonEvaluator::evaluate(const gdl::Expansion& batch, std::span<float> values,
                               std::span<float> weights) {
  const auto evaluation = ask(batch);
  evaluation->wait(deadline_);
  const gdl::Spaces& spaces = environment_->spaces();
  const std::size_t roles = environment_->machine()->role_count();
  auto value = evaluation->values().begin();
  for (std::size_t i = 0; i < batch.states.size(); ++i) {
    for (const gdl::RoleIndex role : spaces.players) values[i * roles + role] = *value++;
  }
  each_move(batch, [&](std::size_t move, std::size_t column) {
    weights[move] = evaluation->priors()[column];
  });
}

void bind_evaluators(py::module_& module) {
  py::class_<Evaluation, std::shared_ptr<Evaluation>>(module, "Evaluation")
      .def("finish", &Evaluation::finish)
      .def("fail", &Evaluation::fail);
}

}  // namespace ludens::bindings
