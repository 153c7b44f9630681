// SPDX-License-Identifier: MIT
// Estimates how much work a body is. Splitting bodies and adding demand are based on this.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/ground/grounding.h"

namespace ludens::gdl {

/// The values that each column can have, by abstract interpretation of each column alone: exact for
/// static relations, an upper bound for dynamic ones.
class Domains {
 public:
  using Values = std::vector<std::uint32_t>;  // sorted

  /// Incomplete once the meter is over, as are all later results. The meter must outlive it.
  Domains(const Grounding& g, WorkMeter& meter);
  [[nodiscard]] double size(std::uint32_t relation, std::size_t column) const;
  /// Product of the columns' sizes.
  [[nodiscard]] double product(std::uint32_t relation) const;
  /// [variable]: the smallest domain among the columns in which it occurs.
  [[nodiscard]] std::vector<double> variables(const FlatRule& rule) const;
  /// Expected matches of the chosen literals: the product of their variables' domains (and of
  /// `more`), scaled by how full the static relations are. `sizes`: what `variables` says.
  [[nodiscard]] double matches(const Grounding& g, const FlatRule& rule,
                               const std::vector<double>& sizes, const std::vector<bool>& chosen,
                               std::vector<bool> more) const;
  /// An auxiliary relation whose columns are variables of the rule it was cut from.
  void add_auxiliary(std::uint32_t relation, const FlatRule& rule);
  /// To be called when a static relation was evaluated: the values of its columns become its
  /// domains.
  void refresh(const Grounding& g, std::uint32_t relation);

 private:
  /// [variable]: intersection over its columns; nullopt if one is empty.
  [[nodiscard]] std::optional<std::vector<Values>> bind(const FlatRule& rule) const;
  bool propagate(const FlatRule& rule);

  WorkMeter& meter_;
  std::vector<std::vector<Values>> columns_;  // [relation][column]
};

}  // namespace ludens::gdl
