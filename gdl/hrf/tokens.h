// SPDX-License-Identifier: MIT
// HRF text to tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ludens::gdl::hrf {

struct Token {
  enum class Kind : std::uint8_t {
    Constant,
    Variable,
    Open,        // (
    Close,       // )
    OpenList,    // [
    CloseList,   // ]
    Cons,        // !
    Comma,       // ,
    And,         // &
    Or,          // |
    Not,         // ~
    If,          // :-
    Operation,   // ::
    Arrow,       // ==>
    Definition,  // :=
    End,
    Unknown
  };
  Kind kind;
  std::string_view text;
  std::uint32_t where;
};

/// Reads one token after another, and skips white space and comments between them.
class Tokens {
 public:
  explicit Tokens(std::string_view text);
  /// The next token; `take` moves on.
  [[nodiscard]] const Token& next() const { return next_; }
  Token take();

 private:
  void skip_blank();
  [[nodiscard]] Token scan();
  [[nodiscard]] Token token(Token::Kind kind, std::size_t length);
  [[nodiscard]] Token word();
  [[nodiscard]] Token quoted();

  std::string_view text_;
  std::size_t at_ = 0;
  Token next_;
};

/// 'text', or "the end of the text".
std::string shown(const Token& token);

}  // namespace ludens::gdl::hrf
