// SPDX-License-Identifier: MIT
#include "gdl/rules/canonical_names.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "gdl/memory/hash.h"

namespace ludens::gdl {

namespace {

using Colour = std::uint64_t;

/// Unlike `mix` alone, it distinguishes the colour from the value.
Colour mixed(Colour colour, std::uint64_t value) {
  return mix(scatter(colour), value);
}

Colour colour_of(std::string_view text) {
  Colour colour = 1;
  for (const char c : text) colour = mixed(colour, static_cast<unsigned char>(c));
  return colour;
}

bool is_integer(const std::string& name) {
  const std::size_t digits = name.starts_with('-') ? 1 : 0;
  return name.size() > digits && name.find_first_not_of("0123456789", digits) == std::string::npos;
}

/// A piece of a rule: a symbol, or something that every rulesheet writes in the same way.
struct Token {
  bool is_symbol;
  std::uint32_t value;
};

/// Writes rules as rows of tokens.
class Tokens {
 public:
  explicit Tokens(const Rules& rules) : rules_(rules) {
    for (const Rule& rule : rules.rules) {
      begins_.push_back(tokens_.size());
      add_atom(kHead, rule.head, rule.arguments);
      for (const Literal& literal : rule.body) add_literal(literal);
    }
    begins_.push_back(tokens_.size());
  }

  [[nodiscard]] std::size_t size() const { return tokens_.size(); }
  [[nodiscard]] std::size_t rule_count() const { return begins_.size() - 1; }
  [[nodiscard]] std::span<const Token> rule(std::size_t r) const {
    return std::span(tokens_).subspan(begins_[r], begins_[r + 1] - begins_[r]);
  }

 private:
  enum Mark : std::uint32_t { kHead, kPositive, kNegative, kDistinct, kVariable, kCompound };

  void add_mark(Mark mark, std::size_t number) {
    tokens_.push_back({false, static_cast<std::uint32_t>(number) * 8 + mark});
  }
  void add_literal(const Literal& literal) {
    if (literal.kind == Literal::Kind::Distinct) {
      add_mark(kDistinct, 0);
      for (const Term argument : literal.arguments) add_term(argument);
    } else {
      add_atom(literal.kind == Literal::Kind::Positive ? kPositive : kNegative, literal.relation,
               literal.arguments);
    }
  }
  void add_atom(Mark mark, RelationId relation, const std::vector<Term>& arguments) {
    add_mark(mark, arguments.size());
    tokens_.push_back({true, rules_.relations[relation].name});
    for (const Term argument : arguments) add_term(argument);
  }
  void add_term(Term term) {
    std::vector<Term> open{term};
    while (!open.empty()) {
      const Term next = open.back();
      open.pop_back();
      const auto arguments = rules_.terms.arguments(next);
      if (rules_.terms.kind(next) == Terms::Kind::Variable) {
        add_mark(kVariable, rules_.terms.value(next));
        continue;
      }
      if (!arguments.empty()) add_mark(kCompound, arguments.size());
      tokens_.push_back({true, rules_.terms.value(next)});
      open.insert(open.end(), arguments.rbegin(), arguments.rend());
    }
  }

  const Rules& rules_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> begins_;  // [rule], one more at the end
};

class Refinement {
 public:
  Refinement(const Rules& rules, const StopSignal* stop)
      : rules_(rules), tokens_(rules), poll_(stop), colours_(rules.symbols.size()) {
    std::vector<bool> used(rules.symbols.size());
    for (std::size_t r = 0; r < tokens_.rule_count(); ++r) {
      for (const Token token : tokens_.rule(r)) {
        if (token.is_symbol) used[token.value] = true;
      }
    }
    for (SymbolId s = 0; s < used.size(); ++s) {
      if (used[s]) symbols_.push_back(s);
    }
    first_colours();
  }

  std::optional<CanonicalNames> run() {
    if (!refine()) return std::nullopt;
    while (single_out()) {
      if (!refine()) return std::nullopt;
    }
    CanonicalNames names;
    names.numbers.assign(rules_.symbols.size(), CanonicalNames::kUnnumbered);
    std::ranges::sort(symbols_, {}, [this](SymbolId s) { return colours_[s]; });
    for (std::uint32_t i = 0; i < symbols_.size(); ++i) names.numbers[symbols_[i]] = i;
    names.fingerprint = fingerprint(names.numbers);
    return names;
  }

