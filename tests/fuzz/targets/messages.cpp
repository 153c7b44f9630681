// SPDX-License-Identifier: MIT
#include <vector>

#include "server/player/protocol.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

namespace {

using agent::Message;

constexpr gdl::ParseLimits kLimits{.max_bytes = 1 << 16, .max_depth = 1'000};

std::string print(const agent::Part& part) {
  return part.tree->print(part.node);
}

std::vector<std::string> moves_of(const agent::Part& part) {
  std::vector<std::string> moves;
  if (part.tree->is_atom(part.node)) return moves;
  for (const gdl::NodeIndex move : part.tree->children(part.node)) {
    moves.push_back(part.tree->print(move));
  }
  return moves;
}

/// As a host writes it; empty for what hosts of this program never write.
struct Writer {
  std::string operator()(const agent::Info&) const { return server::info_text(); }
  std::string operator()(const agent::Preview& m) const {
    return server::preview_text(print(m.description), m.clock_seconds);
  }
  std::string operator()(const agent::Start& m) const {
    return server::start_text(m.match_id, m.role, print(m.description), m.start_clock_seconds,
                              m.play_clock_seconds);
  }
  std::string operator()(const agent::Play& m) const {
    return server::play_text(m.match_id, moves_of(m.moves));
  }
  std::string operator()(const agent::Stop& m) const {
    return server::stop_text(m.match_id, moves_of(m.moves));
  }
  std::string operator()(const agent::Abort& m) const { return server::abort_text(m.match_id); }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

}  // namespace

void messages(std::string_view input) {
  const auto read = server::read_message(std::string(input), kLimits);
  if (!read) {
    return require_sentence(read.error().text);
  }
  const std::string text = std::visit(Writer{}, *read);
  if (text.empty()) return;
  const auto again = server::read_message(text);
  require(again.has_value(), "what is written can be read: " + text);
  require(std::visit(Writer{}, *again) == text, "it is the same again: " + text);
  require(agent::kind(*again) == agent::kind(*read), "it stays the same kind of message: " + text);
}

}  // namespace ludens::fuzz
