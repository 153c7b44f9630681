// SPDX-License-Identifier: MIT
// Infix text to tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gdl/hrf/dialect.h"

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
    Or,          // |, in Prolog ; as well
    Not,         // ~, in Prolog \+ as well
    If,          // :-, in GDL <= and <- as well
    Operation,   // ::
    Arrow,       // ==>
    Definition,  // :=
    Equal,       // = or ==, in GDL alone
    Differ,      // \= or another sign for it, in GDL alone
    Stop,        // the period after a clause of Prolog
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
  explicit Tokens(std::string_view text, Dialect dialect = Dialect::Hrf);
  /// The next token; `take` moves on.
  [[nodiscard]] const Token& next() const { return next_; }
  Token take();

 private:
  void skip_blank();
  bool skip_block_comment();
  [[nodiscard]] Token scan();
  [[nodiscard]] bool scan_sign(Token& sign);
  [[nodiscard]] Token token(Token::Kind kind, std::size_t length);
  [[nodiscard]] Token word();
  [[nodiscard]] Token quoted();
  [[nodiscard]] Token quoted_atom();

  std::string_view text_;
  Dialect dialect_;
  std::size_t at_ = 0;
  Token next_;
};

/// 'text', or "the end of the text".
std::string shown(const Token& token);

}  // namespace ludens::gdl::hrf
