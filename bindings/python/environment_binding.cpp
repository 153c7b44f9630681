// SPDX-License-Identifier: MIT
// Environments: arrays are bound once, and each step writes them in place.
#include <pybind11/stl.h>

#include <atomic>

#include "bindings/python/game_binding.h"
#include "gdl/environment/expander.h"
#include "gdl/environment/vector_environment.h"

namespace ludens::bindings {

namespace py = pybind11;

namespace {

using gdl::RowForm;

class IllegalActionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string shape_text(const std::vector<py::ssize_t>& shape) {
  std::string text = "(";
  for (const py::ssize_t n : shape) text += std::to_string(n) + ", ";
  return text + ")";
}

/// Checks that an array can be written in place. Otherwise the error says what to do.
void check_array(const py::array& array, const std::string& name, const py::dtype& dtype,
                 const std::vector<py::ssize_t>& shape, bool writable) {
  if (!array.dtype().equal(dtype)) {
    const auto wanted = dtype.attr("name").cast<std::string>();
    throw py::type_error(name + " has dtype " + array.dtype().attr("name").cast<std::string>() +
                         " and must have " + wanted + ": use " + name + ".astype('" + wanted +
                         "')");
  }
  const std::vector<py::ssize_t> given(array.shape(), array.shape() + array.ndim());
  if (given != shape) {
    throw py::value_error(name + " has shape " + shape_text(given) + " and must have " +
                          shape_text(shape));
  }
  if ((array.flags() & py::array::c_style) == 0) {
    throw py::value_error(name + " must be C-contiguous: use numpy.ascontiguousarray");
  }
  const auto address = reinterpret_cast<std::uintptr_t>(array.data());
  if (array.size() != 0 && address % static_cast<std::uintptr_t>(dtype.itemsize()) != 0) {
    throw py::value_error(name + " must be aligned: use numpy.require with requirement 'A'");
  }
  if (writable && !array.writeable()) {
    throw py::value_error(name + " is read-only: give an array that can be written");
  }
}

struct Form {
  RowForm form;
  py::dtype dtype;
};

Form form_of(const std::string& name) {
  if (name == "bits") return {RowForm::Bits, py::dtype::of<std::uint64_t>()};
  if (name == "bool") return {RowForm::Bytes, py::dtype::of<bool>()};
  if (name == "uint8") return {RowForm::Bytes, py::dtype::of<std::uint8_t>()};
  if (name == "float32") return {RowForm::Floats, py::dtype::of<float>()};
  throw py::value_error("rows are written as 'bits', 'bool', 'uint8' or 'float32', not '" + name +
                        "'");
}

gdl::Restart restart_of(const std::string& name) {
  if (name == "same_step") return gdl::Restart::AtOnce;
  if (name == "next_step") return gdl::Restart::NextStep;
  if (name == "disabled") return gdl::Restart::Never;
  throw py::value_error("autoreset is 'same_step', 'next_step' or 'disabled', not '" + name + "'");
}

gdl::OnIllegal on_illegal_of(const std::string& name) {
  if (name == "error") return gdl::OnIllegal::Refuse;
  if (name == "end") return gdl::OnIllegal::End;
  throw py::value_error("illegal is 'error' or 'end', not '" + name + "'");
}

/// An environment with the arrays that it writes.
class PythonEnvironment {
 public:
  PythonEnvironment(const PythonGame& game, const gdl::VectorOptions& options)
      : loaded_(game.loaded()),
        game_(environment_of(game)),
        environment_(std::make_unique<gdl::VectorEnvironment>(game_, options, loaded_->memory())),
        slots_(options.slots),
        players_(static_cast<py::ssize_t>(game_->player_count())) {}

  void close() {
    const Use use(*this);
    environment_.reset();
    views_.clear();
    last_.clear();
    arrays_.clear();
  }
  [[nodiscard]] bool closed() const { return environment_ == nullptr; }

