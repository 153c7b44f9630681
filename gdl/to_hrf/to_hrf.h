// SPDX-License-Identifier: MIT
// Rules of prefix GDL as a rulesheet in HRF.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "gdl/rules/rules.h"
#include "gdl/text/diagnostic.h"

namespace ludens::gdl {

struct WrittenHrf {
  std::string text;  // empty if there is an error
  std::size_t statements = 0;
  Diagnostics diagnostics;  // errors: what HRF can't express; notes: what it expresses differently
  std::map<std::string, std::string> names;  // of constants, by their folded names in the rules
};

/// For games in turn: one role moves, all others have one move, `noop`. The rules must show that
/// all wait who are not in control; a note says where they don't show that one role is. States,
/// legal moves, ends and goals are those of the rules, except that a fluent gets another name if it
/// is called `control` and does not say who moves, or if HRF would take it for something else.
/// `next` becomes operations: what the rules keep persists, everything else is deleted by the step,
/// and additions win.
WrittenHrf write_hrf(const Rules& rules);

/// Terms of prefix GDL, `( mark a-1 )`, with other names for some constants: `( mark a_1 )`. The
/// names are given by the folded ones, as in `WrittenHrf`.
std::string with_names(const std::string& terms, const std::map<std::string, std::string>& names);

}  // namespace ludens::gdl
