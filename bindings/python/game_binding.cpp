// SPDX-License-Identifier: MIT
#include "bindings/python/game_binding.h"

#include <pthread.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <thread>

#include "gdl/text/nearest_name.h"
#include "search/strategy/stopping.h"

namespace ludens::bindings {

namespace py = pybind11;

namespace {

/// The end of the interpreter. Once it is near, only the thread that ends Python may use Python.
struct End {
  std::atomic<int> returning = 0;  // threads that are on their way back to Python
  std::atomic<bool> near = false;
  std::thread::id by;  // once it is near
};
End end_of_python;  // NOLINT: one for all threads

/// Waits until the threads that are about to return to Python have returned: Python would end them
/// while they wait for its lock. From now on, other threads do not return.
void prepare_end() {
  End& end = end_of_python;
  end.by = std::this_thread::get_id();
  end.near = true;
  const Unlocked unlocked;
  for (int left = end.returning; left != 0; left = end.returning) end.returning.wait(left);
}

/// Python calls `prepare_end` after the functions that the package registers later, which may wait
/// for threads.
void register_end() {
  py::module_::import("atexit").attr("register")(py::cpp_function(&prepare_end));
  pthread_atfork(nullptr, nullptr, [] { end_of_python.returning = 0; });  // others stay behind
}

}  // namespace

Unlocked::~Unlocked() {
  End& end = end_of_python;
  ++end.returning;
  const bool too_late = end.near && end.by != std::this_thread::get_id();
  if (!too_late) PyEval_RestoreThread(thread_);
  --end.returning;
  end.returning.notify_all();
  if (too_late) {
    for (;;) pause();
  }
}

void expect_ok(gdl::Status status) {
  if (status == gdl::Status::OverBudget) throw std::bad_alloc();
  if (status != gdl::Status::Ok) throw std::runtime_error("stopped");
}

std::optional<std::string> utf8_of(const py::handle& text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes != nullptr) return std::string(bytes, static_cast<std::size_t>(size));
  if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw py::error_already_set();
  PyErr_Clear();
  return std::nullopt;
}

std::string shown(const py::handle& text) {
  const auto bytes = utf8_of(text);
  return bytes ? *bytes : py::repr(text).cast<std::string>();
}

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
  // Only a plain string, whose comparison runs no code of the caller.
  if (PyUnicode_CheckExact(name.ptr())) {
    if (PyObject* known = PyDict_GetItemWithError(moves_.ptr(), name.ptr())) {
      return static_cast<gdl::MoveId>(PyLong_AsUnsignedLong(known));
    }
  }
  const auto text = utf8_of(name);
  if (!text) return gdl::kNoMove;
  return machine().vocabulary()->find_move(*text).value_or(gdl::kNoMove);
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
  const auto text = utf8_of(name);
  std::vector<std::string> names;
  for (gdl::RoleIndex r = 0; r < roles; ++r) {
    names.push_back(machine().role_name(r));
    if (names.back() == text) return r;
  }
  throw py::key_error("this game has no role '" + shown(name) + "'" +
                      gdl::did_you_mean(shown(name), names));
}

std::shared_ptr<const gdl::EnvironmentGame> environment_of(const PythonGame& game) {
  LoadedGame& loaded = *game.loaded();
  auto environment = loaded.known_environment();
  if (environment != nullptr) return environment;
  run_interruptibly([&](const std::stop_token& token) {
    const search::Deadline stop(token);
    environment = loaded.environment(&stop);
  });
  return environment;
}

namespace {

using GamePointer = std::shared_ptr<PythonGame>;

py::dict spaces_of(PythonGame& game) {
  const auto environment = environment_of(game);
  const gdl::Spaces& spaces = environment->spaces();
  py::dict out;
  out["players"] = spaces.player_names;
  out["actions"] = spaces.action_names;
  out["fluents"] = spaces.fluent_names;
  out["hash"] = spaces.hash();
  return out;
}

py::object board_of(PythonGame& game) {
  environment_of(game);  // the tensor is made from it
  const auto& tensor = game.loaded()->board_tensor();
  if (!tensor) return py::none();
  py::dict out;
  out["channels"] = tensor->channels;
  out["rows"] = tensor->rows;
  out["columns"] = tensor->columns;
  out["fluents"] = tensor->fluents;
  out["others"] = tensor->others;
  return out;
}

void bind_game_core(py::module_& module) {
  py::class_<PythonGame, GamePointer>(module, "GameCore")
      .def_static("open",
                  [](const std::string& game, const std::string& machine, std::size_t memory) {
                    const Unlocked unlocked;
                    auto loaded = LoadedGame::open(game, machine, memory);
                    const py::gil_scoped_acquire acquire;
                    return std::make_shared<PythonGame>(std::move(loaded));
                  })
      .def_static("from_text",
                  [](const std::string& text, const std::string& name, const std::string& machine,
                     std::size_t memory) {
                    const Unlocked unlocked;
                    auto loaded = LoadedGame::from_text(text, name, machine, memory);
                    const py::gil_scoped_acquire acquire;
                    return std::make_shared<PythonGame>(std::move(loaded));
                  })
      .def_property_readonly("name", [](PythonGame& g) { return g.loaded()->sheet().name; })
      .def_property_readonly("text", [](PythonGame& g) { return g.loaded()->sheet().text; })
      .def_property_readonly("machine", [](PythonGame& g) { return g.loaded()->machine_name(); })
      .def_property_readonly("roles", [](PythonGame& g) { return g.loaded()->roles(); })
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
      .def("spaces", &spaces_of)
      .def("board", &board_of);
}

}  // namespace

void bind_games(py::module_& module) {
  register_end();
  py::register_exception<GameError>(module, "GameError", PyExc_ValueError);
  bind_game_core(module);
}

}  // namespace ludens::bindings