  /// From now on, rows of `what` (`state`, `mask`, `board`, `others`) go to an array.
  void bind_rows(const std::string& what, const std::string& form_name, const py::array& array,
                 bool last) {
    const Use use(*this);
    const Form form = form_of(form_name);
    const gdl::RowPlan& plan = plan_of(what);
    const std::size_t width = form.form == RowForm::Bits ? plan.words() : plan.size();
    std::vector<py::ssize_t> shape{slots_, static_cast<py::ssize_t>(width)};
    if (what == "board" && form.form != RowForm::Bits) {
      const server::BoardTensor& board = *loaded_->board_tensor();
      shape = {slots_, static_cast<py::ssize_t>(board.channels.size()),
               static_cast<py::ssize_t>(board.rows.size()),
               static_cast<py::ssize_t>(board.columns.size())};
    }
    check_array(array, what, form.dtype, shape, true);
    keep(array);
    (last ? last_ : views_).push_back({&plan, form.form, const_cast<void*>(array.data())});
  }
  void bind_results(const py::array& rewards, const py::array& terminated,
                    const py::array& truncated) {
    const Use use(*this);
    check_array(rewards, "rewards", py::dtype::of<float>(), {slots_, players_}, true);
    check_array(terminated, "terminated", py::dtype::of<bool>(), {slots_}, true);
    check_array(truncated, "truncated", py::dtype::of<bool>(), {slots_}, true);
    for (const py::array* array : {&rewards, &terminated, &truncated}) keep(*array);
    results_ = {static_cast<float*>(const_cast<void*>(rewards.data())),
                static_cast<std::uint8_t*>(const_cast<void*>(terminated.data())),
                static_cast<std::uint8_t*>(const_cast<void*>(truncated.data()))};
  }

  void reset(std::optional<std::uint64_t> seed) {
    const Use use(*this);
    const Unlocked unlocked;
    environment_->reset(seed);
    environment_->look(views_);
  }
  void look() {
    const Use use(*this);
    const Unlocked unlocked;
    environment_->look(views_);
  }
  void step(const py::array& actions) {
    const Use use(*this);
    check_array(actions, "actions", py::dtype::of<std::int32_t>(), {slots_, players_}, false);
    std::optional<gdl::IllegalAction> illegal;
    {
      const Unlocked unlocked;
      illegal = environment_->step(static_cast<const std::int32_t*>(actions.data()), results_,
                                   views_, last_);
    }
    if (illegal) refuse(*illegal);
  }
  void roll(std::uint32_t steps) {
    const Use use(*this);
    const Unlocked unlocked;
    environment_->roll(steps, results_, views_);
  }
  void draw(const py::array& actions) {
    const Use use(*this);
    check_array(actions, "actions", py::dtype::of<std::int32_t>(), {slots_, players_}, true);
    const Unlocked unlocked;
    environment_->draw(static_cast<std::int32_t*>(const_cast<void*>(actions.data())));
  }

  py::array_t<std::uint64_t> save(const std::vector<std::uint32_t>& slots) {
    const Use use(*this);
    check_slots(slots);
    py::array_t<std::uint64_t> rows({static_cast<py::ssize_t>(slots.size()),
                                     static_cast<py::ssize_t>(environment_->saved_words())});
    environment_->save(slots, rows.mutable_data());
    return rows;
  }
  void restore(const std::vector<std::uint32_t>& slots, const py::array& rows, bool saved) {
    const Use use(*this);
    check_slots(slots);
    const std::size_t words = environment_->saved_words() - (saved ? 0 : 1);
    check_array(rows, "rows", py::dtype::of<std::uint64_t>(),
                {static_cast<py::ssize_t>(slots.size()), static_cast<py::ssize_t>(words)}, false);
    const auto* data = static_cast<const std::uint64_t*>(rows.data());
    if (saved) {
      environment_->restore(slots, data, results_);
    } else {
      environment_->set_states(slots, data, results_);
    }
    environment_->look(views_);
  }
  [[nodiscard]] std::uint64_t steps() {
    const Use use(*this);
    return environment_->steps();
  }

 private:
  struct Kept {
    py::array array;
    const void* data;
    py::ssize_t bytes;
  };

