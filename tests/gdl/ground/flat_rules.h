// SPDX-License-Identifier: MIT
// Flat rules written by hand, for tests of what works on them.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "gdl/ground/grounding.h"

namespace ludens::gdl::tests {

/// Variable v of a rule.
inline FlatTerm var(std::uint32_t v) {
  return {true, v};
}
inline FlatTerm symbol(std::uint32_t s) {
  return {false, s};
}

inline FlatLiteral positive(std::uint32_t relation, std::vector<FlatTerm> columns) {
  return {Literal::Kind::Positive, relation, std::move(columns)};
}
inline FlatLiteral negative(std::uint32_t relation, std::vector<FlatTerm> columns) {
  return {Literal::Kind::Negative, relation, std::move(columns)};
}
inline FlatLiteral differ(FlatTerm a, FlatTerm b) {
  return {Literal::Kind::Distinct, 0, {a, b}};
}

inline FlatRule rule(std::uint32_t head, std::vector<FlatTerm> columns,
                     std::vector<FlatLiteral> body) {
  std::uint32_t variables = 0;
  const auto count = [&](const std::vector<FlatTerm>& terms) {
    for (const FlatTerm& t : terms) {
      if (t.variable) variables = std::max(variables, t.value + 1);
    }
  };
  count(columns);
  for (const FlatLiteral& l : body) count(l.columns);
  return {head, std::move(columns), std::move(body), variables, 0};
}

/// A meter that is over after this much work, in steps of `kWorkBetween`.
class Meter final : public WorkMeter {
 public:
  explicit Meter(int patience = 1 << 30) : patience_(patience) {}

 protected:
  bool exhausted() override { return --patience_ < 0; }

 private:
  int patience_;
};

using Row = std::vector<std::uint32_t>;

inline void fill(Tuples& tuples, const std::vector<Row>& rows) {
  for (const Row& row : rows) tuples.insert(row.data());
}
inline std::vector<Row> rows_of(const Tuples& tuples) {
  std::vector<Row> rows;
  for (RowId r = 0; r < tuples.size(); ++r) {
    rows.emplace_back(tuples.row(r), tuples.row(r) + tuples.columns());
  }
  return rows;
}

/// Relations with these numbers of columns, without rules.
inline Grounding grounding(const std::vector<std::uint32_t>& columns) {
  FlatProgram program;
  for (const std::uint32_t c : columns) (void)program.auxiliary(c);
  return Grounding(std::move(program));
}

}  // namespace ludens::gdl::tests
