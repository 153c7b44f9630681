// SPDX-License-Identifier: MIT
// The reserved words of GDL.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ludens::gdl {

/// The numbers of the keyword relations in every `Rules`, in this order.
enum Keyword : std::uint32_t {
  kRole,      // (role R)
  kInit,      // (init F)
  kTrue,      // (true F)
  kNext,      // (next F)
  kLegal,     // (legal R M)
  kDoes,      // (does R M)
  kGoal,      // (goal R V)
  kTerminal,  // terminal
  kBase,      // (base F)
  kInput,     // (input R M)
  kSees,      // (sees R P), GDL-II
  kKeywordCount
};

struct KeywordForm {
  std::string_view name;       // in lower case
  std::uint32_t arity;         // the only one it may have
  std::string_view arguments;  // "a role and a move"
};

const KeywordForm& keyword_form(Keyword keyword);

/// The keyword of a name in lower case.
std::optional<Keyword> find_keyword(std::string_view folded);

/// `<=`, `and`, `or`, `not`, `distinct`: words that are not relations.
bool is_connective(std::string_view folded);

/// A keyword, with any number of arguments, or a connective.
bool is_reserved(std::string_view folded);

}  // namespace ludens::gdl
