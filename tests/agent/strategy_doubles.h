// SPDX-License-Identifier: MIT
// Strategies that behave as tests want them to.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "search/strategy/strategy.h"

namespace ludens::agent {

/// What a strategy does. What it chooses first is published before it counts as running: a test
/// that waits for a strategy that runs finds the choice, however late the thread goes on.
struct Behaviour {
  using Choose = std::function<void(const search::Position&, search::Incumbent&)>;
  using Think =
      std::function<void(const search::Position&, const search::Deadline&, search::Incumbent&)>;

  Behaviour() = default;
  template <std::convertible_to<Think> T>
  Behaviour(T think_briefly) : think(std::move(think_briefly)) {}
  /// Chooses, and then stays until it is told to stop, or longer.
  Behaviour(Choose choose_first, Think stay)
      : choose(std::move(choose_first)), think(std::move(stay)) {}

  [[nodiscard]] bool stays() const { return choose != nullptr; }

  Choose choose;  // null: nothing is chosen first
  Think think;
};

/// What the doubles of one test share. Outlives them: shared with every strategy made.
struct Script {
  std::atomic<bool> release{false};  // lets those return that otherwise do not
  std::atomic<int> made{0};
  std::atomic<int> running{0};
  std::atomic<int> calls{0};
  /// The memory of the strategies; an abandoned one may still read it when the next is made.
  std::atomic<gdl::MemoryBudget*> memory{nullptr};
  std::atomic<unsigned> threads{0};
  std::atomic<int> over_budget{0};  // derivations that ran out of memory

  /// What all strategies do from now on.
  void play(Behaviour behaviour) {
    std::lock_guard lock(mutex);
    behaviour_ = std::move(behaviour);
  }
  Behaviour behaviour() {
    std::lock_guard lock(mutex);
    return behaviour_;
  }
  void note(const search::Position& position) {
    std::lock_guard lock(mutex);
    histories.push_back(position.history);
  }
  std::vector<std::vector<gdl::MoveId>> seen() {
    std::lock_guard lock(mutex);
    return histories;
  }

 private:
  std::mutex mutex;
  Behaviour behaviour_;
  std::vector<std::vector<gdl::MoveId>> histories;  // of the positions thought about
};

class Double final : public search::Strategy {
 public:
  explicit Double(std::shared_ptr<Script> script) : script_(std::move(script)) { ++script_->made; }
  [[nodiscard]] std::string_view name() const override { return "double"; }
  void think(const search::Position& position, const search::Deadline& deadline,
             search::Incumbent& incumbent) override {
    script_->note(position);
    // Before the call shows in a count: the test may play something else as soon as it does.
    const Behaviour behaviour = script_->behaviour();
    if (behaviour.choose) behaviour.choose(position, incumbent);
    const Running running(*script_);
    ++script_->calls;
    behaviour.think(position, deadline, incumbent);
  }
  [[nodiscard]] std::string explanation() const override { return "as the test wants"; }

 private:
  struct Running {
    explicit Running(Script& s) : script(s) { ++script.running; }
    ~Running() { --script.running; }
    Script& script;
  };
  std::shared_ptr<Script> script_;
};

inline std::vector<gdl::MoveId> legal_moves(const search::Position& position) {
  const auto context = position.machine->make_context();
  std::vector<gdl::MoveId> moves;
  position.machine->legal(*context, position.state, position.role, moves);
  return moves;
}

/// Publishes the legal move whose name comes last, unlike the one that needs no strategy.
inline void publish_last(const search::Position& position, search::Incumbent& incumbent,
                         bool exact = false) {
  const auto& names = *position.machine->vocabulary();
  search::Choice choice;
  for (const gdl::MoveId move : legal_moves(position)) {
    const bool later =
        choice.move == gdl::kNoMove || names.move_name(move) > names.move_name(choice.move);
    if (later) choice.move = move;
  }
  choice.value = 75;
  choice.exact = exact;
  incumbent.publish(std::move(choice));
}

inline void wait_for(const std::function<bool()>& condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

inline Behaviour::Choose last_move(bool exact = false) {
  return
      [exact](const auto& position, auto& incumbent) { publish_last(position, incumbent, exact); };
}

inline void until_stopped(const search::Position&, const search::Deadline& deadline,
                          search::Incumbent&) {
  wait_for([&] { return deadline.stop_requested(); });
}

inline Behaviour::Think until_released(Script& script) {
  return [&script](const auto&, const auto&, auto&) {
    wait_for([&] { return script.release.load(); });
  };
}

/// Returns at once, with the last legal move.
inline Behaviour quick() {
  return
      [](const auto& position, const auto&, auto& incumbent) { publish_last(position, incumbent); };
}

/// Publishes the last legal move and thinks until asked to stop.
inline Behaviour patient() {
  return {last_move(), until_stopped};
}

/// Publishes the last legal move as exact, and goes on until asked to stop.
inline Behaviour proving() {
  return {last_move(true), until_stopped};
}

/// Does not stop before the script releases it.
inline Behaviour deaf(Script& script) {
  return {last_move(), until_released(script)};
}

}  // namespace ludens::agent
