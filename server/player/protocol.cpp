// SPDX-License-Identifier: MIT
#include "server/player/protocol.h"

#include <charconv>
#include <cstdint>
#include <initializer_list>

namespace ludens::server {
namespace {

using agent::Message;
using agent::Part;
using gdl::NodeIndex;
using gdl::SyntaxTree;
using Read = gdl::Result<Message>;

/// Longer clocks are cut to this, some 30 years: no sum with a point in time overflows.
constexpr int kLongestClock = 1'000'000'000;
/// Match ids and roles appear in log lines, files and pages.
constexpr std::size_t kLongestName = 1000;

/// The arguments of a message, read one by one; the first problem is kept.
class Arguments {
 public:
  Arguments(std::shared_ptr<const SyntaxTree> tree, NodeIndex message)
      : tree_(std::move(tree)), message_(message) {
    for (const NodeIndex child : tree_->children(message)) nodes_.push_back(child);
  }

  [[nodiscard]] std::size_t count() const { return nodes_.size() - 1; }  // without the keyword

  std::string name(std::size_t k, std::string_view what) {
    const NodeIndex node = get(k, what);
    if (node == gdl::kNoNode) return {};
    if (tree_->is_list(node)) return fail(node, what, "is not a word"), std::string{};
    const std::string_view word = tree_->atom(node);
    if (word.size() <= kLongestName) return std::string(word);
    return fail(node, what, "is longer than " + std::to_string(kLongestName) + " bytes"),
           std::string{};
  }

  Part part(std::size_t k, std::string_view what) { return {tree_, get(k, what)}; }

  Part list(std::size_t k, std::string_view what) {
    const Part out = part(k, what);
    if (out.node != gdl::kNoNode && tree_->is_atom(out.node)) fail(out.node, what, "is not a list");
    return out;
  }

  int clock(std::size_t k, std::string_view what) {
    const NodeIndex node = get(k, what);
    if (node == gdl::kNoNode) return 0;
    if (tree_->is_list(node)) return fail(node, what, "is not a number"), 0;
    const std::string_view text = tree_->atom(node);
    const char* const end = text.data() + text.size();
    int seconds = 0;
    const auto [used, error] = std::from_chars(text.data(), end, seconds);
    const bool digits = text.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits && error == std::errc::result_out_of_range) return kLongestClock;
    if (!digits || used != end) return fail(node, what, "is not a number of seconds"), 0;
    return std::min(seconds, kLongestClock);
  }

  /// A number of joint moves.
  std::size_t turn(std::size_t k) {
    constexpr std::string_view kWhat = "the turn";
    const NodeIndex node = get(k, kWhat);
    if (node == gdl::kNoNode) return 0;
    const std::string_view text = tree_->is_list(node) ? std::string_view() : tree_->atom(node);
    std::uint32_t number = 0;
    const auto [used, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && used == text.data() + text.size()) return number;
    return fail(node, kWhat, "is not a number of joint moves"), 0;
  }

  void refuse(const std::string& reason) { fail(message_, reason, {}); }
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// The value, or the problem if there was one.
  Read result(Message message) const {
    if (!problem_.empty()) return gdl::Error{problem_};
    return message;
  }

 private:
  NodeIndex get(std::size_t k, std::string_view what) {
    if (k < nodes_.size()) return nodes_[k];
    fail(message_, what, "is missing");
    return gdl::kNoNode;
  }

  void fail(NodeIndex node, std::string_view what, std::string_view why) {
    if (!problem_.empty()) return;
    const gdl::Location at = tree_->location(node);
    problem_ = std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + std::string(what);
    if (!why.empty()) problem_ += " " + std::string(why);
  }

  std::shared_ptr<const SyntaxTree> tree_;
  NodeIndex message_;
  std::vector<NodeIndex> nodes_;
  std::string problem_;
};

Read read_start(Arguments& arguments) {
  agent::Start start;
  start.match_id = arguments.name(1, "the match id");
  start.role = arguments.name(2, "the role");
  start.description = arguments.list(3, "the description");
  start.start_clock_seconds = arguments.clock(4, "the start clock");
  start.play_clock_seconds = arguments.clock(5, "the play clock");
  return arguments.result(std::move(start));
}

Read read_preview(Arguments& arguments) {
  agent::Preview preview;
  preview.description = arguments.list(1, "the description");
  preview.clock_seconds = arguments.clock(2, "the clock");
  return arguments.result(std::move(preview));
}

/// `(PLAY id moves)`, or `(PLAY id turn own-move percepts)` where information is hidden. The rules
/// decide whether the list of the first form contains moves or percepts.
template <class PlayOrStop>
Read read_moves(Arguments& arguments) {
  PlayOrStop message;
  message.match_id = arguments.name(1, "the match id");
  if (arguments.count() == 4) {
    message.own.emplace();
    message.own->number = arguments.turn(2);
    message.own->move = arguments.part(3, "the player's last move");
    message.moves = arguments.part(4, "the list of percepts");
    return arguments.result(std::move(message));
  }
  message.moves = arguments.part(2, "the list of moves");
  if (arguments.count() > 2) {
    arguments.refuse(
        "a match id and a list of moves are expected, or a match id, a turn, a move "
        "and a list of percepts; there are " +
        std::to_string(arguments.count()) + " arguments");
  }
  return arguments.result(std::move(message));
}

Read read_abort(Arguments& arguments) {
  return arguments.result(agent::Abort{arguments.name(1, "the match id")});
}

struct Reader {
  std::string_view keyword;
  Read (*read)(Arguments&);
};

constexpr Reader kReaders[] = {
    {"info", [](Arguments&) { return Read{agent::Info{}}; }},
    {"ping", [](Arguments&) { return Read{agent::Info{}}; }},
    {"preview", read_preview},
    {"start", read_start},
    {"play", read_moves<agent::Play>},
    {"stop", read_moves<agent::Stop>},
    {"abort", read_abort},
};

/// The text shortened and on one line, for reasons that quote the message.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, 40)) {
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  return out + (text.size() > 40 ? "...'" : "'");
}

