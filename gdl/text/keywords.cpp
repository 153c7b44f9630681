// SPDX-License-Identifier: MIT
#include "gdl/text/keywords.h"

#include <array>

namespace ludens::gdl {

namespace {

constexpr std::array<KeywordForm, kKeywordCount> kForms{{
    {"role", 1, "a role"},
    {"init", 1, "a fluent"},
    {"true", 1, "a fluent"},
    {"next", 1, "a fluent"},
    {"legal", 2, "a role and a move"},
    {"does", 2, "a role and a move"},
    {"goal", 2, "a role and a value"},
    {"terminal", 0, "no arguments"},
    {"base", 1, "a fluent"},
    {"input", 2, "a role and a move"},
    {"sees", 2, "a role and a percept"},
}};

}  // namespace

const KeywordForm& keyword_form(Keyword keyword) {
  return kForms[keyword];
}

std::optional<Keyword> find_keyword(std::string_view folded) {
  for (std::uint32_t k = 0; k < kKeywordCount; ++k) {
    if (kForms[k].name == folded) return static_cast<Keyword>(k);
  }
  return std::nullopt;
}

bool is_connective(std::string_view folded) {
  return folded == "<=" || folded == "and" || folded == "or" || folded == "not" ||
         folded == "distinct";
}

bool is_reserved(std::string_view folded) {
  return find_keyword(folded).has_value() || is_connective(folded);
}

}  // namespace ludens::gdl
