// SPDX-License-Identifier: MIT
// The languages in which rulesheets are written, told from the text.
#pragma once

#include <cstdint>
#include <string_view>

namespace ludens::gdl {

enum class Dialect : std::uint8_t {
  Prefix,        // (<= HEAD CONDITION ...), as hosts send it
  Hrf,           // Gamemaster: infix, with operations; one role moves at a time
  Infix,         // the textbook: `next(p) :- does(r,a) & ~true(q)`
  Simultaneous,  // HRF with `next` in place of operations, and moves that are legal for each role
  Prolog         // `next(p) :- does(r,a), \+ true(q).`
};

/// "prefix GDL", "HRF", "infix GDL", "HRF with simultaneous moves", "Prolog GDL".
std::string_view name_of(Dialect dialect);

/// Whether rules say by `next` what a move does, as GDL has it. Only HRF does not.
constexpr bool is_gdl(Dialect dialect) {
  return dialect != Dialect::Hrf;
}

/// The dialect of a text. What begins with a `%` comment, a name directly followed by a parenthesis
/// or an arrow is infix. Operations make it HRF, a period after a clause Prolog, and a sentence of
/// GDL alone, as `next(p)` or `legal(r,a)`, infix GDL.
Dialect dialect_of(std::string_view text);

}  // namespace ludens::gdl
