// SPDX-License-Identifier: MIT
// States for Python.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bindings/python/game_binding.h"

namespace ludens::bindings {

/// The joint moves that led to a state, from the last one back.
struct Step {
  Step(std::shared_ptr<Step> earlier, std::span<const gdl::MoveId> moves)
      : before(std::move(earlier)), joint(moves.begin(), moves.end()) {}
  ~Step();
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  std::shared_ptr<Step> before;
  std::vector<gdl::MoveId> joint;
};

/// The steps of joint moves that are stored contiguously.
std::shared_ptr<Step> steps_of(std::span<const gdl::MoveId> history, std::size_t roles);

/// Immutable. All calls need the GIL.
class PythonState {
 public:
  /// `origin`: the state at which the history begins; null: the initial one.
  PythonState(std::shared_ptr<PythonGame> game, gdl::State state, std::shared_ptr<Step> history,
              std::shared_ptr<const gdl::State> origin = nullptr);

  [[nodiscard]] const std::shared_ptr<PythonGame>& game() const { return game_; }
  [[nodiscard]] const gdl::State& state() const { return state_; }
  [[nodiscard]] bool terminal() const;
  [[nodiscard]] std::vector<gdl::MoveId> legal(gdl::RoleIndex role) const;
  [[nodiscard]] const std::shared_ptr<const gdl::State>& origin() const { return origin_; }
  /// Joint moves from there on, stored contiguously.
  [[nodiscard]] std::vector<gdl::MoveId> history() const;
  /// The state after a move of each role. ValueError if one is not legal.
  [[nodiscard]] PythonState play(std::span<PyObject* const> moves) const;
  /// The state after the move of the only role that has a choice.
  [[nodiscard]] PythonState play_alone(const pybind11::handle& move) const;

 private:
  void find_legal(gdl::RoleIndex role, std::vector<gdl::MoveId>& out) const;
  /// The move with that name, which must be one of `legal`, the moves of the role.
  [[nodiscard]] gdl::MoveId chosen(const pybind11::handle& name, gdl::RoleIndex role,
                                   const std::vector<gdl::MoveId>& legal) const;
  void expect_open() const;
  [[nodiscard]] PythonState advance(std::span<const gdl::MoveId> joint) const;

  std::shared_ptr<PythonGame> game_;
  gdl::State state_;
  std::shared_ptr<Step> history_;
  std::shared_ptr<const gdl::State> origin_;
  /// Computed on first use: code that creates many successors does not need it for all of them.
  mutable std::optional<bool> terminal_;
};

/// A state on its way to Python, which becomes an object once the game's object is known.
struct NewState {
  PythonState state;
};

/// The state of an object of Python's type `State`; null if it is not one. Valid as long as the
/// object.
const PythonState* state_in(const pybind11::handle& object);
/// Creates an object of a type, which must be derived from StateBase; `game` is its `ludens.Game`.
pybind11::object make_state_object(PyTypeObject* type, PythonState state,
                                   const pybind11::object& game);
/// Binds StateBase, from which `ludens.State` is derived. The type is written by hand, because
/// calls and objects of pybind11 take longer than a move.
void bind_state_type(pybind11::module_& module);

/// The names of moves.
pybind11::list names_of(PythonGame& game, const std::vector<gdl::MoveId>& moves);

}  // namespace ludens::bindings

/// Lets functions take objects of that type as `const PythonState&`.
template <>
struct pybind11::detail::type_caster<ludens::bindings::PythonState> {
  static constexpr auto name = const_name("State");  // NOLINT: what pybind11 asks for
  template <typename>
  using cast_op_type = const ludens::bindings::PythonState&;
  explicit operator const ludens::bindings::PythonState&() const { return *state; }
  bool load(handle source, bool /*convert*/) {
    state = ludens::bindings::state_in(source);
    return state != nullptr;
  }
  const ludens::bindings::PythonState* state = nullptr;
};
