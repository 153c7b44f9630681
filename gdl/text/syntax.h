// SPDX-License-Identifier: MIT
// Parses text into S-expressions with positions. It reads both rulesheets and protocol messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/text/diagnostic.h"
#include "gdl/text/location.h"

namespace ludens::gdl {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = 0xffffffff;

/// What the caller accepts. Beyond these limits, parsing ends with an error that has a place.
struct ParseLimits {
  std::size_t max_bytes = std::size_t{64} << 20;
  std::size_t max_depth = 10'000;
};

/// The S-expressions of a text: atoms and lists in preorder, with the text they came from. A value
/// type; immutable once parsed, safe to read from several threads.
///
/// Children of a list: the first child of node n is n + 1 (if `end(n) > n + 1`), and the sibling
/// that follows a child c is `end(c)`, up to `end(n)`.
class SyntaxTree {
 public:
  /// Range over sibling nodes, for range-for.
  class Siblings;

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] bool is_list(NodeIndex n) const { return nodes_[n].length == kListLength; }
  [[nodiscard]] bool is_atom(NodeIndex n) const { return !is_list(n); }
  /// Index after the last node of n's subtree.
  [[nodiscard]] NodeIndex end(NodeIndex n) const { return nodes_[n].end; }
  /// An atom's bytes as they were spelled.
  [[nodiscard]] std::string_view atom(NodeIndex n) const {
    return std::string_view(text_).substr(nodes_[n].offset, nodes_[n].length);
  }
  /// The place of an atom's first byte or of a list's '('. In a translated tree, the place of what
  /// the node came from.
  [[nodiscard]] Location location(NodeIndex n) const;
  /// The place of a byte in the text to which places refer, without the number of a form.
  [[nodiscard]] Location place(std::uint32_t offset) const { return location_at(offset, 0); }
  [[nodiscard]] std::size_t child_count(NodeIndex n) const;
  /// The k-th child, counted from 0, or kNoNode.
  [[nodiscard]] NodeIndex child(NodeIndex n, std::size_t k) const;
  [[nodiscard]] Siblings children(NodeIndex n) const;
  /// Top-level forms in text order.
  [[nodiscard]] Siblings forms() const;
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Whether the text was translated from another language.
  [[nodiscard]] bool is_translated() const { return !places_.empty(); }

  /// One space between all tokens, parentheses included, as hosts write: `( f a ( g b ) )`.
  /// Iterative: any depth.
  [[nodiscard]] std::string print(NodeIndex n) const;

 private:
  friend class SyntaxParser;
  friend SyntaxTree translated(std::string text, std::vector<std::uint32_t> places,
                               std::string source);
  static constexpr std::uint32_t kListLength = 0xffffffff;
  struct Node {
    std::uint32_t offset;
    std::uint32_t length;  // kListLength marks a list
    NodeIndex end;
  };

  [[nodiscard]] Location location_at(std::uint32_t offset, std::uint32_t form) const;

  std::string text_;
  std::vector<Node> nodes_;
  std::vector<NodeIndex> form_starts_;      // top-level forms
  std::vector<std::uint32_t> line_starts_;  // byte offsets of line beginnings, CR, LF and CRLF
  std::vector<std::uint32_t> places_;       // by node, in a translated tree
};

class SyntaxTree::Siblings {
 public:
  class Iterator {
   public:
    Iterator(const SyntaxTree* tree, NodeIndex n) : tree_(tree), node_(n) {}
    NodeIndex operator*() const { return node_; }
    Iterator& operator++() {
      node_ = tree_->end(node_);
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.node_ == b.node_; }

   private:
    const SyntaxTree* tree_;
    NodeIndex node_;
  };
  Siblings(const SyntaxTree* tree, NodeIndex first, NodeIndex last)
      : tree_(tree), first_(first), last_(last) {}
  [[nodiscard]] Iterator begin() const { return {tree_, first_}; }
  [[nodiscard]] Iterator end() const { return {tree_, last_}; }

 private:
  const SyntaxTree* tree_;
  NodeIndex first_, last_;
};

struct ParsedText {
  SyntaxTree tree;
  Diagnostics errors;  // empty: all of the text was understood
};

/// Reads a whole text: atoms are anything but white space, parentheses and ';'; ';' comments to the
/// line's end and Dresden's `#| |#`; LF, CRLF and CR end lines; a byte order mark is skipped. Never
/// recurses. Stops at the first error; the tree then holds the complete forms before it.
ParsedText parse(std::string text, const ParseLimits& limits = {});

/// The tree of a text that was translated from another language: `places` holds for each node, in
/// preorder, the byte offset in `source` of what it came from. The text must be well formed.
SyntaxTree translated(std::string text, std::vector<std::uint32_t> places, std::string source);

/// ASCII lower case: how GDL compares symbols, variables and keywords.
std::string fold_case(std::string_view text);

}  // namespace ludens::gdl
