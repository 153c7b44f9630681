// SPDX-License-Identifier: MIT
// Makes relations with names that a rulesheet does not use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "gdl/rules/rules.h"

namespace ludens::gdl {

/// Asked by what makes rules of rules: whether it may go on after this much work since it last
/// asked, with this many bytes of what it has made so far. If not, nothing of that is needed.
using Allowance = std::function<bool(std::size_t work, std::size_t bytes)>;

/// Makes relations whose names occur nowhere in the text, so that the normal form can be printed
/// and read again. Keeps a reference to the rules.
class FreshRelations {
 public:
  explicit FreshRelations(Rules& rules) : rules_(rules) {}

  /// A relation that is named after `base`: `base_1` or, if there is such a name, with another
  /// number.
  RelationId make(std::string_view base, std::uint32_t arity);

 private:
  void find_numbered_atoms();

  Rules& rules_;
  std::optional<std::unordered_set<std::string>> taken_;  // folded atoms like `base_1`
  std::uint32_t last_ = 0;
};

}  // namespace ludens::gdl
