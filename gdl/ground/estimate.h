// SPDX-License-Identifier: MIT
// How much work a body is: the basis on which bodies are split and demand is introduced.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/ground/grounding.h"

namespace ludens::gdl {

/// Which values can stand in each column, by abstract interpretation of columns one by one: exact
/// for static relations, an upper bound for dynamic ones.
class Domains {
 public:
  using Values = std::vector<std::uint32_t>;  // sorted

  /// Incomplete once the meter is over, as all that follows is then.
  Domains(const Grounding& g, WorkMeter& meter);
  [[nodiscard]] double size(std::uint32_t relation, std::size_t column) const;
  /// Product of the columns' sizes.
  [[nodiscard]] double product(std::uint32_t relation) const;
  /// [variable]: the smallest domain among the columns it stands in.
  [[nodiscard]] std::vector<double> variables(const FlatRule& rule) const;
  /// An auxiliary relation whose columns are variables of the rule it was cut from.
  void add_auxiliary(std::uint32_t relation, const FlatRule& rule);
  /// A static relation was evaluated: its domains are its columns.
  void refresh(const Grounding& g, std::uint32_t relation, WorkMeter& meter);

 private:
  /// [variable]: intersection over its columns; nullopt if one is empty.
  [[nodiscard]] std::optional<std::vector<Values>> bind(const FlatRule& rule) const;
  bool propagate(const FlatRule& rule);

  std::vector<std::vector<Values>> columns_;  // [relation][column]
};

}  // namespace ludens::gdl
