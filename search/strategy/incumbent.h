// SPDX-License-Identifier: MIT
// The best answer so far: written by the search, read by the thread that must reply in time.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "gdl/machine/vocabulary.h"

namespace ludens::search {

/// What is known about one root move.
struct RootMove {
  gdl::MoveId move = gdl::kNoMove;
  double value = 0;          // goal of the searching role, 0..100
  std::uint64_t visits = 0;  // descents through it, or nodes below it
  double low = 0, high = 100;
  /// Joint moves along the principal variation that begins with it, stored contiguously; empty if
  /// the search does not know it, or if it is not worth the time to find it.
  std::vector<gdl::MoveId> variation = {};
};

/// A decision. Values are goals of the searching role, 0..100.
struct Choice {
  gdl::MoveId move = gdl::kNoMove;
  double value = 0;
  bool exact = false;            // the value is proved
  bool goes_on = false;          // and yet the search looks for a move after which others may err
  std::uint32_t depth = 0;       // deepest joint move searched
  std::uint64_t iterations = 0;  // MCTS: one descent from the root and one backup
  std::uint64_t nodes = 0;       // states visited
  std::vector<RootMove> root;    // legal moves in their order; may be empty
  std::vector<gdl::MoveId>
      variation;  // joint moves along the principal variation, stored contiguously

  /// Whether there is nothing to wait for.
  [[nodiscard]] bool is_last() const { return exact && !goes_on; }
};

/// Thread-safe. The latest publication counts.
class Incumbent {
 public:
  using Listener = std::function<void(bool last)>;

  Incumbent() = default;
  /// `listener` is called after every publication, in the publishing thread, with whether there is
  /// nothing to wait for; it must return quickly.
  explicit Incumbent(Listener listener) : listener_(std::move(listener)) {}

  void publish(Choice choice) {
    const bool last = choice.is_last();
    {
      std::lock_guard lock(mutex_);
      choice_ = std::move(choice);
    }
    if (listener_) listener_(last);
  }
  [[nodiscard]] std::optional<Choice> get() const {
    std::lock_guard lock(mutex_);
    return choice_;
  }
  void clear() {
    std::lock_guard lock(mutex_);
    choice_.reset();
  }

 private:
  Listener listener_;
  mutable std::mutex mutex_;
  std::optional<Choice> choice_;
};

}  // namespace ludens::search
