// SPDX-License-Identifier: MIT
#include "bindings/python/state_binding.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <stdexcept>

#include "server/board/text_board.h"

namespace ludens::bindings {

namespace py = pybind11;

/// Frees them in a loop: a recursion over a million steps would not fit on the stack.
Step::~Step() {
  std::shared_ptr<Step> rest = std::move(before);
  while (rest != nullptr && rest.use_count() == 1) rest = std::move(rest->before);
}

std::shared_ptr<Step> steps_of(std::span<const gdl::MoveId> history, std::size_t roles) {
  std::shared_ptr<Step> last;
  for (std::size_t at = 0; at < history.size(); at += roles) {
    last = std::make_shared<Step>(std::move(last), history.subspan(at, roles));
  }
  return last;
}

PythonState::PythonState(std::shared_ptr<PythonGame> game, gdl::State state,
                         std::shared_ptr<Step> history, std::shared_ptr<const gdl::State> origin)
    : game_(std::move(game)),
      state_(std::move(state)),
      history_(std::move(history)),
      origin_(std::move(origin)) {}

bool PythonState::terminal() const {
  if (!terminal_) {
    bool over = false;
    expect_ok(game_->machine().terminal(game_->context(), state_, over));
    terminal_ = over;
  }
  return *terminal_;
}

void PythonState::find_legal(gdl::RoleIndex role, std::vector<gdl::MoveId>& out) const {
  out.clear();
  if (!terminal()) expect_ok(game_->machine().legal(game_->context(), state_, role, out));
}

std::vector<gdl::MoveId> PythonState::legal(gdl::RoleIndex role) const {
  std::vector<gdl::MoveId> moves;
  find_legal(role, moves);
  return moves;
}

std::vector<gdl::MoveId> PythonState::history() const {
  std::vector<const Step*> steps;
  for (const Step* s = history_.get(); s != nullptr; s = s->before.get()) steps.push_back(s);
  std::vector<gdl::MoveId> moves;
  for (auto s = steps.rbegin(); s != steps.rend(); ++s) {
    moves.insert(moves.end(), (*s)->joint.begin(), (*s)->joint.end());
  }
  return moves;
}

/// `legal` comes first because an interpreter only knows moves that it has derived.
gdl::MoveId PythonState::chosen(const py::handle& name, gdl::RoleIndex role,
                                const std::vector<gdl::MoveId>& legal) const {
  const gdl::MoveId move = game_->find_move(name);
  if (!std::ranges::binary_search(legal, move)) {
    throw py::value_error(shown(name) + " is not a legal move of " +
                          game_->machine().role_name(role) + " in this state");
  }
  return move;
}

void PythonState::expect_open() const {
  if (terminal()) throw py::value_error("the game is over in this state");
}

PythonState PythonState::play(std::span<PyObject* const> moves) const {
  expect_open();
  const std::size_t roles = game_->machine().role_count();
  if (moves.size() != roles) {
    throw py::value_error("play needs a move of each of the " + std::to_string(roles) +
                          " roles, or one move where a single role has a choice");
  }
  auto& [joint, legal] = game_->scratch();
  joint.clear();
  for (gdl::RoleIndex r = 0; r < roles; ++r) {
    find_legal(r, legal);
    joint.push_back(chosen(moves[r], r, legal));
  }
  return advance(joint);
}

/// The forced moves of all others are played with it. If no role has a choice, it may be the move
/// of any role.
PythonState PythonState::play_alone(const py::handle& move) const {
  expect_open();
  std::vector<gdl::MoveId> joint, moves, choices;
  std::optional<gdl::RoleIndex> chooser;
  for (gdl::RoleIndex r = 0; r < game_->machine().role_count(); ++r) {
    find_legal(r, moves);
    if (moves.empty()) throw py::value_error("a role has no legal move: the rules are flawed");
    if (moves.size() > 1 && chooser) {
      throw py::value_error("several roles have a choice here: give a move of each");
    }
    joint.push_back(moves.front());
    if (moves.size() == 1) continue;
    chooser = r;
    std::swap(choices, moves);
  }
  if (!chooser) {
    const auto own = std::ranges::find(joint, game_->find_move(move));
    chooser = static_cast<gdl::RoleIndex>(own == joint.end() ? 0 : own - joint.begin());
    choices = {joint[*chooser]};
  }
  joint[*chooser] = chosen(move, *chooser, choices);
  return advance(joint);
}

PythonState PythonState::advance(std::span<const gdl::MoveId> joint) const {
  gdl::State next;
  expect_ok(game_->machine().next(game_->context(), state_, joint, next));
  return {game_, std::move(next), std::make_shared<Step>(history_, joint), origin_};
}

py::list names_of(PythonGame& game, const std::vector<gdl::MoveId>& moves) {
  py::list names(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) names[i] = game.move_name(moves[i]);
  return names;
}

namespace {

using GamePointer = std::shared_ptr<PythonGame>;

py::tuple goals_of(const PythonState& state) {
  std::vector<int> goals(state.game()->machine().role_count());
  expect_ok(state.game()->machine().stated_goals(state.game()->context(), state.state(), goals));
  return py::tuple(py::cast(goals));
}

std::string text_of(const PythonState& state) {
  std::string text;
  expect_ok(state.game()->machine().print(state.game()->context(), state.state(), text));
  return text;
}

py::array_t<std::uint64_t> bits_of(const PythonState& state) {
  const auto game = environment_of(*state.game());
  py::array_t<std::uint64_t> row(static_cast<py::ssize_t>(game->state_plan().words()));
  game->from_machine(state.state(), {row.mutable_data(), static_cast<std::size_t>(row.size())});
  return row;
}

NewState state_of_bits(const GamePointer& game,
                       const py::array_t<std::uint64_t, py::array::c_style>& row) {
  const auto environment = environment_of(*game);
  if (static_cast<std::size_t>(row.size()) != environment->state_plan().words()) {
    throw py::value_error("a state of this game has " +
                          std::to_string(environment->state_plan().words()) + " words of 64 bits");
  }
  gdl::State state;
  environment->to_machine({row.data(), static_cast<std::size_t>(row.size())}, state);
  const auto origin = std::make_shared<const gdl::State>(state);
  return {{game, std::move(state), nullptr, origin}};
}

/// The picture of a state, for drawing.
py::object picture_of(const PythonState& state) {
  const server::Board& board = state.game()->loaded()->board();
  if (!board.found()) return py::none();
  const server::Picture picture = board.picture(text_of(state));
  py::list grids;
  for (const server::Grid& grid : picture.grids) {
    grids.append(py::make_tuple(grid.title, grid.cells));
  }
  py::dict looks;
  for (const server::Grid& grid : picture.grids) {
    for (const auto& row : grid.cells) {
      for (const auto& cell : row) {
        for (const std::string& thing : cell) {
          const server::Appearance a = board.appearance(thing);
          looks[py::str(thing)] =
              py::make_tuple(static_cast<int>(a.shape), a.colour, a.text, a.size);
        }
      }
    }
  }
  py::list facts;
  for (const auto* groups : {&picture.controls, &picture.facts}) {
    for (const server::FactGroup& group : *groups)
      facts.append(py::make_tuple(group.name, group.facts));
  }
  py::dict out;
  out["rows"] = board.geometry().rows;
  out["columns"] = board.geometry().columns;
  out["grids"] = grids;
  out["looks"] = looks;
  out["facts"] = facts;
  return out;
}

std::string drawing_of(const PythonState& state) {
  const server::Board& board = state.game()->loaded()->board();
  return server::draw(board, board.picture(text_of(state)));
}

py::tuple playouts_of(const PythonState& state, std::uint32_t count, std::uint64_t seed) {
  const gdl::Machine& machine = state.game()->machine();
  const std::size_t roles = machine.role_count();
  gdl::PlayoutSums sums;
  {
    const Unlocked unlocked;
    const auto context = machine.make_context({nullptr, state.game()->loaded()->memory()});
    gdl::Rng rng(seed);
    gdl::PlayoutOptions options;
    options.per_start = count;
    const gdl::StateView start = state.state();
    expect_ok(machine.playouts(*context, {&start, 1}, options, rng, sums));
  }
  std::vector<double> means(roles);
  const gdl::GoalScale& scale = state.game()->machine().vocabulary()->rules().goals;
  for (std::size_t r = 0; r < roles; ++r) {
    means[r] = scale.shown(static_cast<double>(sums.goals[r]) /
                           std::max<std::uint32_t>(1, sums.playouts[0]));
  }
  return py::make_tuple(py::array_t<double>(static_cast<py::ssize_t>(roles), means.data()),
                        sums.steps);
}

}  // namespace

void bind_states(py::module_& module) {
  bind_state_type(module);
  py::class_<NewState>(module, "NewState")
      .def_property_readonly("game", [](const NewState& s) { return s.state.game(); })
      .def("of", [](const NewState& s, const py::type& type, const py::object& game) {
        return make_state_object(reinterpret_cast<PyTypeObject*>(type.ptr()), s.state, game);
      });
  module.def("initial_state", [](const GamePointer& g) {
    return NewState{{g, g->loaded()->initial(), nullptr}};
  });
  module.def("state_of_bits", &state_of_bits);
  module.def("goals_of", &goals_of);
  module.def("text_of", &text_of);
  module.def("bits_of", &bits_of);
  module.def("picture_of", &picture_of);
  module.def("drawing_of", &drawing_of);
  module.def("playouts_of", &playouts_of);
  module.def("history_of", [](const PythonState& s) { return names_of(*s.game(), s.history()); });
}

}  // namespace ludens::bindings