  void keep(const py::array& array) { arrays_.push_back({array, array.data(), array.nbytes()}); }
  [[nodiscard]] bool arrays_are_there() const {
    for (const Kept& kept : arrays_) {
      if (kept.array.data() != kept.data || kept.array.nbytes() != kept.bytes ||
          !kept.array.writeable()) {
        return false;
      }
    }
    return true;
  }

  /// Held by a call while it uses the environment. Throws if another call uses it, or if the
  /// environment can't be used any more.
  class Use {
   public:
    explicit Use(PythonEnvironment& owner) : owner_(owner) {
      if (owner.used_.exchange(true)) {
        throw std::runtime_error("another thread is using this environment: make one for each");
      }
      const char* why = nullptr;
      if (owner.environment_ == nullptr) {
        why = "this environment is closed: make a new one";
      } else if (!owner.environment_->usable()) {
        why =
            "this process was forked, and the environment's threads were not: make a new "
            "environment after the fork, or fork by 'spawn'";
      } else if (!owner.arrays_are_there()) {
        why = "an array of this environment was resized or made read-only: make a new environment";
      }
      if (why == nullptr) return;
      owner.used_ = false;
      throw std::runtime_error(why);
    }
    ~Use() { owner_.used_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    PythonEnvironment& owner_;
  };

  const gdl::RowPlan& plan_of(const std::string& what) {
    if (what == "state") return game_->state_plan();
    if (what == "mask") return game_->mask_plan();
    const auto& board = loaded_->board_tensor();
    if (!board) throw py::value_error("no board was found in the rules of this game");
    if (what == "board" && !board_plan_) board_plan_ = game_->plan(board->fluents);
    if (what == "others" && !others_plan_) others_plan_ = game_->plan(board->others);
    return what == "board" ? *board_plan_ : *others_plan_;
  }

  void check_slots(const std::vector<std::uint32_t>& slots) const {
    for (const std::uint32_t slot : slots) {
      if (slot >= static_cast<std::size_t>(slots_)) {
        throw py::index_error("slot " + std::to_string(slot) + ": the last one is " +
                              std::to_string(slots_ - 1));
      }
    }
  }

  [[noreturn]] void refuse(const gdl::IllegalAction& illegal) const {
    const gdl::Spaces& spaces = game_->spaces();
    const auto& names = spaces.action_names[illegal.player];
    const bool known =
        illegal.action >= 0 && static_cast<std::size_t>(illegal.action) < names.size();
    throw IllegalActionError(
        "slot " + std::to_string(illegal.slot) + ": action " + std::to_string(illegal.action) +
        (known ? " " + names[static_cast<std::size_t>(illegal.action)] : "") + " of player " +
        std::to_string(illegal.player) + " (" + spaces.player_names[illegal.player] +
        (known ? ") is not legal there; see the mask"
               : ") does not exist; actions are 0 to " + std::to_string(names.size() - 1) +
                     ", and -1 for any legal one"));
  }

