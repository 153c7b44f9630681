// SPDX-License-Identifier: MIT
#include "gdl/hrf/recognise.h"

#include <array>
#include <vector>

#include "gdl/hrf/tokens.h"

namespace ludens::gdl {

namespace {

using hrf::Token;
using hrf::Tokens;

/// Sentences that GDL has and HRF does not, with the number of their arguments.
struct SentenceOfGdl {
  std::string_view name;
  std::size_t arity;
};
constexpr std::array<SentenceOfGdl, 6> kSentences{
    {{"next", 1}, {"does", 2}, {"true", 1}, {"legal", 2}, {"input", 2}, {"sees", 2}}};

bool begins_infix(std::string_view text) {
  // Prefix GDL begins with a parenthesis or one of its own comments.
  const std::size_t first = text.find_first_not_of(" \t\r\n\f\v\xef\xbb\xbf");
  if (first == std::string_view::npos) return false;
  if (text[first] == '%' || text.substr(first).starts_with("/*")) return true;
  Tokens tokens(text.substr(first), Dialect::Prolog);
  using enum Token::Kind;
  if (tokens.next().text == ":-") return true;  // a directive of Prolog
  if (tokens.next().kind != Constant) return false;
  const Token name = tokens.take();
  const Token& second = tokens.next();
  if (second.kind == Open) return second.where == name.where + name.text.size();
  return second.kind == If || second.kind == Operation || second.kind == And || second.kind == Stop;
}

/// Finds sentences of GDL in a text whose tokens are taken one after another.
class SentenceFinder {
 public:
  /// True if the token closes such a sentence.
  bool take(const Token& token) {
    using enum Token::Kind;
    const std::string_view name = last_;
    last_ = token.kind == Constant ? token.text : std::string_view();
    if (token.kind == Open) open_.push_back({arity_of(name), 1});
    if (token.kind == OpenList) open_.push_back({0, 1});
    if (open_.empty()) return false;
    if (token.kind == Comma) ++open_.back().found;
    if (token.kind != Close && token.kind != CloseList) return false;
    const Arguments closed = open_.back();
    open_.pop_back();
    return closed.wanted == closed.found;
  }

 private:
  struct Arguments {
    std::size_t wanted;  // 0: not a name of GDL
    std::size_t found;
  };

  static std::size_t arity_of(std::string_view name) {
    for (const SentenceOfGdl& s : kSentences) {
      if (s.name == name) return s.arity;
    }
    return 0;
  }

  std::vector<Arguments> open_;
  std::string_view last_;
};

}  // namespace

Dialect dialect_of(std::string_view text) {
  if (!begins_infix(text)) return Dialect::Prefix;
  using enum Token::Kind;
  SentenceFinder sentences;
  bool stops = false, gdl = false;
  for (Tokens tokens(text, Dialect::Prolog); tokens.next().kind != End;) {
    const Token token = tokens.take();
    if (token.kind == Operation || token.kind == Arrow) return Dialect::Hrf;
    stops = stops || token.kind == Stop;
    gdl = sentences.take(token) || gdl;
  }
  if (stops) return Dialect::Prolog;
  return gdl ? Dialect::Infix : Dialect::Hrf;
}

}  // namespace ludens::gdl
