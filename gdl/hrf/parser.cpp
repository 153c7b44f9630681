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
constexpr std::string_view kComparisons =
    "; HRF compares terms by same(X,Y) and distinct(X,Y), numbers by less(X,Y) and leq(X,Y)";
constexpr std::string_view kPrefixList =
    "; in prefix GDL a list is (cons TERM REST), ending in nil";
constexpr std::string_view kPrefixNext =
    "; in prefix GDL an operation is (<= (next FLUENT) (does ROLE MOVE) CONDITION ...)";

class Parser {
 public:
  explicit Parser(std::string_view text, Dialect dialect = Dialect::Hrf)
      : tokens_(text, dialect), dialect_(dialect) {
    for (Tokens tokens(text, dialect); tokens.next().kind != Token::Kind::End;) {
      const Token token = tokens.take();
      if (token.text.starts_with('_')) taken_.insert(token.text);
    }
  }

  ParsedStatements run() {
    ParsedStatements parsed;
    try {
      while (tokens_.next().kind != Token::Kind::End) {
        if (in_prolog()) {
          clause(parsed);
        } else if (!accept(Token::Kind::Comma)) {
          parsed.statements.push_back(statement());
        }
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
    const bool compares = found.kind == Token::Kind::Unknown &&
                          std::string_view("=/\\<>").find(found.text) != std::string_view::npos;
    fail("syntax",
         "expected " + what + ", found " + shown(found) +
             std::string(compares && !in_gdl() ? kComparisons : prefix),
         found.where);
  }

  bool accept(Token::Kind kind) {
    if (tokens_.next().kind != kind) return false;
    tokens_.take();
    return true;
  }

  [[nodiscard]] bool in_prolog() const { return dialect_ == Dialect::Prolog; }
  [[nodiscard]] bool in_gdl() const { return dialect_ != Dialect::Hrf; }

  /// A statement of Prolog with its period.
  void clause(ParsedStatements& parsed) {
    if (tokens_.next().kind == Token::Kind::If) return directive(parsed);
    Statement result = statement();
    if (!accept(Token::Kind::Stop)) expected("',', ';' or the period after a clause", kPrefixRule);
    if (!defines_distinct(result)) parsed.statements.push_back(std::move(result));
  }

  /// `:- dynamic true/1.` and what else says how a Prolog system is to run the rules.
  void directive(ParsedStatements& parsed) {
    const std::uint32_t where = tokens_.take().where;
    while (tokens_.next().kind != Token::Kind::Stop) {
      if (tokens_.next().kind == Token::Kind::End) {
        fail("unclosed-directive", "this directive has no period at its end", where);
      }
      const Token token = tokens_.take();
      if (token.kind == Token::Kind::Constant) parsed.declared.insert(std::string(token.text));
    }
    tokens_.take();
    parsed.problems.push_back({Severity::Note, "directive",
                               "a directive of Prolog, which says nothing about the game", where});
  }

  /// `distinct(X,Y) :- X \= Y`, which Prolog needs and GDL knows.
  static bool defines_distinct(const Statement& s) {
    if (s.kind != Statement::Kind::Rule || s.body.size() != 1) return false;
    const Expression& body = s.body[0];
    return signature(s.head) == Signature{"distinct", 2} && body.name == kDiffer &&
           body.arguments == s.head.arguments;
  }

  Statement statement() {
    Statement result;
    result.where = tokens_.next().where;
    result.head = in_prolog() ? negatable() : expression();
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
    if (result.head.name == kEqual || result.head.name == kDiffer) {
      fail("head", "'" + print(result.head) + "' compares terms, and is no fact and no head",
           result.where);
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
    if (!joins(between)) return first;
    Expression all{kind, {}, {}, first.where};
    append(all, std::move(first));
    while (joins(between) && accept(tokens_.next().kind)) append(all, part());
    return all;
  }

  /// Whether the next token joins conditions as `between` does.
  [[nodiscard]] bool joins(Token::Kind between) const {
    const Token::Kind next = tokens_.next().kind;
    return next == between ||
           (between == Token::Kind::And && commas_join_ && next == Token::Kind::Comma);
  }

  static void append(Expression& all, Expression part) {
    if (part.kind != all.kind) {
      all.arguments.push_back(std::move(part));
    } else {
      for (Expression& e : part.arguments) all.arguments.push_back(std::move(e));
    }
  }

  Expression negatable() {
    if (!is_negation(tokens_.next())) return comparison();
    const Deeper deeper(*this);
    const std::uint32_t where = tokens_.take().where;
    Expression result = negation(negatable());
    result.where = where;
    return result;
  }

  /// `~p`, and in GDL `not p` and `not(p)`.
  [[nodiscard]] bool is_negation(const Token& token) const {
    return token.kind == Token::Kind::Not ||
           (in_gdl() && token.kind == Token::Kind::Constant && token.text == "not");
  }

  /// `X \= Y`, `X = Y`.
  Expression comparison() {
    Expression left = primary();
    const Token sign = tokens_.next();
    if (sign.kind != Token::Kind::Equal && sign.kind != Token::Kind::Differ) return left;
    tokens_.take();
    std::vector<Expression> sides;
    sides.push_back(std::move(left));
    sides.push_back(primary());
    return compound(name_of(sign), std::move(sides), sign.where);
  }

  static std::string name_of(const Token& sign) {
    return sign.kind == Token::Kind::Equal ? kEqual : kDiffer;
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
        const Inside inside(*this, in_prolog());
        Expression inner = expression();
        close("')' to close the '('", token.where);
        return inner;
      }
      case Token::Kind::Variable:
        tokens_.take();
        return variable(token.text == "_" ? new_variable() : std::string(token.text), token.where);
      case Token::Kind::Constant:
        tokens_.take();
        return named(std::string(token.text), arguments(token.where), token.where);
      case Token::Kind::Equal:
      case Token::Kind::Differ:  // `=(X,Y)`
        tokens_.take();
        if (tokens_.next().kind != Token::Kind::Open) expected("'('", kPrefixSentence);
        return compound(name_of(token), arguments(token.where), token.where);
      default:
        expected("a name, a variable, '~' or '('", kPrefixRule);
    }
  }

  /// In GDL, `or(p,q)` and `and(p,q)` are connectives, and Prolog has names of its own for `false`
  /// and `distinct`.
  [[nodiscard]] Expression named(std::string name, std::vector<Expression> arguments,
                                 std::uint32_t where) const {
    const bool connective = in_gdl() && !arguments.empty() && (name == "or" || name == "and");
    if (connective && arguments.size() == 1) return std::move(arguments[0]);
    if (connective) return {name == "or" ? Kind::Or : Kind::And, {}, std::move(arguments), where};
    if (in_prolog() && name == "fail" && arguments.empty()) name = "false";
    if (in_prolog() && name == "dif" && arguments.size() == 2) name = kDiffer;
    return compound(std::move(name), std::move(arguments), where);
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
    const Inside inside(*this, false);
    do {
      list.push_back(expression());
    } while (accept(Token::Kind::Comma));
    close("',' or ')' after an argument", name);
    return list;
  }

  /// Parses a list after its `[`. Each term is nested one deeper than the one before it. In Prolog,
  /// `[first|rest]` is `first!rest`.
  Expression list(std::uint32_t opened) {
    std::vector<Expression> terms;
    const std::size_t outside = depth_;
    const Inside inside(*this, false);
    Expression all = empty_list(opened);
    if (!accept(Token::Kind::CloseList)) {
      do {
        deepen();
        terms.push_back(in_prolog() ? primary() : expression());
      } while (accept(Token::Kind::Comma));
      if (in_prolog() && accept(Token::Kind::Or)) all = primary();
      if (!accept(Token::Kind::CloseList)) expected("',' or ']' in a list", kPrefixList);
    }
    depth_ = outside;
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

  /// Whether commas join conditions, inside parentheses.
  class Inside {
   public:
    Inside(Parser& parser, bool joins)
        : parser_(parser), outside_(std::exchange(parser.commas_join_, joins)) {}
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { parser_.commas_join_ = outside_; }

   private:
    Parser& parser_;
    bool outside_;
  };

  Tokens tokens_;
  Dialect dialect_;
  bool commas_join_ = in_prolog();
  std::set<std::string_view> taken_;  // names in the text that begin as those of new variables do
  std::size_t depth_ = 0, anonymous_ = 0;
};

}  // namespace

ParsedStatements parse_statements(std::string_view text, Dialect dialect,
                                  const ParseLimits& limits) {
  const std::size_t most = std::min<std::size_t>(limits.max_bytes, 0xfffffffe);
  if (text.size() > most) {
    return {{},
            {{Severity::Error, "text-too-long",
              "the text is longer than " + std::to_string(most) + " bytes", 0}},
            {}};
  }
  return Parser(text, dialect).run();
}

bool parse_term(std::string_view text, Expression& term) {
  auto found = Parser(text).single_term();
  if (!found || !is_ground(*found)) return false;
  term = *std::move(found);
  return true;
}

}  // namespace ludens::gdl::hrf