 private:
  void first_colours() {
    for (const SymbolId s : symbols_) {
      if (is_integer(rules_.symbols.folded(s))) colours_[s] = colour_of(rules_.symbols.folded(s));
    }
    for (RelationId keyword = 0; keyword < kKeywordCount; ++keyword) {
      const SymbolId s = rules_.relations[keyword].name;
      colours_[s] = mixed(colour_of(rules_.symbols.folded(s)), kKeywordCount);
    }
    for (RoleIndex role = 0; role < rules_.roles.size(); ++role) {
      const Colour random = role == rules_.random ? 1 : 0;
      colours_[rules_.terms.value(rules_.roles[role])] = mixed(mixed(2, role), random);
    }
  }

  /// Refines until the colours distinguish no more symbols. False: stopped.
  bool refine() {
    for (std::size_t before = 0, now = different(); now > before;) {
      std::vector<Colour> seen(colours_.size());
      for (std::size_t r = 0; r < tokens_.rule_count(); ++r) {
        const Colour whole = colour(r, colours_);
        std::uint32_t place = 0;
        for (const Token token : tokens_.rule(r)) {
          ++place;
          if (token.is_symbol) seen[token.value] += mixed(whole, place);
        }
      }
      if (poll_(tokens_.size())) return false;
      for (const SymbolId s : symbols_) colours_[s] = mixed(colours_[s], seen[s]);
      before = now;
      now = different();
    }
    return true;
  }

  template <typename Number>
  [[nodiscard]] Colour colour(std::size_t r, const std::vector<Number>& of_symbols) const {
    Colour whole = tokens_.rule(r).size();
    for (const Token token : tokens_.rule(r)) {
      whole = mixed(whole, token.is_symbol ? of_symbols[token.value] : token.value);
    }
    return whole;
  }

  [[nodiscard]] std::vector<SymbolId> by_colour() const {
    std::vector<SymbolId> sorted = symbols_;
    std::ranges::stable_sort(sorted, {}, [this](SymbolId s) { return colours_[s]; });
    return sorted;
  }

  [[nodiscard]] std::size_t different() const {
    const auto sorted = by_colour();
    std::size_t count = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (i == 0 || colours_[sorted[i]] != colours_[sorted[i - 1]]) ++count;
    }
    return count;
  }

  /// Gives one of several symbols of a colour a colour of its own. False: all have their own.
  bool single_out() {
    const auto sorted = by_colour();
    const auto same =
        std::ranges::adjacent_find(sorted, {}, [this](SymbolId s) { return colours_[s]; });
    if (same == sorted.end()) return false;
    colours_[*same] = mixed(colours_[*same], 3);
    return true;
  }

  /// The same for any order of the rules: their hashes are added up.
  [[nodiscard]] std::string fingerprint(const std::vector<std::uint32_t>& numbers) const {
    std::vector<std::uint64_t> tags(numbers.begin(), numbers.end());
    for (const SymbolId s : symbols_) tags[s] = mixed(numbers[s], fixed(s));
    Colour low = 0, high = rules_.rules.size();
    for (std::size_t r = 0; r < tokens_.rule_count(); ++r) {
      const Colour whole = colour(r, tags);
      low += mixed(whole, 4);
      high += mixed(whole, 5);
    }
    for (const Term role : rules_.roles) {
      low = mixed(low, tags[rules_.terms.value(role)]);
      high = mixed(high, low);
    }
    char text[40];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high),
                  static_cast<unsigned long long>(low));
    return text;
  }

  /// A hash of the spelling, for a symbol whose spelling matters.
  [[nodiscard]] Colour fixed(SymbolId s) const {
    const std::string& name = rules_.symbols.folded(s);
    const auto is_keyword = [&](const Relation& keyword) { return keyword.name == s; };
    const bool known =
        std::any_of(rules_.relations.begin(), rules_.relations.begin() + kKeywordCount, is_keyword);
    return known || is_integer(name) ? colour_of(name) : 0;
  }

  const Rules& rules_;
  const Tokens tokens_;
  StopPoll poll_;
  std::vector<Colour> colours_;    // [symbol]
  std::vector<SymbolId> symbols_;  // that rules have
};

}  // namespace

std::vector<std::uint32_t> CanonicalNames::renumber(std::span<const std::uint32_t> term) const {
  std::vector<std::uint32_t> cells(term.begin(), term.end());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool compound = cells[i] % 2 != 0;
    cells[i] = numbers[cells[i] / 2] * 2 + (compound ? 1 : 0);
    if (compound) ++i;  // the number of its arguments
  }
  return cells;
}

std::optional<CanonicalNames> canonical_names(const Rules& rules, const StopSignal* stop) {
  return Refinement(rules, stop).run();
}

}  // namespace ludens::gdl