std::shared_ptr<const SyntaxTree> shared(SyntaxTree tree, std::shared_ptr<void> keep) {
  struct Kept {
    std::shared_ptr<void> other;  // destroyed after the tree
    SyntaxTree tree;
  };
  const auto kept = std::make_shared<const Kept>(Kept{std::move(keep), std::move(tree)});
  return {kept, &kept->tree};
}

std::string join(std::initializer_list<std::string_view> words) {
  std::string out = "(";
  for (const std::string_view word : words) (out += ' ') += word;
  return out + " )";
}

std::string list_text(std::span<const std::string> terms) {
  std::string list = "(";
  for (const std::string& term : terms) (list += ' ') += term;
  return list + " )";
}

std::string moves_text(std::string_view keyword, std::string_view match_id,
                       std::span<const std::string> moves) {
  return join({keyword, match_id, moves.empty() ? "NIL" : list_text(moves)});
}

std::string percepts_text(std::string_view keyword, std::string_view match_id, const OwnView& view,
                          PerceptForm form) {
  const std::string list = view.turn == 0 ? "NIL" : list_text(view.percepts);
  if (form == PerceptForm::InPlaceOfMoves) return join({keyword, match_id, list});
  const std::string_view own = view.turn == 0 ? "NIL" : std::string_view(view.move);
  return join({keyword, match_id, std::to_string(view.turn), own, list});
}

}  // namespace

Read read_message(std::string text, const gdl::ParseLimits& limits, std::shared_ptr<void> keep) {
  gdl::ParsedText parsed = gdl::parse(std::move(text), limits);
  if (!parsed.errors.empty()) {
    const gdl::Diagnostic& error = parsed.errors.front();
    return gdl::Error{std::to_string(error.where.line) + ":" + std::to_string(error.where.column) +
                      ": " + error.text};
  }
  if (parsed.tree.size() == 0) return Message{agent::Info{}};
  const NodeIndex message = 0;
  if (parsed.tree.end(message) != parsed.tree.size()) {
    return gdl::Error{"one message is expected, but there is more after it"};
  }
  const NodeIndex keyword =
      parsed.tree.is_list(message) ? parsed.tree.child(message, 0) : gdl::kNoNode;
  if (keyword == gdl::kNoNode || parsed.tree.is_list(keyword)) {
    return gdl::Error{"a message is a list that begins with its name, as in ( INFO )"};
  }
  const std::string word = gdl::fold_case(parsed.tree.atom(keyword));
  for (const Reader& reader : kReaders) {
    if (reader.keyword != word) continue;
    Arguments arguments(shared(std::move(parsed.tree), std::move(keep)), message);
    return reader.read(arguments);
  }
  return gdl::Error{"unknown message " + quoted(parsed.tree.atom(keyword)) +
                    "; known are INFO, PREVIEW, START, PLAY, STOP and ABORT"};
}

std::string info_text() {
  return "( INFO )";
}

std::string preview_text(std::string_view description, int clock_seconds) {
  return join({"PREVIEW", description, std::to_string(clock_seconds)});
}

std::string start_text(std::string_view match_id, std::string_view role,
                       std::string_view description, int start_clock_seconds,
                       int play_clock_seconds) {
  return join({"START", match_id, role, description, std::to_string(start_clock_seconds),
               std::to_string(play_clock_seconds)});
}

std::string play_text(std::string_view match_id, std::span<const std::string> moves) {
  return moves_text("PLAY", match_id, moves);
}
std::string stop_text(std::string_view match_id, std::span<const std::string> moves) {
  return moves_text("STOP", match_id, moves);
}
std::string play_text(std::string_view match_id, const OwnView& view, PerceptForm form) {
  return percepts_text("PLAY", match_id, view, form);
}
std::string stop_text(std::string_view match_id, const OwnView& view, PerceptForm form) {
  return percepts_text("STOP", match_id, view, form);
}
std::string abort_text(std::string_view match_id) {
  return join({"ABORT", match_id});
}

InfoReply read_info_reply(std::string_view text) {
  InfoReply reply;
  const gdl::ParsedText parsed = gdl::parse(std::string(text));
  const gdl::SyntaxTree& tree = parsed.tree;
  if (!parsed.errors.empty() || tree.size() == 0 || !tree.is_list(0)) return reply;
  for (const gdl::NodeIndex entry : tree.children(0)) {
    if (!tree.is_list(entry)) continue;
    const gdl::NodeIndex key = tree.child(entry, 0), value = tree.child(entry, 1);
    if (value == gdl::kNoNode || tree.is_list(key)) continue;
    const std::string word = gdl::fold_case(tree.atom(key));
    if (word == "name") reply.name = tree.print(value);
    if (word == "status") reply.status = gdl::fold_case(tree.print(value));
  }
  return reply;
}

}  // namespace ludens::server
