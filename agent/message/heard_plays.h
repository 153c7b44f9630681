// SPDX-License-Identifier: MIT
// Which PLAYs of a host repeat an earlier one: what was not answered in time is sent again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ludens::agent {

/// The PLAYs of one match. A message that has a name is known by it. One without is known by its
/// moves, which may be the same in two turns.
class HeardPlays {
 public:
  enum class Kind : std::uint8_t {
    New,       // a turn that was not heard of
    Repeat,    // the last one again
    Doubtful,  // it has the moves of the last one: a repeat, unless they are legal again
    Old,       // one before the last
  };

  HeardPlays() = default;
  /// `start`: the name of START, if it has one.
  explicit HeardPlays(std::string start) { names_.push_back(std::move(start)); }

  /// `name`: nullopt or empty if the message has none. `moves` as `moves_text` writes them.
  [[nodiscard]] Kind kind_of(const std::optional<std::string>& name, std::string_view moves) const;
  /// Adds the PLAY of a turn.
  void add(const std::optional<std::string>& name, std::string_view moves);

 private:
  std::vector<std::string> names_;
  std::optional<std::string> moves_;  // of the last one, in lower case; nullopt: there was none
};

}  // namespace ludens::agent