  std::shared_ptr<LoadedGame> loaded_;
  std::shared_ptr<const gdl::EnvironmentGame> game_;
  std::optional<gdl::RowPlan> board_plan_, others_plan_;
  std::unique_ptr<gdl::VectorEnvironment> environment_;
  py::ssize_t slots_, players_;
  std::atomic<bool> used_ = false;
  std::vector<Kept> arrays_;  // what is written
  std::vector<gdl::View> views_, last_;
  gdl::StepResults results_;
};

py::dict expand(const PythonGame& game, const py::array& states, float least, float greatest,
                std::uint64_t seed) {
  const auto environment = environment_of(game);
  const auto words = static_cast<py::ssize_t>(environment->state_plan().words());
  const auto mask_words = static_cast<py::ssize_t>(environment->mask_plan().words());
  const auto players = static_cast<py::ssize_t>(environment->player_count());
  const py::ssize_t given = states.ndim() == 0 ? 0 : states.shape(0);
  check_array(states, "states", py::dtype::of<std::uint64_t>(), {given, words}, false);
  gdl::Successors next;
  {
    const Unlocked unlocked;
    gdl::Expander expander(environment, least, greatest, seed, game.loaded()->memory());
    expander.expand(
        static_cast<std::size_t>(given),
        {static_cast<const std::uint64_t*>(states.data()), static_cast<std::size_t>(given * words)},
        next);
  }
  const auto count = static_cast<py::ssize_t>(next.parent.size());
  py::dict out;
  out["parent"] = py::array_t<std::uint32_t>(count, next.parent.data());
  out["actions"] = py::array_t<std::int32_t>({count, players}, next.actions.data());
  out["states"] = py::array_t<std::uint64_t>({count, words}, next.states.data());
  out["masks"] = py::array_t<std::uint64_t>({count, mask_words}, next.masks.data());
  py::array_t<bool> terminal(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    terminal.mutable_at(i) = next.terminal[static_cast<std::size_t>(i)] != 0;
  }
  out["terminal"] = terminal;
  out["rewards"] = py::array_t<float>({count, players}, next.rewards.data());
  return out;
}

/// Plays random games from states to their ends: returns sums of goals [state, role], and the
/// number of joint moves.
py::tuple play_out(const PythonGame& game, const py::array& states, std::uint32_t per_state,
                   std::uint64_t seed) {
  const auto environment = environment_of(game);
  const std::size_t words = environment->state_plan().words();
  const py::ssize_t given = states.ndim() == 0 ? 0 : states.shape(0);
  check_array(states, "states", py::dtype::of<std::uint64_t>(),
              {given, static_cast<py::ssize_t>(words)}, false);
  const auto* rows = static_cast<const std::uint64_t*>(states.data());
  const gdl::Machine& machine = game.machine();
  gdl::PlayoutSums sums;
  {
    const Unlocked unlocked;
    gdl::StateBatch batch;
    gdl::State state;
    for (std::size_t i = 0; i < static_cast<std::size_t>(given); ++i) {
      environment->to_machine({rows + i * words, words}, state);
      batch.push_back(state);
    }
    std::vector<gdl::StateView> starts;
    for (std::size_t i = 0; i < batch.size(); ++i) starts.push_back(batch[i]);
    const auto context = machine.make_context({nullptr, game.loaded()->memory()});
    gdl::Rng rng(seed);
    gdl::PlayoutOptions options;
    options.per_start = per_state;
    expect_ok(machine.playouts(*context, starts, options, rng, sums));
  }
  return py::make_tuple(
      py::array_t<std::uint64_t>({given, static_cast<py::ssize_t>(machine.role_count())},
                                 sums.goals.data()),
      sums.steps);
}

}  // namespace

void bind_environments(py::module_& module) {
  py::register_exception<IllegalActionError>(module, "IllegalActionError", PyExc_ValueError);
  py::class_<PythonEnvironment>(module, "EnvironmentCore")
      .def(py::init([](const PythonGame& game, std::uint32_t slots, std::uint64_t seed,
                       std::uint32_t threads, const std::string& autoreset,
                       const std::string& illegal, std::uint32_t max_steps, float least,
                       float greatest) {
        gdl::VectorOptions options;
        options.slots = slots;
        options.seed = seed;
        options.threads = threads;
        options.restart = restart_of(autoreset);
        options.on_illegal = on_illegal_of(illegal);
        options.step_cap = max_steps;
        options.least_reward = least;
        options.greatest_reward = greatest;
        return std::make_unique<PythonEnvironment>(game, options);
      }))
      .def("bind_rows", &PythonEnvironment::bind_rows)
      .def("bind_results", &PythonEnvironment::bind_results)
      .def("reset", &PythonEnvironment::reset)
      .def("look", &PythonEnvironment::look)
      .def("step", &PythonEnvironment::step)
      .def("roll", &PythonEnvironment::roll)
      .def("draw", &PythonEnvironment::draw)
      .def("save", &PythonEnvironment::save)
      .def("restore", &PythonEnvironment::restore)
      .def("close", &PythonEnvironment::close)
      .def_property_readonly("closed", &PythonEnvironment::closed)
      .def_property_readonly("steps", &PythonEnvironment::steps);
  module.def("expand", &expand);
  module.def("play_out", &play_out);
}

}  // namespace ludens::bindings
