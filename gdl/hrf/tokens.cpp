// SPDX-License-Identifier: MIT
#include "gdl/hrf/tokens.h"

#include <algorithm>
#include <span>

#include "gdl/text/utf8.h"

namespace ludens::gdl::hrf {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_capital(char c) {
  return (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_word(char c) {
  const bool high = static_cast<unsigned char>(c) >= 0x80;
  return (c >= 'a' && c <= 'z') || is_capital(c) || is_digit(c) || high;
}

/// A sign of two characters or more, or one that HRF does not have.
struct Sign {
  std::string_view text;
  Token::Kind kind;
};

/// First those of HRF, then those of GDL as well, then those of Prolog alone.
constexpr Sign kSigns[] = {
    {":-", Token::Kind::If},       {":=", Token::Kind::Definition}, {"::", Token::Kind::Operation},
    {"==>", Token::Kind::Arrow},   {"<=", Token::Kind::If},         {"<-", Token::Kind::If},
    {"\\==", Token::Kind::Differ}, {"\\=", Token::Kind::Differ},    {"/=", Token::Kind::Differ},
    {"!=", Token::Kind::Differ},   {"==", Token::Kind::Equal},      {"=", Token::Kind::Equal},
    {"\\+", Token::Kind::Not},     {";", Token::Kind::Or},
};
constexpr std::size_t kSignsOfHrf = 4, kSignsOfGdl = 12;

std::span<const Sign> signs_of(Dialect dialect) {
  const std::span<const Sign> all = kSigns;
  if (dialect == Dialect::Prolog) return all;
  return all.first(dialect == Dialect::Hrf ? kSignsOfHrf : kSignsOfGdl);
}

}  // namespace

Tokens::Tokens(std::string_view text, Dialect dialect) : text_(text), dialect_(dialect) {
  at_ = text.size() - without_byte_order_mark(text).size();
  next_ = scan();
}

Token Tokens::take() {
  const Token taken = next_;
  next_ = scan();
  return taken;
}

void Tokens::skip_blank() {
  while (at_ < text_.size()) {
    if (text_[at_] == '%') {
      at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
    } else if (is_blank(text_[at_])) {
      ++at_;
    } else if (!skip_block_comment()) {
      return;
    }
  }
}

/// `/* ... */` of Prolog. One that is never closed is no comment.
bool Tokens::skip_block_comment() {
  if (dialect_ != Dialect::Prolog || !text_.substr(at_).starts_with("/*")) return false;
  const std::size_t close = text_.find("*/", at_ + 2);
  if (close == std::string_view::npos) return false;
  at_ = close + 2;
  return true;
}

Token Tokens::token(Token::Kind kind, std::size_t length) {
  const Token token{kind, text_.substr(at_, length), static_cast<std::uint32_t>(at_)};
  at_ += token.text.size();
  return token;
}

/// Whether one of the signs is next.
bool Tokens::scan_sign(Token& sign) {
  const std::string_view rest = text_.substr(at_);
  for (const Sign& s : signs_of(dialect_)) {
    if (!rest.starts_with(s.text)) continue;
    sign = token(s.kind, s.text.size());
    return true;
  }
  // A period ends a clause if white space, a comment or nothing follows it.
  if (dialect_ != Dialect::Prolog || rest[0] != '.') return false;
  if (rest.size() > 1 && !is_blank(rest[1]) && rest[1] != '%') return false;
  sign = token(Token::Kind::Stop, 1);
  return true;
}

Token Tokens::scan() {
  using enum Token::Kind;
  skip_blank();
  if (at_ == text_.size()) return token(End, 0);
  if (Token sign; scan_sign(sign)) return sign;
  const std::string_view rest = text_.substr(at_);
  const char c = rest[0];
  if (c == '(') return token(Open, 1);
  if (c == ')') return token(Close, 1);
  if (c == '[') return token(OpenList, 1);
  if (c == ']') return token(CloseList, 1);
  if (c == '!' && dialect_ != Dialect::Prolog) return token(Cons, 1);
  if (c == ',') return token(Comma, 1);
  if (c == '&') return token(And, 1);
  if (c == '|') return token(Or, 1);
  if (c == '~') return token(Not, 1);
  if (c == '"') return quoted();
  if (c == '\'' && dialect_ == Dialect::Prolog) return quoted_atom();
  if (is_word(c) || (c == '-' && rest.size() > 1 && is_digit(rest[1]))) return word();
  return token(Unknown, 1);
}

Token Tokens::word() {
  std::size_t end = at_ + 1;
  const bool number = is_digit(text_[at_]) || text_[at_] == '-';
  const auto inside = [&](std::size_t i) {
    if (is_word(text_[i])) return true;
    return number && text_[i] == '.' && i + 1 < text_.size() && is_digit(text_[i + 1]);
  };
  while (end < text_.size() && inside(end)) ++end;
  const auto kind = is_capital(text_[at_]) ? Token::Kind::Variable : Token::Kind::Constant;
  return token(kind, end - at_);
}

/// A constant in quotation marks. Text that can't be one symbol of prefix GDL is not accepted.
Token Tokens::quoted() {
  const std::size_t close = text_.find_first_of("\"\r\n", at_ + 1);
  if (close == std::string_view::npos || text_[close] != '"') return token(Token::Kind::Unknown, 1);
  const std::string_view inside = text_.substr(at_, close - at_);
  const bool one_symbol = inside.find_first_of(" \t\f\v();?") == std::string_view::npos;
  return token(one_symbol ? Token::Kind::Constant : Token::Kind::Unknown, close + 1 - at_);
}

/// `'name'` of Prolog is the constant `name`, if that is one symbol of prefix GDL.
Token Tokens::quoted_atom() {
  using enum Token::Kind;
  const std::size_t close = text_.find_first_of("'\r\n", at_ + 1);
  if (close == std::string_view::npos || text_[close] != '\'') return token(Unknown, 1);
  Token name{Constant, text_.substr(at_ + 1, close - at_ - 1), static_cast<std::uint32_t>(at_)};
  const bool one_symbol =
      !name.text.empty() && name.text.find_first_of(" \t\f\v();?,\"[]!") == std::string_view::npos;
  if (!one_symbol) return token(Unknown, close + 1 - at_);
  at_ = close + 1;
  return name;
}

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::End) return "the end of the text";
  return "'" + std::string(token.text.substr(0, 40)) + "'";
}

}  // namespace ludens::gdl::hrf
