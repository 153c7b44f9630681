// SPDX-License-Identifier: MIT
#include "gdl/hrf/parser.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "gdl/hrf/tokens.h"

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;

/// Thrown only within the parser, which ends at its first error.
struct Failure {
  Problem problem;
};

/// What the same would be in prefix GDL, for the end of a message.
constexpr std::string_view kPrefixRule = "; in prefix GDL a rule is (<= HEAD CONDITION ...)";
constexpr std::string_view kPrefixSentence = "; in prefix GDL a sentence is (NAME TERM ...)";
constexpr std::string_view kPrefixList =
    "; in prefix GDL a list is (cons TERM REST), ending in nil";
constexpr std::string_view kPrefixNext =
    "; in prefix GDL an operation is (<= (next FLUENT) (does ROLE MOVE) CONDITION ...)";

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(text) {
    for (Tokens tokens(text); tokens.next().kind != Token::Kind::End;) {
      const Token token = tokens.take();
      if (token.text.starts_with('_')) taken_.insert(token.text);
    }
  }

  ParsedStatements run() {
    ParsedStatements parsed;
    try {
      while (tokens_.next().kind != Token::Kind::End) {
        if (accept(Token::Kind::Comma)) continue;
        parsed.statements.push_back(statement());
      }
    } catch (const Failure& failure) {
      parsed.problems.push_back(failure.problem);
    }
    return parsed;
  }

  std::optional<Expression> single_term() {
    try {
      Expression term = primary();
      if (tokens_.next().kind == Token::Kind::End && is_atom(term)) return term;
    } catch (const Failure&) {  // not a term
    }
    return std::nullopt;
  }

 private:
  [[noreturn]] void fail(const char* code, std::string text, std::uint32_t where) {
    throw Failure{{Severity::Error, code, std::move(text), where}};
  }
  [[noreturn]] void expected(const std::string& what, std::string_view prefix) {
    const Token& found = tokens_.next();
    if (found.text.starts_with('"')) {
      fail("not-a-symbol",
           "a name in quotation marks ends on its line and has no blanks and no parentheses; "
           "prefix GDL has no such names",
           found.where);
    }
    fail("syntax", "expected " + what + ", found " + shown(found) + std::string(prefix),
         found.where);
  }

  bool accept(Token::Kind kind) {
    if (tokens_.next().kind != kind) return false;
    tokens_.take();
    return true;
  }

  Statement statement() {
    Statement result;
    result.where = tokens_.next().where;
    result.head = expression();
    if (accept(Token::Kind::If)) {
      result.kind = Statement::Kind::Rule;
      result.body = conjuncts(expression());
    } else if (accept(Token::Kind::Operation)) {
      operation(result);
    } else if (tokens_.next().kind == Token::Kind::Arrow) {
      fail("arrow-without-action",
           "there is no action before '==>': ACTION :: CONDITION ==> EFFECT" +
               std::string(kPrefixNext),
           tokens_.next().where);
    } else if (tokens_.next().kind == Token::Kind::Definition) {
      fail("definition",
           "functions that are defined by ':=' are not read; say it by a relation, f(X,Y) :- ...",
           tokens_.next().where);
    }
    if (result.kind != Statement::Kind::Sentence && !is_atom(result.head)) {
      fail("head",
           "expected a name before '" +
               std::string(result.kind == Statement::Kind::Rule ? ":-" : "::") + "', found '" +
               print(result.head) + "'" +
               std::string(result.kind == Statement::Kind::Rule ? kPrefixRule : kPrefixNext),
           result.where);
    }
    return result;
  }

  void operation(Statement& result) {
    result.kind = Statement::Kind::Operation;
    std::vector<Expression> first = conjuncts(expression());
    if (accept(Token::Kind::Arrow)) {
      result.body = std::move(first);
      result.effects = conjuncts(expression());
    } else {
      result.effects = std::move(first);
    }
  }

  static std::vector<Expression> conjuncts(Expression e) {
    if (e.kind == Kind::And) return std::move(e.arguments);
    std::vector<Expression> one;
    one.push_back(std::move(e));
    return one;
  }

  Expression expression() { return chain(Token::Kind::Or, Kind::Or); }

  /// `a | b | c`, or, tighter, `a & b & c`.
  Expression chain(Token::Kind between, Kind kind) {
    const auto part = [&] {
      return kind == Kind::Or ? chain(Token::Kind::And, Kind::And) : negatable();
    };
    Expression first = part();
    if (tokens_.next().kind != between) return first;
    Expression all{kind, {}, {}, first.where};
    append(all, std::move(first));
    while (accept(between)) append(all, part());
    return all;
  }

  static void append(Expression& all, Expression part) {
    if (part.kind != all.kind) {
      all.arguments.push_back(std::move(part));
    } else {
      for (Expression& e : part.arguments) all.arguments.push_back(std::move(e));
    }
  }

  Expression negatable() {
    if (tokens_.next().kind != Token::Kind::Not) return primary();
    const Deeper deeper(*this);
    const std::uint32_t where = tokens_.take().where;
    Expression result = negation(negatable());
    result.where = where;
    return result;
  }

  /// `first!rest` is the list with `first` before those of `rest`.
  Expression primary() {
    const Deeper deeper(*this);
    Expression first = simple();
    if (!accept(Token::Kind::Cons)) return first;
    return list_of(std::move(first), primary());
  }

  Expression simple() {
    const Token token = tokens_.next();
    switch (token.kind) {
      case Token::Kind::OpenList:
        tokens_.take();
        return list(token.where);
      case Token::Kind::Open: {
        tokens_.take();
        Expression inner = expression();
        close("')' to close the '('", token.where);
        return inner;
      }
      case Token::Kind::Variable:
        tokens_.take();
        return variable(token.text == "_" ? new_variable() : std::string(token.text), token.where);
      case Token::Kind::Constant:
        tokens_.take();
        return compound(std::string(token.text), arguments(token.where), token.where);
      default:
        expected("a name, a variable, '~' or '('", kPrefixRule);
    }
  }

  /// The name of a variable that is written `_` and is another one each time.
  std::string new_variable() {
    std::string name;
    do {
      name = "_" + std::to_string(++anonymous_);
    } while (taken_.contains(name));
    return name;
  }

  std::vector<Expression> arguments(std::uint32_t name) {
    std::vector<Expression> list;
    if (tokens_.next().kind != Token::Kind::Open) return list;
    tokens_.take();
    if (accept(Token::Kind::Close)) return list;
    do {
      list.push_back(expression());
    } while (accept(Token::Kind::Comma));
    close("',' or ')' after an argument", name);
    return list;
  }

  /// Parses a list after its `[`. Each term is nested one deeper than the one before it.
  Expression list(std::uint32_t opened) {
    std::vector<Expression> terms;
    const std::size_t outside = depth_;
    if (!accept(Token::Kind::CloseList)) {
      do {
        deepen();
        terms.push_back(expression());
      } while (accept(Token::Kind::Comma));
      if (!accept(Token::Kind::CloseList)) expected("',' or ']' in a list", kPrefixList);
    }
    depth_ = outside;
    Expression all = empty_list(opened);
    while (!terms.empty()) {
      all = list_of(std::move(terms.back()), std::move(all));
      terms.pop_back();
    }
    return all;
  }

  void close(const char* what, std::uint32_t opened) {
    if (tokens_.next().kind == Token::Kind::End) {
      fail("unclosed-parenthesis",
           "expected " + std::string(what) + ": what begins here is never closed" +
               std::string(kPrefixSentence),
           opened);
    }
    if (!accept(Token::Kind::Close)) expected(what, kPrefixSentence);
  }

  void deepen() {
    if (++depth_ <= kMostNested) return;
    fail("nested-too-deep", "parentheses are nested deeper than " + std::to_string(kMostNested),
         tokens_.next().where);
  }

  /// Counts how deep the parser is.
  class Deeper {
   public:
    explicit Deeper(Parser& parser) : parser_(parser) { parser_.deepen(); }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ~Deeper() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  Tokens tokens_;
  std::set<std::string_view> taken_;  // names in the text that begin as those of new variables do
  std::size_t depth_ = 0, anonymous_ = 0;
};

}  // namespace

ParsedStatements parse_statements(std::string_view text, const ParseLimits& limits) {
  const std::size_t most = std::min<std::size_t>(limits.max_bytes, 0xfffffffe);
  if (text.size() > most) {
    return {{},
            {{Severity::Error, "text-too-long",
              "the text is longer than " + std::to_string(most) + " bytes", 0}}};
  }
  return Parser(text).run();
}

bool parse_term(std::string_view text, Expression& term) {
  auto found = Parser(text).single_term();
  if (!found || !is_ground(*found)) return false;
  term = *std::move(found);
  return true;
}

bool looks_like_hrf(std::string_view text) {
  // Prefix GDL begins with a parenthesis or one of its own comments.
  const std::size_t first = text.find_first_not_of(" \t\r\n\f\v\xef\xbb\xbf");
  if (first == std::string_view::npos) return false;
  if (text[first] == '%') return true;
  Tokens tokens(text.substr(first));
  if (tokens.next().kind != Token::Kind::Constant) return false;
  const Token name = tokens.take();
  const Token& second = tokens.next();
  using enum Token::Kind;
  if (second.kind == Open) return second.where == name.where + name.text.size();
  return second.kind == If || second.kind == Operation || second.kind == And;
}

}  // namespace ludens::gdl::hrf
