// SPDX-License-Identifier: MIT
// A pass over translated rules: drops conditions that others imply.
#include "gdl/hrf/passes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

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
    for (const Expression& l : rule.body) {
      count_variables(l, uses_);
      ++written_[print(l)];
    }
    dropped_.assign(rule.body.size(), false);
  }

  void run() {
    while (drop_some()) {
    }
    std::size_t at = 0;
    std::erase_if(rule_.body, [&](const Expression&) { return dropped_[at++]; });
  }

 private:
  /// Whether a variable has lost a use, so that more conditions may decide nothing now.
  bool drop_some() {
    bool fewer_uses = false;
    for (std::size_t i = 0; i < rule_.body.size(); ++i) {
      if (dropped_[i] || !decides_nothing(i)) continue;
      dropped_[i] = true;
      --written_[print(rule_.body[i])];
      std::map<std::string, std::size_t> gone;
      count_variables(rule_.body[i], gone);
      for (const auto& [variable, count] : gone) uses_[variable] -= count;
      fewer_uses = fewer_uses || !gone.empty();
    }
    return fewer_uses;
  }

  [[nodiscard]] bool decides_nothing(std::size_t place) const {
    const Expression& literal = rule_.body[place];
    if (literal.kind != Kind::Compound) return false;
    std::map<std::string, std::size_t> own;
    count_variables(literal, own);
    // Without variables of its own, only the same condition is an instance of it. Bodies may have
    // many of this kind.
    const bool any_local =
        std::ranges::any_of(own, [&](const auto& v) { return v.second == uses_.at(v.first); });
    if (!any_local) return written_.at(print(literal)) > 1;
    for (std::size_t i = 0; i < rule_.body.size(); ++i) {
      Images images;
      if (i != place && !dropped_[i] && instance(literal, rule_.body[i], own, images)) return true;
    }
    return false;
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
    if (general.kind != other.kind || general.name != other.name ||
        general.arguments.size() != other.arguments.size()) {
      return false;
    }
    for (std::size_t i = 0; i < general.arguments.size(); ++i) {
      if (!instance(general.arguments[i], other.arguments[i], own, images)) return false;
    }
    return true;
  }

  PrefixRule& rule_;
  std::map<std::string, std::size_t> uses_;               // of each variable
  std::unordered_map<std::string, std::size_t> written_;  // how often each literal still is there
  std::vector<bool> dropped_;                             // by literal
};

}  // namespace

void condense(PrefixRules& rules) {
  for (PrefixRule& rule : rules.rules) {
    if (rule.body.size() > 1) Condenser(rule).run();
  }
}

}  // namespace ludens::gdl::hrf
