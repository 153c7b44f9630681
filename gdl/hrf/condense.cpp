// SPDX-License-Identifier: MIT
#include "gdl/hrf/passes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

namespace ludens::gdl::hrf {

namespace {

using Kind = Expression::Kind;
using Images = std::map<std::string, Expression>;

void count_variables(const Expression& e, std::map<std::string, std::size_t>& counts) {
  if (e.kind == Kind::Variable) ++counts[e.name];
  for (const Expression& a : e.arguments) count_variables(a, counts);
}

class Condenser {
 public:
  explicit Condenser(PrefixRule& rule) : rule_(rule) {
    count_variables(rule.head, uses_);
    for (const Expression& l : rule.body) count_variables(l, uses_);
  }

  void run() {
    for (bool again = true; again;) {
      const auto idle =
          std::ranges::find_if(rule_.body, [&](const Expression& l) { return decides_nothing(l); });
      again = idle != rule_.body.end();
      if (!again) return;
      std::map<std::string, std::size_t> gone;
      count_variables(*idle, gone);
      for (const auto& [variable, count] : gone) uses_[variable] -= count;
      rule_.body.erase(idle);
    }
  }

 private:
  [[nodiscard]] bool decides_nothing(const Expression& literal) const {
    if (literal.kind != Kind::Compound) return false;
    std::map<std::string, std::size_t> own;
    count_variables(literal, own);
    return std::ranges::any_of(rule_.body, [&](const Expression& other) {
      Images images;
      return &other != &literal && instance(literal, other, own, images);
    });
  }

  /// Whether `other` is `general` with its own variables replaced.
  bool instance(const Expression& general, const Expression& other,
                const std::map<std::string, std::size_t>& own, Images& images) const {
    if (general.kind == Kind::Variable) {
      const bool local = own.at(general.name) == uses_.at(general.name);
      if (!local) return general == other;
      const auto [entry, is_new] = images.try_emplace(general.name, other);
      return is_new || entry->second == other;
    }
    if (general.kind != other.kind || signature(general) != signature(other)) return false;
    for (std::size_t i = 0; i < general.arguments.size(); ++i) {
      if (!instance(general.arguments[i], other.arguments[i], own, images)) return false;
    }
    return true;
  }

  PrefixRule& rule_;
  std::map<std::string, std::size_t> uses_;
};

}  // namespace

void condense(PrefixRules& rules) {
  for (PrefixRule& rule : rules.rules) {
    if (rule.body.size() > 1) Condenser(rule).run();
  }
}

}  // namespace ludens::gdl::hrf
