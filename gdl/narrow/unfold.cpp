// SPDX-License-Identifier: MIT
#include "gdl/narrow/unfold.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ludens::gdl {

namespace {

constexpr std::size_t kMostLiterals = 200'000;

/// What variables are replaced by: constants or other variables.
class Replacements {
 public:
  explicit Replacements(std::uint32_t variables) {
    for (std::uint32_t v = 0; v < variables; ++v) of_.push_back({true, v});
  }
  [[nodiscard]] FlatTerm operator()(FlatTerm t) const {
    while (t.variable && of_[t.value] != t) t = of_[t.value];
    return t;
  }
  /// False if they are two constants.
  bool unify(FlatTerm a, FlatTerm b) {
    a = (*this)(a);
    b = (*this)(b);
    if (a == b) return true;
    if (!a.variable) std::swap(a, b);
    if (a.variable) of_[a.value] = b;
    return a.variable;
  }

 private:
  std::vector<FlatTerm> of_;  // [variable]: itself while it is free
};

/// Numbers the variables of a rule by where they occur first.
class Renumbering {
 public:
  void operator()(std::vector<FlatTerm>& columns) {
    for (FlatTerm& t : columns) {
      if (!t.variable) continue;
      t.value =
          number_.try_emplace(t.value, static_cast<std::uint32_t>(number_.size())).first->second;
    }
  }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(number_.size()); }

 private:
  std::map<std::uint32_t, std::uint32_t> number_;
};

/// The rule with the body of another one in place of a literal that its head matches; nullopt if it
/// does not.
std::optional<FlatRule> resolve(const FlatRule& rule, std::size_t literal, const FlatRule& by) {
  Replacements replaced(rule.variables + by.variables);
  const auto behind = [&](FlatTerm t) {
    return t.variable ? FlatTerm{true, t.value + rule.variables} : t;
  };
  const FlatLiteral& asked = rule.body[literal];
  for (std::size_t c = 0; c < asked.columns.size(); ++c) {
    if (!replaced.unify(asked.columns[c], behind(by.columns[c]))) return std::nullopt;
  }
  FlatRule out{rule.head, rule.columns, {}, 0, rule.source};
  Renumbering renumber;
  const auto replace = [&](std::vector<FlatTerm>& columns) {
    for (FlatTerm& t : columns) t = replaced(t);
    renumber(columns);
  };
  replace(out.columns);
  const auto add = [&](FlatLiteral l) {
    replace(l.columns);
    out.body.push_back(std::move(l));
  };
  for (std::size_t i = 0; i < rule.body.size(); ++i) {
    if (i != literal) {
      add(rule.body[i]);
      continue;
    }
    for (FlatLiteral l : by.body) {
      for (FlatTerm& t : l.columns) t = behind(t);
      add(std::move(l));
    }
  }
  out.variables = renumber.count();
  return out;
}

}  // namespace

std::optional<std::vector<FlatRule>> unfold(const std::vector<FlatRule>& rules,
                                            const std::vector<bool>& wide, StopPoll& poll) {
  std::vector<FlatRule> open, done;
  for (const FlatRule& rule : rules) {
    if (!wide[rule.head]) open.push_back(rule);
  }
  std::size_t literals = 0;
  while (!open.empty()) {
    const FlatRule rule = std::move(open.back());
    open.pop_back();
    literals += rule.body.size() + 1;
    if (literals > kMostLiterals || poll(rule.body.size() + 1)) return std::nullopt;
    const auto asks = std::ranges::find_if(rule.body, [&](const FlatLiteral& l) {
      return l.kind == Literal::Kind::Positive && wide[l.relation];
    });
    if (asks == rule.body.end()) {
      done.push_back(rule);
      continue;
    }
    for (const FlatRule& by : rules) {
      if (poll() || by.head != asks->relation) continue;
      auto resolved = resolve(rule, static_cast<std::size_t>(asks - rule.body.begin()), by);
      if (resolved) open.push_back(*std::move(resolved));
    }
  }
  return done;
}

}  // namespace ludens::gdl
