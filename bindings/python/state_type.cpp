// SPDX-License-Identifier: MIT
// The type of Python's states, written for the interpreter's C API. Python's own header comes
// first, because the header for members needs it.
#include "bindings/python/state_binding.h"
//
#include <structmember.h>

#include <new>

namespace ludens::bindings {

namespace py = pybind11;

namespace {

struct StateObject {
  PyObject base;
  PyObject* game;  // a `ludens.Game`
  alignas(PythonState) unsigned char state[sizeof(PythonState)];
};

PyTypeObject* state_type = nullptr;  // NOLINT: made once, as the module is

StateObject& object_of(PyObject* self) {
  return *reinterpret_cast<StateObject*>(self);
}
PythonState& payload(PyObject* self) {
  return *std::launder(reinterpret_cast<PythonState*>(object_of(self).state));
}

/// Runs a call from the interpreter, and converts exceptions to Python errors.
template <typename Call>
PyObject* translated(const Call& call) {
  try {
    return call();
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

PyObject* make(PyTypeObject* type, PythonState state, PyObject* game) {
  PyObject* made = type->tp_alloc(type, 0);
  if (made == nullptr) throw py::error_already_set();
  new (object_of(made).state) PythonState(std::move(state));
  Py_INCREF(game);
  object_of(made).game = game;
  return made;
}

PyObject* refuse_new(PyTypeObject*, PyObject*, PyObject*) {
  PyErr_SetString(PyExc_TypeError,
                  "states come from games: use Game.initial, Game.state or State.play");
  return nullptr;
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  payload(self).~PythonState();
  Py_CLEAR(object_of(self).game);
  type->tp_free(self);
  Py_DECREF(type);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(object_of(self).game);
  return 0;
}

int clear(PyObject* self) {
  Py_CLEAR(object_of(self).game);
  return 0;
}

PyObject* play(PyObject* self, PyObject* const* moves, Py_ssize_t count) {
  return translated([&] {
    const auto after = [&]() -> PythonState {
      if (count != 1) return payload(self).play({moves, static_cast<std::size_t>(count)});
      if (PyUnicode_Check(moves[0])) return payload(self).play_alone(moves[0]);
      if (!PySequence_Check(moves[0])) throw py::type_error("play takes moves, or a list of them");
      const auto listed = py::reinterpret_steal<py::object>(PySequence_Tuple(moves[0]));
      if (!listed) throw py::error_already_set();
      return payload(self).play({PySequence_Fast_ITEMS(listed.ptr()),
                                 static_cast<std::size_t>(PyTuple_GET_SIZE(listed.ptr()))});
    };
    return make(Py_TYPE(self), after(), object_of(self).game);
  });
}

PyObject* legal(PyObject* self, PyObject* role) {
  return translated([&] {
    const PythonState& state = payload(self);
    PythonGame& game = *state.game();
    if (role != Py_None) return names_of(game, state.legal(game.role(role))).release().ptr();
    py::list all;
    for (gdl::RoleIndex r = 0; r < game.machine().role_count(); ++r) {
      all.append(names_of(game, state.legal(r)));
    }
    return all.release().ptr();
  });
}

PyObject* is_terminal(PyObject* self, void*) {
  return translated([&] { return PyBool_FromLong(payload(self).terminal() ? 1 : 0); });
}

Py_hash_t hash_of(PyObject* self) {
  return static_cast<Py_hash_t>(gdl::hash(payload(self).state()).low >> 2);
}

PyObject* compare(PyObject* self, PyObject* other, int how) {
  const PythonState* state = state_in(other);
  if (state == nullptr || (how != Py_EQ && how != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
  const PythonState& own = payload(self);
  const bool same =
      own.game() == state->game() && gdl::StateView(own.state()) == gdl::StateView(state->state());
  return PyBool_FromLong(same == (how == Py_EQ) ? 1 : 0);
}

constexpr const char* kPlay = R"(play(self, *moves: str | Sequence[str]) -> State

The state after a move of each role, in their order, as arguments or as one sequence.

Where a single role has a choice, its move alone is enough. Raises ValueError where a move is not
legal.)";

}  // namespace

const PythonState* state_in(const py::handle& object) {
  return PyObject_TypeCheck(object.ptr(), state_type) ? &payload(object.ptr()) : nullptr;
}

py::object make_state_object(PyTypeObject* type, PythonState state, const py::object& game) {
  if (!PyType_IsSubtype(type, state_type)) throw py::type_error("that is not a type of states");
  return py::reinterpret_steal<py::object>(make(type, std::move(state), game.ptr()));
}

void bind_state_type(py::module_& module) {
  static PyMethodDef methods[] = {
      {"play", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(play)), METH_FASTCALL,
       kPlay},
      {"_legal", legal, METH_O, "The legal moves of a role; of each role for None."},
      {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef values[] = {
      {"is_terminal", is_terminal, nullptr, "Whether the game is over.", nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyMemberDef members[] = {
      {"game", T_OBJECT_EX, offsetof(StateObject, game), READONLY, "The game."},
      {nullptr, 0, 0, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(refuse_new)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                                {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear)},
                                {Py_tp_hash, reinterpret_cast<void*>(hash_of)},
                                {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
                                {Py_tp_methods, methods},
                                {Py_tp_getset, values},
                                {Py_tp_members, members},
                                {0, nullptr}};
  static PyType_Spec spec = {"ludens._core.StateBase", sizeof(StateObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  const auto type = py::reinterpret_steal<py::object>(PyType_FromSpec(&spec));
  if (!type) throw py::error_already_set();
  state_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  Py_INCREF(state_type);  // it outlives the module
  module.add_object("StateBase", type);
}

}  // namespace ludens::bindings
