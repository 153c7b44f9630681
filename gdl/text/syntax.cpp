// SPDX-License-Identifier: MIT
#include "gdl/text/syntax.h"

#include <algorithm>

#include "gdl/text/tree_bytes.h"
#include "gdl/text/utf8.h"

namespace ludens::gdl {

namespace {

bool is_white_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool ends_token(char c) {
  return is_white_space(c) || c == '(' || c == ')' || c == ';';
}

/// Upper bounds: characters in comments are counted, too.
struct Extent {
  std::size_t nodes = 0;
  std::size_t lines = 1;
};

Extent extent_of(std::string_view text) {
  Extent extent;
  bool in_atom = false;
  for (const char c : text) {
    const bool starts_atom = !ends_token(c) && !in_atom;
    in_atom = !ends_token(c);
    extent.nodes += starts_atom || c == '(';
    extent.lines += c == '\n' || c == '\r';
  }
  return extent;
}

void append_lines(const std::string& text, std::vector<std::uint32_t>& starts) {
  const std::size_t first = text.size() - without_byte_order_mark(text).size();
  starts.push_back(static_cast<std::uint32_t>(first));
  for (std::size_t i = first; i < text.size(); ++i) {
    const bool line_end = text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n');
    if (line_end) starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

}  // namespace

/// One pass over the text; open lists are kept on an explicit stack.
class SyntaxParser {
 public:
  SyntaxParser(std::string text, const ParseLimits& limits) : limits_(limits) {
    tree_.text_ = std::move(text);
  }

  /// The starts of forms grow by doubling; there are at most as many as nodes.
  static std::size_t most_bytes(const Extent& extent) {
    return extent.nodes * (sizeof(SyntaxTree::Node) + 2 * sizeof(NodeIndex)) +
           extent.lines * sizeof(std::uint32_t);
  }

  ParsedText run() {
    const std::size_t most = std::min<std::size_t>(limits_.max_bytes, SyntaxTree::kListLength - 1);
    if (tree_.text_.size() > most) {
      tree_.line_starts_ = {0};
      fail(0, "text-too-long", "the text is longer than " + std::to_string(most) + " bytes");
      tree_.text_.clear();
      return {std::move(tree_), std::move(errors_)};
    }
    const Extent extent = extent_of(tree_.text_);
    tree_.nodes_.reserve(extent.nodes);
    tree_.line_starts_.reserve(extent.lines);
    find_lines();
    while (errors_.empty() && position_ < tree_.text_.size()) read_token();
    if (errors_.empty() && !open_.empty()) {
      fail(tree_.nodes_[open_.front()].offset, "unclosed-parenthesis", "this '(' is never closed");
    }
    drop_open_form();
    return {std::move(tree_), std::move(errors_)};
  }

 private:
  void find_lines() {
    position_ = tree_.text_.size() - without_byte_order_mark(tree_.text_).size();
    append_lines(tree_.text_, tree_.line_starts_);
  }

  void read_token() {
    const std::string& text = tree_.text_;
    const char c = text[position_];
    if (is_white_space(c)) {
      ++position_;
    } else if (c == ';') {
      position_ = std::min(text.find_first_of("\r\n", position_), text.size());
    } else if (c == '#' && text.compare(position_, 2, "#|") == 0) {
      skip_block_comment();
    } else if (c == '(') {
      open_list();
    } else if (c == ')') {
      close_list();
    } else {
      read_atom();
    }
  }

  void skip_block_comment() {
    const std::size_t close = tree_.text_.find("|#", position_ + 2);
    if (close == std::string::npos) {
      fail(position_, "unclosed-comment", "this '#|' is never closed by '|#'");
    } else {
      position_ = close + 2;
    }
  }

  void open_list() {
    if (open_.size() >= limits_.max_depth) {
      fail(position_, "nested-too-deep",
           "parentheses are nested deeper than " + std::to_string(limits_.max_depth));
      return;
    }
    open_.push_back(add_node(SyntaxTree::kListLength));
    ++position_;
  }

  void close_list() {
    if (open_.empty()) {
      fail(position_, "stray-parenthesis", "this ')' closes nothing");
      return;
    }
    tree_.nodes_[open_.back()].end = static_cast<NodeIndex>(tree_.nodes_.size());
    open_.pop_back();
    ++position_;
  }

  void read_atom() {
    const std::string& text = tree_.text_;
    std::size_t last = position_ + 1;
    while (last < text.size() && !ends_token(text[last])) ++last;
    add_node(static_cast<std::uint32_t>(last - position_));
    position_ = last;
  }

  NodeIndex add_node(std::uint32_t length) {
    const auto n = static_cast<NodeIndex>(tree_.nodes_.size());
    if (open_.empty()) tree_.form_starts_.push_back(n);
    tree_.nodes_.push_back({static_cast<std::uint32_t>(position_), length, n + 1});
    return n;
  }

  void fail(std::size_t offset, std::string code, std::string text) {
    const bool inside = !open_.empty();
    const std::size_t form = tree_.form_starts_.size() + (inside ? 0 : 1);
    errors_.push_back(
        {Severity::Error, std::move(code), std::move(text),
         tree_.location_at(static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(form))});
  }

  /// Drops the nodes of an incomplete form, which has no end.
  void drop_open_form() {
    if (open_.empty()) return;
    tree_.nodes_.resize(open_.front());
    tree_.form_starts_.pop_back();
  }

  const ParseLimits limits_;
  SyntaxTree tree_;
  Diagnostics errors_;
  std::vector<NodeIndex> open_;
  std::size_t position_ = 0;
};

Location SyntaxTree::location_at(std::uint32_t offset, std::uint32_t form) const {
  const auto next = std::upper_bound(line_starts_.begin() + 1, line_starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(next - line_starts_.begin());
  const std::uint32_t start = *(next - 1);
  return {line, offset < start ? 1 : offset - start + 1, offset, form};
}

Location SyntaxTree::location(NodeIndex n) const {
  if (!places_.empty()) return place(places_[n]);
  const auto next = std::upper_bound(form_starts_.begin(), form_starts_.end(), n);
  return location_at(nodes_[n].offset, static_cast<std::uint32_t>(next - form_starts_.begin()));
}

std::size_t SyntaxTree::child_count(NodeIndex n) const {
  std::size_t count = 0;
  for ([[maybe_unused]] const NodeIndex c : children(n)) ++count;
  return count;
}

NodeIndex SyntaxTree::child(NodeIndex n, std::size_t k) const {
  for (const NodeIndex c : children(n)) {
    if (k-- == 0) return c;
  }
  return kNoNode;
}

SyntaxTree::Siblings SyntaxTree::children(NodeIndex n) const {
  return {this, n + 1, end(n)};
}

SyntaxTree::Siblings SyntaxTree::forms() const {
  return {this, 0, static_cast<NodeIndex>(nodes_.size())};
}

std::string SyntaxTree::print(NodeIndex n) const {
  std::string out;
  std::vector<NodeIndex> ends;  // of the open lists
  for (NodeIndex i = n;; ++i) {
    while (!ends.empty() && ends.back() == i) {
      out += " )";
      ends.pop_back();
    }
    if (i == end(n)) return out;
    if (!out.empty()) out += ' ';
    if (is_list(i)) {
      out += '(';
      ends.push_back(end(i));
    } else {
      out += atom(i);
    }
  }
}

ParsedText parse(std::string text, const ParseLimits& limits) {
  return SyntaxParser(std::move(text), limits).run();
}

SyntaxTree translated(std::string text, std::vector<std::uint32_t> places, std::string source) {
  SyntaxTree tree = std::move(parse(std::move(text)).tree);
  tree.places_ = std::move(places);
  tree.line_starts_.clear();
  append_lines(source, tree.line_starts_);
  return tree;
}

std::size_t tree_bytes(std::string_view text) {
  return SyntaxParser::most_bytes(extent_of(text));
}

std::string fold_case(std::string_view text) {
  std::string folded(text);
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return folded;
}

}  // namespace ludens::gdl
