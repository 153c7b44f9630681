// SPDX-License-Identifier: MIT
// The languages in which rulesheets are written.
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

}  // namespace ludens::gdl
