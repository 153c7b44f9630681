// SPDX-License-Identifier: MIT
// A pass of the checker: what keyword relations may not need.
#include "gdl/check/passes.h"

namespace ludens::gdl {

namespace {

struct Forbidden {
  Keyword from, to;
  Severity severity;
};

/// Sections 2 and 4 of the specification, and of GDL-II (Thielscher 2010) that `sees` is only for
/// players. `base` and `input` are only hints, so broken ones do no harm.
constexpr Forbidden kForbidden[] = {
    {kInit, kTrue, Severity::Error},       {kInit, kDoes, Severity::Error},
    {kLegal, kDoes, Severity::Error},      {kGoal, kDoes, Severity::Error},
    {kTerminal, kDoes, Severity::Error},   {kBase, kTrue, Severity::Warning},
    {kBase, kDoes, Severity::Warning},     {kInput, kTrue, Severity::Warning},
    {kInput, kDoes, Severity::Warning},    {kInit, kSees, Severity::Error},
    {kLegal, kSees, Severity::Error},      {kGoal, kSees, Severity::Warning},
    {kTerminal, kSees, Severity::Warning}, {kNext, kSees, Severity::Error},
    {kSees, kSees, Severity::Error},
};

/// The first literal by which a rule of `from` needs `to`.
NodeIndex literal_between(const Findings& findings, RelationId from, RelationId to) {
  for (const std::uint32_t i : findings.dependencies().rules_of[from]) {
    for (const Literal& l : findings.rules().rules[i].body) {
      if (l.kind != Literal::Kind::Distinct && l.relation == to) return l.where;
    }
  }
  return 0;
}

}  // namespace

void check_keyword_dependence(Findings& findings) {
  const Rules& rules = findings.rules();
  for (const Forbidden& f : kForbidden) {
    const auto path = shortest_path(findings.dependencies().needs, f.from, f.to);
    if (path.empty()) continue;
    std::string text = quoted(rules.name(f.from)) + " depends on " + quoted(rules.name(f.to));
    for (std::size_t i = 1; i + 1 < path.size(); ++i) {
      text += (i == 1 ? " through " : ", ") + rules.name(path[i]);
    }
    findings.add(f.severity, "forbidden-dependence", std::move(text),
                 literal_between(findings, path[0], path[1]));
  }
}

}  // namespace ludens::gdl
