// SPDX-License-Identifier: MIT
#include "bindings/python/game_binding.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <new>

#include "gdl/text/nearest_name.h"
#include "server/board/text_board.h"

namespace ludens::bindings {

namespace py = pybind11;

void expect_ok(gdl::Status status) {
  if (status == gdl::Status::OverBudget) throw std::bad_alloc();
  if (status != gdl::Status::Ok) throw std::runtime_error("stopped");
}

// --- games

PythonGame::PythonGame(std::shared_ptr<LoadedGame> loaded) : loaded_(std::move(loaded)) {}

py::object PythonGame::move_name(gdl::MoveId move) {
  if (move >= names_.size()) names_.resize(move + 1);
  if (!names_[move]) {
    names_[move] = py::str(machine().vocabulary()->move_name(move));
    moves_[names_[move]] = move;
  }
  return names_[move];
}

gdl::MoveId PythonGame::find_move(const py::handle& name) {
  if (!py::isinstance<py::str>(name)) {
    throw py::type_error("a move is a str, such as '( mark 1 1 )'");
  }
  if (PyObject* known = PyDict_GetItem(moves_.ptr(), name.ptr())) {
    return static_cast<gdl::MoveId>(PyLong_AsUnsignedLong(known));
  }
  return machine().vocabulary()->find_move(name.cast<std::string>()).value_or(gdl::kNoMove);
}

gdl::RoleIndex PythonGame::role(const py::handle& name) const {
  const std::size_t roles = machine().role_count();
  if (py::isinstance<py::int_>(name)) {
    const auto index = name.cast<long long>();
    if (index >= 0 && static_cast<std::size_t>(index) < roles) {
      return static_cast<gdl::RoleIndex>(index);
    }
    throw py::index_error("this game has roles 0 to " + std::to_string(roles - 1));
  }
  if (!py::isinstance<py::str>(name)) throw py::type_error("a role is a name or an index");
  const auto text = name.cast<std::string>();
  std::vector<std::string> names;
  for (gdl::RoleIndex r = 0; r < roles; ++r) {
    names.push_back(machine().role_name(r));
    if (names.back() == text) return r;
  }
  throw py::key_error("this game has no role '" + text + "'" + gdl::did_you_mean(text, names));
}

// --- states

PythonState::PythonState(std::shared_ptr<PythonGame> game, gdl::State state,
                         std::shared_ptr<const Step> history,
                         std::shared_ptr<const gdl::State> origin)
    : game_(std::move(game)),
      state_(std::move(state)),
      history_(std::move(history)),
      origin_(std::move(origin)) {}

bool PythonState::terminal() const {
  if (!terminal_) {
    bool over = false;
    expect_ok(game_->machine().terminal(game_->loaded()->context(), state_, over));
    terminal_ = over;
  }
  return *terminal_;
}

std::vector<gdl::MoveId> PythonState::legal(gdl::RoleIndex role) const {
  std::vector<gdl::MoveId> moves;
  if (!terminal()) {
    expect_ok(game_->machine().legal(game_->loaded()->context(), state_, role, moves));
  }
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

std::vector<gdl::MoveId> PythonState::joint_move(const py::sequence& moves) const {
  const std::size_t roles = game_->machine().role_count();
  if (moves.size() != roles) {
    throw py::value_error("play needs a move of each of the " + std::to_string(roles) +
                          " roles, or one move where a single role has a choice");
  }
  std::vector<gdl::MoveId> joint;
  for (gdl::RoleIndex r = 0; r < roles; ++r) joint.push_back(chosen(moves[r], r, legal(r)));
  return joint;
}

/// `legal` comes first: an interpreter knows no move that it has not derived.
gdl::MoveId PythonState::chosen(const py::handle& name, gdl::RoleIndex role,
                                const std::vector<gdl::MoveId>& legal) const {
  const gdl::MoveId move = game_->find_move(name);
  if (!std::ranges::binary_search(legal, move)) {
    throw py::value_error(name.cast<std::string>() + " is not a legal move of " +
                          game_->machine().role_name(role) + " in this state");
  }
  return move;
}

/// The move of the only role that has a choice, and what all others have to do. Where no role has
/// one, the move of any.
std::vector<gdl::MoveId> PythonState::forced_beside(const py::handle& move) const {
  std::vector<gdl::MoveId> joint, choices;
  std::optional<gdl::RoleIndex> chooser;
  for (gdl::RoleIndex r = 0; r < game_->machine().role_count(); ++r) {
    std::vector<gdl::MoveId> moves = legal(r);
    if (moves.empty()) throw py::value_error("a role has no legal move: the rules are flawed");
    if (moves.size() > 1 && chooser) {
      throw py::value_error("several roles have a choice here: give a move of each");
    }
    joint.push_back(moves.front());
    if (moves.size() == 1) continue;
    chooser = r;
    choices = std::move(moves);
  }
  if (!chooser) {
    const auto own = std::ranges::find(joint, game_->find_move(move));
    chooser = static_cast<gdl::RoleIndex>(own == joint.end() ? 0 : own - joint.begin());
    choices = {joint[*chooser]};
  }
  joint[*chooser] = chosen(move, *chooser, choices);
  return joint;
}

PythonState PythonState::play(const py::args& moves) const {
  if (terminal()) throw py::value_error("the game is over in this state");
  if (moves.size() == 1 && py::isinstance<py::str>(moves[0])) {
    return advance(forced_beside(moves[0]));
  }
  const bool listed = moves.size() == 1 && py::isinstance<py::sequence>(moves[0]);
  return advance(listed ? joint_move(py::reinterpret_borrow<py::sequence>(moves[0]))
                        : joint_move(moves));
}

PythonState PythonState::advance(const std::vector<gdl::MoveId>& joint) const {
  gdl::State next;
  expect_ok(game_->machine().next(game_->loaded()->context(), state_, joint, next));
  return {game_, std::move(next), std::make_shared<Step>(Step{history_, joint}), origin_};
}

// --- to Python

namespace {

using GamePointer = std::shared_ptr<PythonGame>;

py::list names_of(PythonGame& game, const std::vector<gdl::MoveId>& moves) {
  py::list names(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) names[i] = game.move_name(moves[i]);
  return names;
}

py::tuple goals_of(const PythonState& state) {
  std::vector<int> goals(state.game()->machine().role_count());
  expect_ok(state.game()->machine().goals(state.game()->loaded()->context(), state.state(), goals));
  return py::tuple(py::cast(goals));
}

std::string text_of(const PythonState& state) {
  std::string text;
  expect_ok(state.game()->machine().print(state.game()->loaded()->context(), state.state(), text));
  return text;
}

py::array_t<std::uint64_t> bits_of(const PythonState& state) {
  const auto game = state.game()->loaded()->environment();
  py::array_t<std::uint64_t> row(static_cast<py::ssize_t>(game->state_plan().words()));
  game->from_machine(state.state(), {row.mutable_data(), static_cast<std::size_t>(row.size())});
  return row;
}

PythonState state_of_bits(const GamePointer& game,
                          const py::array_t<std::uint64_t, py::array::c_style>& row) {
  const auto environment = game->loaded()->environment();
  if (static_cast<std::size_t>(row.size()) != environment->state_plan().words()) {
    throw py::value_error("a state of this game has " +
                          std::to_string(environment->state_plan().words()) + " words of 64 bits");
  }
  gdl::State state;
  environment->to_machine({row.data(), static_cast<std::size_t>(row.size())}, state);
  const auto origin = std::make_shared<const gdl::State>(state);
  return {game, std::move(state), nullptr, origin};
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
    const py::gil_scoped_release release;
    const auto context = machine.make_context({nullptr, state.game()->loaded()->memory()});
    gdl::Rng rng(seed);
    gdl::PlayoutOptions options;
    options.per_start = count;
    const gdl::StateView start = state.state();
    expect_ok(machine.playouts(*context, {&start, 1}, options, rng, sums));
  }
  std::vector<double> means(roles);
  for (std::size_t r = 0; r < roles; ++r) {
    means[r] = static_cast<double>(sums.goals[r]) / std::max<std::uint32_t>(1, sums.playouts[0]);
  }
  return py::make_tuple(py::array_t<double>(static_cast<py::ssize_t>(roles), means.data()),
                        sums.steps);
}

py::dict spaces_of(PythonGame& game) {
  const gdl::Spaces& spaces = game.loaded()->environment()->spaces();
  py::dict out;
  out["players"] = spaces.player_names;
  out["actions"] = spaces.action_names;
  out["fluents"] = spaces.fluent_names;
  out["hash"] = spaces.hash();
  return out;
}

py::object board_of(PythonGame& game) {
  const auto& tensor = game.loaded()->board_tensor();
  if (!tensor) return py::none();
  py::dict out;
  out["channels"] = tensor->channels;
  out["rows"] = tensor->rows;
  out["columns"] = tensor->columns;
  out["others"] = tensor->others;
  return out;
}

void bind_game_core(py::module_& module) {
  py::class_<PythonGame, GamePointer>(module, "GameCore")
      .def_static("open",
                  [](const std::string& game, const std::string& machine, std::size_t memory) {
                    const py::gil_scoped_release release;
                    auto loaded = LoadedGame::open(game, machine, memory);
                    const py::gil_scoped_acquire acquire;
                    return std::make_shared<PythonGame>(std::move(loaded));
                  })
      .def_static("from_text",
                  [](const std::string& text, const std::string& name, const std::string& machine,
                     std::size_t memory) {
                    const py::gil_scoped_release release;
                    auto loaded = LoadedGame::from_text(text, name, machine, memory);
                    const py::gil_scoped_acquire acquire;
                    return std::make_shared<PythonGame>(std::move(loaded));
                  })
      .def_property_readonly("name", [](PythonGame& g) { return g.loaded()->sheet().name; })
      .def_property_readonly("text", [](PythonGame& g) { return g.loaded()->sheet().text; })
      .def_property_readonly("machine",
                             [](PythonGame& g) { return std::string(g.machine().name()); })
      .def_property_readonly("roles",
                             [](PythonGame& g) {
                               std::vector<std::string> names;
                               for (gdl::RoleIndex r = 0; r < g.machine().role_count(); ++r) {
                                 names.push_back(g.machine().role_name(r));
                               }
                               return names;
                             })
      .def_property_readonly("random_role", [](PythonGame& g) { return g.machine().random_role(); })
      .def_property_readonly("diagnostics",
                             [](PythonGame& g) {
                               std::vector<std::string> lines;
                               const server::Rulesheet& sheet = g.loaded()->sheet();
                               for (const gdl::Diagnostic& d : sheet.diagnostics) {
                                 lines.push_back(gdl::format(d, sheet.file));
                               }
                               return lines;
                             })
      .def("role", [](PythonGame& g, const py::object& name) { return g.role(name); })
      .def("initial",
           [](const GamePointer& g) { return PythonState(g, g->loaded()->initial(), nullptr); })
      .def("state", &state_of_bits)
      .def("spaces", &spaces_of)
      .def("board", &board_of);
}

void bind_state_core(py::module_& module) {
  py::class_<PythonState>(module, "StateCore")
      .def_property_readonly("game", &PythonState::game)
      .def_property_readonly("is_terminal", &PythonState::terminal)
      .def("legal",
           [](const PythonState& s, gdl::RoleIndex r) { return names_of(*s.game(), s.legal(r)); })
      .def("play", &PythonState::play)
      .def("goals", &goals_of)
      .def("text", &text_of)
      .def("bits", &bits_of)
      .def("picture", &picture_of)
      .def("drawing", &drawing_of)
      .def("playouts", &playouts_of)
      .def("history", [](const PythonState& s) { return names_of(*s.game(), s.history()); })
      .def("same",
           [](const PythonState& a, const PythonState& b) {
             return a.game() == b.game() && gdl::StateView(a.state()) == gdl::StateView(b.state());
           })
      .def("__hash__", [](const PythonState& s) {
        return static_cast<py::ssize_t>(gdl::hash(s.state()).low >> 2);
      });
}

}  // namespace

void bind_games(py::module_& module) {
  py::register_exception<GameError>(module, "GameError", PyExc_ValueError);
  bind_game_core(module);
  bind_state_core(module);
}

}  // namespace ludens::bindings
