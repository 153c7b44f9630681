// The messages of the GGP protocol, as values. Text and sockets are the server's business.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "gdl/text/syntax.h"

namespace ludens::agent {

/// A node of a parsed message; the tree lives as long as anybody needs it.
struct Part {
  std::shared_ptr<const gdl::SyntaxTree> tree;
  gdl::NodeIndex node = gdl::kNoNode;  // kNoNode: absent
};

/// The text as a Part of its own; absent if there is nothing in it.
Part part_of(const std::string& text);

struct Info {};
struct Preview {
  Part description;
  int clock_seconds = 0;
};
struct Start {
  std::string match_id;
  std::string role;
  Part description;  // the list of rules
  int start_clock_seconds = 0;
  int play_clock_seconds = 0;
};
struct Play {
  std::string match_id;
  Part moves;  // a list of one move a role, or an atom or `()` for 'no moves'
};
struct Stop {
  std::string match_id;
  Part moves;
};
struct Abort {
  std::string match_id;
};
/// A PLAY or STOP in one of the GDL-II forms, recognised and answered `busy`.
struct ImperfectInformation {
  std::string match_id;
};

using Message = std::variant<Info, Preview, Start, Play, Stop, Abort, ImperfectInformation>;

/// Takes the text that answers a message: the body of the HTTP reply.
using Reply = std::function<void(std::string)>;

/// "INFO", "PLAY", ...: for logs.
std::string_view kind(const Message& message);

}  // namespace ludens::agent
