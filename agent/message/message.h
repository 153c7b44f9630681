// SPDX-License-Identifier: MIT
// The messages of the GGP protocol, as values. Text and sockets are the server's business.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "gdl/text/syntax.h"

namespace ludens::agent {

/// A node of a parsed message, which shares ownership of the tree.
struct Part {
  std::shared_ptr<const gdl::SyntaxTree> tree;
  gdl::NodeIndex node = gdl::kNoNode;  // kNoNode: absent
};

/// The text as a Part of its own; absent if there is nothing in it.
Part part_of(const std::string& text);

/// Whether rules, as a list, define what roles perceive (`sees` of GDL-II): then information is
/// hidden.
bool hides_information(const Part& description);

/// Where a message comes from; empty where it is not known.
struct Sender {
  std::string peer;     // by which places are distributed: an address, or the network of one
  std::string address;  // the exact one, which owns a match
};

// `kKind` is how logs name a message.

struct Info {
  static constexpr std::string_view kKind = "INFO";
};
struct Preview {
  static constexpr std::string_view kKind = "PREVIEW";
  Part description;
  int clock_seconds = 0;
};
struct Start {
  static constexpr std::string_view kKind = "START";
  std::string match_id;
  std::string role;
  Part description;  // the list of rules
  int start_clock_seconds = 0;
  int play_clock_seconds = 0;
  /// The host sends one move per turn, that of the role in control, and all others need not answer,
  /// as on Gamemaster.
  bool one_mover = false;
};
/// Whether two lists of rules are the same, but for the case of letters.
bool same_rules(const Part& a, const Part& b);
/// Whether both ask for the same role of a match of the same rules.
bool same_match(const Start& a, const Start& b);

/// What hosts of 2013 send in a game with hidden information in addition to the percepts.
struct OwnTurn {
  std::size_t number = 0;  // joint moves made so far
  Part move;               // the role's own last move; an atom before the first
};
struct Play {
  static constexpr std::string_view kKind = "PLAY";
  std::string match_id;
  /// A list of one move per role, or an atom or `()` for 'no moves'. If one role moves: its move,
  /// absent for 'no moves'. If information is hidden: a list of what the role perceives.
  Part moves;
  /// The name of the message, if the host names messages: a known name marks a repeat.
  std::optional<std::string> id = std::nullopt;
  std::optional<OwnTurn> own = std::nullopt;
};
struct Stop {
  static constexpr std::string_view kKind = "STOP";
  std::string match_id;
  Part moves;  // like those of a PLAY
  std::optional<OwnTurn> own = std::nullopt;
};
struct Abort {
  static constexpr std::string_view kKind = "ABORT";
  std::string match_id;
};

using Message = std::variant<Info, Preview, Start, Play, Stop, Abort>;

/// Is called with the text that answers a message: the body of the HTTP reply.
using Reply = std::function<void(std::string)>;

inline std::string_view kind(const Message& message) {
  return std::visit([](const auto& m) { return m.kKind; }, message);
}

/// Empty for a message that is not about a match.
std::string match_id_of(const Message& message);

}  // namespace ludens::agent
